import { cpSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { licensesText } from "./licenses.ts";
import { compressedHelp, helpModule } from "./operation-help.ts";
import { readPackages } from "./packages.ts";
import { put } from "./put.ts";
import { parserModule, responseParser } from "./response-parser.ts";
import { oneFile, type Replace, split } from "./split.ts";

/** The library, the program, and its commands for the program of the service. */
const ENTRIES = { index: "index.js", cli: "client.js", commands: "cli/client-program.js" };

/**
 * Roots of parts that are loaded together, because reading many files takes longer than reading one. The code
 * of most commands is one part, and that of `attest` another. Larger parts would make other commands start slower.
 */
const PARTS = {
  core: "cli/action-command.js",
  attest: "actions/attest.js",
  http: "net/dispatcher.js",
  evaluate: "actions/evaluate/run.js",
};

/**
 * Makes the folder of the client's package: it starts as fast as an action because it loads only the parts that a
 * command needs, and has no dependencies.
 *
 * @param root the project's folder, with the compiled sources in `lib`
 * @throws Error when an import is not found, or a bundled package has no accepted license
 */
export async function bundleClient(root: string, folder: string, replace: Replace): Promise<void> {
  const programs = Object.fromEntries(
    Object.entries(ENTRIES).map(([name, path]) => [name, join(root, "lib", path)]),
  );
  const binaries = {
    "operation-help.br": await compressedHelp(root),
    "response-parser.br": brotliCompressSync(responseParser(root)),
  };
  for (const [path, bytes] of Object.entries(binaries)) put(folder, path, bytes);
  const parts = await split(root, programs, {
    together: Object.fromEntries(
      Object.entries(PARTS).map(([name, path]) => [name, join(root, "lib", path)]),
    ),
    replace: replacing(
      {
        [HELP]: helpModule(root, bytesBeside("operation-help.br")),
        [PARSER]: parserModule(root, bytesBeside("response-parser.br")),
      },
      replace,
    ),
  });
  for (const { path, code } of parts) put(folder, path, code);
  copyTypes(join(root, "lib"), join(folder, "types"));
  cpSync(join(import.meta.dirname, "client-package"), folder, { recursive: true });
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  // A release packs a tag whose packages are those of another checkout.
  const installed = dirname(realpathSync(join(root, "node_modules")));
  const packages = readPackages(
    installed,
    parts.flatMap(({ files }) => files),
  );
  put(folder, "licenses.txt", licensesText(packages));
}

/** Bundles the program of the client into one file, `cli.js`, for images and machines without npm. */
export async function bundleProgram(root: string, folder: string, replace: Replace): Promise<void> {
  const bytes = (await compressedHelp(root)).toString("base64");
  const help = helpModule(root, `Buffer.from("${bytes}", "base64")`);
  const { code } = await oneFile(root, join(root, "lib/client.js"), replacing({ [HELP]: help }, replace));
  put(folder, "cli.js", code);
}

/** Imports of the modules with large texts, which the bundle has in another form. */
const HELP = "./operation-help.js";
const PARSER = "../llhttp/llhttp-wasm.js";

function replacing(modules: Readonly<Record<string, string>>, replace: Replace): Replace {
  return (id, importer) => modules[id] ?? replace(id, importer);
}

/** The bytes of a file in the folder above that of the parts: without base64, it is a quarter smaller. */
function bytesBeside(path: string): string {
  return `readFileSync(new URL("../${path}", import.meta.url))`;
}

/** Declarations that need no package. The schemas of the operations, which need one, are left out. */
function copyTypes(from: string, to: string): void {
  put(to, "api/resources/operations.d.ts", OPERATIONS);
  const paths = new Set(["index.d.ts"]);
  // Files added during the iteration are visited too.
  for (const path of paths) {
    if (path === "api/resources/operations.d.ts") continue;
    const text = readFileSync(join(from, path), "utf8");
    const indented = text.replaceAll(/^(?: {2})+(?! \*)/gm, ({ length }) => "\t".repeat(length / 2));
    put(to, path, indented);
    for (const [, name = ""] of text.matchAll(/(?:from|import\() ?"([^"]+)"/g)) {
      const found = join(dirname(path), name).replace(/\.[jt]s$/, ".d.ts");
      if (existsSync(join(from, found))) paths.add(found);
      else if (!name.startsWith("node:")) throw new Error(`${path} needs the types of ${name}`);
    }
  }
}

const OPERATIONS = `import type { Methods } from "../client/methods.js";

/** Name of an operation. */
export type OperationName = keyof Methods;

/** An operation of the interface. */
export interface Operation {
  /** Name of the operation. */
  readonly name: string;
  /** HTTP method. */
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly path: string;
}

/** All operations by name. */
export declare const operations: { readonly [Name in OperationName]: Operation };
`;
