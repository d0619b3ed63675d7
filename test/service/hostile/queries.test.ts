import { afterAll, beforeAll, it } from "vitest";
import type * as z from "zod/mini";
import type { Schema } from "../../../src/api/wire-names.ts";
import { expectNoHarm, startTarget, type Target } from "./attack.ts";
import { everyOperation, requestTo } from "./targets.ts";

let service: Target;
beforeAll(async () => {
  service = await startTarget();
});
afterAll(() => service.dispose());

/** Raw query values: none of them is a number, a boolean or an enum value. */
const RUBBISH = [
  "",
  "%00",
  "a%00b",
  "%zz",
  "%c3%28",
  "%27%20OR%201=1--",
  "%F0%9F%92%A9",
  "NaN",
  "Infinity",
  "1e999",
  "0x10",
  "1,2",
  "null",
  "[object%20Object]",
  "..%2f..%2fetc",
  "(a%2B)%2B$",
  "a".repeat(10_000),
];
const NUMBERS = [
  "-1",
  "0",
  "1.5",
  "-99999999999999999999",
  "9007199254740991",
  "9007199254740993",
  "9223372036854775807",
  "1".repeat(400),
];

/** Shared parameters are parsed in the same way: the first operation gets every value, the others one. */
const met = new Set<string>();
const firstOf = (name: string) => !met.has(name) && met.add(name) !== undefined;

it.each(everyOperation.map((operation) => ({ name: operation.name, operation })))(
  "no query breaks $name",
  async ({ operation }) => {
    const request = requestTo(operation, service);
    const attempt = (query: string, refused: boolean) => ({
      title: query.slice(0, 60),
      request: { ...request, target: `${request.target}?${query}` },
      refused,
    });
    const declared = Object.entries(operation.query?._zod.def.shape ?? {}).flatMap(([name, field]) => {
      const refused = takesFewTexts(field);
      if (!firstOf(name)) return [attempt(`${name}=%00`, true)];
      const rubbish = !refused || firstOf("what takes few texts") ? RUBBISH : ["%00", "null"];
      return [
        ...rubbish.map((text, i) =>
          attempt(`${i % 2 === 0 ? "" : `${name}=1&`}${name}=${text}`, refused || text.includes("%00")),
        ),
        ...(refused ? NUMBERS : NUMBERS.slice(-1)).map((number) => attempt(`${name}=${number}`, false)),
        attempt(Array.from({ length: 500 }, (_, i) => `${name}=${i}`).join("&"), false),
        attempt(`${name}[]=1&${name}[a]=1&${name}.a=1`, false),
      ];
    });
    const undeclared = firstOf("undeclared fields")
      ? ["__proto__=1&constructor=1", "=&&&==", "%", `${"a=&".repeat(4_000)}`, "?#"]
      : ["__proto__=1&constructor=1"];
    await expectNoHarm(service, [...declared, ...undeclared.map((query) => attempt(query, false))]);
  },
);

/** Whether a parameter is a number, a boolean or an enum, so that garbage must be refused. */
function takesFewTexts(schema: Schema): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return takesFewTexts(def.innerType);
    case "array":
      return takesFewTexts(def.element);
    default:
      return ["number", "int", "boolean", "enum", "literal"].includes(def.type);
  }
}
