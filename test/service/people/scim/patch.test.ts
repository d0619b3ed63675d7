import { expect, it } from "vitest";
import { operationsIn, patched } from "../../../../src/service/people/scim/patch.ts";
import { ScimProblem } from "../../../../src/service/people/scim/problem.ts";

const USER = { userName: "ada" };
const emails = (count: number, length: number) =>
  Array.from({ length: count }, (_, number) => ({ value: `${number}`.padEnd(length, "x") }));
const add = (value: object[]) => ({ op: "add", path: "emails", value });

function problemOf(operations: object[]): unknown {
  try {
    patched(USER, operationsIn({ Operations: operations }));
    return undefined;
  } catch (error) {
    return error instanceof ScimProblem ? error.status : error;
  }
}

it.each([
  ["large values", [add(emails(100, 1_000)), ...emails(99, 5).map((email) => add([email]))], 413],
  [
    "many comparisons",
    [
      add(emails(900, 10)),
      ...Array.from({ length: 900 }, () => ({ op: "remove", path: 'emails[value eq "-"]' })),
    ],
    413,
  ],
  ["a usual number of both", [add(emails(20, 40)), ...emails(30, 5).map((email) => add([email]))], undefined],
])("answers %s in one PATCH request", (_, operations, status) => {
  expect(problemOf(operations)).toBe(status);
});
