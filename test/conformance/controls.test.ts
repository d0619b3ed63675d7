import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import {
  EXTRA,
  invalidBodies,
  invalidQueries,
  namePattern,
  PATTERN,
  pagingEdges,
  REQUIRED,
} from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { delivered } = pipeline(target);

async function control(more: object = {}) {
  const identifier = unique("CTL");
  await client.createControl({ body: { identifier, name: "Code is reviewed", ...more } });
  return identifier;
}

async function decide(identifier: string, isCompliant: boolean) {
  const built = await delivered();
  const attestationName = unique("decision");
  const { status } = await ask("attestSystem", {
    params: { flow_name: built.flow, trail_name: built.trail },
    body: {
      attestation_name: attestationName,
      type_name: "decision",
      control: identifier,
      attestation_data: { is_compliant: isCompliant },
      artifact_fingerprint: built.fingerprint,
      description: "d",
    },
    files: { attachment_file: { name: "why.txt", text: "because" } },
  });
  expect(status).toBe(201);
  return { ...built, attestationName };
}

const known = await control();
const unknown = (identifier: string) => new RegExp(`^Control '${identifier}' does not exist`);

describe("a control", () => {
  it("is created, changed by the given fields, and keeps its versions", async () => {
    const identifier = unique("CTL");
    const links = { policy: "https://x.example/p" };
    const reply = await client.createControl({ body: { identifier, name: "n", description: "d", links } });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      identifier,
      name: "n",
      description: "d",
      links,
      version: 1,
      tags: {},
    });
    const changed = await client.updateControl({ identifier, body: { name: "m", links: {} } });
    expect(changed).toMatchObject({
      status: 200,
      body: { identifier, name: "m", description: "d", links: {}, version: 2 },
    });
    expect((await client.getControl({ identifier })).body).toMatchObject({
      name: "m",
      version: 2,
      archived: false,
      policiesReferencing: [],
      createdAt: expect.any(Number),
      createdBy: expect.any(String),
    });
    const { body } = await client.getControlVersion({ identifier, versionNumber: 1 });
    expect(body).toMatchObject({
      identifier,
      version: 1,
      name: "n",
      description: "d",
      links,
      status: "created",
    });
  });

  it("is archived and restored, which are versions too", async () => {
    const identifier = await control();
    expect((await client.archiveControl({ identifier })).status).toBe(200);
    const listed = async (archived: boolean) =>
      (await client.listControls({ search: identifier, archived })).body.controls.length;
    expect([await listed(false), await listed(true)]).toEqual([0, 1]);
    expect((await client.getControl({ identifier })).body.archived).toBe(true);
    expect((await client.unarchiveControl({ identifier })).status).toBe(200);
    expect([await listed(false), await listed(true)]).toEqual([1, 0]);
    const { body } = await client.listControlVersions({ identifier });
    const all = ["unarchived", "archived", "created"];
    expect(body).toMatchObject(all.map((status) => ({ status })));
    const page = async (query: object) => (await client.listControlVersions({ identifier, ...query })).body;
    const counted = { page: 1, perPage: 15, totalPages: 1, totalCount: 3 };
    expect(await page({ page: 1 })).toMatchObject({
      ...counted,
      versions: all.map((status) => ({ status })),
    });
    expect(await page({ sortDirection: "asc" })).toMatchObject({
      ...counted,
      versions: all.toReversed().map((status) => ({ status })),
    });
    expect(await page({ page: 2, perPage: 2 })).toMatchObject({ versions: [{ version: 1 }], totalPages: 2 });
    const last = { page: 2, perPage: 2, sortDirection: "asc" };
    expect(await page(last)).toMatchObject({ versions: [{ version: 3 }] });
  });

  it("covers the environments with a policy that requires decisions about it", async () => {
    const [identifier, prefix] = [await control(), unique("env")];
    const name = unique("policy");
    const text = `_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  attestations: [{ type: decision, for_control: ${identifier} }]
`;
    await client.putPolicy({ body: { name }, files: { policyFile: textFile("p.yml", text) } });
    const environments = ["a", "b", "c"].map((suffix) => `${prefix}-${suffix}`);
    for (const each of environments) {
      await client.createEnvironment({ body: { name: each, type: "K8S", description: "" } });
    }
    const [a = "", b = "", c = ""] = environments;
    for (const envName of [a, b]) await client.attachPolicies({ envName, body: { policyNames: [name] } });
    const coverage = async (query: object = {}) =>
      (await client.getControlCoverage({ identifier, search: prefix.toUpperCase(), ...query })).body;
    const row = (each: string, covered: boolean) => ({
      name: each,
      type: "K8S",
      covered,
      policies: covered ? [name] : [],
    });
    const { summary, ...all } = await coverage();
    expect(all).toMatchObject({ totalCount: 3, environments: [row(a, true), row(b, true), row(c, false)] });
    expect(summary).toEqual({
      total: expect.any(Number),
      covered: 2,
      coveragePercent: Math.round(2000 / summary.total) / 10,
    });
    expect(await coverage({ covered: true, perPage: 1 })).toMatchObject({
      ...{ summary, totalCount: 2, totalPages: 2 },
      environments: [row(a, true)],
    });
    expect((await coverage({ covered: false })).environments).toEqual([row(c, false)]);
    await client.detachPolicies({ envName: b, body: { policyNames: [name] } });
    await client.archiveEnvironment({ envName: a });
    expect(await coverage()).toMatchObject({
      summary: { covered: 0, total: summary.total - 1, coveragePercent: 0 },
      environments: [row(b, false), row(c, false)],
    });
    await client.archiveControl({ identifier });
    expect((await coverage()).totalCount).toBe(2);
  });

  it("has tags, which are listed with those of the others until it is archived", async () => {
    const [identifier, key] = [await control(), unique("key")];
    const tag = {
      resourceType: "control",
      resourceId: identifier,
      body: { setTags: { [key]: "a" } },
    } as const;
    await client.updateTags(tag);
    const tags = async () => (await client.listControlTags({})).body.filter((each) => each.key === key);
    expect(await tags()).toEqual([{ key, value: "a" }]);
    await client.archiveControl({ identifier });
    expect(await tags()).toEqual([]);
  });

  it("has a permanent identifier", async () => {
    const identifier = await control();
    await expectRefusal(
      client.createControl({ body: { identifier, name: "again" } }),
      409,
      `A control with identifier '${identifier}' already exists in organization '${org}'`,
    );
  });

  it("lists the policies that require decisions about it", async () => {
    const identifier = await control();
    const name = unique("policy");
    const text = `_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  attestations: [{ type: decision, for_control: ${identifier} }]
`;
    await client.putPolicy({ body: { name }, files: { policyFile: textFile("p.yml", text) } });
    expect((await client.getControl({ identifier })).body.policiesReferencing).toHaveLength(1);
  });

  it("that does not exist is refused by every operation on it", async () => {
    const identifier = unique("none");
    for (const call of [
      () => client.getControl({ identifier }),
      () => client.updateControl({ identifier, body: {} }),
      () => client.archiveControl({ identifier }),
      () => client.unarchiveControl({ identifier }),
      () => client.listControlVersions({ identifier }),
      () => client.getControlCoverage({ identifier }),
      () => client.getControlVersion({ identifier, versionNumber: 1 }),
      () => client.listControlDecisions({ identifier }),
      () => client.getControlDecision({ identifier, decisionId: "x" }),
    ]) {
      await expectRefusal(call(), 404, unknown(identifier));
    }
  });

  it("returns 404 for a version that was never created", async () => {
    const identifier = await control();
    const call = client.getControlVersion({ identifier, versionNumber: 9 });
    await expectRefusal(call, 404, `version 9 does not exist for control '${identifier}'`);
    for (const number of [0, -1, "x", 1.5]) {
      const { status } = await ask("getControlVersion", { params: { identifier, version_number: number } });
      expect(status).toBe(400);
    }
  });

  const creating = (identifier = unique("CTL")) => ({ body: { identifier, name: "n" } });
  namePattern(
    target,
    "createControl",
    "identifier",
    { within: ".-_~", never: "/:,", plainStart: false },
    (build) => creating(build(unique("CTL"))),
  );
  invalidBodies(target, "createControl", () => creating(), [
    [{ identifier: undefined }, "identifier", REQUIRED],
    ...[".", ".."].map((identifier) => [{ identifier }, "identifier", PATTERN] as const),
    [{ identifier: "tags" }, "identifier", "The identifier 'tags' is reserved"],
    [{ identifier: "a".repeat(257) }, "identifier", "String should have at most 256 characters"],
    [{ name: undefined }, "name", REQUIRED],
    [{ name: "" }, "name", "String should have at least 1 character"],
    [{ links: "x" }, "links", "Input should be a valid dictionary"],
    [{ links: { policy: "x" } }, "links.policy", "Input should be a valid URL"],
    [{ other: 1 }, "other", EXTRA],
  ]);
  const changing = async () => ({ params: { identifier: await control() }, body: {} });
  invalidBodies(target, "updateControl", changing, [
    [{ identifier: "x" }, "identifier", EXTRA],
    [{ name: 7 }, "name", "Input should be a valid string"],
    [{ name: "" }, "name", "String should have at least 1 character"],
    [{ links: { policy: "x" } }, "links.policy", "Input should be a valid URL"],
  ]);

  it("may have an identifier of 256 characters", async () => {
    const { status } = await ask("createControl", creating(unique("CTL").padEnd(256, "x")));
    expect(status).toBe(201);
  });
});

describe("listing controls", () => {
  it("is filtered by a part of identifier or name, by tag and direction", async () => {
    const [first, second] = [await control({ name: unique("name") }), await control()];
    const value = unique("tag");
    for (const resourceId of [first, second]) {
      await client.updateTags({ resourceType: "control", resourceId, body: { setTags: { tier: value } } });
    }
    const listed = async (query: object) =>
      (await client.listControls(query)).body.controls.map(({ identifier }) => identifier);
    const both = [first, second].toSorted((a, b) => (a < b ? -1 : 1));
    expect(await listed({ search: first.toLowerCase() })).toEqual([first]);
    expect(await listed({ search: "ÜBER" })).toEqual([]);
    await client.updateControl({ identifier: first, body: { name: `Überprüfung ${first}` } });
    expect(await listed({ search: `überprüfung ${first}` })).toEqual([first]);
    expect(await listed({ tag: [`tier:${value}`] })).toEqual(both);
    expect(await listed({ tag: [`tier:${value}`], sortDirection: "desc" })).toEqual(both.toReversed());
    expect(await listed({ tag: ["tier"], search: second })).toEqual([second]);
  });

  it("returns 15 a page by default", async () => {
    const { body } = await client.listControls({});
    expect(body).toMatchObject({ page: 1, perPage: 15, _links: { self: { href: expect.any(String) } } });
  });

  pagingEdges(target, "listControls", () => ({}), { max: 100 });
  const ofKnown = () => ({ params: { identifier: known } });
  invalidQueries(target, "getControlCoverage", ofKnown, [
    [{ covered: "maybe" }, "covered", "Input should be a valid boolean"],
  ]);
  pagingEdges(target, "getControlCoverage", ofKnown, { max: 100 });
  pagingEdges(target, "listControlVersions", ofKnown, { max: 100 });
  invalidQueries(target, "listControlVersions", ofKnown, [
    [{ sort_direction: "up" }, "sort_direction", "Input should be 'asc' or 'desc' [input: up]"],
  ]);
  invalidQueries(target, "listControls", () => ({}), [
    [{ sort_direction: "" }, "sort_direction", "Input should be 'asc' or 'desc' [input: ]"],
    [{ archived: "x" }, "archived", "Input should be a valid boolean"],
  ]);
});

describe("the decisions about a control", () => {
  it("are listed newest first, and by status and time", async () => {
    const identifier = await control();
    const refused = await decide(identifier, false);
    const passed = await decide(identifier, true);
    const listed = async (query: object = {}) =>
      (await client.listControlDecisions({ identifier, ...query })).body.decisions;
    expect(await listed()).toMatchObject([
      {
        control: identifier,
        isCompliant: true,
        attestationName: passed.attestationName,
        flowName: passed.flow,
        trailName: passed.trail,
        artifactFingerprint: passed.fingerprint,
        artifactName: "web:1.2",
        controlVersion: 1,
        description: "d",
        evidenceFiles: [{ filename: "why.txt", downloadUrl: expect.any(String) }],
      },
      { isCompliant: false, attestationName: refused.attestationName },
    ]);
    expect(await listed({ isCompliant: false })).toHaveLength(1);
    expect(await listed({ sortDirection: "asc" })).toMatchObject([
      { isCompliant: false },
      { isCompliant: true },
    ]);
    expect(await listed({ toTimestamp: 1 })).toEqual([]);
    expect(await listed({ flowId: [refused.flow] })).toMatchObject([{ flowName: refused.flow }]);
    expect(await listed({ flowId: [refused.flow, passed.flow] })).toHaveLength(2);
    expect(await listed({ flowId: [unique("none")] })).toEqual([]);
    expect(await listed({ fromTimestamp: 1, page: 2, perPage: 1 })).toMatchObject([{ isCompliant: false }]);
  });

  it("are found one by one", async () => {
    const identifier = await control();
    const { flow, trail, attestationName } = await decide(identifier, true);
    const { body: records } = await client.listTrailAttestations({
      flowName: flow,
      trailName: trail,
      attestationName,
    });
    const { body: all } = await client.listControlDecisions({ identifier });
    const decisionId = all.decisions[0]?.decisionId ?? records[0]?.attestationId ?? "";
    const { body } = await client.getControlDecision({ identifier, decisionId });
    expect(body).toMatchObject({ control: identifier, isCompliant: true, attestationName });
    await expectRefusal(client.getControlDecision({ identifier, decisionId: "none" }), 404, /./);
  });

  invalidQueries(target, "listControlDecisions", () => ({ params: { identifier: known } }), [
    [{ is_compliant: "maybe" }, "is_compliant", "Input should be a valid boolean"],
    [{ from_timestamp: "x" }, "from_timestamp", "Input should be a valid number"],
    [{ to_timestamp: "x" }, "to_timestamp", "Input should be a valid number"],
    [{ sort_direction: "up" }, "sort_direction", "Input should be 'asc' or 'desc' [input: up]"],
  ]);
  pagingEdges(target, "listControlDecisions", () => ({ params: { identifier: known } }), { max: 100 });
});
