import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { type EvaluationLimits, evaluatePolicy } from "../../../src/evidence/rego/evaluate.ts";
import { type Opa, openOpa } from "../../../src/evidence/rego/opa.ts";
import type { PolicyFiles } from "../../../src/evidence/rego/policy-files.ts";
import { PolicyFault } from "../../../src/evidence/rego/verdict.ts";
import { OPA, WITH_OPA } from "../../go-programs.ts";

const signal = AbortSignal.timeout(120_000);
const AT = 1_790_000_000.5;

describe.skipIf(OPA === undefined)(WITH_OPA, () => {
  let opa: Opa;
  beforeAll(async () => {
    opa = await openOpa(OPA ?? "", signal);
  });

  async function evaluate(policy: string | PolicyFiles, limits?: EvaluationLimits, inputs = ['{"x":1}']) {
    const files = typeof policy === "string" ? { "policy.rego": `package policy\n${policy}` } : policy;
    const call = { files, params: { limit: 1 }, inputs, at: AT };
    try {
      return await evaluatePolicy(opa, call, { signal, ...(limits && { limits }) });
    } catch (error) {
      if (!(error instanceof PolicyFault)) throw error;
      return `${error.kind}: ${error.message}`;
    }
  }

  test("gives a verdict for each input in one process", async () => {
    const policy = `default allow := false
allow if input.x <= data.params.limit
violations contains sprintf("%d of %q", [input.x, "x"]) if input.x > 1
violations contains {"found": input.x} if input.x > 1
skipped if input.x == 0
skip_reason := "nothing to check" if input.x == 0
helpers contains numbers.range(1, 1300000) if input.x == 0
`;
    const inputs = ['{"x":1}', '{"x":2}', '{"x":0}'];
    expect(await evaluate(policy, { seconds: 10, megabytes: 512 }, inputs)).toEqual([
      { allow: true, violations: [], skipped: null },
      { allow: false, violations: ['2 of "x"', '{"found":2}'], skipped: null },
      { allow: true, violations: [], skipped: "nothing to check" },
    ]);
  });

  test.each<[string, string | PolicyFiles, string]>([
    [
      "undefined allow",
      "allow if input.x == 3",
      "policy: policy did not return a result for 'data.policy.allow': add 'default allow := false'",
    ],
    ["no allow", "x := 1", "policy: policy.rego:1: policy must declare an 'allow' rule"],
    ["a number", "allow := 1", "policy: policy 'allow' rule must evaluate to boolean, got number"],
    [
      "a text as skipped",
      'allow := true\nskipped := "no"',
      "policy: policy 'skipped' rule must evaluate to boolean, got string",
    ],
    [
      "another package",
      { "policy.rego": "# Ours\npackage other\nallow := true" },
      "policy: policy.rego:2: policy package must be 'package policy', got 'other'",
    ],
    [
      "syntax of v0",
      "allow { true }",
      "policy: policy.rego:2: rego_parse_error: `if` keyword is required before rule body",
    ],
    [
      "an unsafe variable in a library",
      { "policy.rego": "package policy\nallow := true", "lib/x.rego": "package lib.x\n\np if { x := y }" },
      "policy: lib/x.rego:3: rego_unsafe_var_error: var y is unsafe",
    ],
    [
      "two packages",
      "allow := true\npackage policy",
      "policy: policy.rego:3: rego_parse_error: unexpected package",
    ],
    [
      "params of its own",
      { "policy.rego": "package policy\nallow := true", "p.rego": "package params\nlimit := 2" },
      "policy: p.rego:2: rego_compile_error: conflicting rule for data path params/limit found",
    ],
    [
      "a failing function",
      'allow := to_number("x") == 1',
      'evaluation: policy.rego:2: eval_builtin_error: to_number: strconv.ParseFloat: parsing "x": invalid syntax',
    ],
    ...[
      "http.send({})",
      'json.match_schema({}, {"$ref": "file:///etc/hostname"})',
      'net.lookup_ip_addr("x")',
      "opa.runtime()",
      'rand.intn("x", 2)',
      "time.now_ns()",
    ].map((call) => {
      const name = call.slice(0, call.indexOf("("));
      const words = `policy: policy.rego:2: rego_type_error: undefined function ${name}`;
      return [name, `allow if ${call}`, words] satisfies [string, string, string];
    }),
  ])("refuses a policy with %s", async (_, policy, words) => {
    expect(await evaluate(policy)).toBe(words);
  });

  test("gives a policy its time instead of a clock, and none of the environment", async () => {
    expect(
      await evaluate(
        "allow if {\ndata.evidence.evaluation_time == 1790000000500000000\ndata.kosli == data.evidence\n}",
      ),
    ).toEqual([{ allow: true, violations: [], skipped: null }]);
  });

  test.each<[string, string, EvaluationLimits, string]>([
    [
      "time",
      "some i in numbers.range(1, 3000)\nsome j in numbers.range(1, 3000)\ni * j == -1",
      { seconds: 1 },
      "more than 1 s",
    ],
    [
      "memory",
      "count(numbers.range(1, 10000000)) == 1",
      { seconds: 20, megabytes: 200 },
      "more than 200 MB of memory",
    ],
  ])("ends a policy that needs too much %s", async (_, body, limits, words) => {
    expect(await evaluate(`allow if {\n${body}\n}`, limits)).toBe(`limit: the policy needs ${words}`);
  });

  test("ends a policy whose result is too large", async () => {
    const policy = `allow := true\nviolations := [sprintf("%d${"a".repeat(100)}", [i]) | some i in numbers.range(1, 90000)]`;
    expect(await evaluate(policy)).toBe("limit: the result is larger than 8388608 bytes");
  });

  test("has every pure function of the real program", () => {
    const real = JSON.parse(execFileSync(OPA ?? "", ["capabilities", "--current"], { encoding: "utf8" }));
    const names = (capabilities: { builtins: { name: string }[] }) =>
      capabilities.builtins.map(({ name }) => name);
    const taken = names(real).filter((name) => !names(JSON.parse(opa.capabilities)).includes(name));
    expect(taken.toSorted()).toMatchInlineSnapshot(`
      [
        "crypto.x509.parse_and_verify_certificates",
        "crypto.x509.parse_and_verify_certificates_with_options",
        "http.send",
        "io.jwt.decode_verify",
        "io.jwt.encode_sign",
        "io.jwt.encode_sign_raw",
        "io.jwt.verify_eddsa",
        "io.jwt.verify_es256",
        "io.jwt.verify_es384",
        "io.jwt.verify_es512",
        "io.jwt.verify_hs256",
        "io.jwt.verify_hs384",
        "io.jwt.verify_hs512",
        "io.jwt.verify_ps256",
        "io.jwt.verify_ps384",
        "io.jwt.verify_ps512",
        "io.jwt.verify_rs256",
        "io.jwt.verify_rs384",
        "io.jwt.verify_rs512",
        "json.match_schema",
        "json.verify_schema",
        "net.lookup_ip_addr",
        "opa.runtime",
        "rand.intn",
        "time.now_ns",
        "trace",
        "uuid.rfc4122",
      ]
    `);
  });
});

test.each([
  ["does not exist", "/nowhere/opa", "'/nowhere/opa' does not exist"],
  ["is another program", "/bin/true", "'/bin/true' is not opa 1.0 or newer: it prints the version ''"],
])("an opa that %s is named", async (_, path, words) => {
  await expect(openOpa(path, signal)).rejects.toThrow(words);
});
