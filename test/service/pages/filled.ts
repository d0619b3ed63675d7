import { EvidenceClient } from "../../../src/api/client/client.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { addHostileRecords, HOSTILE, HOSTILE_ADDRESS } from "./hostile-records.ts";
import { addPeopleRecords, startServiceWithPerson } from "./people-records.ts";
import { addProvenRecords } from "./proven-records.ts";

const FINGERPRINTS = ["a", "b", "c", "d"].map((digit) => digit.repeat(64));
const COMMITS = ["1", "2", "3"].map((digit) => digit.repeat(40));
const [WEB = "", OTHER = "", STRANGER = ""] = FINGERPRINTS;

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: review
      type: pull_request
    - name: ticket
      type: jira
  artifacts:
    - name: web
      attestations:
        - name: unit
          type: junit
        - name: scan
          type: snyk
        - name: missing
          type: generic
`;

const POLICY = `_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  provenance:
    required: true
  trail-compliance:
    required: true
`;

const file = (name: string, content: string) => ({ name, content: new Blob([content]) });

function commit(index: number, message = HOSTILE) {
  return {
    sha1: COMMITS[index] ?? "",
    message: `${message}\n\nmore of it`,
    author: `${HOSTILE} <a@example.org>`,
    branch: "main",
    timestamp: 1_799_990_000 + index,
    url: `https://github.com/acme/web/commit/${COMMITS[index]}`,
  };
}

/** A service with a record of each kind, and hostile text in every field that accepts it. */
export async function filledService(
  options: Parameters<typeof startTestService>[1] = {},
): Promise<TestService> {
  // A sign-in returns to the public address, which may answer only later.
  const service = await (options.publicUrl === undefined
    ? startServiceWithPerson()
    : startTestService({}, options));
  const client = adminClient(service);
  try {
    await fillEvidence(client);
    await fillEnvironments(client, service);
    await fillRules(client, service);
    await addHostileRecords(client);
    await addProvenRecords(service);
    await addPeopleRecords(client);
  } finally {
    await client.close();
  }
  return service;
}

export function adminClient({ address, keys }: TestService): EvidenceClient {
  const shape = { baseUrl: address, org: ORG, allowHttp: true, retries: 0 } as const;
  return new EvidenceClient({ ...shape, apiKey: keys.admin });
}

async function fillEvidence(client: EvidenceClient): Promise<void> {
  const repoInfo = {
    name: "acme/web",
    url: "https://github.com/acme/web",
    provider: "github",
    id: "1",
  } as const;
  await client.createFlowWithTemplate({
    body: { name: "web", description: HOSTILE },
    files: { templateFile: file("template.yml", TEMPLATE) },
  });
  await client.createFlow({ body: { name: "empty", description: "", template: [] } });
  await client.updateTags({ resourceType: "flow", resourceId: "web", body: { setTags: { team: HOSTILE } } });
  for (const [index, name] of ["v1", "v2"].entries()) {
    await client.beginTrail({
      flowName: "web",
      body: {
        name,
        description: HOSTILE,
        gitCommitInfo: commit(index),
        repoInfo,
        originUrl: "https://github.com/acme/web/actions/runs/1",
        externalUrls: { '<b>"docs': { href: "https://example.org/x" } },
        userData: { note: HOSTILE, "<b>": [1, { deep: HOSTILE }] },
      },
    });
  }
  await client.reportArtifact({
    flowName: "web",
    body: {
      fingerprint: WEB,
      filename: HOSTILE,
      gitCommit: COMMITS[0] ?? "",
      gitCommitInfo: commit(0),
      buildUrl: "https://github.com/acme/web/actions/runs/1",
      commitUrl: "https://github.com/acme/web/commit/1",
      repoInfo,
      trailName: "v1",
      templateReferenceName: "web",
    },
  });
  await client.reportArtifact({
    flowName: "web",
    body: {
      fingerprint: OTHER,
      filename: "registry.example/other:2",
      gitCommit: COMMITS[1] ?? "",
      gitCommitInfo: commit(1),
      buildUrl: "https://github.com/acme/web/actions/runs/2",
      commitUrl: "https://github.com/acme/web/commit/2",
      repoInfo,
      trailName: "v2",
      templateReferenceName: "web",
    },
  });
  await attestAll(client);
}

async function attestAll(client: EvidenceClient): Promise<void> {
  const place = { flowName: "web", trailName: "v1" };
  const fields = {
    description: HOSTILE,
    originUrl: "https://github.com/acme/web/actions/runs/1",
    userData: { note: HOSTILE },
    annotations: { note: HOSTILE },
    externalUrls: { docs: { href: "https://example.org/docs" } },
  };
  const attachments = [file(`${HOSTILE.replaceAll("/", "_")}.txt`, "evidence")];
  await client.attestGeneric({
    ...place,
    body: { attestationName: "unexpected", isCompliant: false, ...fields },
    files: { attachmentFile: attachments },
  });
  await client.attestJunit({
    ...place,
    body: {
      attestationName: "unit",
      artifactFingerprint: WEB,
      junitResults: [
        {
          name: HOSTILE,
          failures: 2,
          errors: 0,
          skipped: 1,
          total: 310,
          duration: 12.5,
          timestamp: 1_799_990_000,
        },
      ],
      ...fields,
    },
  });
  await client.attestSnyk({
    ...place,
    body: {
      attestationName: "scan",
      artifactFingerprint: WEB,
      snykResults: {
        schemaVersion: 1,
        tool: { name: "Snyk", version: HOSTILE },
        results: [
          {
            highCount: 1,
            mediumCount: 0,
            lowCount: 0,
            high: [
              {
                id: HOSTILE,
                message: HOSTILE,
                locations: [{ uri: HOSTILE, lines: "1-2" }],
                priorityScore: 9,
              },
            ],
            medium: [],
            low: [],
          },
        ],
      },
      ...fields,
    },
  });
  await client.attestPullRequest({
    ...place,
    body: {
      attestationName: "review",
      gitProvider: "github",
      pullRequests: [
        {
          url: "https://github.com/acme/web/pull/7",
          state: "MERGED",
          author: HOSTILE,
          title: HOSTILE,
          createdAt: 1_799_990_000,
          mergedAt: 1_799_990_100,
          headRef: HOSTILE,
          mergeCommit: COMMITS[0] ?? "",
          approvers: [{ username: HOSTILE, state: "APPROVED", timestamp: 1_799_990_050 }],
          commits: [commit(0)],
        },
      ],
      ...fields,
    },
  });
  await client.attestJira({
    ...place,
    body: {
      attestationName: "ticket",
      jiraResults: [{ issueId: HOSTILE, issueUrl: HOSTILE_ADDRESS, issueExists: false }],
      ...fields,
    },
  });
  await client.attestSonar({
    ...place,
    body: {
      attestationName: "quality",
      sonarResults: {
        analysedAt: "2026-11-22T10:00:00+0000",
        revision: COMMITS[0] ?? "",
        project: { key: HOSTILE, name: HOSTILE, url: HOSTILE_ADDRESS },
        qualityGate: {
          name: HOSTILE,
          status: "ERROR",
          conditions: [
            { metric: HOSTILE, operator: "LESS_THAN", errorThreshold: "80", value: "71.2", status: "ERROR" },
          ],
        },
      },
      ...fields,
    },
  });
  await client.createCustomAttestationType({
    body: {
      name: "coverage",
      description: HOSTILE,
      evaluator: { contentType: "jq", rules: [".lines > 80"] },
    },
  });
  await client.attestCustom({
    ...place,
    body: {
      attestationName: "covered",
      typeName: "coverage",
      attestationData: { lines: 12, note: HOSTILE },
      ...fields,
    },
  });
  await client.publishDecisionPolicy({
    identifier: "reviewed",
    body: { description: HOSTILE, files: { "policy.rego": `# ${HOSTILE}` } },
  });
  await client.createControl({
    body: {
      identifier: "SDLC-7",
      name: HOSTILE,
      description: HOSTILE,
      links: { docs: "https://example.org" },
    },
  });
  await client.attestSystem({
    ...place,
    body: {
      attestationName: "decided",
      typeName: "decision",
      control: "SDLC-7",
      attestationData: { is_compliant: true },
      ...fields,
    },
  });
  await client.overrideAttestation({
    ...place,
    body: {
      attestationName: "unit",
      artifactFingerprint: WEB,
      originalAttestationType: "junit",
      newComplianceStatus: true,
      reason: HOSTILE,
    },
  });
}

async function fillEnvironments(client: EvidenceClient, { clock }: TestService): Promise<void> {
  await client.putPolicy({
    body: { name: "production", description: HOSTILE, comment: HOSTILE },
    files: { policyFile: file("policy.yml", POLICY) },
  });
  await client.createEnvironment({
    body: { name: "prod", type: "K8S", description: HOSTILE, policies: ["production"] },
  });
  await client.createEnvironment({ body: { name: "server", type: "server", description: "" } });
  await client.createEnvironment({
    body: { name: "all", type: "logical", description: "", includedEnvironments: ["prod", "server"] },
  });
  const pod = (fingerprint: string, name: string) => ({
    podName: name,
    namespace: "default",
    creationTimestamp: 1_799_990_000,
    digests: { [`registry.example/${name}:1`]: fingerprint },
    owners: [],
  });
  const reports = [[pod(WEB, "web")], [pod(OTHER, "web"), pod(STRANGER, "stranger")], [pod(OTHER, "web")]];
  for (const artifacts of reports) {
    clock.time += 60;
    await client.reportK8S({ envName: "prod", body: { type: "K8S", artifacts } });
  }
  await client.reportServer({
    envName: "server",
    body: {
      type: "server",
      artifacts: [{ digests: { [`/opt/${HOSTILE}`]: WEB }, creationTimestamp: 1_799_990_000 }],
    },
  });
  await client.allowArtifact({
    envName: "prod",
    body: { artifactName: HOSTILE, artifactFingerprint: STRANGER, description: HOSTILE },
  });
  clock.time += 60;
  await client.reportK8S({ envName: "prod", body: { type: "K8S", artifacts: [pod(STRANGER, "stranger")] } });
}

async function fillRules(client: EvidenceClient, { clock }: TestService): Promise<void> {
  await client.recordApproval({
    flowName: "web",
    body: {
      artifactFingerprint: WEB,
      environment: "prod",
      description: HOSTILE,
      approvals: [
        { state: "APPROVED", comment: HOSTILE, approvedBy: HOSTILE, approvalUrl: "https://example.org" },
      ],
      srcCommitList: COMMITS.slice(0, 2),
      oldestCommit: COMMITS[0] ?? "",
    },
  });
  await client.putFlowAction({
    body: {
      name: "told",
      targets: [{ type: "WEBHOOK", webhook: "https://hooks.example.org/secret-part" }],
      flows: ["web"],
      triggers: ["ON_ATTESTATION"],
    },
  });
  await client.putOrganizationAction({
    body: { name: "keys", targets: [{ type: "EMAIL", emails: ["keys@example.org"] }] },
  });
  await client.createServiceAccount({
    body: { name: "pipelines", description: HOSTILE, privilege: "member" },
  });
  await client.createApiKey({
    name: "pipelines",
    body: { description: HOSTILE, expiresAt: Math.floor(clock.time) + 86_400 },
  });
  await client.createHook({ body: { name: "scanner", kind: "sonar", flowName: "web" } });
  await client.createHook({ body: { name: "flags", kind: "launch-darkly" } });
  await client.createShareLink({
    body: { kind: "trail", place: "web", name: "v1", description: HOSTILE, expiresAt: clock.time + 86_400 },
  });
}
