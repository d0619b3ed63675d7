import { describe, expect, it, test } from "vitest";
import type { EvaluationAnswer } from "../../src/api/resources/evaluations.ts";
import { unpackEvaluation } from "../../src/evidence/rego/evaluation-package.ts";
import { OPA, WITH_OPA } from "../go-programs.ts";
import { pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal, INVALID } from "./refusal.ts";
import { EXTRA, invalidBodies, REQUIRED } from "./tables.ts";
import { conformance, type Target } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

if (OPA === undefined) test.skip(WITH_OPA);
else await evaluations(await conformance({ opa: OPA }));

async function evaluations(target: Target) {
  const { client, clientFor, ask, org } = target;
  const { delivered, attest, environment, report, trail: begin } = pipeline(target);
  const built = await delivered();
  const { flow, trail, fingerprint } = built;
  const attested = await attest(built);
  const trails = [{ flow, trail }];
  const policyOf = (text: string) => ({ files: { "policy.rego": `package policy\n${text}\n` } });
  const allowed = policyOf("allow := true");

  const control = async () => {
    const identifier = unique("CTL");
    await client.createControl({ body: { identifier, name: "Code is reviewed" } });
    return identifier;
  };
  const decided = await control();

  /** Polls the evaluation until its end. */
  async function ended({ body }: { body: EvaluationAnswer }): Promise<EvaluationAnswer> {
    if (body.status === "pending") {
      await expect
        .poll(async () => (await client.getEvaluation({ id: body.id })).body.status)
        .not.toBe("pending");
    }
    return (await client.getEvaluation({ id: body.id })).body;
  }
  const evaluate = async (...request: Parameters<typeof client.createEvaluation>) =>
    ended(await client.createEvaluation(...request));

  describe("an evaluation", () => {
    it("reads a trail with the records of its attestations by name, and the parameters", async () => {
      const policy = policyOf(`import data.params
default allow := false
allow if {
  input.trail.name == params.name
  some artifact in input.trail.compliance_status.artifacts_statuses
  artifact.attestations_statuses[params.attestation].reported_by
}
violations contains {"name": input.trail.name}
violations contains "a text"`);
      const params = { name: trail, attestation: attested };
      const answer = await evaluate({ body: { context: { trails }, policy, params } });
      expect(answer).toEqual({
        id: answer.id,
        status: "completed",
        requestedAt: expect.any(Number),
        recordedAt: expect.any(Number),
        result: {
          ...{ allow: true, violations: ["a text", `{"name":"${trail}"}`], skipped: null },
          engine: expect.stringMatching(/^opa \d/),
          evaluatedAt: expect.any(Number),
          inputDigest: expect.stringMatching(/^sha256:[a-f0-9]{64}$/),
        },
        error: null,
        decisionAttestationId: "",
      });
      expect(answer.recordedAt).toBeGreaterThanOrEqual(answer.requestedAt);
    });

    it("reads several trails in their order, an artifact with its trails, and a snapshot", async () => {
      const other = await begin(flow);
      const envName = await environment();
      await report(envName, [fingerprint]);
      const show = policyOf("allow := true\nviolations contains found");
      const named = (text: string) => ({
        files: { ...show.files, "found.rego": `package policy\nfound := ${text}\n` },
      });
      const found = async (context: object, text: string) =>
        (await evaluate({ body: { context, policy: named(text) } })).result?.violations;
      const both = [{ flow, trail: other }, ...trails];
      expect(await found({ trails: both }, "[trail.name | some trail in input.trails]")).toEqual([
        JSON.stringify([other, trail]),
      ]);
      const ofArtifact =
        "[input.artifact.fingerprint, input.artifact.trails[0].name, count(input.artifact.trails)]";
      expect(await found({ artifact: fingerprint }, ofArtifact)).toEqual([
        JSON.stringify([fingerprint, trail, 1]),
      ]);
      const ofSnapshot = "[input.snapshot.index, input.snapshot.artifacts[0].fingerprint]";
      for (const context of [{ environment: envName }, { environment: envName, snapshot: 1 }])
        expect(await found(context, ofSnapshot)).toEqual([JSON.stringify([1, fingerprint])]);
    });

    it("is recorded as a decision about an artifact, with everything that it depends on", async () => {
      const policy = policyOf(`allow := false
violations contains "no review"
skipped := true
skip_reason := "a hotfix"`);
      const decision = { control: decided, flow, trail, fingerprint };
      const answer = await evaluate({
        body: { context: { trails }, policy, params: { a: 1 }, decision },
      });
      expect(answer).toMatchObject({
        status: "completed",
        result: { allow: false, violations: ["no review"], skipped: "a hotfix" },
        decisionAttestationId: expect.stringMatching(/^[0-9a-f-]+$/),
      });
      const attestationId = answer.decisionAttestationId;
      const { body } = await client.listAttestations({ attestationId });
      expect(body.data).toMatchObject([
        {
          ...{
            attestationName: `${decided}-decision`,
            attestationType: "system:decision",
            isCompliant: false,
          },
          ...{ control: decided, typeName: "decision", artifactFingerprint: fingerprint },
          attestationData: {
            is_compliant: false,
            evaluation: {
              engine: expect.stringMatching(/^opa \d/),
              evaluated_by: "service",
              policy: {
                published: false,
                digest: expect.stringMatching(/^sha256:/),
                files: { "policy.rego": expect.any(String) },
              },
              params: { a: 1 },
              context: { trails },
              evaluated_at: answer.result?.evaluatedAt,
              ...{ allow: false, violations: ["no review"], skipped: "a hotfix" },
              input_digest: answer.result?.inputDigest,
            },
          },
        },
      ]);
      const { body: file } = await client.downloadEvidence({
        ...{ flowName: flow, trailName: trail, attestationId },
      });
      const packed = await unpackEvaluation(file.content);
      expect([file.name, packed.policy]).toEqual(["evaluation.tgz", policy.files]);
      expect(JSON.parse(packed.data)).toMatchObject({ params: { a: 1 } });
      expect(JSON.parse(packed.input)).toMatchObject({ trail: { name: trail, flow: { name: flow } } });
      const { body: listed } = await client.listControlDecisions({ identifier: decided });
      expect(listed.decisions).toMatchObject([{ decisionId: attestationId, isCompliant: false }]);
    });

    it("uses a published policy in its latest or a given version; the latest alone decides a bound control", async () => {
      const identifier = unique("policy");
      const publish = (text: string, more: object = {}) =>
        client.publishDecisionPolicy({ identifier, body: { ...policyOf(text), ...more } });
      await publish('allow := false\nviolations contains "first"');
      await publish('allow := false\nviolations contains "second"', { warnOnly: true });
      const bound = await control();
      await client.updateControl({ identifier: bound, body: { decisionPolicy: identifier } });
      const decide = (policy: object, of = bound) =>
        client.createEvaluation({
          body: { context: { trails }, policy, decision: { control: of, flow, trail } },
        });
      await expectRefusal(decide(allowed), 400, /^Control '.*' is bound to decision policy/);
      await expectRefusal(decide({ identifier, version: 1 }), 400, /by the latest version of that policy$/);
      await expectRefusal(decide({ identifier, version: 3 }), 404, /^Version 3 of decision policy/);
      for (const [policy, of, more, isCompliant] of [
        [{ identifier, version: 1 }, await control(), { violations: ["first"] }, false],
        [{ identifier }, bound, { violations: ["second"] }, true],
      ] as const) {
        const { decisionAttestationId: attestationId, result } = await ended(await decide(policy, of));
        expect(result).toMatchObject({ allow: false, ...more });
        const { body } = await client.listAttestations({ attestationId });
        const version = isCompliant ? 2 : 1;
        expect(body.data).toMatchObject([
          {
            isCompliant,
            attestationData: {
              is_compliant: isCompliant,
              evaluation: { allow: false, policy: { identifier, version, published: true } },
            },
          },
        ]);
        expect(Object(body.data[0]?.attestationData)["warned"]).toBe(isCompliant ? true : undefined);
      }
    });

    it("decides by a published policy only about a trail that the policy reads", async () => {
      const identifier = unique("policy");
      await client.publishDecisionPolicy({ identifier, body: policyOf("allow := true") });
      const other = await begin(flow);
      const decide = (context: object, policy: object = { identifier }) =>
        ask("createEvaluation", {
          body: { context, policy, decision: { control: decided, flow, trail: other } },
        });
      const problem = "A decision policy decides only about a trail that it reads";
      for (const context of [{ trails }, { artifact: fingerprint }])
        await expectInvalid(decide(context), { "decision.trail": problem });
      expect((await decide({ trails: [...trails, { flow, trail: other }] })).status).toBe(201);
      expect((await decide({ trails }, allowed)).status).toBe(201);
    });

    it("is made once for requests with one Idempotency-Key, which is refused with another body", async () => {
      const control_ = await control();
      const idempotencyKey = unique("key");
      const send = (policy: typeof allowed) =>
        client.createEvaluation(
          { body: { context: { trails }, policy, decision: { control: control_, flow, trail } } },
          { idempotencyKey },
        );
      const [first, ...others] = await Promise.all([send(allowed), send(allowed), send(allowed)]);
      const { id } = await ended(first);
      expect(others.map(({ body }) => body.id)).toEqual([id, id]);
      expect((await send(allowed)).body).toMatchObject({ id, status: "completed" });
      const { body } = await client.listControlDecisions({ identifier: control_ });
      expect(body.decisions).toHaveLength(1);
      await expectRefusal(send(policyOf("allow := false")), 422, /^Idempotency-Key was used/);
    });

    it.each([
      ["v0 syntax", 'allow { input.x == "a" }', "policy", "policy.rego:2: rego_parse_error: "],
      ["an unsafe variable", "allow if y == x", "policy", "policy.rego:2: rego_unsafe_var_error: "],
      ["a second package", "allow := true\npackage policy", "policy", "policy.rego:3: rego_parse_error: "],
      ["an undefined allow", "allow if input.none", "policy", "policy did not return a result for "],
      [
        "an error while it runs",
        "allow := 1/input.trail.none == 1\nallow if to_number(input.trail.name)",
        "evaluation",
        "",
      ],
      [
        "network",
        'allow := http.send({"method": "GET", "url": "http://127.0.0.1"}) == 1',
        "policy",
        "policy.rego:2: rego_type_error: undefined function http.send",
      ],
    ])("fails for a policy with %s", async (_, text, kind, message) => {
      const decision = { control: decided, flow, trail };
      const answer = await evaluate({ body: { context: { trails }, policy: policyOf(text), decision } });
      expect(answer).toMatchObject({
        ...{ status: "failed", result: null, decisionAttestationId: "" },
        error: { kind, message: expect.stringContaining(message) },
      });
      expect(answer.recordedAt).not.toBeNull();
    });

    it("fails for a policy of another package", async () => {
      const policy = { files: { "lib/x.rego": "package other\nallow := true\n" } };
      expect((await evaluate({ body: { context: { trails }, policy } })).error).toEqual({
        kind: "policy",
        message: "lib/x.rego:1: policy package must be 'package policy', got 'other'",
      });
    });
  });

  describe("a request", () => {
    const make = () => ({ body: { context: { trails }, policy: allowed } });
    const place = { flow, trail };
    invalidBodies(target, "createEvaluation", make, [
      [{ context: undefined }, "context", REQUIRED],
      [{ context: {} }, "context", "Give exactly one of trails, artifact and environment"],
      [{ context: { trails, artifact: fingerprint } }, "context", "Give exactly one of"],
      [{ context: { trails, snapshot: 1 } }, "context.snapshot", "Give the environment"],
      [{ context: { trails: [] } }, "context.trails", ""],
      [{ context: { trails: Array.from({ length: 101 }, () => place) } }, "context.trails", ""],
      [{ context: { trails: [{ ...place, more: 1 }] } }, "context.trails[0].more", EXTRA],
      [{ context: { trails, more: 1 } }, "context.more", EXTRA],
      [{ more: 1 }, "more", EXTRA],
      [{ policy: undefined }, "policy", REQUIRED],
      [{ policy: { ...allowed, more: 1 } }, "policy.more", EXTRA],
      [{ policy: {} }, "policy", "Give either files or"],
      [{ policy: { ...allowed, identifier: "x" } }, "policy", "Give either files or"],
      [{ policy: { ...allowed, version: 1 } }, "policy.version", "Give the identifier"],
      [{ policy: { files: {} } }, "policy.files", "the policy has no file"],
      [{ policy: { files: { "../x.rego": "" } } }, "policy.files.../x.rego", "leaves the policy's folder"],
      [{ policy: { files: { "x.rego": "#".repeat(1024 ** 2 + 1) } } }, "policy.files.x.rego", ""],
      [{ params: null }, "params", ""],
      [{ params: [] }, "params", ""],
      [{ decision: { control: decided, ...place, more: 1 } }, "decision.more", EXTRA],
      [{ decision: place }, "decision.control", REQUIRED],
      [{ decision: { control: "no-such", ...place } }, "decision.control", "does not exist"],
      [{ decision: { control: "SOC2-CC8.1", ...place } }, "decision.name", "Give a name"],
    ]);

    it("is refused above 4 MB, because it waits in memory", async () => {
      const params = { text: "x".repeat(4 * 1024 * 1024) };
      await expectRefusal(
        ask("createEvaluation", { body: { ...make().body, params } }),
        413,
        /limit.* 4 ?MB/,
      );
    });

    it("is refused for records that do not exist", async () => {
      const other = someFingerprint();
      const send = (more: object) =>
        ask("createEvaluation", { body: { context: { trails }, policy: allowed, ...more } });
      const decide = (more: object) => ({ decision: { control: decided, flow, trail, ...more } });
      const unknown = { trails: [...trails, { flow, trail: "none" }] };
      await expectRefusal(send({ context: unknown }), 404, /^Trail/);
      await expectRefusal(send({ context: { trails: [{ flow: "none", trail }] } }), 404, /^Flow/);
      await expectRefusal(send({ context: { artifact: other } }), 404, /^Artifact/);
      await expectRefusal(send({ context: { environment: "none" } }), 404, /^Environment/);
      await expectRefusal(send({ policy: { identifier: "none" } }), 404, /^Decision policy 'none'/);
      await expectRefusal(send(decide({ trail: "none" })), 404, /^Trail/);
      await expectRefusal(send(decide({ fingerprint: other })), 404, /^Artifact/);
      await expectRefusal(
        ask("getEvaluation", { params: { id: "00000000-0000-0000-0000-00000000" } }),
        404,
        `Evaluation '00000000-0000-0000-0000-00000000' does not exist in organization '${org}'`,
      );
    });

    it("with a key for a flow reads its trails only, and records no decision", async () => {
      const account = unique("acc");
      await client.createServiceAccount({ body: { name: account, privilege: "member" } });
      const { body } = await client.createApiKey({
        name: account,
        body: { description: "scoped", flows: [flow] },
      });
      const scoped = clientFor(body.key);
      const elsewhere = await delivered();
      const both = [...trails, { flow: elsewhere.flow, trail: elsewhere.trail }];
      const all = await evaluate({ body: { context: { trails: both }, policy: allowed } });
      const own = await scoped.createEvaluation({ body: { context: { trails }, policy: allowed } });
      expect((await scoped.getEvaluation({ id: own.body.id })).status).toBe(200);
      await expectRefusal(scoped.getEvaluation({ id: all.id }), 404, /^Evaluation/);
      const refused = [
        { context: { trails: both } },
        { context: { environment: await environment() } },
        { context: { trails }, decision: { control: decided, flow, trail } },
      ];
      for (const more of refused)
        await expectRefusal(
          scoped.createEvaluation({ body: { policy: allowed, ...more } }),
          403,
          /permission/,
        );
      await expectRefusal(
        scoped.createEvaluation({ body: { policy: allowed, context: { artifact: elsewhere.fingerprint } } }),
        404,
        /^Artifact/,
      );
    });
  });

  it.each([
    [
      "does not compile",
      "package policy\n\nallow if y == x\n",
      /^line 3: rego_unsafe_var_error: var x is unsafe; line 3/,
    ],
    ["has no rule allow", "# Empty.\npackage policy\n", "line 2: policy must declare an 'allow' rule"],
    [
      "has another package",
      "package other\n",
      "line 1: policy package must be 'package policy', got 'other'",
    ],
  ])("a decision policy that %s is not published", async (_, text, problem) => {
    const request = { params: { identifier: unique("policy") }, body: { files: { "a.rego": text } } };
    const { status, body } = await ask("publishDecisionPolicy", request);
    expect([status, body.code]).toEqual([400, "decision_policy.files_invalid"]);
    expect(body.errors).toEqual({ "files.a.rego": expect.stringMatching(problem) });
    expect((await ask("getDecisionPolicy", { params: request.params })).status).toBe(404);
  });

  it("publishes a policy whose result an empty input does not have", async () => {
    const files = { "a.rego": "package policy\n\nallow if to_number(input.trail.name) > 1\n" };
    const identifier = unique("policy");
    expect((await client.publishDecisionPolicy({ identifier, body: { files } })).status).toBe(201);
  });

  test("a caller's decision cannot claim that the service evaluated it", async () => {
    const problem = "Only the service may record evaluations as its own";
    const evaluation = { evaluated_by: "service" };
    await expectInvalid(
      ask("attestSystem", {
        params: { flow_name: flow, trail_name: trail },
        body: {
          ...{ attestation_name: "d", type_name: "decision", control: decided },
          attestation_data: { is_compliant: true, evaluation },
        },
      }),
      { "attestation_data.evaluation.evaluated_by": problem },
      INVALID,
    );
  });
}
