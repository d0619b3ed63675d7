import { EvidenceClient } from "../../../src/api/client/client.ts";
import { knownIssuer } from "../../identity/known-issuer.ts";
import { ORG, type TestService } from "../running-service.ts";
import { workflowToken } from "../workflow-token.ts";
import { HOSTILE } from "./hostile-records.ts";

const FINGERPRINT = "f".repeat(64);
const COMMIT = "8".repeat(40);

/** Token claims that an outsider may choose: the names of a repository, a workflow, a branch, and an actor. */
const CLAIMS = {
  repository: `${HOSTILE}/web`,
  workflow: HOSTILE,
  workflow_ref: `acme/web/.github/workflows/${HOSTILE}.yml@refs/heads/${HOSTILE}`,
  ref: HOSTILE,
  sha: HOSTILE,
  actor: HOSTILE,
  [HOSTILE]: HOSTILE,
};

/** A record of each kind by a workflow with hostile claims, and trust policies of every state. */
export async function addProvenRecords(service: TestService): Promise<void> {
  const apiKey = await workflowToken(service, undefined, CLAIMS);
  const shape = { baseUrl: service.address, org: ORG, allowHttp: true, retries: 0 } as const;
  const workflow = new EvidenceClient({ ...shape, apiKey });
  const admin = new EvidenceClient({ ...shape, apiKey: service.keys.admin });
  try {
    await recordAll(workflow);
    await trustAll(admin, service.clock.time);
  } finally {
    await Promise.all([workflow.close(), admin.close()]);
  }
}

async function recordAll(client: EvidenceClient): Promise<void> {
  const gitCommitInfo = {
    sha1: COMMIT,
    message: "m",
    author: "ada <ada@example.org>",
    branch: "main",
    timestamp: 1_799_990_000,
    url: "",
  };
  await client.createFlow({ body: { name: "proven", description: "", template: [] } });
  await client.createEnvironment({ body: { name: "proven", type: "K8S", description: "" } });
  await client.beginTrail({ flowName: "proven", body: { name: "t1", gitCommitInfo } });
  const artifact = { fingerprint: FINGERPRINT, filename: "web", gitCommit: COMMIT, gitCommitInfo };
  await client.reportArtifact({
    flowName: "proven",
    body: {
      ...artifact,
      buildUrl: "https://ci.example/1",
      commitUrl: "https://ci.example/2",
      trailName: "t1",
    },
  });
  const place = { flowName: "proven", trailName: "t1" };
  await client.attestGeneric({
    ...place,
    body: { attestationName: "lint", isCompliant: false, gitCommitInfo },
  });
  await client.attestGeneric({
    ...place,
    body: { attestationName: "unit", isCompliant: true, artifactFingerprint: FINGERPRINT },
  });
  await client.reportK8S({
    envName: "proven",
    body: {
      type: "K8S",
      artifacts: [
        {
          podName: "web",
          namespace: "default",
          creationTimestamp: 1_799_990_000,
          digests: { "web:1": FINGERPRINT },
          owners: [],
        },
      ],
    },
  });
  await client.recordApproval({
    flowName: "proven",
    body: { artifactFingerprint: FINGERPRINT, description: "", srcCommitList: [COMMIT] },
  });
}

async function trustAll(client: EvidenceClient, now: number): Promise<void> {
  const { url: issuer } = knownIssuer().options;
  const claims = { ref: [HOSTILE, "refs/tags/*"], workflow: HOSTILE };
  const trusted = { issuer, description: HOSTILE, claims, flows: [HOSTILE], environments: [HOSTILE] };
  await client.createTrustPolicy({ body: { name: "hostile", repository: "acme/hostile", ...trusted } });
  await client.createTrustPolicy({
    body: { name: "off", repositoryId: "7", repositoryOwnerId: "8", ...trusted, enabled: false },
  });
  await client.createTrustPolicy({
    body: { name: "owner", repository: "acme/*", issuer, expiresAt: Math.floor(now) + 86_400 },
  });
}
