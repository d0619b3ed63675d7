import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { actionYaml, operationTable, rootActionYaml, withTables } from "../../scripts/action-files.ts";
import { BUNDLES } from "../../scripts/bundle.ts";
import { actions, root } from "../../src/actions/actions.ts";
import { operations } from "../../src/api/operations.ts";

const top = join(import.meta.dirname, "../..");
const document = parse(rootActionYaml(root));

/** The icons of Feather 4.28 that an action may well use; the Marketplace leaves some out. */
const ICONS = [
  "activity",
  "archive",
  "award",
  "check",
  "check-circle",
  "check-square",
  "clipboard",
  "shield",
];
const COLORS = ["white", "black", "yellow", "blue", "green", "orange", "red", "purple", "gray-dark"];

describe("the action at the top", () => {
  test("may be listed on the Marketplace", () => {
    expect(document.description.length).toBeLessThan(125);
    expect(ICONS).toContain(document.branding.icon);
    expect(COLORS).toContain(document.branding.color);
    expect(document.author).toBeTruthy();
  });

  test("has a name that none of the others has", () => {
    const others = actions.map((action) => parse(actionYaml(action)).name);
    expect(new Set([...others, document.name]).size).toBe(others.length + 1);
  });

  test("runs on Node, not as a composite, from a bundle that is built", () => {
    expect(document.runs).toEqual({ using: "node24", main: "dist/root/index.js" });
    expect(BUNDLES).toContain("root");
  });

  test("describes each input and output, and gives no output a value of its own", () => {
    for (const { description } of Object.values<{ description: string }>(document.inputs)) {
      expect(description).toMatch(/\S/);
    }
    expect(document.outputs).toEqual(
      Object.fromEntries(Object.entries(root.outputs).map(([name, description]) => [name, { description }])),
    );
  });

  test("is the only thing of its kind", () => {
    expect(existsSync(join(top, "action.yaml"))).toBe(false);
  });
});

test("the table of operations names each one with its path", () => {
  const table = operationTable(Object.values(operations));
  for (const { name, method, path } of Object.values(operations)) {
    expect(table).toContain(`| \`${name}\` | \`${method} ${path}\` |`);
  }
});

test("the README has a place for every table", () => {
  const readme = readFileSync(join(top, "README.md"), "utf8");
  const tables = { inputs: "1", outputs: "2", operations: "3" };
  expect(withTables(readme, tables)).toContain("<!-- operations -->\n3\n<!-- /operations -->");
});
