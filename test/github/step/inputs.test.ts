import { describe, expect, test } from "vitest";
import { sharedInputs } from "../../../src/github/step/action.ts";
import { choice, flag, list, required, text } from "../../../src/github/step/input.ts";
import { inputKey, parseInputs } from "../../../src/github/step/inputs.ts";

const inputs = {
  flow: required({ description: "d", fallback: "EVIDENCE_FLOW" }),
  name: required({ description: "d" }),
  trail: text({ description: "d", fallback: "EVIDENCE_TRAIL" }),
  "fail-fast": flag({ description: "d", default: "true" }),
  kind: choice({ description: "d", choices: ["generic", "artifact"], default: "generic" }),
  items: list({ description: "d" }),
  token: text({ description: "d", default: "${{ github.token }}" }),
};

function parse(given: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) {
  return parseInputs(inputs, { ...env, INPUTS: JSON.stringify(given) });
}

test("an input is read under its name in code", () => {
  const { values, problems } = parse({ flow: "web", name: "unit", "fail-fast": "false", items: "a, b" });
  expect(problems).toEqual([]);
  expect(values).toEqual({
    flow: "web",
    name: "unit",
    trail: undefined,
    failFast: false,
    kind: "generic",
    items: ["a", "b"],
    token: undefined,
  });
  expect(inputKey("allow-outside-workspace")).toBe("allowOutsideWorkspace");
});

describe("an empty input", () => {
  test.each([undefined, null, "", "  \n"])("as %j is read from its variable", (flow) => {
    const { values, given } = parse({ name: "n", flow }, { EVIDENCE_FLOW: " from-variable\n" });
    expect(values.flow).toBe("from-variable");
    expect(given.has("flow")).toBe(false);
  });

  test("is not read from its variable when it is set", () => {
    expect(parse({ name: "n", flow: "own" }, { EVIDENCE_FLOW: "variable" }).values.flow).toBe("own");
  });

  test("has its default when its variable is empty, too", () => {
    const { values, problems } = parse({ name: "n", flow: "f" }, { EVIDENCE_TRAIL: "" });
    expect(values).toMatchObject({ trail: undefined, failFast: true, kind: "generic", token: undefined });
    expect(problems).toEqual([]);
  });

  test("is a problem when it is required, and the error names its alternatives", () => {
    expect(parse({}).problems).toEqual([
      { input: "flow", problem: "is required, or set the variable EVIDENCE_FLOW", missing: true },
      { input: "name", problem: "is required", missing: true },
    ]);
  });
});

test("all problems are reported at once, and an invalid input counts as absent", () => {
  const { values, problems } = parse({ flow: "f", "fail-fast": "no", kind: "generics", items: "a" });
  expect(problems).toEqual([
    { input: "name", problem: "is required", missing: true },
    { input: "fail-fast", problem: "must be true or false, not 'no'" },
    { input: "kind", problem: "must be generic or artifact, not 'generics'" },
  ]);
  expect(values).toMatchObject({ name: "", failFast: true, kind: "generic", items: ["a"] });
});

test("a value that equals its default does not count as set, since action.yml always passes it", () => {
  const { given } = parse({
    flow: "f",
    name: "n",
    "fail-fast": "true",
    kind: "artifact",
    items: "",
    trail: "t",
  });
  expect([...given].sort()).toEqual(["flow", "kind", "name", "trail"]);
});

test("values that are not strings in JSON are still read", () => {
  const { values } = parse({ flow: 12, name: true, "fail-fast": false });
  expect(values).toMatchObject({ flow: "12", name: "true", failFast: false });
});

test("a BOM is not treated as white space", () => {
  expect(parse({ flow: "\ufeffweb", name: "n" }).values.flow).toBe("\ufeffweb");
});

test("an error explains missing inputs", () => {
  expect(() => parseInputs(inputs, {})).toThrow("run this program through the action.yml next to it");
});

test.each(["{'api-key': 'hunter2'}", "null", '"hunter2"', "", "hunter2"])(
  "inputs that are not a JSON object, %j, are rejected without being shown",
  (text) => {
    expect(() => parseInputs(inputs, { INPUTS: text })).toThrow(
      /^The variable INPUTS is not a JSON object\.$/,
    );
  },
);

describe("the shared inputs", () => {
  const shared = (given: Record<string, string>, env: NodeJS.ProcessEnv = {}) =>
    parseInputs(sharedInputs, { ...env, INPUTS: JSON.stringify(given) });

  test("have the documented defaults", () => {
    const { values, problems } = shared({ org: "acme" });
    expect(problems).toEqual([]);
    expect(values).toEqual({
      apiKey: "",
      org: "acme",
      region: undefined,
      baseUrl: undefined,
      auth: "auto",
      authScheme: "bearer",
      timeout: 120,
      retries: 3,
      dryRun: false,
      summary: true,
      allowHttp: false,
    });
  });

  test("are read from the documented variables", () => {
    const { values, problems } = shared(
      {},
      {
        EVIDENCE_API_KEY: "key",
        EVIDENCE_ORG: "acme",
        EVIDENCE_REGION: "us",
        EVIDENCE_BASE_URL: "https://h.example",
      },
    );
    expect(problems).toEqual([]);
    expect(values).toMatchObject({ apiKey: "key", org: "acme", region: "us", baseUrl: "https://h.example" });
  });

  test("reject ambiguous values", () => {
    const { problems } = shared({
      org: "acme",
      region: "EU",
      "auth-scheme": "both",
      timeout: "0",
      retries: "21",
      "dry-run": "1",
      summary: "yes",
      "allow-http": "on",
    });
    expect(problems.map(({ input }) => input)).toEqual([
      "region",
      "auth-scheme",
      "timeout",
      "retries",
      "dry-run",
      "summary",
      "allow-http",
    ]);
  });
});

describe("an action that the runner starts without a shell", () => {
  const runnerSets = { INPUT_FLOW: "web", INPUT_NAME: "unit", "INPUT_FAIL-FAST": "false", INPUT_TRAIL: "" };

  test("has its inputs in their own variables, which keep the hyphens", () => {
    const { values, given, problems } = parseInputs(inputs, { ...runnerSets, EVIDENCE_TRAIL: "t" });
    expect(problems).toEqual([]);
    expect(values).toMatchObject({ flow: "web", name: "unit", failFast: false, trail: "t" });
    expect([...given]).toEqual(["flow", "name", "fail-fast"]);
  });

  test("does not mix them with the inputs of a composite step", () => {
    const { values } = parseInputs(inputs, { ...runnerSets, INPUTS: '{"flow": "own", "name": "n"}' });
    expect(values).toMatchObject({ flow: "own", name: "n", failFast: true });
  });

  test("reports when it has neither", () => {
    expect(() => parseInputs(inputs, { EVIDENCE_FLOW: "web" })).toThrow("The variable INPUTS is not set");
  });
});
