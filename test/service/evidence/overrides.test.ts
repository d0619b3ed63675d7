import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestations } from "../attestation-requests.ts";
import { COMMIT, expectRefusal, FP, pipeline } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let flow = "";
let flowCount = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());
const fresh = () => {
  flow = `flow-${++flowCount}`;
  return {
    ...pipeline(service),
    override: attestations(service).override,
    ofTrail: attestations(service).ofTrail,
  };
};
const FAILED = { is_compliant: false };
const ABOUT_ARTIFACT = { artifact_fingerprint: FP };
const REFERENCE = { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT } };

describe("an override", () => {
  it("gives the latest attestation of its name a new state, and names the overridden one", async () => {
    const { artifact, attest, override, attestations: ofArtifact, assert } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { ...FAILED, ...ABOUT_ARTIFACT });
    const [failed] = (await ofArtifact(flow)).body;
    expect((await assert()).body.compliant).toBe(false);

    expect(await override(flow, ABOUT_ARTIFACT)).toMatchObject({ status: 200, body: "OK" });

    const [overriding, overridden] = (await ofArtifact(flow)).body;
    expect(overridden).toEqual(failed);
    expect(overriding).toMatchObject({
      attestation_name: "unit",
      attestation_type: "override",
      is_compliant: true,
      reason: "accepted risk",
      new_compliance_status: true,
      original_attestation_type: "generic",
      overridden_attestation_id: failed.attestation_id,
      reported_by: "member",
    });
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(true);
  });

  it("can also make it non-compliant", async () => {
    const { artifact, attest, override, assert } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", ABOUT_ARTIFACT);
    await override(flow, { ...ABOUT_ARTIFACT, new_compliance_status: false });
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(false);
  });

  it("is replaced by a later attestation of the same name", async () => {
    const { artifact, attest, override, assert } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { ...FAILED, ...ABOUT_ARTIFACT });
    await override(flow, ABOUT_ARTIFACT);
    await attest(flow, "t1", { ...FAILED, ...ABOUT_ARTIFACT, description: "again" });
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(false);
  });

  it.each([
    ["made for its name and commit, by fingerprint", REFERENCE, ABOUT_ARTIFACT],
    ["made for its fingerprint, by name and commit", ABOUT_ARTIFACT, REFERENCE],
    ["made for its name and commit, by the same", REFERENCE, REFERENCE],
  ])("of an attestation about an artifact %s", async (_, recorded, target) => {
    const { artifact, attest, override, assert } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", { ...FAILED, ...recorded });
    expect((await override(flow, target)).status).toBe(200);
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(true);
  });

  it("of a target reference about an artifact that is not reported yet", async () => {
    const { artifact, attest, override, assert } = fresh();
    await attest(flow, "t1", { ...FAILED, ...REFERENCE });
    await override(flow, REFERENCE);
    await artifact(flow, "t1");
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(true);
  });

  it("of the trail's attestation, with a commit although that had none", async () => {
    const { attest, override, ofTrail } = fresh();
    await attest(flow, "t1", FAILED);
    expect((await override(flow, { git_commit_info: { sha1: COMMIT } })).status).toBe(200);
    expect((await ofTrail(flow)).body.map((r: { is_compliant: boolean }) => r.is_compliant)).toEqual([
      true,
      false,
    ]);
  });

  it("of an override is one more", async () => {
    const { attest, override, ofTrail } = fresh();
    await attest(flow, "t1", FAILED);
    await override(flow, {});
    await override(flow, { new_compliance_status: false });
    const [last, first] = (await ofTrail(flow)).body;
    expect([last.is_compliant, last.overridden_attestation_id]).toEqual([false, first.attestation_id]);
  });

  it("sent twice is recorded once", async () => {
    const { attest, override, ofTrail } = fresh();
    await attest(flow, "t1", FAILED);
    await override(flow, {});
    expect((await override(flow, {})).status).toBe(200);
    expect((await ofTrail(flow)).body).toHaveLength(2);
  });
});

describe("an override is refused", () => {
  it("when nothing of that name was attested there, although it was about an artifact", async () => {
    const { artifact, attest, override } = fresh();
    await artifact(flow, "t1");
    await attest(flow, "t1", ABOUT_ARTIFACT);
    expectRefusal(
      await override(flow, {}),
      404,
      `Attestation named 'unit' does not exist in trail 't1' of flow '${flow}'`,
    );
    expect((await override(flow, { ...ABOUT_ARTIFACT, attestation_name: "lint" })).status).toBe(404);
  });

  it("when the artifact was not reported to the trail", async () => {
    const { attest, override } = fresh();
    await attest(flow, "t1");
    expectRefusal(
      await override(flow, ABOUT_ARTIFACT),
      404,
      `Artifact with fingerprint ${FP} does not exist in trail "t1" of flow "${flow}" belonging to organization "${ORG}"`,
    );
  });
});
