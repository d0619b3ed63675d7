import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ncc from "@vercel/ncc";
import { actions, root as rootAction } from "../src/actions/actions.ts";

/** The names of the bundled programs. */
export const BUNDLES = [...actions, rootAction].map(({ name }) => name);

/**
 * Parts of undici that the transport never uses and undici does without when they cannot be loaded. Each entry names
 * a module that is nowhere, so that the bundle neither holds nor loads the part.
 */
const LEFT_OUT = {
  // Brings in node:tls: over plain HTTP that is a third of a step's start-up. The transport speaks HTTP/1.1 only.
  "node:http2": "http2-left-out",
  // An experimental parser beside the one in use: a quarter of the bundle.
  "../milo/simd.js": "milo-left-out",
  "../milo/no-simd.js": "milo-left-out",
  // What sends a FormData: the transport's bodies are byte streams.
  "../web/fetch/body.js": "fetch-body-left-out",
  "../web/fetch/formdata": "formdata-left-out",
  "../web/webidl": "webidl-left-out",
};

/**
 * Bundles each action's compiled program into a folder of its own below `target`. The bundles depend on the
 * sources alone: not on the folder, the time or what was there before.
 *
 * @param root the project's folder, where `lib` holds the compiled sources
 */
export async function bundle(root: string, target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  const licenses = new Set<string>();
  for (const name of BUNDLES) {
    const folder = join(target, name);
    mkdirSync(folder, { recursive: true });
    for (const license of await bundleProgram(entry(root, name), folder)) licenses.add(license);
  }
  writeFileSync(join(target, "licenses.txt"), `${[...licenses].sort().join("\n\n")}\n`);
}

/** Bundles one program into a folder and gives the licenses of the packages in it. */
export async function bundleProgram(program: string, folder: string): Promise<string[]> {
  const { code, assets } = await ncc(program, {
    cache: false,
    minify: true,
    quiet: true,
    license: "licenses.txt",
    externals: LEFT_OUT,
  });
  writeFileSync(join(folder, "index.js"), code);
  for (const [path, { source }] of Object.entries(assets)) {
    if (path !== "licenses.txt") writeFileSync(join(folder, path), source);
  }
  return splitLicenses(String(assets["licenses.txt"]?.source ?? ""));
}

/** The program of a bundle: it runs one action. */
function entry(root: string, name: string): string {
  const exported = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const path = join(root, "lib", "actions", `${name}.entry.js`);
  writeFileSync(
    path,
    `import { runAction } from "../github/run.js";\nimport { ${exported} } from "./${name}.js";\nawait runAction(${exported});\n`,
  );
  return path;
}

/** ncc writes one text for a bundle, package after package, each begun by its name on a line of its own. */
function splitLicenses(text: string): string[] {
  return text.split(/\n{2,}(?=@?[a-z0-9][\w./-]*\n(?:[A-Z(]|\s*$))/m).map((part) => part.trim());
}
