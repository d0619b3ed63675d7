import { expect, test } from "vitest";
import { actions } from "../../src/actions/actions.ts";
import { callOf, readWorkflow, requiredPermissions, workflowFiles } from "../workflows/workflow-files.ts";
import { pages, tablesOf } from "./pages.ts";

const page = pages.find(({ path }) => path === "docs/security.md");
const table = (page === undefined ? [] : tablesOf(page)).find(
  ({ header }) => header[0] === "Action or workflow",
);
const scopes = (table?.header ?? []).slice(1).map((cell) => cell.replaceAll("`", ""));

/** The row of an action or workflow, found by its linked name, as scopes with their levels. */
function granted(name: string): Record<string, string> | undefined {
  const row = table?.rows.find(([first = ""]) => first.startsWith(`[${name}](`));
  const levels = row?.slice(1).map((cell, index) => [scopes[index], /^`(\w+)`/.exec(cell)?.[1]] as const);
  return levels && Object.fromEntries(levels.filter(([, level]) => level !== undefined));
}

test("each action has its row", () => {
  const names = [...actions.map(({ name }) => name), "root action"];
  expect(names.filter((name) => granted(name) === undefined)).toEqual([]);
});

test("the token that replaces a key is the first row, and every action accepts it", () => {
  expect(scopes[0]).toBe("id-token");
  const names = [...actions.map(({ name }) => name), "root action"];
  expect(names.filter((name) => granted(name)?.["id-token"] !== "write")).toEqual([]);
});

const reusable = workflowFiles
  .filter((file) => callOf(readWorkflow(file)) !== undefined && !/\/(?:ci|self-test)\.yml$/.test(file.name))
  .map((file) => [/([\w-]+)\.yml$/.exec(file.name)?.[1] ?? "", file] as const);

test.each(reusable)("%s has the permissions that its jobs ask for", (name, file) => {
  const asked = requiredPermissions(file).map(({ scope, level }) => [scope, level]);
  expect(granted(name)).toEqual(Object.fromEntries(asked));
});

test.each(reusable)("%s has a page", (name) => {
  expect(pages.map(({ path }) => path)).toContain(`docs/${name}.md`);
});
