import { describe, expect, test } from "vitest";
import { withTables } from "../../scripts/action-files.ts";
import { workflowTables } from "../../scripts/workflow-tables.ts";
import { pages } from "../docs/pages.ts";
import { workflowFiles } from "../workflows/workflow-files.ts";

const SAMPLE = `
on:
  workflow_call:
    inputs:
      org: { description: "The organization, or | none.", type: string, required: true }
      timeout: { description: Seconds., type: number, default: 120 }
      trail: { description: The trail., type: string, default: "" }
      dry-run: { description: Send nothing., type: boolean, default: false }
    secrets:
      api-key: { description: The key., required: true }
      other: { description: Another. }
    outputs:
      url: { description: The page., value: x }
jobs:
  one:
    permissions:
      contents: read # check out
  two:
    permissions:
      contents: read # ask about the commit
      actions: read # read who approved
`;

describe("the tables of a reusable workflow", () => {
  const { inputs, secrets, outputs, permissions } = workflowTables(SAMPLE);

  test("list each input with its type and default, and mark required ones", () => {
    expect(inputs.split("\n").slice(2)).toEqual([
      "| `org` | text | The organization, or \\| none. | **required** |",
      "| `timeout` | number | Seconds. | `120` |",
      "| `trail` | text | The trail. |  |",
      "| `dry-run` | true or false | Send nothing. | `false` |",
    ]);
  });

  test("list secrets and outputs", () => {
    expect(secrets.split("\n").slice(2)).toEqual([
      "| `api-key` | The key. | **required** |",
      "| `other` | Another. |  |",
    ]);
    expect(outputs.split("\n").slice(2)).toEqual(["| `url` | The page. |"]);
  });

  test("list each permission once, with the reasons of all jobs", () => {
    expect(permissions.split("\n").slice(2)).toEqual([
      "| `contents: read` | check out; ask about the commit |",
      "| `actions: read` | read who approved |",
    ]);
  });

  test("list those of a job that inherits its caller's permissions", () => {
    const granted = SAMPLE.replace("    permissions:\n      contents", "    #   contents");
    expect(workflowTables(granted).permissions).toBe(permissions);
  });

  test("say so when no secret is needed", () => {
    const without = SAMPLE.replace(/^ {4}secrets:\n(?: {6}.*\n)+/m, "");
    expect(workflowTables(without).secrets).toContain("| none | the job's own token is enough |  |");
  });

  test("say so when no permission is needed", () => {
    const without = SAMPLE.replace(/^ {6}\w+: read .*$/gm, "");
    expect(workflowTables(without).permissions).toContain("| none | the jobs need no permission |");
  });
});

const withPage = pages.flatMap((page) => {
  const [, name] = /^docs\/([\w-]+)\.md$/.exec(page.path) ?? [];
  const file = workflowFiles.find((workflow) => workflow.name === `.github/workflows/${name}.yml`);
  return file === undefined ? [] : [[page.path, { page, file }] as const];
});

test.each(withPage)("the tables of %s are current", (_, { page, file }) => {
  expect(withTables(page.text, workflowTables(file.text))).toBe(page.text);
});

test("such pages exist", () => {
  expect(withPage.length).toBeGreaterThanOrEqual(4);
});
