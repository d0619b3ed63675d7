import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ERROR_CODES } from "../../src/api/error-codes.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const [, paragraphs = ""] = readFileSync(`${root}docs/troubleshooting.md`, "utf8").split(
  "\n## Error codes\n",
);
const documented = [...paragraphs.matchAll(/^### (.+)\n\n(\S.+)/gm)].map(([, heading]) => heading);

test("every code is area.reason", () => {
  expect(ERROR_CODES.filter((code) => !/^[a-z_]+\.[a-z_]+$/.test(code))).toEqual([]);
});

test("every code has a paragraph in the troubleshooting guide, and every paragraph a code, in order", () => {
  expect(documented).toEqual([...ERROR_CODES].sort());
});

test("every code is used by some error", () => {
  const sources = globSync("src/**/*.ts", { cwd: root })
    .filter((path) => !path.endsWith("api/error-codes.ts"))
    .map((path) => readFileSync(root + path, "utf8"))
    .join("\n");
  const composed = ["flow.archived", "flow.not_found", "environment.archived", "environment.not_found"];
  const unused = ERROR_CODES.filter((code) => !composed.includes(code) && !sources.includes(`"${code}"`));
  expect(unused).toEqual([]);
});
