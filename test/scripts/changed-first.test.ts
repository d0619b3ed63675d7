import { expect, test } from "vitest";
import { testsOf } from "../changed-first.ts";

const TESTS = [
  "test/api/client/call.test.ts",
  "test/service/runtime/running/a.test.ts",
  "test/service/runtime/b.test.ts",
];

test.each([
  ["src/api/client/call.ts", ["test/api/client/call.test.ts"]],
  ["src/service/runtime/running/artifact.ts", ["test/service/runtime/running/a.test.ts"]],
  ["src/service/runtime/asserts.ts", TESTS.slice(1)],
  ["src/service/runtime/running/table.json", ["test/service/runtime/running/a.test.ts"]],
  ["src/cli.ts", []],
  ["docs/pages.md", ["docs/pages.md"]],
  ["test/x.test.ts", ["test/x.test.ts"]],
])("a change of %s runs %j first", (path, expected) => {
  expect(testsOf(path, TESTS)).toEqual(expected);
});
