import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { policyDigest, policyFileProblems } from "../../../src/evidence/rego/policy-files.ts";

test.each([
  ["a link out of the folder", { "../x.rego": "" }, "leaves the policy's folder"],
  ["a folder above within", { "lib/../../x.rego": "" }, "leaves the policy's folder"],
  ["an absolute path", { "/etc/x.rego": "" }, "leaves the policy's folder"],
  ["a backslash", { "lib\\x.rego": "" }, "may only have letters"],
  ["a hidden folder", { ".git/x.rego": "" }, "may only have letters"],
  ["a line break", { "a\nb.rego": "" }, "may only have letters"],
  ["other data", { "params.json": "{}" }, "must end in .rego"],
  ["paths that one file system takes for one", { "a.rego": "", "A.rego": "" }, "differs from another path"],
  ["a folder like a file", { "a.rego": "", "A.rego/b.rego": "" }, "is in a folder with the name of a file"],
  ["a schema", { "a.rego": "# METADATA\n# schemas:\n#   - input: {}\n" }, "has annotations with 'schemas'"],
  ["a hidden schema", { "a.rego": '#METADATA\n# "sch\\u0065mas": []\n' }, "has annotations with 'schemas'"],
  ["no file", {}, "has no file"],
  [
    "too many files",
    Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`${n}.rego`, ""])),
    "the limit is 100",
  ],
  ["10 MB", { "policy.rego": "#".repeat(10_000_000) }, "the limit is 1048576"],
])("a policy with %s is refused", (_, files, words) => {
  expect(policyFileProblems(files).map(({ problem }) => problem)).toEqual([expect.stringContaining(words)]);
});

test("the digest of a policy is what sha256sum makes of it", () => {
  const files = {
    "policy.rego": "package policy\n",
    "lib/b.rego": "# METADATA\n# title: B\npackage b\n",
    "lib-a.rego": "package a\n",
  };
  expect(policyFileProblems(files)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "policy-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const command = "find . -name '*.rego' | sed 's#^./##' | LC_ALL=C sort | xargs sha256sum | sha256sum";
  const printed = execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
  expect(policyDigest(files)).toBe(`sha256:${printed.slice(0, 64)}`);
});
