import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PolicyFileError, parsePolicyFile } from "../../../../src/service/judging/policies/policy-file.ts";
import { policyFileJsonSchema } from "../../../../src/service/judging/policies/policy-file-schema.ts";

const SCHEMA = "_schema: https://schemas.example/policy/environment/v1";
const COMPLETE = `${SCHEMA}
artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ matches(artifact.name, "^datadog:.*") }}
  trail-compliance:
    required: true
  attestations:
    - name: unit
      type: junit
      if: \${{ flow.tags.risk-level == "high" }}
    - type: custom:coverage
      must_be_compliant: false
    - type: decision
      for_control: SDLC-7
`;

function problems(text: string): Readonly<Record<string, string>> {
  try {
    parsePolicyFile(text);
    return {};
  } catch (error) {
    if (error instanceof PolicyFileError) return error.problems;
    throw error;
  }
}

describe("a policy file", () => {
  it("is parsed with its defaults, and conditions without the braces", () => {
    expect(parsePolicyFile(COMPLETE).definition).toEqual({
      schemaVersion: "1",
      artifacts: {
        provenance: {
          required: true,
          exceptions: [{ ifCondition: { text: 'matches(artifact.name, "^datadog:.*")' } }],
        },
        trailCompliance: { required: true, exceptions: [] },
        attestations: [
          {
            ifCondition: { text: 'flow.tags.risk-level == "high"' },
            name: "unit",
            type: "junit",
            mustBeCompliant: true,
            forControl: null,
          },
          { ifCondition: null, name: "*", type: "custom:coverage", mustBeCompliant: false, forControl: null },
          { ifCondition: null, name: "*", type: "decision", mustBeCompliant: true, forControl: "SDLC-7" },
        ],
      },
    });
  });

  it("lists its patterns with their positions", () => {
    expect(parsePolicyFile(COMPLETE).patterns).toEqual([
      {
        pattern: "^datadog:.*",
        field: "artifacts.provenance.exceptions[0].if",
        place: "line 6, column 40",
      },
    ]);
  });

  it("may have comments of any length, and positions stay correct", () => {
    const comment = `  # ${"x".repeat(300_000)}\r\n#\n`;
    const { definition, patterns } = parsePolicyFile(comment + COMPLETE);
    expect(definition).toEqual(parsePolicyFile(COMPLETE).definition);
    expect(patterns.map(({ place }) => place)).toEqual(["line 8, column 40"]);
    expect(problems(`${comment}${SCHEMA}\nartifacts: [\n`)[""]).toMatch(/^Invalid YAML at line 5/);
  });

  it.each([
    [SCHEMA],
    [`${SCHEMA}\nartifacts:`],
    [`${SCHEMA}\nartifacts: { provenance: {} }`],
    [`${SCHEMA}\nartifacts: { provenance: , attestations: }`],
  ])("may require nothing: %j", (text) => {
    expect(parsePolicyFile(text).definition.artifacts).toEqual({
      provenance: { required: false, exceptions: [] },
      trailCompliance: { required: false, exceptions: [] },
      attestations: [],
    });
  });
});

const inPlace = (lines: string) => `${SCHEMA}\nartifacts:\n${lines}`;

describe("a policy file is refused with the reason and the position:", () => {
  it.each([
    ["not a mapping", "[]", { "": "Input should be a valid dictionary [input: [...]]" }],
    ["no schema", "artifacts:", { _schema: "Field required [input: None]" }],
    [
      "another version",
      "_schema: https://schemas.example/v2",
      {
        _schema:
          "Input should be the address of the schema, ending in /v1 [input: https://schemas.example/v2]",
      },
    ],
    [
      "an address that continues after the version",
      "_schema: https://schemas.example/v1/x",
      {
        _schema:
          "Input should be the address of the schema, ending in /v1 [input: https://schemas.example/v1/x]",
      },
    ],
    [
      "no address",
      "_schema: v1",
      { _schema: "Input should be the address of the schema, ending in /v1 [input: v1]" },
    ],
    [
      "an invalid attestation name: !unit",
      inPlace("  attestations: [{type: junit, name: '!unit'}]"),
      {
        "artifacts.attestations[0].name":
          "String should match pattern '^(\\*|[a-zA-Z0-9\\-_,]+)$' [input: !unit]",
      },
    ],
    [
      "an invalid attestation name: unit!",
      inPlace("  attestations: [{type: junit, name: 'unit!'}]"),
      {
        "artifacts.attestations[0].name":
          "String should match pattern '^(\\*|[a-zA-Z0-9\\-_,]+)$' [input: unit!]",
      },
    ],
    [
      "unknown fields",
      inPlace("  provenence: {required: true}"),
      { "artifacts.provenence": "Extra inputs are not permitted [input: {...}]" },
    ],
    [
      "no type",
      inPlace("  attestations: [{name: unit}]"),
      { "artifacts.attestations[0].type": "Field required [input: None]" },
    ],
    [
      "everything required",
      inPlace("  attestations: [{type: '*'}]"),
      { "artifacts.attestations[0].type": "Name and type should not both be '*' [input: *]" },
    ],
    [
      "a control without a decision",
      inPlace("  attestations: [{type: junit, for_control: C1}]"),
      {
        "artifacts.attestations[0].for_control": "Only the type 'decision' can be for a control [input: C1]",
      },
    ],
    [
      "a decision policy without a control",
      inPlace("  attestations: [{type: decision, decided_by: reviewed}]"),
      {
        "artifacts.attestations[0].decided_by":
          "Only a rule with 'for_control' can have 'decided_by' [input: reviewed]",
      },
    ],
    [
      "a version that is no number",
      inPlace("  attestations: [{type: decision, for_control: C1, decided_by: reviewed@latest}]"),
      { "artifacts.attestations[0].decided_by": expect.stringMatching(/^String should match pattern/) },
    ],
    [
      "expressions",
      inPlace(`  provenance:
    exceptions:
      - if: \${{ flow.nme == 'x' }}
  attestations:
    - type: junit
      if: "\${{ flow.name = 'x' }}"
    - type: snyk
      if: exists(flow)
    - type: jira
      if: >-
        \${{ flow.name
        == }}`),
      {
        "artifacts.provenance.exceptions[0].if": expect.stringMatching(
          /^line 5, column 17: unknown name 'flow\.nme'/,
        ),
        "artifacts.attestations[0].if": "line 8, column 26: unexpected '='",
        "artifacts.attestations[1].if": "line 10, column 11: an expression must have the form ${{ … }}",
        "artifacts.attestations[2].if": "line 12, column 11: the expression is incomplete",
      },
    ],
    [
      "expressions in what an alias repeats, which have no position of their own",
      inPlace(`  attestations:
    - &rule { type: junit, if: "\${{ len }}" }
    - *rule`),
      {
        "artifacts.attestations[0].if": expect.stringMatching(/^line 4, column 37: unknown name 'len'/),
        "artifacts.attestations[1].if": expect.stringMatching(/^unknown name 'len'/),
      },
    ],
    [
      "YAML",
      `${SCHEMA}\nartifacts: [1\n`,
      { "": expect.stringMatching(/^Invalid YAML at line \d+, column \d+: /) },
    ],
    ["nesting", `${SCHEMA}\nartifacts: ${"[".repeat(60)}`, { "": "The YAML is nested too deeply" }],
    [
      "size",
      `${SCHEMA}\nother: ${"x".repeat(256 * 1024)}`,
      { "": "A policy may have at most 64 kB, not counting comments" },
    ],
    [
      "aliases",
      `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c]`,
      { "": expect.stringMatching(/^Invalid YAML: .*alias/) },
    ],
  ])("%s", (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});

describe("any uploaded text", () => {
  it("is parsed or refused with the reason", () => {
    const pieces = [
      "_schema: https://x/v1",
      "artifacts:",
      "provenance",
      "attestations",
      "exceptions",
      "type",
      "if",
    ];
    const signs = [
      "\n",
      "\n  ",
      "\n  - ",
      ": ",
      "{",
      "}",
      "[",
      "]",
      ", ",
      "&a ",
      "*a",
      "<<: ",
      "!!set ",
      "|\n",
      "'",
      "${{ ",
    ];
    const text = fc.array(fc.constantFrom(...pieces, ...signs, "flow }}", "#", "1"), { maxLength: 20 });
    fc.assert(
      fc.property(text, (parts) => {
        expect(problems(parts.join(""))).toBeTypeOf("object");
        expect(problems(`${SCHEMA}\nartifacts: ${parts.join("")}`)).toBeTypeOf("object");
      }),
      { numRuns: 500 },
    );
  });
});

describe("the JSON Schema of policy files", () => {
  const ID = "https://evidence.example/schemas/environment-policy/v1";
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(policyFileJsonSchema(ID));

  it.each([
    ["a complete file", COMPLETE],
    ["the minimum", SCHEMA],
    ["no schema", "artifacts: {}"],
    ["another version", "_schema: https://schemas.example/v2"],
    ["an address that continues", "_schema: https://schemas.example/v1/x"],
    ["no address", "_schema: v1"],
    ["an unknown field", `${SCHEMA}\nother: 1`],
    ["everything required", inPlace("  attestations: [{type: '*'}]")],
    ["everything required in words", inPlace("  attestations: [{type: '*', name: '*'}]")],
    ["any type under a name", inPlace("  attestations: [{type: '*', name: unit}]")],
    ["a control without a decision", inPlace("  attestations: [{type: junit, for_control: C1}]")],
    [
      "a decision policy",
      inPlace("  attestations: [{type: decision, for_control: C1, decided_by: reviewed@2}]"),
    ],
    ["no decision policy", inPlace("  attestations: [{type: decision, for_control: C1, decided_by: null}]")],
    [
      "a decision policy without a control",
      inPlace("  attestations: [{type: decision, decided_by: reviewed}]"),
    ],
    ["version 0", inPlace("  attestations: [{type: decision, for_control: C1, decided_by: reviewed@0}]")],
    ["a condition without braces", inPlace("  attestations: [{type: junit, if: exists(flow)}]")],
    ["an unknown type", inPlace("  attestations: [{type: magic}]")],
    ["a number for a flag", inPlace("  provenance: {required: 1}")],
  ])("agrees with the service on %s", (_, text) => {
    expect(validate(parse(text))).toBe(Object.keys(problems(text)).length === 0);
  });

  it("tells editors its address, the meaning of each field and the defaults", () => {
    expect(policyFileJsonSchema(ID)).toMatchSnapshot();
  });
});
