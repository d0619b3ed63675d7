import { expect, test } from "vitest";
import { actions } from "../../src/actions/actions.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { allInputs } from "../../src/github/step/action.ts";
import { codeIn, pages, tablesOf } from "./pages.ts";

const page = pages.find(({ path }) => path === "docs/migration.md");
const tables = page === undefined ? [] : tablesOf(page);
const flagTables = tables.filter(({ header }) => header[1]?.startsWith("Input of "));

test("there are commands and flags of every action that replaces one", () => {
  const named = flagTables.flatMap(({ header }) => codeIn(header[1] ?? ""));
  expect(new Set(named)).toEqual(new Set(["attest", "begin-trail", "assert-artifact", "report-env"]));
  expect(tables.some(({ header }) => header[0] === "Command")).toBe(true);
});

test.each(flagTables.map((table) => [table.name, table] as const))(
  "%s: each row names an existing input, or says that there is none",
  (_, { header, rows }) => {
    const [name = ""] = codeIn(header[1] ?? "");
    const action = actions.find((each) => each.name === name);
    const inputs = action === undefined ? [] : Object.keys(allInputs(action));
    const wrong = rows.filter(([, cell = ""]) => {
      const [first = ""] = codeIn(cell);
      return cell.startsWith("none") ? false : !cell.startsWith(`\`${first}\``) || !inputs.includes(first);
    });
    expect(wrong).toEqual([]);
  },
);

test("each named operation exists in the API", () => {
  const named = tables
    .flatMap(({ rows }) => rows.flat().flatMap(codeIn))
    .filter((code) => /^[a-z]+[A-Z]\w*$/.test(code));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !Object.hasOwn(operations, name))).toEqual([]);
});

test("each named action is one of ours", () => {
  const named = tables
    .flatMap(({ rows }) => rows.flat())
    .flatMap((cell) => cell.match(/actions\/[\w-]+/g) ?? []);
  expect(named.filter((path) => !actions.some(({ name }) => path === `actions/${name}`))).toEqual([]);
});
