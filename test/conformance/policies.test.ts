import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, namePattern, ORDINARY_NAME, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { environment, delivered } = pipeline(target);

const SCHEMA = "_schema: https://kosli.com/schemas/policy/environment/v1\n";
const PROVENANCE = `${SCHEMA}artifacts:\n  provenance:\n    required: true\n`;
const file = (text: string) => ({ policyFile: textFile("policy.yml", text) });
const wireFile = (text: string) => ({ policy_file: { name: "policy.yml", text } });
const putting = (name = unique("policy"), text = PROVENANCE) => ({ body: { name }, files: wireFile(text) });

describe("putting a policy", () => {
  it("creates it, then a new version for each change of its file", async () => {
    const name = unique("policy");
    const put = (more: object, text?: string) =>
      client.putPolicy({ body: { name, ...more }, ...(text !== undefined && { files: file(text) }) });
    const first = await put({ description: "d", comment: "first" }, PROVENANCE);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      name,
      description: "d",
      createdBy: expect.any(String),
      createdAt: expect.any(Number),
      lastModifiedAt: expect.any(Number),
      archived: false,
      versions: [{ version: 1, comment: "first", policyYaml: PROVENANCE }],
      events: [{ type: "creation" }],
      consumingEnvs: [],
    });
    const second = await put({ description: "d", comment: "second" }, SCHEMA);
    expect(second.status).toBe(200);
    expect(second.body.versions?.map(({ version }) => version).toSorted()).toEqual([1, 2]);
    expect((await put({ description: "d" }, SCHEMA)).body.versions).toHaveLength(2);
    const third = await put({ description: "other" });
    expect(third.body).toMatchObject({ description: "other" });
    expect(third.body.versions).toHaveLength(2);
    expect(third.body.events?.map(({ type }) => type)).toEqual([
      "creation",
      "new_version",
      "metadata_update",
    ]);
  });

  it.each([
    ["YAML that cannot be parsed", "artifacts: ["],
    ["a file that is not a mapping", "- a"],
    ["a schema of another version", "_schema: https://kosli.com/schemas/policy/environment/v2\n"],
    ["no schema", "artifacts: {}\n"],
    ["an unknown field", `${SCHEMA}other: 1\n`],
    ["an unknown field of a rule", `${SCHEMA}artifacts: {provenance: {required: true, other: 1}}\n`],
    ["an attestation without a type", `${SCHEMA}artifacts: {attestations: [{name: a}]}\n`],
    ["an attestation of an unknown type", `${SCHEMA}artifacts: {attestations: [{type: x}]}\n`],
    ["any name and any type", `${SCHEMA}artifacts: {attestations: [{name: '*', type: '*'}]}\n`],
    [
      "an expression that cannot be parsed",
      `${SCHEMA}artifacts: {provenance: {exceptions: [{if: '\${{ flow. }}'}]}}\n`,
    ],
    [
      "an expression of another context",
      `${SCHEMA}artifacts: {provenance: {exceptions: [{if: '\${{ user.name == "a" }}'}]}}\n`,
    ],
    ["a control without a decision", `${SCHEMA}artifacts: {attestations: [{type: junit, for_control: a}]}\n`],
    [
      "a control that does not exist",
      `${SCHEMA}artifacts: {attestations: [{type: decision, for_control: none-${unique("x")}}]}\n`,
    ],
  ])("refuses a file with %s, and stores nothing of it", async (_, text) => {
    const name = unique("policy");
    const { status, body } = await ask("putPolicy", putting(name, text));
    expect([status, body.message]).toEqual([400, "Input payload validation failed"]);
    expect(Object.keys(body.errors).filter((field) => !field.startsWith("policy_file"))).toEqual([]);
    expect((await ask("getPolicy", { params: { policy_name: name } })).status).toBe(404);
  });

  it.each([
    "flow.name == 'a'",
    'flow.tags.team.a-b != "x"',
    "artifact.name in ['a', \"b\"]",
    "not exists(flow) or matches(artifact.name, '^web')",
    "(artifact.fingerprint == 'a' and flow.tags.risk > 3) or flow.tags.risk <= 1",
  ])("accepts the expression %s", async (expression) => {
    const rule = JSON.stringify({ exceptions: [{ if: `\${{ ${expression} }}` }] });
    const call = await ask(
      "putPolicy",
      putting(unique("policy"), `${SCHEMA}artifacts: {provenance: ${rule}}\n`),
    );
    expect(call.status).toBe(201);
  });

  it("applies a rule only where its condition is true", async () => {
    const built = await delivered();
    const tags = { kind: "build", "risk-level": "7", "team.a": "x" };
    await client.updateTags({ resourceType: "flow", resourceId: built.flow, body: { setTags: tags } });
    const conditions: readonly (readonly [string, boolean])[] = [
      [`flow.name == "${built.flow}"`, true],
      [`flow.name != '${built.flow}'`, false],
      ["flow.tags.kind == 'build'", true],
      ["flow.tags.risk-level == 7", true],
      ["flow.tags.risk-level < 10", true],
      ["flow.tags.risk-level > 7", false],
      ["flow.tags.risk-level <= 7", true],
      ["flow.tags.risk-level >= 7.5", false],
      ["flow.tags.team.a in ['x', 'y']", true],
      ["flow.tags.team.a not in ['x', 'y']", false],
      ["flow.tags.none == 'x'", false],
      ["flow.tags.none != 'x'", true],
      ["exists(flow)", true],
      ["exists(flow.tags.kind)", true],
      ["exists(flow.tags.none)", false],
      ["artifact.name == 'web:1.2'", true],
      [`artifact.fingerprint == '${built.fingerprint}'`, true],
      ["matches(artifact.name, '^web:.*')", true],
      ["matches(artifact.name, '^api:')", false],
      ["not exists(flow.tags.none) and flow.tags.kind == 'build'", true],
      ["flow.tags.kind == 'x' or flow.tags.kind == 'build' and 1 == 2", false],
      ["(flow.tags.kind == 'build' or 1 == 1) and not 1 == 2", true],
    ];
    const attestations = conditions.map(([text]) => ({ type: "snyk", if: `\${{ ${text} }}` }));
    const name = unique("policy");
    const text = `${SCHEMA}artifacts: ${JSON.stringify({ attestations })}\n`;
    await client.putPolicy({ body: { name }, files: file(text) });
    const { body } = await client.assertArtifact({ fingerprint: built.fingerprint, policyName: [name] });
    const [, , ...rules] = body.policyEvaluations?.[0]?.ruleEvaluations ?? [];
    const held = rules.map(({ rule, ignored }) => [rule.definition.if?.text, ignored === false]);
    expect(held).toEqual(conditions);
  });

  it("reports the position of an error in an expression", async () => {
    const text = `${SCHEMA}artifacts:\n  provenance:\n    exceptions:\n      - if: \${{ flow.name = 'a' }}\n`;
    await expectInvalid(ask("putPolicy", putting(unique("policy"), text)), {
      "policy_file.artifacts.provenance.exceptions[0].if": "line 5, column 27: unexpected '='",
    });
  });

  it("accepts a file of 10 MB and none that is larger", async () => {
    const limit = 10 * 1024 * 1024;
    // Invalid, so that it is read but not stored: lists of policies contain their files.
    const padded = (bytes: number) => putting(unique("policy"), `${SCHEMA}other: 1\n`.padEnd(bytes, "#"));
    await expectRefusal(ask("putPolicy", padded(limit)), 400, /./);
    await expectRefusal(ask("putPolicy", padded(limit + 1)), 413, /10 ?MB/);
  });

  namePattern(target, "putPolicy", "name", ORDINARY_NAME, (build) => putting(build(unique("policy"))));
  invalidBodies(target, "putPolicy", () => putting(), [
    [{ name: undefined }, "name", REQUIRED],
    [{ type: "flow" }, "type", "Input should be 'env'"],
    [{ description: 7 }, "description", "Input should be a valid string"],
    [{ other: 1 }, "other", EXTRA],
  ]);
});

describe("reading policies", () => {
  it("returns one by its name, with the environments it is attached to", async () => {
    const name = unique("policy");
    await client.putPolicy({ body: { name }, files: file(PROVENANCE) });
    const envName = await environment();
    await client.attachPolicies({ envName, body: { policyNames: [name] } });
    const { body } = await client.getPolicy({ policyName: name });
    expect(body).toMatchObject({ name, consumingEnvs: [envName], versions: [{ policyYaml: PROVENANCE }] });
  });

  it("lists all, each with all of its versions", async () => {
    const name = unique("policy");
    await client.putPolicy({ body: { name, description: "d" }, files: file(PROVENANCE) });
    await client.putPolicy({ body: { name, description: "d" }, files: file(SCHEMA) });
    const envName = await environment();
    await client.attachPolicies({ envName, body: { policyNames: [name] } });
    const { versions, ...read } = (await client.getPolicy({ policyName: name })).body;
    const listed = (await client.listPolicies({})).body.find((policy) => policy.name === name);
    // A list need not contain the texts of the files.
    expect(listed).toMatchObject({ ...read, consumingEnvs: [envName] });
    const numbers = [listed?.versions, versions].map((each) => each?.map(({ version }) => version));
    expect(numbers).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it("is refused for a policy that does not exist", async () => {
    const policyName = unique("none");
    const message = `Policy '${policyName}' does not exist in organization '${org}'`;
    await expectRefusal(client.getPolicy({ policyName }), 404, message);
  });

  it("serves the JSON Schema of the files", async () => {
    const { body } = await client.getPolicySchema({});
    expect(body).toMatchObject({ properties: { _schema: {}, artifacts: {} }, additionalProperties: false });
  });
});

it("the error names a data part that is not an object", async () => {
  await expectInvalid(ask("putPolicy", { body: "[]" }), { payload: "Input should be a valid dictionary" });
});
