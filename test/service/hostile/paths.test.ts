import { afterAll, beforeAll, it } from "vitest";
import { expectNoHarm, startTarget, type Target } from "./attack.ts";
import { everyOperation, requestTo, segmentsOf } from "./targets.ts";

let service: Target;
beforeAll(async () => {
  service = await startTarget();
});
afterAll(() => service.dispose());

/** Raw path segments: none is a valid name, number or fingerprint. */
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
/** Strange but valid names. */
const STRANGE = ["constructor", "99999999999999999999", "-1", "1e3", "0", "a".repeat(10_000)];
/** Further operations with a parameter of the name: it is parsed in the same way, but used differently. */
const OF_EACH = ["%00", "99999999999999999999"];
const met = new Set<string>();
const firstOf = (parameter: string) => !met.has(parameter) && met.add(parameter) !== undefined;

it.each(everyOperation.map((operation) => ({ name: operation.name, operation })))(
  "no path breaks $name",
  async ({ operation }) => {
    const segments = segmentsOf(operation);
    const request = requestTo(operation, service);
    const attempts = segments.flatMap(({ parameter }, at) =>
      parameter === undefined
        ? []
        : (firstOf(parameter) ? [...IMPOSSIBLE, ...STRANGE] : OF_EACH).map((hostile) => {
            const path = segments.map(({ text }, index) => (index === at ? hostile : text)).join("/");
            return {
              title: `${hostile.slice(0, 30)} as ${parameter}`,
              request: { ...request, target: `/api/v2${path}` },
              // A query about something impossible may return an empty list.
              refused:
                hostile.includes("%00") || (operation.method !== "GET" && IMPOSSIBLE.includes(hostile)),
            };
          }),
    );
    await expectNoHarm(service, attempts);
  },
);
