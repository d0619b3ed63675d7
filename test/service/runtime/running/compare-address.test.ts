import { expect, it } from "vitest";
import { compareAddress } from "../../../../src/service/runtime/running/compare-address.ts";

it.each([
  ["https://github.com/acme/web/commit/new", "https://github.com/acme/web/compare/old...new"],
  ["https://ghe.example/acme/web/commit/new?x=1", "https://ghe.example/acme/web/compare/old...new"],
  ["https://gitlab.com/a/b/c/-/commit/new", "https://gitlab.com/a/b/c/-/compare/old...new"],
  ["https://bitbucket.org/acme/web/commits/new", "https://bitbucket.org/acme/web/branches/compare/new..old"],
  [
    "https://dev.azure.com/acme/p/_git/web/commit/new",
    "https://dev.azure.com/acme/p/_git/web/branchCompare?baseVersion=GCold&targetVersion=GCnew",
  ],
  ["https://git.example/show?id=new", null],
])("the commits before %s are shown at %s", (commitUrl, expected) => {
  expect(compareAddress(commitUrl, "old", "new")).toBe(expected);
});

it("a commit is not compared with itself", () => {
  expect(compareAddress("https://github.com/acme/web/commit/new", "new", "new")).toBeNull();
});
