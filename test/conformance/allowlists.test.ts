import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, PATTERN, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, org } = target;
const { environment, delivered, attest, report } = pipeline(target);
const allowance = () => ({
  artifactName: "web:1.2",
  artifactFingerprint: someFingerprint(),
  description: "why",
});

describe("allowing an artifact", () => {
  it("returns the allowance and lists it", async () => {
    const envName = await environment();
    const body = allowance();
    const reply = await client.allowArtifact({ envName, body });
    expect([reply.status, reply.body]).toEqual([201, body]);
    const listed = (await client.listAllowlists({})).body.filter((each) => each.environmentName === envName);
    expect(listed).toEqual([
      {
        artifactName: "web:1.2",
        fingerprint: body.artifactFingerprint,
        environmentName: envName,
        timestamp: expect.any(Number),
        userName: expect.any(String),
        description: "why",
      },
    ]);
  });

  it("a second time keeps the latest reason only", async () => {
    const envName = await environment();
    const body = allowance();
    await client.allowArtifact({ envName, body });
    await client.allowArtifact({ envName, body: { ...body, description: "another reason" } });
    const listed = (await client.listAllowlists({})).body.filter((each) => each.environmentName === envName);
    expect(listed.map(({ description }) => description)).toEqual(["another reason"]);
  });

  it("updates the status of running artifacts at once", async () => {
    const [envName, fingerprint] = [await environment(), someFingerprint()];
    const text =
      "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts: {provenance: {required: true}}\n";
    const policyName = unique("policy");
    await client.putPolicy({
      body: { name: policyName },
      files: { policyFile: textFile("policy.yml", text) },
    });
    await client.attachPolicies({ envName, body: { policyNames: [policyName] } });
    await report(envName, [fingerprint]);
    const state = async () => (await client.getEnvironment({ envName })).body.state;
    expect(await state()).toBe(false);
    await client.allowArtifact({ envName, body: { ...allowance(), artifactFingerprint: fingerprint } });
    expect(await state()).toBe(true);
  });

  it("is for physical environments", async () => {
    const call = client.allowArtifact({ envName: await environment("logical"), body: allowance() });
    await expectRefusal(call, 400, "Artifacts can only be allowed in physical environments");
  });

  it("makes it compliant in that environment, and assertions report it", async () => {
    const built = await delivered();
    await attest(built, false);
    const envName = await environment();
    await client.allowArtifact({ envName, body: { ...allowance(), artifactFingerprint: built.fingerprint } });
    const { body } = await client.assertArtifact({
      fingerprint: built.fingerprint,
      environmentName: envName,
    });
    expect(body).toMatchObject({
      compliant: true,
      scope: "environment",
      allowListing: { description: "why" },
    });
  });

  it("is refused for an environment that does not exist", async () => {
    const envName = unique("none");
    await expectRefusal(
      client.allowArtifact({ envName, body: allowance() }),
      404,
      `Environment named '${envName}' does not exist for organization '${org}'`,
    );
  });

  const request = async () => ({
    params: { env_name: await environment() },
    body: { artifact_name: "web", artifact_fingerprint: someFingerprint(), description: "" },
  });
  invalidBodies(target, "allowArtifact", request, [
    [{ artifact_name: undefined }, "artifact_name", REQUIRED],
    [{ artifact_fingerprint: undefined }, "artifact_fingerprint", REQUIRED],
    [{ artifact_fingerprint: "ab12c" }, "artifact_fingerprint", PATTERN],
    [{ description: undefined }, "description", REQUIRED],
    [{ environment: "x" }, "environment", EXTRA],
  ]);
});
