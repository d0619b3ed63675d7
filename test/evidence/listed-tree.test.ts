import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { fingerprintDirectory } from "../../src/evidence/directory-fingerprint.ts";
import { treeOf } from "../../src/evidence/listed-tree.ts";
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
  const root = treeOf([...Object.keys(FILES), "empty/", "a/"]);
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

test.each([
  [["../x"], "'../x' is not a path inside of the directory"],
  [["a/../../x"], "'a/../../x' is not a path inside of the directory"],
  [["/etc/passwd"], "'/etc/passwd' is not a path inside of the directory"],
  [["a//b"], "'a//b' is not a path inside of the directory"],
  [["a/./b"], "'a/./b' is not a path inside of the directory"],
  [[""], "'' is not a path inside of the directory"],
  [["a", "a"], "'a' is listed twice"],
  [["a", "a/b"], "'a' is both a file and a directory, because of 'a/b'"],
  [["a/b", "a"], "'a' is both a file and a directory"],
])("refuses %j", (paths, message) => {
  expect(() => treeOf(paths)).toThrow(message);
});
