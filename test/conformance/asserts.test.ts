import { describe, expect, it } from "vitest";
import { artifactBody, pipeline, textFile } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { PATTERN } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, trail, artifact, attest, delivered, environment, report } = pipeline(target);

const TEMPLATE = `version: 1
trail:
  artifacts:
    - name: web
      attestations: [{ name: unit, type: junit }]
`;

async function policy(yaml: string) {
  const name = unique("policy");
  await client.putPolicy({ body: { name }, files: { policyFile: textFile("policy.yml", yaml) } });
  return name;
}

const TRAIL_COMPLIANCE = `_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  provenance: { required: true }
  trail-compliance: { required: true }
`;

describe("asserting an artifact", () => {
  it("by its flows reports that it is compliant", async () => {
    const built = await delivered();
    const name = await attest(built);
    const { status, body } = await client.assertArtifact({ fingerprint: built.fingerprint });
    expect(status).toBe(200);
    const verdict = {
      flow: built.flow,
      trail: built.trail,
      compliant: true,
      complianceStatus: {
        artifactFingerprint: built.fingerprint,
        status: "COMPLIANT",
        isCompliant: true,
        attestationsStatuses: [
          {
            attestationName: name,
            attestationType: "generic",
            status: "COMPLETE",
            isCompliant: true,
            unexpected: true,
          },
        ],
      },
    };
    expect(body).toMatchObject({
      ...verdict,
      fingerprint: built.fingerprint,
      scope: "flow",
      flows: [verdict],
    });
    expect(body.htmlUrl).toContain(`/${org}/flows/${built.flow}/artifacts/${built.fingerprint}?artifact_id=`);
  });

  it("by its flows reports what is missing, and still answers 200", async () => {
    const { fingerprint, flow: flowName } = await delivered(TEMPLATE);
    const { status, body } = await client.assertArtifact({ fingerprint, flowName });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      compliant: false,
      scope: "flow",
      complianceStatus: {
        status: "INCOMPLETE",
        isCompliant: false,
        attestationsStatuses: [
          {
            attestationName: "unit",
            attestationType: "junit",
            status: "MISSING",
            isCompliant: null,
            unexpected: false,
          },
        ],
      },
    });
  });

  it("by all of its flows passes only when it does in each", async () => {
    const built = await delivered();
    const other = await flow();
    await attest(await artifact(other, await trail(other), built.fingerprint), false);
    const result = async (query: object) =>
      (await client.assertArtifact({ fingerprint: built.fingerprint, ...query })).body.compliant;
    expect(await result({})).toBe(false);
    expect(await result({ flowName: built.flow })).toBe(true);
    expect(await result({ flowName: other })).toBe(false);
  });

  it("by policies returns their evaluations in the requested order", async () => {
    const built = await delivered();
    const [open, strict] = [
      await policy("_schema: https://kosli.com/schemas/policy/environment/v1\n"),
      await policy(TRAIL_COMPLIANCE),
    ];
    const { body } = await client.assertArtifact({
      fingerprint: built.fingerprint,
      policyName: [strict, open],
    });
    expect(body).toMatchObject({
      scope: "policy",
      compliant: true,
      policyEvaluations: [
        {
          policyName: strict,
          policyVersion: 1,
          status: "COMPLIANT",
          ruleEvaluations: [
            {
              rule: { type: "provenance", definition: { required: true, exceptions: [] } },
              satisfied: true,
              ignored: false,
              resolutions: [
                { type: "rule_satisfied", context: { flowName: built.flow, trailName: built.trail } },
              ],
            },
            { rule: { type: "trail-compliance" }, satisfied: true },
          ],
        },
        {
          policyName: open,
          status: "COMPLIANT",
          ruleEvaluations: [
            { rule: { type: "provenance" }, satisfied: null, ignored: true },
            { rule: { type: "trail-compliance" }, satisfied: null, ignored: true },
          ],
        },
      ],
    });
  });

  it("by an environment uses its policies, or the flows when it has none", async () => {
    const built = await delivered();
    const environmentName = await environment();
    const result = async () =>
      (await client.assertArtifact({ fingerprint: built.fingerprint, environmentName })).body;
    expect(await result()).toMatchObject({
      scope: "environment",
      environment: environmentName,
      compliant: true,
      policyEvaluations: [],
    });
    await attest(built, false);
    expect((await result()).compliant).toBe(false);
    const policyName = await policy(TRAIL_COMPLIANCE);
    await client.attachPolicies({ envName: environmentName, body: { policyNames: [policyName] } });
    expect(await result()).toMatchObject({
      compliant: false,
      policyEvaluations: [
        {
          policyName,
          status: "NON-COMPLIANT",
          ruleEvaluations: [
            { satisfied: true },
            {
              satisfied: false,
              resolutions: [{ type: "non_compliant_in_trail", context: { artifactStatus: "NON-COMPLIANT" } }],
            },
          ],
        },
      ],
    });
  });

  it("names the control of a decision that is missing or not compliant", async () => {
    const built = await delivered();
    const control = unique("CTL");
    await client.createControl({ body: { identifier: control, name: "Code is reviewed" } });
    const policyName = await policy(`_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  attestations: [{ type: decision, for_control: ${control} }]
`);
    const environmentName = await environment();
    await client.attachPolicies({ envName: environmentName, body: { policyNames: [policyName] } });
    const decide = (isCompliant: boolean) =>
      client.attestSystem({
        flowName: built.flow,
        trailName: built.trail,
        body: {
          attestationName: unique("decision"),
          typeName: "decision",
          control,
          attestationData: { is_compliant: isCompliant },
          artifactFingerprint: built.fingerprint,
        },
      });
    const verdict = async (query: object) => {
      const { body } = await client.assertArtifact({ fingerprint: built.fingerprint, ...query });
      const rule = body.policyEvaluations?.[0]?.ruleEvaluations?.at(-1);
      expect(rule?.rule).toEqual({
        type: "attestation",
        definition: { if: null, name: "*", type: "decision", mustBeCompliant: true, forControl: control },
      });
      return [body.compliant, rule?.satisfied, rule?.resolutions];
    };
    const resolution = (type: string) => [
      {
        type,
        context: {
          flowName: built.flow,
          trailName: built.trail,
          artifactStatus: null,
          forControl: control,
        },
      },
    ];
    for (const scope of [{ environmentName }, { policyName: [policyName] }]) {
      expect(await verdict(scope)).toEqual([false, false, resolution("missing_attestation")]);
    }
    await decide(false);
    for (const scope of [{ environmentName }, { policyName: [policyName] }]) {
      expect(await verdict(scope)).toEqual([false, false, resolution("non_compliant_attestation")]);
    }
    await decide(true);
    for (const scope of [{ environmentName }, { policyName: [policyName] }]) {
      expect(await verdict(scope)).toEqual([true, true, resolution("rule_satisfied")]);
    }
  });

  it("counts a decision about the trail for each of its artifacts", async () => {
    const built = await delivered();
    const other = await artifact(built.flow, await trail(built.flow));
    const control = unique("CTL");
    await client.createControl({ body: { identifier: control, name: "Code is reviewed" } });
    const policyName = await policy(`_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  attestations: [{ type: decision, for_control: ${control} }]
`);
    const decide = (isCompliant: boolean, more: object = {}) =>
      client.attestSystem({
        flowName: built.flow,
        trailName: built.trail,
        body: {
          attestationName: unique("decision"),
          typeName: "decision",
          control,
          attestationData: { is_compliant: isCompliant },
          ...more,
        },
      });
    const verdict = async ({ fingerprint }: { fingerprint: string }) => {
      const { body } = await client.assertArtifact({ fingerprint, policyName: [policyName] });
      const rule = body.policyEvaluations?.[0]?.ruleEvaluations?.at(-1);
      return [body.compliant, rule?.resolutions?.map(({ type }) => type).join()];
    };
    await decide(false);
    expect(await verdict(built)).toEqual([false, "non_compliant_attestation"]);
    await decide(true);
    expect(await verdict(built)).toEqual([true, "rule_satisfied"]);
    expect(await verdict(other), "in another trail").toEqual([false, "missing_attestation"]);
    await decide(false, { artifactFingerprint: built.fingerprint });
    expect(await verdict(built), "by a later one about itself").toEqual([false, "non_compliant_attestation"]);
  });

  it("lists the flow that it was first reported to first", async () => {
    const built = await delivered();
    const [second, third] = [await flow(), await flow()];
    for (const name of [second, third]) await artifact(name, await trail(name), built.fingerprint);
    const again = await artifact(built.flow, await trail(built.flow), built.fingerprint);
    const { body } = await client.assertArtifact({ fingerprint: built.fingerprint });
    expect(body).toMatchObject({ flow: built.flow, trail: again.trail });
    expect(body.htmlUrl).toContain(`/${org}/flows/${built.flow}/artifacts/${built.fingerprint}`);
    expect([body.flows].flat().map((each) => each?.flow)).toEqual([built.flow, second, third]);
  });

  it("evaluates one reported without a trail by the requirements of its flow", async () => {
    const policyName = await policy(TRAIL_COMPLIANCE);
    const environmentName = await environment();
    await client.attachPolicies({ envName: environmentName, body: { policyNames: [policyName] } });
    const reported = async (flowName: string) => {
      const fingerprint = someFingerprint();
      const { trailName: _, ...body } = artifactBody({ trailName: "", fingerprint, commit: someCommit() });
      await client.reportArtifact({ flowName, body });
      await report(environmentName, [fingerprint]);
      const plain = (await client.assertArtifact({ fingerprint })).body;
      const { policyEvaluations } = (await client.assertArtifact({ fingerprint, policyName: [policyName] }))
        .body;
      const { body: ran } = await client.getSnapshot({ envName: environmentName, snapshotExpression: "-1" });
      const inSnapshot = ran.artifacts.find((each) => each.fingerprint === fingerprint)?.policyDecisions;
      const resolutions = [policyEvaluations, inSnapshot].map(
        (evaluations) => evaluations?.[0]?.ruleEvaluations?.[1]?.resolutions?.[0]?.type,
      );
      return [plain.trail, plain.complianceStatus?.status, ...resolutions];
    };
    const legacy = unique("flow");
    await client.createFlow({ body: { name: legacy, description: "", template: ["unit"] } });
    expect(await reported(await flow())).toEqual([null, "COMPLIANT", "rule_satisfied", "rule_satisfied"]);
    expect(await reported(await flow(TEMPLATE))).toEqual([
      null,
      "INCOMPLETE",
      "non_compliant_in_trail",
      "non_compliant_in_trail",
    ]);
    expect(await reported(legacy)).toEqual([null, "INCOMPLETE", "legacy_flow", "legacy_flow"]);
  });

  it("has the fields of its scope and no others", async () => {
    const { fingerprint } = await delivered();
    const environmentName = await environment();
    const policyName = await policy(TRAIL_COMPLIANCE);
    const fieldsOf = async (query: Readonly<Record<string, unknown>>) => {
      const { body } = await ask("assertArtifact", { params: { fingerprint }, query });
      return Object.keys(body).toSorted();
    };
    const always = ["compliance_status", "compliant", "fingerprint", "flow", "flows", "html_url", "scope"];
    expect(await fieldsOf({})).toEqual([...always, "trail"]);
    expect(await fieldsOf({ policy_name: policyName })).toEqual(
      [...always, "trail", "policy_evaluations"].toSorted(),
    );
    const inEnvironment = [...always, "trail", "policy_evaluations", "environment"];
    expect(await fieldsOf({ environment_name: environmentName })).toEqual(inEnvironment.toSorted());
    await client.allowArtifact({
      envName: environmentName,
      body: { artifactName: "web", artifactFingerprint: fingerprint, description: "why" },
    });
    expect(await fieldsOf({ environment_name: environmentName })).toEqual(
      [...inEnvironment, "allow_listing"].toSorted(),
    );
  });

  it("by a logical environment uses the policies of its members", async () => {
    const built = await delivered();
    await attest(built, false);
    const [logical, member] = [await environment("logical"), await environment()];
    await client.joinEnvironment({ envName: logical, body: { physicalEnvName: member } });
    const policyName = await policy(TRAIL_COMPLIANCE);
    await client.attachPolicies({ envName: member, body: { policyNames: [policyName] } });
    const { body } = await client.assertArtifact({
      fingerprint: built.fingerprint,
      environmentName: logical,
    });
    expect(body).toMatchObject({
      compliant: false,
      environment: logical,
      policyEvaluations: [{ policyName }],
    });
  });

  it("is refused by an environment and by policies at once", async () => {
    const { fingerprint } = await delivered();
    const query = {
      environment_name: await environment(),
      policy_name: await policy(TRAIL_COMPLIANCE),
    };
    await expectInvalid(ask("assertArtifact", { params: { fingerprint }, query }), {
      "query.policy_name": "Give either an environment or policies, not both",
    });
  });

  it("is refused in an archived environment", async () => {
    const [{ fingerprint }, environmentName] = [await delivered(), await environment()];
    await client.archiveEnvironment({ envName: environmentName });
    await expectRefusal(
      client.assertArtifact({ fingerprint, environmentName }),
      404,
      `Environment named '${environmentName}' has been archived for organization '${org}'`,
    );
  });

  it("is refused for unknown resources", async () => {
    const [none, { fingerprint, flow: flowName }] = [unique("none"), await delivered()];
    const unknown = someFingerprint();
    await expectRefusal(
      client.assertArtifact({ fingerprint: unknown, flowName }),
      404,
      `Artifact with fingerprint '${unknown}' does not exist in flow '${flowName}' belonging to organization '${org}'`,
    );
    await expectRefusal(client.assertArtifact({ fingerprint: unknown }), 404, /^Artifact /);
    await expectRefusal(
      client.assertArtifact({ fingerprint, flowName: none }),
      404,
      `Flow named '${none}' does not exist for organization '${org}'`,
    );
    await expectRefusal(
      client.assertArtifact({ fingerprint, policyName: [none] }),
      404,
      `Policy '${none}' does not exist in organization '${org}'`,
    );
    await expectRefusal(
      client.assertArtifact({ fingerprint, environmentName: none }),
      404,
      `Environment named '${none}' does not exist for organization '${org}'`,
    );
  });

  it("is refused for an invalid fingerprint", async () => {
    for (const fingerprint of ["abc", "A".repeat(64)]) {
      const call = ask("assertArtifact", { params: { fingerprint } });
      await expectRefusal(call, 400, "Input payload validation failed", { fingerprint: PATTERN });
    }
  });
});
