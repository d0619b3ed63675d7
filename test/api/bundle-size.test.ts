import { globSync, readFileSync } from "node:fs";
import { rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;

/** Size of a minified bundle of a program, in bytes. */
async function bundledSize(program: string): Promise<number> {
  await using bundle = await rolldown({
    input: "program",
    platform: "node",
    cwd: root,
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? id : null),
        load: (id) => (id === "program" ? program : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  return output.reduce((sum, part) => sum + (part.type === "chunk" ? Buffer.byteLength(part.code) : 0), 0);
}

test("verifyWebhook alone is a small bundle", async () => {
  const program = `import { verifyWebhook } from "${root}src/index.ts"; console.log(verifyWebhook);`;
  const size = await bundledSize(program);
  expect(size).toBeGreaterThan(1_000);
  expect(size).toBeLessThan(20_000);
});

/** Programs, which are started by their path. */
const PROGRAMS = /^src\/(cli|client|reporter|service\/worker|service\/judging\/\w+-?\w*\/\w+-thread)\.ts$/;
const DECLARATIONS = /^(Import|Export\w*|Variable|Function|Class|TS\w+)Declaration$/;

test('modules have no side effects, as "sideEffects": false promises', () => {
  expect(JSON.parse(readFileSync(`${root}package.json`, "utf8")).sideEffects).toBe(false);
  const paths = globSync("src/**/*.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  const found = paths.flatMap((path) => {
    if (path.endsWith(".d.ts") || PROGRAMS.test(path)) return [];
    const source = readFileSync(root + path, "utf8");
    const { body } = parseSync(path, source).program;
    const effects = body.filter((each) =>
      each.type === "ImportDeclaration"
        ? each.specifiers.length === 0 && each.phase === null
        : !DECLARATIONS.test(each.type),
    );
    return effects.map(({ start, end }) => `${path}: ${source.slice(start, end)}`);
  });
  // Configures a parser for the module's own functions, which need this module to run.
  expect(found).toEqual([
    "src/evidence/xml.ts: Object.assign(sax, { MAX_BUFFER_LENGTH: MAX_TOKEN_CHARACTERS });",
  ]);
});
