import { expect, test } from "vitest";
import { parseExpression } from "../../../../src/service/judging/policies/expression-parser.ts";
import { userDataPaths, userDataValues } from "../../../../src/service/judging/policies/user-data.ts";

test("the paths of a condition are found wherever they are", () => {
  const of = (name: string) => `attestation.user_data.${name}`;
  const text = `${of("a")} == ${of("b.c")} and (not ${of("d")} in ['x', ${of("e")}] or exists(${of("f")}) or exists(flow)) and matches(${of("g-1")}, 'x')`;
  expect(userDataPaths(parseExpression(text, "attestation"))).toEqual(["a", "b.c", "d", "e", "f", "g-1"]);
});

test("the values are texts, numbers, and true or false as text", () => {
  const data = {
    review: { four_eyes: true, with: false, agents: ["a"], none: null, deep: { er: "x" } },
    count: 2,
    exact: JSON.rawJSON("1.10"),
  };
  const paths = [
    "review.four_eyes",
    "review.with",
    "review.agents",
    "review.none",
    "review.deep",
    "review.deep.er",
  ];
  expect(
    userDataValues(data, [...paths, "count", "exact", "toString", "review.agents.0", "absent.x"]),
  ).toEqual({
    "review.four_eyes": "true",
    "review.with": "false",
    "review.deep.er": "x",
    count: 2,
    exact: 1.1,
  });
});

test.each([[null], [undefined], ["text"], [[{ a: 1 }]]])("user data that is %j has none", (data) => {
  expect(userDataValues(data, ["a", "0", "length"])).toEqual({});
});
