import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readmeTables, rootActionYaml, withTables } from "../../scripts/action-files.ts";
import { BUNDLES } from "../../scripts/bundle.ts";
import { actions, root } from "../../src/actions/actions.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { allInputs } from "../../src/github/step/action.ts";

const top = join(import.meta.dirname, "../..");
const document = parse(rootActionYaml(root));

describe("the root action", () => {
  test("runs on Node, not as a composite, from a bundle", () => {
    expect(document.runs).toEqual({ using: "node24", main: "dist/root/index.js" });
    expect(BUNDLES).toContain("root");
  });

  test("describes each input and output, and sets no value for an output", () => {
    for (const { description } of Object.values<{ description: string }>(document.inputs)) {
      expect(description).toMatch(/\S/);
    }
    expect(document.outputs).toEqual(
      Object.fromEntries(Object.entries(root.outputs).map(([name, description]) => [name, { description }])),
    );
  });
});

test("the page of operations lists each one with its path", () => {
  const table = readFileSync(join(top, "docs/operations.md"), "utf8");
  for (const { name, method, path } of Object.values(operations)) {
    expect(table).toContain(`| \`${name}\` | \`${method} ${path}\` |`);
  }
});

test("the page of operations has a section for every table", () => {
  const page = readFileSync(join(top, "docs/operations.md"), "utf8");
  const tables = { inputs: "1", outputs: "2", operations: "3" };
  expect(withTables(page, tables)).toContain("<!-- operations -->\n3\n<!-- /operations -->");
});

test("the page of attest has every input in one of its two tables, and the seven most common in the first", () => {
  const attest = actions.find(({ name }) => name === "attest") ?? expect.fail("attest is missing");
  const { inputs = "", "more-inputs": more = "" } = readmeTables(attest);
  const namesIn = (table: string) => [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name = ""]) => name);
  expect(namesIn(inputs)).toHaveLength(7);
  expect([...namesIn(inputs), ...namesIn(more)].sort()).toEqual(Object.keys(allInputs(attest)).sort());
});
