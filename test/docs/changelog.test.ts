import { expect, test } from "vitest";
import { pageNamed } from "./reference-pages.ts";

test("the changelog has the form of Keep a Changelog", () => {
  const headings = pageNamed("docs/changelog.md").text.match(/^#+ .*$/gm) ?? [];
  const versions = headings.filter((heading) => heading.startsWith("## "));
  expect(headings[0]).toBe("# Changelog");
  expect(
    versions.filter((heading) => !/^## (Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)$/.test(heading)),
  ).toEqual([]);
  const kinds = headings.filter((heading) => heading.startsWith("### "));
  expect(kinds.filter((kind) => !/ (Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(kind))).toEqual(
    [],
  );
});
