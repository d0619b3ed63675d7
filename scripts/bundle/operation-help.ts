import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";

/** The help of each operation as compressed JSON: a fiftieth of the OpenAPI document that it is made from. */
export async function compressedHelp(root: string): Promise<Buffer> {
  const load = (path: string) => import(pathToFileURL(join(root, "lib", path)).href);
  const { operations } = await load("api/resources/operations.js");
  const { operationHelp } = await load("cli/operation-help.js");
  const names = Object.keys(operations);
  const texts = await Promise.all(names.map(async (name) => [name, await operationHelp(name)]));
  return brotliCompressSync(JSON.stringify(Object.fromEntries(texts)));
}

/**
 * Writes a module that prints the help of operations from the compressed texts.
 *
 * @param bytes JavaScript expression of the compressed texts
 * @returns the path of the module
 */
export function helpModule(root: string, bytes: string): string {
  const module = join(root, "lib/cli/operation-help.bundled.js");
  writeFileSync(
    module,
    `import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { operationNamed } from "../api/client/invoke.js";
export async function operationHelp(name) {
  operationNamed(name, "options");
  return JSON.parse(brotliDecompressSync(${bytes}).toString())[name];
}
`,
  );
  return module;
}
