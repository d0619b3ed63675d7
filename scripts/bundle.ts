import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ncc from "@vercel/ncc";
import { actions, root as rootAction } from "../src/actions/actions.ts";
import { VERSION } from "../src/api/version.ts";
import { licensesText } from "./bundle/licenses.ts";
import { bundledFiles, unresolvedImports } from "./bundle/modules.ts";
import { type BundledPackage, readPackages } from "./bundle/packages.ts";
import { describeBundle } from "./bundle/sbom.ts";

/** The names of the bundled programs. */
export const BUNDLES = [...actions, rootAction].map(({ name }) => name);

/** The bill of materials beside each bundle. */
export const SBOM_FILE = "sbom.cdx.json";

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
 * Bundles each action's compiled program into a folder of its own below `target`, with a bill of materials beside it,
 * and writes the licenses of all that is in them. The output depends on the sources alone: not on the folder, the
 * time or what was there before.
 *
 * @param root the project's folder, where `lib` holds the compiled sources
 * @throws Error when an import is not found, or a package in a bundle has no license that is accepted here
 */
export async function bundle(root: string, target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  const packages: BundledPackage[] = [];
  for (const name of BUNDLES) {
    const folder = join(target, name);
    mkdirSync(folder, { recursive: true });
    const inside = readPackages(root, await bundleProgram(root, entry(root, name), folder));
    writeFileSync(
      join(folder, SBOM_FILE),
      describeBundle({ name, version: VERSION, folder, packages: inside }),
    );
    packages.push(...inside);
  }
  writeFileSync(join(target, "licenses.txt"), licensesText(packages));
}

/**
 * Bundles one program into a folder and gives the files that became part of it.
 *
 * @throws Error when an import is not found: ncc itself makes a bundle that fails where it gets to it
 */
export async function bundleProgram(root: string, program: string, folder: string): Promise<string[]> {
  const { code, assets, stats } = await numberedFrom(root, () =>
    ncc(program, { cache: false, minify: true, quiet: true, externals: LEFT_OUT }),
  );
  const unresolved = unresolvedImports(stats);
  if (unresolved.length > 0) {
    throw new Error(`${relative(root, program)} cannot be bundled:\n${unresolved.join("\n")}`);
  }
  writeFileSync(join(folder, "index.js"), code);
  for (const [path, { source }] of Object.entries(assets)) writeFileSync(join(folder, path), source);
  return bundledFiles(stats);
}

/** The bundler numbers modules by their path from the working directory, wherever the sources are. */
async function numberedFrom<Result>(root: string, act: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(root);
  try {
    return await act();
  } finally {
    process.chdir(before);
  }
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
