import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

interface Described {
  readonly parameters: unknown;
  readonly requestBody?: unknown;
  readonly [field: string]: unknown;
}

/**
 * Writes a module with the texts of the operations that help prints, in place of the OpenAPI document: a twentieth of
 * its size.
 *
 * @returns the path of the module
 */
export function embeddedDocument(root: string): string {
  const document = JSON.parse(readFileSync(join(root, "src/service/http/openapi.json"), "utf8"));
  const paths = mapped(document.paths, (methods: Record<string, Described>) =>
    mapped(methods, ({ operationId, summary, description, parameters, requestBody }) => ({
      operationId,
      summary,
      description,
      parameters,
      requestBody,
    })),
  );
  const sent = new Set(JSON.stringify(paths).match(/(?<=#\/components\/schemas\/)\w+/g));
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).filter(([name]) => sent.has(name)),
  );
  const text = JSON.stringify({ paths, components: { schemas } });
  const bytes = brotliCompressSync(text).toString("base64");
  const module = join(root, "lib/cli/interface-document.bundled.js");
  writeFileSync(
    module,
    `import { brotliDecompressSync } from "node:zlib";\nexport async function interfaceDocument() {\n  return brotliDecompressSync(Buffer.from("${bytes}", "base64")).toString();\n}\n`,
  );
  return module;
}

function mapped<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
