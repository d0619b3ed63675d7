import { expect, test } from "vitest";
import { REPOSITORY } from "../workflows/workflow-files.ts";
import { pages } from "./pages.ts";

const textOf = (path: string) => pages.find((page) => page.path === path)?.text ?? "";
const policy = textOf(".github/SECURITY.md");

test("the security policy says what is promised, what is not, what is supported and how to report", () => {
  expect(policy.match(/^## .+$/gm)).toEqual([
    "## Reporting a vulnerability",
    "## Supported versions",
    "## What we promise",
    "## What we do not promise",
  ]);
});

test("a vulnerability is reported privately, on GitHub and nowhere else", () => {
  expect(policy).toContain(`https://github.com/${REPOSITORY}/security/advisories/new`);
  expect(policy.match(/[\w.]+@[\w.-]+\.\w+|mailto:/g)).toBeNull();
});

test("the README links to it", () => {
  expect(textOf("README.md")).toContain("](.github/SECURITY.md)");
});
