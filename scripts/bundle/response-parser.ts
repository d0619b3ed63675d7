import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** The program that parses responses, which undici contains in base64. */
export function responseParser(root: string): Buffer {
  return createRequire(join(root, "package.json"))("undici/lib/llhttp/llhttp-wasm.js");
}

/**
 * Writes a module in place of undici's, for a bundle that has the program in a file of its own.
 *
 * @param bytes JavaScript expression of the program, compressed by Brotli
 * @returns the path of the module
 */
export function parserModule(root: string, bytes: string): string {
  const module = join(root, "lib/net/response-parser.bundled.js");
  writeFileSync(
    module,
    `import { readFileSync } from "node:fs";\nimport { brotliDecompressSync } from "node:zlib";\nconst bytes = brotliDecompressSync(${bytes});\nexport { bytes as "module.exports" };\n`,
  );
  return module;
}
