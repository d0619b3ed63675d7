import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SERVICE = new URL("../../../../src/service/service.ts", import.meta.url).href;

/** Prints the addresses of all modules that the service loads. */
const PRINT_MODULES = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import(${JSON.stringify(SERVICE)});
  process.stdout.write(JSON.stringify(loaded));
`;

it("the serving thread loads nothing that runs user code: patterns, schemas, rules", async () => {
  const args = ["--input-type=module", "--eval", PRINT_MODULES];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
  const loaded: string[] = JSON.parse(stdout);
  expect(loaded).toContain(SERVICE);
  expect(loaded.filter((url) => /\/node_modules\/(re2js|ajv|jq-wasm)\//.test(url))).toEqual([]);
});
