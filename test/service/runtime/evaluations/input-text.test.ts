import { expect, it, test } from "vitest";
import { parseExactJson } from "../../../../src/service/kernel/exact-json.ts";
import { inputText } from "../../../../src/service/runtime/evaluations/input-text.ts";

it.each([
  {},
  { a: [], b: {}, c: null, d: undefined, e: [undefined, null, 1, "x\u2028\ud800"] },
  { a: { b: { c: { d: { e: { f: { g: { h: [{ i: [1] }] } } } } } } } },
  Object(parseExactJson('{"__proto__":{"a":1.10},"n":[1e3,12345678901234567890]}')),
])("writes %j as JSON does", async (document) => {
  expect(await inputText(document)).toBe(JSON.stringify(document));
});

test("other work is done while a large document is written", async () => {
  const record = { text: "x".repeat(1_000), list: Array.from({ length: 100 }, (_, index) => index) };
  const trails = Array.from({ length: 20_000 }, () => record);
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  const text = await inputText({ trails });
  clearInterval(others);
  expect(text).toHaveLength(JSON.stringify({ trails }).length);
  expect(turns).toBeGreaterThan(1);
});
