import { describe, expect, it } from "vitest";
import { parseTemplate, TemplateError } from "../../../../src/service/evidence/flows/template-upload.ts";
import { EMPTY_TEMPLATE, templateOfNames } from "../../../../src/service/judging/compliance/template.ts";
import { templateSchema } from "../../../../src/service/judging/compliance/template-schema.ts";
import { MAX_YAML_BYTES } from "../../../../src/service/kernel/yaml-text.ts";

function problemsOf(yaml: string): Readonly<Record<string, string>> {
  try {
    parseTemplate(yaml);
  } catch (error) {
    if (error instanceof TemplateError) return Object.fromEntries(error.problems.toReversed());
    throw error;
  }
  return {};
}

describe("a template file", () => {
  it("lists the slots of the trail and of its artifacts in order", () => {
    const yaml = `
version: 1
trail:
  attestations:
    - { name: lint, type: generic }
    - { name: review, type: "custom:four-eyes" }
  artifacts:
    - name: web
      attestations: [{ name: unit, type: junit }, { name: any, type: "*" }]
    - name: api
`;
    expect(parseTemplate(yaml)).toEqual({
      attestations: [
        { name: "lint", type: "generic" },
        { name: "review", type: "custom:four-eyes" },
      ],
      artifacts: [
        {
          name: "web",
          attestations: [
            { name: "unit", type: "junit" },
            { name: "any", type: "*" },
          ],
        },
        { name: "api", attestations: [] },
      ],
    });
  });

  it.each(["version: 1", "version: 1\ntrail:", "trail: {}", "trail: {attestations:, artifacts: []}"])(
    "may require nothing: %j",
    (yaml) => expect(parseTemplate(yaml)).toEqual({ attestations: [], artifacts: [] }),
  );

  it("may require an artifact and nothing about it", () => {
    expect(parseTemplate("trail: {artifacts: [{name: web, attestations: }]}").artifacts).toEqual([
      { name: "web", attestations: [] },
    ]);
  });

  it("resolves anchors", () => {
    const yaml =
      "trail: {attestations: [&a {name: x, type: '*'}], artifacts: [{name: w, attestations: [*a]}]}";
    expect(parseTemplate(yaml).artifacts[0]?.attestations).toEqual([{ name: "x", type: "*" }]);
  });

  it.each([
    ["", { "": "Input should be a valid dictionary [input: None]" }],
    ["just text", { "": "Input should be a valid dictionary [input: just text]" }],
    ["version: 1.1", { version: "Input should be '1' [input: 1.1]" }],
    ["stages: []", { stages: "Extra inputs are not permitted [input: [...]]" }],
    [
      "trail: {attestations: [{name: '', type: generic}]}",
      { "trail.attestations[0].name": "String should match pattern '^[a-zA-Z0-9\\-_,]+$' [input: ]" },
    ],
    [
      "trail: {attestations: [{name: a, type: 'custom:'}]}",
      {
        "trail.attestations[0].type":
          "String should match pattern '^(generic|junit|snyk|pull_request|jira|sonar|decision|sbom|\\*|custom:.+|system:.+)$' [input: custom:]",
      },
    ],
    [
      "trail: {artifacts: [{name: a}, {name: a, attestations: [{name: b, type: '*'}, {name: b, type: junit}]}]}",
      {
        "trail.artifacts[1].name": "Names must be unique [input: a]",
        "trail.artifacts[1].attestations[1].name": "Names must be unique [input: b]",
      },
    ],
  ])("is refused with the field and the reason: %j", (yaml, problems) => {
    expect(problemsOf(yaml)).toEqual(problems);
  });

  it("names both fields when a type is neither a kind nor custom", () => {
    const read = () => parseTemplate("trail: {attestations: [{name: a, type: unit}]}");
    const field = "trail.attestations[0].type";
    expect(read).toThrow(
      expect.objectContaining({
        problems: [
          [field, expect.stringMatching(/^String should match pattern /)],
          [field, "Input should be 'custom:' and the name of a type [input: unit]"],
        ],
      }),
    );
  });

  it("that is not valid YAML is refused with line and column", () => {
    expect(problemsOf("version: 1\ntrail:\n  - a\n b: c\n")[""]).toMatch(
      /^Invalid YAML at line \d, column \d: /,
    );
    expect(problemsOf("version: 1\nversion: 1\n")[""]).toMatch(/^Invalid YAML at line 2, column 1: /);
  });
});

describe("a template built to exhaust the service is refused at once", () => {
  /** Each line repeats the one before ten times. */
  const aliasBomb = [..."abcdefgh"].map((letter, i, all) => {
    const item = i === 0 ? "x" : `*${all[i - 1]}`;
    return `${letter}: &${letter} [${Array(10).fill(item).join(",")}]`;
  });

  it.each([
    ["nested brackets", "[".repeat(100_000)],
    ["nested braces", "{a: ".repeat(1_000)],
    ["nested sequences", "- ".repeat(10_000)],
    ["size", `trail: ${"x".repeat(MAX_YAML_BYTES)}`],
    ["aliases of aliases", aliasBomb.join("\n")],
    [
      "deep indentation",
      Array.from({ length: 70 }, (_, i) => `${" ".repeat(i * 100)}${"- ".repeat(49)}x:`).join("\n"),
    ],
  ])("%s", (_, yaml) => {
    expect(Object.keys(problemsOf(yaml))).toEqual([""]);
  });
});

describe("a list of names", () => {
  it("with the word artifact requires attestations of the artifact, each name once", () => {
    expect(templateOfNames(["artifact", "unit", "unit", "lint"])).toEqual({
      attestations: [],
      artifacts: [
        {
          name: "artifact",
          attestations: [
            { name: "unit", type: "*" },
            { name: "lint", type: "*" },
          ],
        },
      ],
    });
  });
});

describe("a list of names without the word artifact", () => {
  it("requires attestations of the trail, or nothing if it is empty", () => {
    expect(templateOfNames(["unit", "lint", "unit"])).toEqual({
      attestations: [
        { name: "unit", type: "*" },
        { name: "lint", type: "*" },
      ],
      artifacts: [],
    });
    expect(templateOfNames([])).toEqual(EMPTY_TEMPLATE);
    expect(EMPTY_TEMPLATE).toEqual({ attestations: [], artifacts: [] });
  });
});

describe("the type of a slot", () => {
  const typesTaken = (types: readonly string[]) =>
    types.filter(
      (type) => Object.keys(problemsOf(`trail: {attestations: [{name: a, type: "${type}"}]}`)).length === 0,
    );

  it("is a kind, a custom or system type or any, written exactly", () => {
    const kinds = ["generic", "junit", "snyk", "pull_request", "jira", "sonar", "decision", "sbom"];
    const others = ["*", "custom:x", "system:sarif", "system:junit@v1"];
    expect(typesTaken([...kinds, ...others])).toEqual([...kinds, ...others]);
    const wrong = ["", "unit", "generics", "a generic", "custom:", "my custom:x", "**", "system:", "sarif"];
    expect(typesTaken(wrong)).toEqual([]);
  });
});

it("the schema of template files has its address, a description and the required fields", () => {
  const schema = templateSchema("https://evidence.example/schemas/flow-template/v1");
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://evidence.example/schemas/flow-template/v1",
    title: "Flow template",
    type: "object",
    additionalProperties: false,
  });
  // Fields with a default are optional.
  expect(schema).not.toHaveProperty("required");
  expect(Object.keys(schema)[0]).toBe("$schema");
});
