import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { fingerprintDirectory } from "../../src/evidence/directory-fingerprint.ts";
import { treeOf, UnusablePaths } from "../../src/evidence/listed-tree.ts";
import { excludedBy, fingerprintTree } from "../../src/evidence/tree-fingerprint.ts";
import { planted } from "./temporary-directory.ts";

const FILES: Readonly<Record<string, string>> = {
  ".kosli_ignore": "logs\n**/*.tmp\n",
  "a-b": "as a key it sorts before a/",
  "a/z": "",
  "a/é": "accent",
  "a/deep/er/x.tmp": "left out",
  "a/deep/er/y": "kept",
  "logs/today": "left out",
  "\uffee": "half",
  𝕏: "double",
};

test("a listed tree has the fingerprint of the same directory on disk", async () => {
  const asked: string[] = [];
  const root = treeOf(listed([...Object.keys(FILES), "empty/", "a/"]));
  const excluded = excludedBy(FILES[".kosli_ignore"] ?? "", root);
  const fingerprint = await fingerprintTree(root, excluded, {
    listOf: ({ entries }) => entries,
    digestOf({ path }) {
      asked.push(path);
      return hash("sha256", FILES[path.slice(1)] ?? "");
    },
  });
  const directory = planted({
    ".kosli_ignore": FILES[".kosli_ignore"] ?? "",
    "a-b": FILES["a-b"] ?? "",
    a: { z: "", é: "accent", deep: { er: { "x.tmp": "left out", y: "kept" } } },
    logs: { today: "left out" },
    "\uffee": "half",
    𝕏: "double",
    empty: {},
  });
  expect(fingerprint).toBe(await fingerprintDirectory(directory));
  expect(asked).not.toContain("/logs/today");
});

/** Keys of a bucket, and names in an archive, are joined with a folder as paths are. */
test("empty segments and '.' mean nothing", () => {
  const { entries } = treeOf(listed(["./a//b", "/c/./d", ".//e/"]));
  const [a, c, e] = entries;
  expect([a?.path, a?.entries[0]?.path, a?.entries[0]?.content]).toEqual(["/a", "/a/b", "./a//b"]);
  expect([c?.path, c?.entries[0]?.path]).toEqual(["/c", "/c/d"]);
  expect(e).toMatchObject({ path: "/e", isDirectory: true, entries: [], content: undefined });
});

test.each([
  [["../x"], "'../x' contains '..' between its slashes"],
  [["a/../b"], "'a/../b' contains '..' between its slashes"],
  [[""], "'' names no file"],
  [["./"], "'./' names no file"],
  [["a\0b"], "'a\0b' names no file"],
  [["a", "a"], "'a' and 'a' name the same file"],
  [["a//b", "a/./b"], "'a//b' and 'a/./b' name the same file"],
  [["a", "a/b"], "'a' and 'a/b' need a file and a directory of one name"],
  [["a/b", "a"], "'a/b' and 'a' need a file and a directory of one name"],
  [["a", "a/"], "'a' and 'a/' need a file and a directory of one name"],
])("refuses %j", (paths, message) => {
  expect(() => treeOf(listed(paths))).toThrow(new UnusablePaths([message]));
});

test("names ten problems, and the number of the others", () => {
  const paths = Array.from({ length: 13 }, (_, index) => `../${index}`);
  expect(() => treeOf(listed(paths))).toThrow(/'\.\.\/9' [^;]*; 3 more paths$/);
});

function listed(paths: readonly string[]) {
  return paths.map((path) => [path, path] as const);
}
