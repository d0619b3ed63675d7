/*
 * Makes the folders of both npm packages, from freshly compiled sources: `client`, and `service`, which depends on it.
 *
 *   npm run build:packages -- FOLDER
 *
 * Then `npm pack ./FOLDER/client ./FOLDER/service` makes the packages. `FOLDER/cli.js` is the client's program in one
 * file.
 */
import { cpSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleClient, bundleProgram } from "./bundle/client.ts";
import { put } from "./bundle/put.ts";
import { replacement } from "./bundle.ts";
import { compileSources } from "./compile.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: npm run build:packages -- FOLDER");
const root = fileURLToPath(new URL("..", import.meta.url));
const target = resolve(folder);

/** Folders of `lib` that only the client needs. */
const OF_CLIENT = ["actions", "github", "spool"].map((name) => join(root, "lib", name));

rmSync(join(root, "lib"), { recursive: true, force: true });
compileSources(root);
rmSync(target, { recursive: true, force: true });
await bundleClient(root, join(target, "client"), replacement);
await bundleProgram(root, target, replacement);
makeService(join(target, "service"));

/** The service's package: what the client's has is imported from there, so that a program has each class once. */
function makeService(service: string): void {
  const { name, version } = read(join(target, "client/package.json"));
  const { scripts, devDependencies, overrides, allowScripts, scarfSettings, ...manifest } = read(
    join(root, "package.json"),
  );
  const dependencies = { [name]: version, ...manifest.dependencies };
  const published = { ...manifest, private: undefined, dependencies };
  put(service, "package.json", `${JSON.stringify(published, null, 2)}\n`);
  for (const path of ["README.md", "LICENSE", "src/bin.js"]) cpSync(join(root, path), join(service, path));
  cpSync(join(root, "lib"), join(service, "lib"), { recursive: true, filter: isOfService });
  put(service, "lib/index.js", `export * from "${name}";\n`);
  put(service, "lib/index.d.ts", `export * from "${name}";\n`);
  put(service, "lib/cli/client-program.js", `export * from "${name}/commands";\n`);
  addViewer(join(service, "lib/service/http/viewer"));
}

function isOfService(path: string): boolean {
  return !OF_CLIENT.includes(path) && !/\.(?:map|entry\.js|bundled\.js)$/.test(path);
}

/**
 * The viewer of the reference page is not a dependency, because every installation would then download twelve
 * megabytes and be reported to the viewer's makers.
 */
function addViewer(viewer: string): void {
  const source = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  for (const file of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"])
    cpSync(join(source, file), join(viewer, file));
}

function read(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}
