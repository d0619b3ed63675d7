import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, invalidQueries, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask } = target;
const { delivered } = pipeline(target);

const DENIES = "package policy\n\ndefault allow := false\n";
const ALLOWS = "package policy\n\nallow := true\n";
const FILES = { "policy.rego": DENIES, "lib/some_dates.rego": "package lib\n" };

const publish = async (identifier: string, body: object = {}) =>
  client.publishDecisionPolicy({ identifier, body: { files: FILES, ...body } });
const published = async (body: object = {}) => {
  const identifier = unique("reviewed");
  await publish(identifier, body);
  return identifier;
};
const get = async (identifier: string, version?: number) =>
  (await client.getDecisionPolicy({ identifier, ...(version === undefined ? {} : { version }) })).body;
const publishing = (identifier = unique("policy"), files: object = FILES) => ({
  params: { identifier },
  body: { files },
});

describe("publishing a decision policy", () => {
  it("creates it, then a version for each change of its content", async () => {
    const identifier = unique("reviewed");
    const first = await publish(identifier, { description: "d" });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      identifier,
      version: 1,
      description: "d",
      warnOnly: false,
      effectiveFrom: null,
      digest: expect.stringMatching(/^sha256:[a-f0-9]{64}$/),
      archived: false,
      files: FILES,
      controls: [],
    });
    const again = await publish(identifier, { description: "d" });
    expect([again.status, again.body.version]).toEqual([200, 1]);
    for (const [version, change] of [
      [2, { description: "other" }],
      [3, { description: "other", warnOnly: true }],
      [4, { description: "other", warnOnly: true, effectiveFrom: 1_800_000_000 }],
      [5, { description: "other", files: { "policy.rego": ALLOWS } }],
      [6, { description: "other" }],
    ] as const) {
      expect((await publish(identifier, change)).body.version).toBe(version);
    }
    const { versions = [], ...latest } = await get(identifier);
    expect(versions.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(latest).toMatchObject({ version: 6, files: FILES, digest: first.body.digest });
  });

  it.each([
    ["no file", {}, "files", /^the policy has no file/],
    ["a file that is not Rego", { "data.json": "{}" }, "files.data.json", /must end in \.rego/],
    [
      "a file outside of its folder",
      { "../x.rego": ALLOWS },
      "files.../x.rego",
      /leaves the policy's folder/,
    ],
    [
      "two paths that differ by case",
      { "a.rego": ALLOWS, "A.rego": ALLOWS },
      "files.A.rego",
      /differs from another path only by case/,
    ],
    ["more than 1 MB", { "a.rego": "x".repeat(1024 * 1024), "b.rego": "x" }, "files", /the limit is 1048576/],
  ])("refuses %s", async (_, files, field, text) => {
    const request = publishing(unique("bad"), files);
    const { status, body } = await ask("publishDecisionPolicy", request);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([
      400,
      "decision_policy.files_invalid",
      [field],
    ]);
    expect(body.errors[field]).toMatch(text);
    expect((await ask("getDecisionPolicy", { params: request.params })).status).toBe(404);
  });

  invalidBodies(target, "publishDecisionPolicy", publishing, [
    [{ files: undefined }, "files", REQUIRED],
    [{ files: { "policy.rego": 1 } }, "files.policy.rego", "Input should be a valid string"],
    [{ warn_only: "yes" }, "warn_only", "Input should be a valid boolean"],
    [{ effective_from: -1 }, "effective_from", "Input should be greater than or equal to 0"],
    [{ other: 1 }, "other", EXTRA],
  ]);

  it.each(["@1", "/x", " x", "é"])("refuses an identifier that ends in %j", async (end) => {
    const sent = ask("publishDecisionPolicy", publishing(`${unique("named")}${end}`));
    await expectInvalid(sent, { identifier: "String should match pattern" });
  });
});

it("is not evaluated by a service without opa, which names the option", async () => {
  const { flow, trail } = await delivered();
  const body = { context: { trails: [{ flow, trail }] }, policy: { identifier: await published() } };
  await expectRefusal(client.createEvaluation({ body }), 400, /: start it with --opa PATH/);
});

describe("a decision policy", () => {
  it("is read in any version, and refused in one that does not exist", async () => {
    const identifier = await published({ description: "first" });
    await publish(identifier, { files: { "policy.rego": ALLOWS } });
    expect(await get(identifier, 1)).toMatchObject({ version: 1, description: "first", files: FILES });
    expect(await get(identifier)).toMatchObject({ version: 2, files: { "policy.rego": ALLOWS } });
    await expectRefusal(
      client.getDecisionPolicy({ identifier, version: 3 }),
      404,
      new RegExp(`^Version 3 of decision policy '${identifier}' does not exist`),
    );
    for (const call of ["getDecisionPolicy", "archiveDecisionPolicy"] as const) {
      await expectRefusal(
        client[call]({ identifier: "none" }),
        404,
        /^Decision policy 'none' does not exist/,
      );
    }
  });

  invalidQueries(target, "getDecisionPolicy", () => ({ params: { identifier: "any" } }), [
    [{ version: 0 }, "version", "Input should be greater than or equal to 1"],
  ]);

  it("is listed without its files until it is archived, and again when it is published", async () => {
    const identifier = await published();
    const listed = async (query: { archived?: boolean } = {}) =>
      (await client.listDecisionPolicies(query)).body.filter((each) => each.identifier === identifier);
    expect(await listed()).toMatchObject([{ version: 1, archived: false }]);
    expect((await listed())[0]).not.toHaveProperty("files");

    for (const _ of ["archived", "archived again"]) {
      const { status, body } = await client.archiveDecisionPolicy({ identifier });
      expect([status, body.archived, body.version]).toEqual([200, true, 1]);
    }
    expect([await listed(), (await get(identifier)).archived]).toEqual([[], true]);
    expect(await listed({ archived: true })).toHaveLength(1);

    const restored = await publish(identifier);
    expect([restored.status, restored.body.archived, restored.body.version]).toEqual([200, false, 1]);
    expect(await listed()).toHaveLength(1);
  });
});

describe("a control that is bound to a decision policy", () => {
  const bound = async (decisionPolicy: string) => {
    const identifier = unique("CTL");
    await client.createControl({ body: { identifier, name: "n", decisionPolicy } });
    return identifier;
  };

  it("names it in its versions, until the binding ends", async () => {
    const policy = await published();
    const identifier = await bound(policy);
    expect((await get(policy)).controls).toEqual([identifier]);
    expect((await client.updateControl({ identifier, body: { name: "m" } })).body.decisionPolicy).toBe(
      policy,
    );
    const free = await client.updateControl({ identifier, body: { decisionPolicy: null } });
    expect(free.body.decisionPolicy).toBeNull();
    const { body } = await client.listControlVersions({ identifier });
    const versions = Array.isArray(body) ? body : body.versions;
    expect(versions.map(({ decisionPolicy }) => decisionPolicy)).toEqual([null, policy, policy]);
    expect((await get(policy)).controls).toEqual([]);
  });

  it("refuses decisions that callers submit, and overrides of earlier ones", async () => {
    const identifier = unique("CTL");
    await client.createControl({ body: { identifier, name: "n" } });
    const { flow, trail, fingerprint } = await delivered();
    const decide = (is_compliant: boolean) =>
      ask("attestSystem", {
        params: { flow_name: flow, trail_name: trail },
        body: {
          attestation_name: "decision",
          type_name: "decision",
          control: identifier,
          attestation_data: { is_compliant },
          artifact_fingerprint: fingerprint,
        },
      });
    expect((await decide(false)).status).toBe(201);
    await client.updateControl({ identifier, body: { decisionPolicy: await published() } });
    const override = {
      params: { flow_name: flow, trail_name: trail },
      body: {
        attestation_name: "decision",
        reason: "accepted",
        new_compliance_status: true,
        original_attestation_type: "system:decision",
        artifact_fingerprint: fingerprint,
      },
    };
    for (const { status, body } of [await decide(true), await ask("overrideAttestation", override)]) {
      expect([status, body.code]).toEqual([400, "control.bound_to_policy"]);
      expect(body.message).toMatch(
        new RegExp(`^Control '${identifier}' is bound to decision policy 'reviewed`),
      );
    }
    expect((await client.listControlDecisions({ identifier })).body.decisions).toHaveLength(1);
  });

  it("keeps its binding to an archived policy, to which no other control can be bound", async () => {
    const policy = await published();
    const identifier = await bound(policy);
    await client.archiveDecisionPolicy({ identifier: policy });
    const body = { name: "m", decisionPolicy: policy };
    expect((await client.updateControl({ identifier, body })).body).toMatchObject(body);
    const create = (decision_policy: string) =>
      ask("createControl", { body: { identifier: unique("CTL"), name: "n", decision_policy } });
    await expectInvalid(create(policy), { decision_policy: `Decision policy '${policy}' is archived` });
    await expectInvalid(create("none"), { decision_policy: "Decision policy 'none' does not exist" });
  });
});

describe("an environment policy with decided_by", () => {
  const put = async (decidedBy: string) => {
    const control = unique("CTL");
    await client.createControl({ body: { identifier: control, name: "n" } });
    const rule = `{ type: decision, for_control: ${control}, decided_by: ${decidedBy} }`;
    const text = `_schema: https://x.example/v1\nartifacts: { attestations: [${rule}] }\n`;
    return client.putPolicy({ body: { name: unique("p") }, files: { policyFile: textFile("p.yml", text) } });
  };

  it("needs a decision policy, and a version, that exist", async () => {
    const policy = await published();
    expect([(await put(policy)).status, (await put(`${policy}@1`)).status]).toEqual([201, 201]);
    for (const [decidedBy, text] of [
      ["none", "Decision policy 'none' does not exist"],
      [`${policy}@2`, `Version 2 of decision policy '${policy}' does not exist`],
    ] as const) {
      await expectInvalid(put(decidedBy), { "policy_file.artifacts.attestations[0].decided_by": text });
    }
  });
});
