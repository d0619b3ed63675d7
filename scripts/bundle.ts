import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ncc from "@vercel/ncc";
import { actions, root as rootAction } from "../src/actions/actions.ts";
import { VERSION } from "../src/api/version.ts";
import { licensesText } from "./bundle/licenses.ts";
import { type BundledPackage, readPackages } from "./bundle/packages.ts";
import { put } from "./bundle/put.ts";
import { describeBundle } from "./bundle/sbom.ts";
import { oneFile, type Part, split } from "./bundle/split.ts";

/** The names of the bundled programs. */
export const BUNDLES = [...actions, rootAction].map(({ name }) => name);

/** The folder for code that several bundles load. */
export const SHARED = "shared";

/** The bill of materials of each bundle. */
export const SBOM_FILE = "sbom.cdx.json";

/**
 * Parts of undici that the transport does not use and that undici can do without. Each entry names
 * a module that does not exist, so that the bundle neither contains nor loads the part.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  // Loads node:tls, a third of a step's start-up time over plain HTTP. The transport uses HTTP/1.1 only.
  "node:http2": "http2-left-out",
  // undici has two response parsers of 72 KB each and prefers this one. The plain one is as fast
  // for responses this short.
  "../llhttp/llhttp_simd-wasm.js": "llhttp-simd-left-out",
  // For sending FormData. The transport's bodies are byte streams.
  "../web/fetch/body.js": "fetch-body-left-out",
  "../web/fetch/formdata": "formdata-left-out",
  "../web/webidl": "webidl-left-out",
};

/**
 * Bundles each action's compiled program into a folder below `target`, with a bill of materials,
 * and writes the code that bundles share and the licenses of all contents. The output depends only
 * on the sources: not on the folder, the time or earlier output.
 *
 * @param root the project's folder, with the compiled sources in `lib`
 * @throws Error when an import is not found, or a bundled package has no accepted license
 */
export async function bundle(root: string, target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  const programs = Object.fromEntries(BUNDLES.map((name) => [`${name}/index`, entry(root, name)]));
  const parts = await split(root, programs, {
    together: { core: entry(root, "attest"), http: join(root, "lib/net/dispatcher.js") },
    replace: replacement,
  });
  for (const { path, code } of parts) put(target, path, code);
  put(target, `${SHARED}/package.json`, ES_MODULES);
  const packages: BundledPackage[] = [];
  for (const name of BUNDLES) {
    const folder = join(target, name);
    await pack(folder);
    const loaded = loadedBy(`${name}/index.js`, parts);
    const inside = readPackages(
      root,
      loaded.flatMap((part) => part.files),
    );
    const shared = loaded.map(({ path }) => path).filter((path) => path.startsWith(`${SHARED}/`));
    put(folder, SBOM_FILE, describeBundle({ name, version: VERSION, folder, shared, packages: inside }));
    packages.push(...inside);
  }
  put(target, "licenses.txt", licensesText(packages));
}

/**
 * Bundles the program of the reporter's container image from its sources into one file, with a bill of materials and
 * the licenses. It is not in `dist/`, because every step of an action downloads that.
 */
export async function bundleReporter(root: string, folder: string): Promise<void> {
  const { path, code, files } = await oneFile(root, join(root, "src/reporter.ts"), replacement);
  put(folder, path, code);
  put(folder, "package.json", ES_MODULES);
  const packages = readPackages(root, files);
  const content = { name: "reporter", version: VERSION, folder, shared: [], packages };
  put(folder, SBOM_FILE, describeBundle(content));
  put(folder, "licenses.txt", licensesText(packages));
}

/** Replaces the parts of packages that no action needs. */
export function replacement(id: string, importer: string): string | undefined {
  // As ES modules, so that the half which writes YAML is left out.
  if (id === "yaml") return YAML_MODULES;
  if (!/[\\/]node_modules[\\/]undici[\\/]/.test(importer)) return undefined;
  const file = SMALLER[id];
  return file === undefined ? LEFT_OUT[id] : join(REPLACEMENTS, file);
}

/** Replacements for modules that undici hardly needs and that are large or load slowly. */
const SMALLER: Readonly<Record<string, string>> = {
  "node:assert": "assert.cjs",
  "node:http": "http.js",
  "./client-h2.js": "client-h2.cjs",
  "./parser-h1.js": "parser-h1.cjs",
  "./socks5-proxy-agent": "socks5-proxy-agent.cjs",
};

const YAML_MODULES = join(
  dirname(createRequire(import.meta.url).resolve("yaml/package.json")),
  "browser/dist/index.js",
);

const REPLACEMENTS = join(import.meta.dirname, "bundle/replacements");

/** Makes Node read the files of a folder as ES modules, whatever package surrounds it. */
const ES_MODULES = '{\n  "type": "module"\n}\n';

/** The parts that a program may load: its own and shared ones. */
function loadedBy(program: string, parts: readonly Part[]): Part[] {
  const byPath = new Map(parts.map((part) => [part.path, part]));
  const paths = new Set([program]);
  // Parts added during the iteration are visited too.
  for (const path of paths) for (const next of byPath.get(path)?.loads ?? []) paths.add(next);
  return parts.filter(({ path }) => paths.has(path));
}

/** Bundles the program of a folder. Shared code remains in its own files. */
async function pack(folder: string): Promise<void> {
  const program = join(folder, "index.js");
  // Without this, the bundler would load lazy imports at the start.
  const source = readFileSync(program, "utf8").replaceAll("import(", "import(/* webpackIgnore: true */");
  writeFileSync(program, source);
  const shared = Object.fromEntries([...source.matchAll(IMPORTED)].map(([, path = ""]) => [path, path]));
  const { code, assets } = await numberedFrom(folder, () =>
    ncc(program, { cache: false, minify: true, quiet: true, externals: shared }),
  );
  put(folder, "index.js", code);
  for (const [path, { source: content }] of Object.entries(assets)) put(folder, path, content);
}

/** Runs an action with a working directory. The bundler numbers modules by their path from there. */
async function numberedFrom<Result>(folder: string, act: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await act();
  } finally {
    process.chdir(before);
  }
}

const IMPORTED = /\bfrom\s*"(\.\.\/[^"]+)"/g;

/**
 * The entry module of a bundle, which runs one action. Without a top-level `await`: the bundlers would not merge small
 * parts, and would wrap each program.
 */
function entry(root: string, name: string): string {
  const exported = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const path = join(root, "lib", "actions", `${name}.entry.js`);
  writeFileSync(
    path,
    `import { runAction } from "../github/step/run.js";\nimport { ${exported} } from "./${name}.js";\nrunAction(${exported});\n`,
  );
  return path;
}
