import { EvidenceClient } from "../../src/api/client/client.ts";

/** The trail of the change. */
const SECOND_CHANGE = "v1.1.0";

const COMMIT = "b1946ac92492d2347c6235b4d2611184a7c1f6b0";
const FINGERPRINT = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
const REPOSITORY = "https://github.com/acme/greeter";
const FLOW = { flowName: "greeter" };
const PLACE = { ...FLOW, trailName: SECOND_CHANGE };

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: review
      type: pull_request
  artifacts:
    - name: app
      attestations:
        - name: unit-test
          type: junit
        - name: sbom
          type: generic
`;

const POLICY = `_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  provenance:
    required: true
  trail-compliance:
    required: true
`;

/** The demo's service. */
interface Demo {
  readonly address: string;
  readonly key: string;
}

/** Adds a second change to the demo's records. It runs in production, although it should not. */
export async function addSecondChange({ address, key }: Demo): Promise<void> {
  const client = new EvidenceClient({ baseUrl: address, org: "acme", apiKey: key });
  try {
    await beginChange(client);
    await testChange(client);
    await runChange(client);
  } finally {
    await client.close();
  }
}

const file = (name: string, text: string) => ({ name, content: new Blob([text]) });

async function beginChange(client: EvidenceClient): Promise<void> {
  const gitCommitInfo = {
    sha1: COMMIT,
    message: "Greet in the reader's language",
    author: "Grace Example <grace@example.com>",
    branch: "main",
    timestamp: Date.now() / 1000 - 3600,
    url: `${REPOSITORY}/commit/${COMMIT}`,
  };
  await client.beginTrail({
    ...FLOW,
    body: { name: SECOND_CHANGE, gitCommitInfo, originUrl: `${REPOSITORY}/actions/runs/1002` },
    files: { templateFile: file("evidence.yml", TEMPLATE) },
  });
  await client.reportArtifact({
    ...FLOW,
    body: {
      fingerprint: FINGERPRINT,
      filename: "app.gz",
      gitCommit: COMMIT,
      gitCommitInfo,
      buildUrl: `${REPOSITORY}/actions/runs/1002`,
      commitUrl: gitCommitInfo.url,
      trailName: SECOND_CHANGE,
      templateReferenceName: "app",
    },
  });
}

/** One test fails, and the SBOM is missing. */
async function testChange(client: EvidenceClient): Promise<void> {
  const timestamp = Date.now() / 1000;
  await client.attestPullRequest({
    ...PLACE,
    body: {
      attestationName: "review",
      gitProvider: "github",
      pullRequests: [
        {
          url: `${REPOSITORY}/pull/8`,
          state: "MERGED",
          author: "grace",
          title: "Greet in the reader's language",
          createdAt: timestamp - 7200,
          mergedAt: timestamp - 3600,
          headRef: "languages",
          mergeCommit: COMMIT,
          approvers: [{ username: "ada", state: "APPROVED", timestamp: timestamp - 4000 }],
          commits: [],
        },
      ],
    },
  });
  const suite = { errors: 0, skipped: 0, timestamp };
  await client.attestJunit({
    ...PLACE,
    body: {
      attestationName: "unit-test",
      artifactFingerprint: FINGERPRINT,
      junitResults: [
        { ...suite, name: "greeting", failures: 0, total: 24, duration: 1.2 },
        { ...suite, name: "languages", failures: 1, total: 17, duration: 3.4 },
      ],
    },
  });
}

async function runChange(client: EvidenceClient): Promise<void> {
  await client.putPolicy({
    body: { name: "released", description: "Only what was built here, with all its evidence" },
    files: { policyFile: file("policy.yml", POLICY) },
  });
  const place = { envName: "production" };
  await client.attachPolicies({ ...place, body: { policyNames: ["released"] } });
  const { body: before } = await client.getSnapshot({ ...place, snapshotExpression: "-1" });
  const runs = before.artifacts.map(({ fingerprint, name }) => pod("greeter-7d9f-a", name, fingerprint));
  const canary = pod("greeter-canary", "registry.example.com/acme/greeter:1.1.0", FINGERPRINT);
  await client.reportK8S({ ...place, body: { type: "K8S", artifacts: [...runs, canary] } });
}

function pod(podName: string, image: string, fingerprint: string) {
  const creationTimestamp = Math.floor(Date.now() / 1000) - 600;
  return { podName, namespace: "greeter", creationTimestamp, digests: { [image]: fingerprint }, owners: [] };
}
