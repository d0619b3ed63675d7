import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, PATTERN, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someFingerprint, unique } from "./unique.ts";

const target = await conformance("allowlists");
const { client, org } = target;
const { environment, delivered, attest } = pipeline(target);
const allowance = () => ({
  artifactName: "web:1.2",
  artifactFingerprint: someFingerprint(),
  description: "why",
});

describe("allowing an artifact", () => {
  it("echoes what was allowed and lists it", async () => {
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

  it("makes it compliant in that environment, which the assertion tells", async () => {
    const made = await delivered();
    await attest(made, false);
    const envName = await environment();
    await client.allowArtifact({ envName, body: { ...allowance(), artifactFingerprint: made.fingerprint } });
    const { body } = await client.assertArtifact({ fingerprint: made.fingerprint, environmentName: envName });
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
