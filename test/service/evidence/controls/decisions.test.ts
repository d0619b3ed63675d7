import { afterAll, beforeAll, expect, it } from "vitest";
import { decidedControl, recordDecision } from "../../../../src/service/evidence/controls/decisions.ts";
import { isRefusal } from "../../../../src/service/kernel/errors.ts";
import { findOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { attestations } from "../../attestation-requests.ts";
import { FP, pipeline, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

let service: TestService;
let store: Store;
let orgId: string;
beforeAll(async () => {
  service = await startTestService();
  store = await openDataFolder(service.dataFolder);
  orgId = (await findOrganization(store.read, ORG))?.id ?? "";
  const { control, artifact } = pipeline(service);
  for (const [identifier, text] of [
    ["reviewed", "allow := true"],
    ["reviewed", "allow := false"],
    ["scanned", ""],
  ]) {
    const path = `/decision-policies/${ORG}/${identifier}`;
    const json = { files: { "policy.rego": `package policy\n${text}` } };
    await send(service, { method: "PUT", path, json, key: service.keys.admin });
  }
  await control({ identifier: "free", name: "n" });
  await control({ identifier: "bound", name: "n", decision_policy: "reviewed" });
  await artifact("web", "t1");
});
afterAll(async () => {
  await store.close();
  await service.dispose();
});

it.each([
  ["free", undefined, true],
  ["free", "scanned@1", true],
  ["unknown", undefined, true],
  ["bound", "reviewed@2", true],
  ["bound", "reviewed@1", false],
  ["bound", "scanned@2", false],
  ["bound", undefined, false],
])(
  "the %s control, decided by the service by policy %s, accepts: %s",
  async (identifier, policy, accepts) => {
    const [name = "", version] = policy?.split("@") ?? [];
    const evaluatedBy = policy === undefined ? undefined : { identifier: name, version: Number(version) };
    const decided = decidedControl(store.read, { orgId, identifier, evaluatedBy });
    if (accepts) expect(await decided).toMatchObject({ identifier, evaluatedBy });
    else await expect(decided).rejects.toSatisfy((error) => isRefusal(error, "control.bound_to_policy"));
  },
);

it("a policy with decided_by counts what the service evaluated, and no claim of a caller", async () => {
  const { policy, assert } = pipeline(service);
  const rule = "{ type: decision, for_control: free, decided_by: reviewed@1 }";
  await policy("production", `_schema: https://x.example/v1\nartifacts: { attestations: [${rule}] }`);
  const reasons = async () => {
    const { body } = await assert(FP, "?policy_name=production");
    const { resolutions } = body.policy_evaluations[0].rule_evaluations.at(-1);
    return resolutions.map(({ type, context }: { type: string; context: { decided_by: string } }) => [
      type,
      context.decided_by,
    ]);
  };
  const claim = async (evaluatedBy: string) => {
    const evaluation = {
      evaluated_by: evaluatedBy,
      policy: { identifier: "reviewed", version: 1, published: true },
    };
    const attestation_data = { is_compliant: true, evaluation };
    const decision = { type_name: "decision", control: "free", attestation_data, artifact_fingerprint: FP };
    return attestations(service).attest("system", "web", decision, { trail: "t1" });
  };
  expect(await claim("service")).toMatchObject({ status: 400 });
  expect(await claim("client")).toMatchObject({ status: 201 });
  expect(await reasons()).toEqual([["missing_attestation", "reviewed@1"]]);

  await store.write(async (db) => {
    const { attestation_id: id } = await db
      .deleteFrom("control_decisions")
      .returning("attestation_id")
      .executeTakeFirstOrThrow();
    const evaluatedBy = { identifier: "reviewed", version: 1 };
    const control = await decidedControl(db, { orgId, identifier: "free", evaluatedBy });
    const by = { orgId, accountName: "a", now: service.clock.time };
    await recordDecision(db, { id, isCompliant: true, artifactFingerprint: FP, control }, by);
  });
  expect(await reasons()).toEqual([["rule_satisfied", "reviewed@1"]]);
});
