import fc from "fast-check";
import { expect, test } from "vitest";
import { parseChallenges } from "../../../src/evidence/oci/token.ts";

function parsed(header: string | string[] | undefined) {
  return parseChallenges(header).map(({ scheme, params }) => [scheme, Object.fromEntries(params)]);
}

test.each([
  [undefined, []],
  ["", []],
  ['Basic realm="Registry"', [["basic", { realm: "Registry" }]]],
  ["Basic", [["basic", {}]]],
  [
    'Bearer realm="https://auth.example/token",service="reg.example",scope="repository:a/b:pull,push"',
    [
      [
        "bearer",
        {
          realm: "https://auth.example/token",
          service: "reg.example",
          scope: "repository:a/b:pull,push",
        },
      ],
    ],
  ],
  ['BEARER  Realm = "https://a/t" , service=reg', [["bearer", { realm: "https://a/t", service: "reg" }]]],
  [
    'Bearer realm="https://a/t", Basic realm="b"',
    [
      ["bearer", { realm: "https://a/t" }],
      ["basic", { realm: "b" }],
    ],
  ],
  [
    ['Basic realm="b"', 'Bearer realm="https://a/t"'],
    [
      ["basic", { realm: "b" }],
      ["bearer", { realm: "https://a/t" }],
    ],
  ],
  ['Bearer realm="say \\"hi\\", a=b"', [["bearer", { realm: 'say "hi", a=b' }]]],
])("%j lists its authentication schemes", (header, ways) => {
  expect(parsed(header)).toEqual(ways);
});

test("any header is parsed quickly", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[Ba =",\\;-]{0,300}$/), (header) => {
      expect(Array.isArray(parseChallenges(header))).toBe(true);
    }),
  );
  expect(parsed(`Bearer ${'a="'.repeat(5000)}`)).toHaveLength(1);
});
