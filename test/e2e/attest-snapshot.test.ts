import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeAttestations, TOKEN } from "../actions/fake-attestations.ts";
import { SHA, startJob } from "./workspace.ts";

/** Attested by a workflow at GitHub and logged by Sigstore's public instance. */
const REAL = "07e4b8c0e3580b3e4a1eb62c70f1ffb86004d3d94f50767cb404fa7a639b4d05";
const OTHER = "b".repeat(64);
const BUNDLE = new URL(
  "../evidence/fixtures/provenance/public-repository.sigstore.json.snappy",
  import.meta.url,
);

let job: Awaited<ReturnType<typeof startJob>>;
beforeAll(async () => {
  job = await startJob();
});
afterAll(() => job[Symbol.asyncDispose]());

test("attest proves what the service says runs in an environment", async () => {
  const github = await fakeAttestations();
  github.hasSharedList = true;
  github.stored.set("/kept/1", readFileSync(BUNDLE));
  github.listed.set(REAL, [{ bundle_url: `${github.url}/kept/1`, repository_id: 804070735 }]);
  github.listed.set(OTHER, []);
  await job.client.createEnvironment({ body: { name: "prod", type: "docker", description: "" } });
  const run = async (...running: readonly string[]) => {
    const artifacts = running.map((digest) => ({
      digests: { [`app-${digest.slice(0, 1)}`]: digest },
      creationTimestamp: 1_800_000_000,
    }));
    await job.client.reportDocker({ envName: "prod", body: { type: "docker", artifacts } });
    const inputs = {
      ...{ kind: "provenance", name: "running", environment: "prod", "github-token": TOKEN },
      ...{ "source-repository": "malancas/attest-demo", "source-repository-id": "804070735" },
      "signer-workflow": "bdehamer/workflows/.github/workflows/attest.yml",
    };
    const { outputs } = await job.step("attest", inputs, { api_url: github.url });
    const place = { flowName: "web", trailName: SHA, attestationName: "running" };
    const [record] = (await job.client.listTrailAttestations(place)).body;
    return { compliant: outputs["compliant"], facts: Object(record?.userData).provenance };
  };
  expect(await run(REAL, OTHER)).toMatchObject({
    compliant: "false",
    facts: {
      ...{ verified: false, environment: "prod", snapshot: 1 },
      artifacts: expect.arrayContaining([
        expect.objectContaining({ name: "app-0", fingerprint: REAL, verified: true }),
        expect.objectContaining({ name: "app-b", fingerprint: OTHER, verified: false }),
      ]),
    },
  });
  // The second snapshot still lists the artifact that stopped.
  expect(await run(REAL)).toMatchObject({
    compliant: "true",
    facts: { verified: true, snapshot: 2, artifacts: [{ fingerprint: REAL, verified: true }] },
  });
});
