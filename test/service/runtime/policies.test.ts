import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

const SCHEMA = "_schema: https://schemas.example/policy/environment/v1";
const PROVENANCE = `${SCHEMA}\nartifacts: { provenance: { required: true } }`;
const forControl = (control: string) =>
  `${SCHEMA}\nartifacts: { attestations: [{ type: decision, for_control: ${control} }] }`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const getPolicy = (name: string) => send(service, { path: `/policies/${ORG}/${name}` });
const attach = (environment: string, names: string[]) =>
  send(service, {
    method: "POST",
    path: `/environments/${ORG}/${environment}/policies`,
    json: { policy_names: names },
  });
const decide = (flow: string, trail: string, compliant: boolean, more: object = {}) =>
  send(service, {
    method: "POST",
    path: `/attestations/${ORG}/${flow}/trail/${trail}/system`,
    form: {
      attestation_name: "decision",
      type_name: "decision",
      attestation_data: { is_compliant: compliant },
      artifact_fingerprint: FP,
      ...more,
    },
  });

describe("uploading a policy", () => {
  it("creates it with its first version", async () => {
    const { time } = service.clock;
    const { status, body } = await pipeline(service).policy("first", PROVENANCE, {
      description: "d",
      comment: "c",
      type: "env",
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        name: "first",
        description: "d",
        created_by: "member",
        created_at: time,
        last_modified_at: time,
        archived: false,
        versions: [
          { version: 1, comment: "c", timestamp: time, created_by: "member", policy_yaml: PROVENANCE },
        ],
        events: [{ type: "creation", timestamp: time, user: "member", data: {} }],
        consuming_envs: [],
      },
    });
    expect((await getPolicy("first")).body).toEqual(body);
  });

  it("creates a version for a different file, and none for the same one", async () => {
    const { policy } = pipeline(service);
    await policy("again", PROVENANCE);
    const [created] = (await getPolicy("again")).body.versions;
    service.clock.time += 10;
    expect((await policy("again", PROVENANCE)).body).toMatchObject({
      versions: [created],
      last_modified_at: created.timestamp,
      events: [{ type: "creation" }],
    });
    const { status, body } = await policy("again", SCHEMA, { comment: "less" });
    expect([status, body.versions]).toEqual([
      200,
      [
        created,
        {
          version: 2,
          comment: "less",
          timestamp: service.clock.time,
          created_by: "member",
          policy_yaml: SCHEMA,
        },
      ],
    ]);
    expect(body.last_modified_at).toBe(service.clock.time);
    expect(body.events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ["creation", {}],
      ["new_version", { version: 2 }],
    ]);
    // The earlier file is a change again.
    expect((await policy("again", PROVENANCE)).body.versions).toHaveLength(3);
  });

  it("changes nothing when it is unchanged, with its file or without", async () => {
    const { policy } = pipeline(service);
    const { body: created } = await policy("same", PROVENANCE, { description: "said" });
    service.clock.time += 10;
    for (const file of [PROVENANCE, undefined]) {
      expect(await policy("same", file, { description: "said" })).toMatchObject({
        status: 200,
        body: created,
      });
    }
  });

  it("changes the description without a file; a new policy needs its file", async () => {
    const { policy } = pipeline(service);
    await policy("said", PROVENANCE, { description: "before" });
    const { status, body } = await policy("said", undefined, { description: "after" });
    expect([status, body.description, body.versions.length]).toEqual([200, "after", 1]);
    expect(body.events.at(-1)).toMatchObject({ type: "metadata_update", data: { description: "after" } });
    const refused = await policy("new", undefined);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { policy_file: "Field required [input: None]" },
    ]);
    expect((await getPolicy("new")).status).toBe(404);
  });

  it.each([
    ["YAML", "artifacts: [1\n", /^Invalid YAML at line \d+, column \d+: /, "policy_file"],
    [
      "fields",
      `${SCHEMA}\nartifacts: { attestations: [{ name: unit }] }`,
      "Field required [input: None]",
      "policy_file.artifacts.attestations[0].type",
    ],
    [
      "expressions",
      `${SCHEMA}\nartifacts:\n  attestations:\n    - type: junit\n      if: \${{ flow.name = 'x' }}`,
      "line 5, column 25: unexpected '='",
      "policy_file.artifacts.attestations[0].if",
    ],
    [
      "controls",
      forControl("NONE"),
      `Control 'NONE' does not exist in organization '${ORG}' [input: NONE]`,
      "policy_file.artifacts.attestations[0].for_control",
    ],
  ])("is refused for errors in its file: %s", async (_, yaml, text, field) => {
    const { status, body } = await pipeline(service).policy("wrong", yaml);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: "policy.file_invalid",
        message: "Input payload validation failed",
        errors: { [field]: typeof text === "string" ? text : expect.stringMatching(text) },
      },
    });
    expect((await getPolicy("wrong")).status).toBe(404);
  });

  it.each([
    [{ name: "-x" }, { name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\-_.~]*$' [input: -x]" }],
    [{ type: "flow" }, { type: "Input should be 'env' [input: flow]" }],
    [{ extra: 1 }, { extra: "Extra inputs are not permitted [input: 1]" }],
  ])("is refused for errors beside its file: %j", async (more, errors) => {
    const { status, body } = await pipeline(service).policy("wrong", PROVENANCE, more);
    expect([status, body.errors]).toEqual([400, errors]);
  });
});

describe("reading policies", () => {
  it("lists them by name, with their environments", async () => {
    const { policy, environment } = pipeline(service);
    await policy("zz-held", PROVENANCE);
    await policy("aa-held", PROVENANCE);
    await environment("held", { policies: ["zz-held"] });
    const { status, body } = await send(service, { path: `/policies/${ORG}` });
    const names = body.map(({ name }: { name: string }) => name);
    expect([status, names]).toEqual([200, [...names].sort()]);
    const held = body.filter(({ name }: { name: string }) => name.endsWith("-held"));
    expect(held.map((each: { consuming_envs: string[] }) => each.consuming_envs)).toEqual([[], ["held"]]);
    const { versions, ...first } = (await getPolicy(names[0])).body;
    expect(body[0]).toEqual({
      ...first,
      versions: versions.map((version: object) => ({ ...version, policy_yaml: "" })),
    });
    expect(versions[0].policy_yaml).not.toBe("");
  });

  it("lists every version without its text, however long", async () => {
    const { policy } = pipeline(service);
    const comment = `# ${"long ".repeat(200_000)}\n`;
    await policy("long", `${comment}${PROVENANCE}`);
    await policy("long", `${comment}${comment}${PROVENANCE}`);
    const { body } = await send(service, { path: `/policies/${ORG}` });
    const long = body.find(({ name }: { name: string }) => name === "long");
    expect(long.versions).toEqual([
      expect.objectContaining({ version: 1, policy_yaml: "", created_by: "member" }),
      expect.objectContaining({ version: 2, policy_yaml: "", timestamp: service.clock.time }),
    ]);
    expect(JSON.stringify(body).length).toBeLessThan(100_000);
    const texts = (await getPolicy("long")).body.versions.map(
      ({ policy_yaml }: { policy_yaml: string }) => policy_yaml,
    );
    expect(texts).toEqual([`${comment}${PROVENANCE}`, `${comment}${comment}${PROVENANCE}`]);
  });

  it("returns the files of the latest versions that fit in the response", async () => {
    const { policy } = pipeline(service);
    const files = ["a", "b", "c", "d"].map((letter) => `# ${letter.repeat(4_000_000)}\n${PROVENANCE}`);
    for (const file of files) await policy("vast", file);
    const shown = async () =>
      (await getPolicy("vast")).body.versions.map(({ version, policy_yaml }: Record<string, string>) => [
        version,
        policy_yaml?.charAt(2),
      ]);
    expect(await shown()).toEqual([
      [1, ""],
      [2, ""],
      [3, "c"],
      [4, "d"],
    ]);
    // The latest is included however large it is.
    const comment = "# e".padEnd(10 * 1024 * 1024 - PROVENANCE.length - 1, "e");
    expect((await policy("vast", `${comment}\n${PROVENANCE}`)).status).toBe(200);
    expect((await shown()).map(([, letter]: string[]) => letter)).toEqual(["", "", "", "", "e"]);
  });

  it("returns the JSON Schema of the file to every valid key", async () => {
    const { status, body } = await send(service, {
      path: "/schemas/environment-policy/v1",
      key: service.keys.reader,
    });
    expect([status, body.$schema, Object.keys(body.properties)]).toEqual([
      200,
      "https://json-schema.org/draft/2020-12/schema",
      ["_schema", "artifacts"],
    ]);
  });

  it("gives the schema the address it is served at, which a policy may name as its schema", async () => {
    const { $id } = (await send(service, { path: "/schemas/environment-policy/v1" })).body;
    expect($id).toBe(`${service.address}/api/v2/schemas/environment-policy/v1`);
    expect((await pipeline(service).policy("by-its-address", `_schema: ${$id}`)).status).toBe(201);
  });
});

describe("asserting an artifact by policies", () => {
  it("answers for each policy, in the requested order", async () => {
    const { policy, artifact, assert } = pipeline(service);
    await policy("provenance", PROVENANCE);
    await policy("unit", `${SCHEMA}\nartifacts: { attestations: [{ type: junit, name: unit }] }`);
    await artifact("web", "t1", { fingerprint: "1".repeat(64) });
    const { status, body } = await assert("1".repeat(64), "?policy_name=unit&policy_name=provenance");
    expect([status, body.scope, body.compliant, body.flow, body.trail]).toEqual([
      200,
      "policy",
      false,
      "web",
      "t1",
    ]);
    expect(body).not.toHaveProperty("environment");
    expect(
      body.policy_evaluations.map((each: Record<string, unknown>) => [
        each["policy_name"],
        each["policy_version"],
        each["status"],
      ]),
    ).toEqual([
      ["unit", 1, "NON-COMPLIANT"],
      ["provenance", 1, "COMPLIANT"],
    ]);
    const context = { flow_name: "web", trail_name: "t1", artifact_status: null };
    expect(body.policy_evaluations[0].rule_evaluations.at(-1)).toEqual({
      rule: {
        type: "attestation",
        definition: { if: null, name: "unit", type: "junit", must_be_compliant: true, for_control: null },
      },
      satisfied: false,
      ignored: false,
      resolutions: [{ type: "missing_attestation", context }],
    });
    expect((await assert("1".repeat(64), "?policy_name=provenance")).body.compliant).toBe(true);
  });

  it("is refused for an unknown policy", async () => {
    const { policy, artifact, assert } = pipeline(service);
    await policy("known", PROVENANCE);
    await artifact("web", "t1", { fingerprint: "1".repeat(64) });
    const message = `Policy 'nowhere' does not exist in organization '${ORG}'`;
    expectRefusal(await assert("1".repeat(64), "?policy_name=known&policy_name=nowhere"), 404, message);
    expectRefusal(await getPolicy("nowhere"), 404, message);
  });

  it("uses the latest version and the current tags of flows", async () => {
    const { policy, artifact, assert } = pipeline(service);
    const fingerprint = "2".repeat(64);
    await artifact("tagged", "t1", { fingerprint });
    await policy("risky", PROVENANCE);
    const risky = `${SCHEMA}\nartifacts: { attestations: [{ type: snyk, if: "\${{ flow.tags.risk == 'high' }}" }] }`;
    await policy("risky", risky);
    const verdict = async () => {
      const { body } = await assert(fingerprint, "?policy_name=risky");
      return [body.compliant, body.policy_evaluations[0].policy_version];
    };
    expect(await verdict()).toEqual([true, 2]);
    const tags = { method: "PATCH", path: `/tags/${ORG}/flow/tagged`, json: { set_tags: { risk: "high" } } };
    expect((await send(service, tags)).status).toBe(200);
    expect(await verdict()).toEqual([false, 2]);
  });
});

describe("the evidence for an artifact", () => {
  const ours = "5".repeat(64);
  const resolutionsOf = async (policyName: string, fingerprint = ours) => {
    const { body } = await pipeline(service).assert(fingerprint, `?policy_name=${policyName}`);
    const rules = body.policy_evaluations[0].rule_evaluations;
    const applicable = rules.filter(({ ignored }: { ignored: boolean }) => !ignored);
    return applicable.flatMap(({ resolutions }: { resolutions: { type: string }[] }) =>
      resolutions.map(({ type }) => type),
    );
  };

  it("is what was attested about it, by fingerprint or by name, or about its trail, and nothing else", async () => {
    const { policy, artifact, attest } = pipeline(service);
    await policy("tested", `${SCHEMA}\nartifacts: { attestations: [{ type: generic, name: unit }] }`);
    await artifact("facts", "t1", { fingerprint: ours });
    await artifact("facts", "t1", { fingerprint: "6".repeat(64), template_reference_name: "api" });
    const reference = (name: string) => ({ target_artifacts: [name], git_commit_info: { sha1: COMMIT } });
    const outcomeAfter = async (more: object) => {
      expect((await attest("facts", "t1", more)).status).toBe(201);
      return resolutionsOf("tested");
    };
    expect(await outcomeAfter({ artifact_fingerprint: "6".repeat(64) })).toEqual(["missing_attestation"]);
    expect(await outcomeAfter(reference("api"))).toEqual(["missing_attestation"]);
    expect(await outcomeAfter(reference("web"))).toEqual(["rule_satisfied"]);
    // An attestation about the trail does not replace one about the artifact, nor the reverse.
    expect(await outcomeAfter({ is_compliant: false })).toEqual(["non_compliant_attestation"]);
    expect(await outcomeAfter({ artifact_fingerprint: ours })).toEqual(["non_compliant_attestation"]);
    expect(await outcomeAfter({ is_compliant: true })).toEqual(["rule_satisfied"]);
  });

  it("includes its status in a trail, or in its flow, but not in a legacy one", async () => {
    const { policy, flow, artifact } = pipeline(service);
    await policy("compliant", `${SCHEMA}\nartifacts: { trail-compliance: { required: true } }`);
    const json = { name: "old", description: "", template: ["artifact", "unit"] };
    expect((await send(service, { method: "PUT", path: `/flows/${ORG}`, json })).status).toBe(201);
    const [within, without] = ["7".repeat(64), "8".repeat(64)] as const;
    await artifact("old", "t1", { fingerprint: within });
    await artifact("old", undefined, { fingerprint: without });
    expect(await resolutionsOf("compliant", within)).toEqual(["rule_satisfied"]);
    expect(await resolutionsOf("compliant", without)).toEqual(["legacy_flow"]);
    await flow("new");
    await artifact("new", undefined, { fingerprint: without });
    expect(await resolutionsOf("compliant", without)).toEqual(["rule_satisfied", "legacy_flow"]);
  });
});

describe("asserting an artifact in an environment", () => {
  it("uses the policies of all members of a logical one, by name", async () => {
    const { policy, environment, artifact, assert } = pipeline(service);
    for (const name of ["b-of-eu", "a-of-us", "elsewhere"]) await policy(name, PROVENANCE);
    await environment("eu", { policies: ["b-of-eu"] });
    await environment("us", { policies: ["a-of-us", "b-of-eu"] });
    await environment("asia", { policies: ["elsewhere"] });
    await environment("world", { type: "logical", included_environments: ["eu", "us"] });
    await artifact("worldly", "t1", { fingerprint: "9".repeat(64) });
    const { body } = await assert("9".repeat(64), "?environment_name=world");
    expect([
      body.compliant,
      body.policy_evaluations.map((each: { policy_name: string }) => each.policy_name),
    ]).toEqual([true, ["a-of-us", "b-of-eu"]]);
  });

  it("uses its flows if there are no policies", async () => {
    const { environment, artifact, attest, assert } = pipeline(service);
    const fingerprint = "3".repeat(64);
    await environment("free");
    await artifact("free", "t1", { fingerprint });
    const { body } = await assert(fingerprint, "?environment_name=free");
    expect(body).toMatchObject({
      scope: "environment",
      environment: "free",
      compliant: true,
      policy_evaluations: [],
    });
    expect(body).not.toHaveProperty("allow_listing");
    await attest("free", "t1", { artifact_fingerprint: fingerprint, is_compliant: false });
    expect((await assert(fingerprint, "?environment_name=free")).body.compliant).toBe(false);
  });

  it("uses its policies if there are some, and allowances above all", async () => {
    const { environment, policy, artifact, assert } = pipeline(service);
    const fingerprint = "4".repeat(64);
    await policy("scanned", `${SCHEMA}\nartifacts: { attestations: [{ type: snyk }] }`);
    await policy("a-provenance", PROVENANCE);
    await environment("strict", { policies: ["scanned", "a-provenance"] });
    await artifact("strict", "t1", { fingerprint });
    const before = (await assert(fingerprint, "?environment_name=strict")).body;
    expect([
      before.compliant,
      before.policy_evaluations.map((each: { status: string }) => each.status),
    ]).toEqual([false, ["COMPLIANT", "NON-COMPLIANT"]]);
    const allow = { artifact_name: "web", artifact_fingerprint: fingerprint, description: "a known risk" };
    await send(service, { method: "PUT", path: `/allowlists/${ORG}/strict`, json: allow });
    const after = (await assert(fingerprint, "?environment_name=strict")).body;
    expect([after.compliant, after.policy_evaluations]).toEqual([true, before.policy_evaluations]);
    expect(after.allow_listing).toEqual({
      allowlist_id: expect.any(String),
      allowed_by_user_id: "member",
      timestamp: service.clock.time,
      description: "a known risk",
    });
  });
});

describe("a policy that requires a decision about a control", () => {
  const verdict = async (query = "?environment_name=production") => {
    const { body } = await pipeline(service).assert(FP, query);
    const rule = body.policy_evaluations.at(0).rule_evaluations.at(-1);
    return [body.compliant, ...rule.resolutions.map((each: { type: string }) => each.type)];
  };

  it("is satisfied by the latest decision for the artifact, wherever it was recorded", async () => {
    const { control, policy, environment, artifact, assert } = pipeline(service);
    expect((await control({ identifier: "SDLC-7", name: "Code is reviewed" })).status).toBe(201);
    expect((await policy("reviewed", forControl("SDLC-7"))).status).toBe(201);
    await environment("production");
    expect((await attach("production", ["reviewed"])).status).toBe(200);
    await artifact("web", "t1");

    const { body } = await assert(FP, "?environment_name=production");
    const rule = body.policy_evaluations[0].rule_evaluations.at(-1);
    expect([body.compliant, rule.rule.definition.for_control, rule.satisfied]).toEqual([
      false,
      "SDLC-7",
      false,
    ]);
    expect(rule.resolutions).toEqual([
      {
        type: "missing_attestation",
        context: { flow_name: "web", trail_name: "t1", artifact_status: null, for_control: "SDLC-7" },
      },
    ]);

    await decide("web", "t1", true, { control: "SDLC-8" });
    expect(await verdict()).toEqual([false, "missing_attestation"]);
    await decide("web", "t1", true, { control: "SDLC-7", artifact_fingerprint: undefined });
    expect(await verdict()).toEqual([true, "rule_satisfied"]);
    expect((await decide("web", "t1", false, { control: "SDLC-7" })).status).toBe(201);
    expect(await verdict()).toEqual([false, "non_compliant_attestation"]);
    await artifact("approvals", "t9");
    expect((await decide("approvals", "t9", true, { control: "SDLC-7" })).status).toBe(201);
    expect(await verdict()).toEqual([true, "rule_satisfied", "rule_satisfied"]);
  });

  it("sees an override, and a decision by the artifact's name in the template", async () => {
    await send(service, {
      method: "POST",
      path: `/attestations/${ORG}/approvals/trail/t9/override`,
      json: {
        attestation_name: "decision",
        reason: "withdrawn",
        new_compliance_status: false,
        original_attestation_type: "system:decision",
        artifact_fingerprint: FP,
      },
    });
    expect(await verdict()).toEqual([false, "non_compliant_attestation", "non_compliant_attestation"]);
    const reference = {
      control: "SDLC-7",
      artifact_fingerprint: undefined,
      target_artifacts: ["web"],
      git_commit_info: { sha1: COMMIT },
    };
    expect((await decide("web", "t1", true, { ...reference, target_artifacts: ["api"] })).status).toBe(201);
    expect(await verdict()).toEqual([false, "non_compliant_attestation", "non_compliant_attestation"]);
    expect((await decide("web", "t1", true, reference)).status).toBe(201);
    expect(await verdict()).toEqual([true, "rule_satisfied", "rule_satisfied"]);
  });
});
