import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestService } from "../running-service.ts";
import { expectNoHarm, startTarget } from "./attack.ts";
import { everyOperation, requestTo, segmentsOf } from "./targets.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTarget();
});
afterAll(() => service.dispose());

/** What stands in a path as it is: no name, number or fingerprint is any of these. */
const IMPOSSIBLE = [
  "..",
  "%2e%2e",
  "%00",
  "sample%00",
  "%2f",
  "..%2f..%2fetc%2fpasswd",
  "%5c..%5c",
  "%",
  "%zz",
  "%c3%28",
  "%ed%a0%80",
  "%0d%0aset-cookie:%20a=b",
  "%F0%9F%92%A9",
  "%27%20OR%201=1--",
  "%25",
  "*",
  "%20",
  "__proto__",
];
/** Each parameter meets every third of all these; which third changes from one to the next. */
const THIRDS = 3;
/** Strange, and still names. */
const STRANGE = ["constructor", "99999999999999999999", "-1", "1e3", "0", "a".repeat(10_000)];

it.each(everyOperation.map((operation) => ({ name: operation.name, operation })))(
  "no path breaks $name",
  async ({ operation }) => {
    const turn = everyOperation.indexOf(operation);
    const segments = segmentsOf(operation);
    const request = requestTo(operation, service);
    const attempts = segments.flatMap(({ parameter }, at) =>
      parameter === undefined
        ? []
        : [...IMPOSSIBLE, ...STRANGE]
            .filter((_, i) => (i + at + turn) % THIRDS === 0)
            .map((hostile) => {
              const path = segments.map(({ text }, index) => (index === at ? hostile : text)).join("/");
              return {
                title: `${hostile.slice(0, 30)} as ${parameter}`,
                request: { ...request, target: `/api/v2${path}` },
                // A question about what cannot exist may be answered with an empty list.
                refused:
                  hostile.includes("%00") || (operation.method !== "GET" && IMPOSSIBLE.includes(hostile)),
              };
            }),
    );
    await expectNoHarm(service, attempts);
  },
);

it("every parameter of a path is attacked", () => {
  const declared = everyOperation.flatMap(({ path }) => path.match(/\{\w+\}/g) ?? []);
  const attacked = everyOperation.flatMap((operation) =>
    segmentsOf(operation).flatMap(({ parameter }) => (parameter === undefined ? [] : [`{${parameter}}`])),
  );
  expect(attacked).toEqual(declared);
});
