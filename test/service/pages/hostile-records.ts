import type { EvidenceClient } from "../../../src/api/client/client.ts";

/** Hostile text: runs a script, ends an attribute, or reverses the text if a page does not escape it. */
export const HOSTILE = `<img src=x onerror=alert(1)>"'><script>alert(2)</script>\u202e{{7*7}}`;

/** A script address: a click on such a link would run it. */
export const HOSTILE_ADDRESS = "javascript:alert(3)";
/** A valid address that ends an attribute. */
const HOSTILE_LINK = `https://evil.example/"onmouseover="alert(4)"><img src=x>`;

/** As a client records it. */
export const HOSTILE_EVALUATION = {
  engine: "opa 1.22.2",
  evaluated_by: "client",
  policy: { published: false, digest: `sha256:${"0".repeat(64)}`, files: {} },
  params: {},
  context: { trails: [{ flow: "web", trail: "v1" }] },
  evaluated_at: 1_800_000_000,
  allow: false,
  violations: ["no review", HOSTILE],
  skipped: HOSTILE,
  input_digest: `sha256:${"1".repeat(64)}`,
};

const FINGERPRINT = "e".repeat(64);
const COMMIT = "9".repeat(40);
const TIME = 1_799_990_000;
/** A label can have no dot and no equals sign. */
const LABEL = `"'><script>alert(2)</script>\u202e`;
/** Older clients may send more fields than ours. */
const EXTRA = { [HOSTILE]: HOSTILE, href: HOSTILE_ADDRESS };

const commit = {
  sha1: HOSTILE,
  message: `${HOSTILE}\r\n${HOSTILE}`,
  author: `${HOSTILE} <${HOSTILE}>`,
  authorUsername: HOSTILE,
  branch: HOSTILE,
  timestamp: TIME,
  url: HOSTILE_ADDRESS,
  parents: [HOSTILE],
  verified: false,
  signatureState: HOSTILE,
};
const repoInfo = { name: `${HOSTILE}/repo`, url: HOSTILE_LINK, id: HOSTILE, description: HOSTILE };
const fields = {
  description: HOSTILE,
  originUrl: HOSTILE_LINK,
  userData: EXTRA,
  annotations: { note: HOSTILE },
  externalUrls: { [LABEL]: { href: HOSTILE_LINK } },
  gitCommitInfo: commit,
  repoInfo,
};
const TEMPLATE = `# </pre></code><script>alert(5)</script>\u200b
version: 1
trail:
  attestations:
    - name: first # "onload="
      type: generic
`;
const POLICY = `# </pre></code><script>alert(5)</script>
_schema: https://kosli.com/schemas/policy/environment/v1
artifacts:
  provenance:
    required: true # "onload=
`;
const file = (name: string, content: string) => ({ name, content: new Blob([content]) });

/** A record of each kind with hostile text in every free field, even in those that only unusual clients write. */
export async function addHostileRecords(client: EvidenceClient): Promise<void> {
  await client.createFlowWithTemplate({
    body: { name: "hostile", description: HOSTILE },
    files: { templateFile: file(`${HOSTILE.replaceAll("/", "_")}.yml`, TEMPLATE) },
  });
  await client.beginTrail({
    flowName: "hostile",
    body: {
      name: "t1",
      description: HOSTILE,
      gitCommitInfo: commit,
      repoInfo,
      originUrl: HOSTILE_LINK,
      externalUrls: { [LABEL]: { href: HOSTILE_LINK } },
      userData: EXTRA,
    },
  });
  await client.reportArtifact({
    flowName: "hostile",
    body: {
      fingerprint: FINGERPRINT,
      filename: HOSTILE,
      description: HOSTILE,
      gitCommit: COMMIT,
      gitCommitInfo: { ...commit, sha1: COMMIT },
      commitsList: [commit],
      buildUrl: HOSTILE_LINK,
      commitUrl: HOSTILE_LINK,
      repoUrl: HOSTILE_LINK,
      repoInfo,
      trailName: "t1",
      annotations: { note: HOSTILE },
      userData: EXTRA,
      externalUrls: { [LABEL]: { href: HOSTILE_LINK } },
    },
  });
  await addAttestations(client);
  await addEnvironments(client);
  await client.recordApproval({
    flowName: "hostile",
    body: {
      artifactFingerprint: FINGERPRINT,
      description: HOSTILE,
      approvals: [{ state: "APPROVED", comment: HOSTILE, approvedBy: HOSTILE, approvalUrl: HOSTILE_ADDRESS }],
      srcCommitList: [COMMIT],
      userData: EXTRA,
    },
  });
}

async function addAttestations(client: EvidenceClient): Promise<void> {
  const place = { flowName: "hostile", trailName: "t1" };
  await client.attestGeneric({
    ...place,
    body: { attestationName: "first", isCompliant: true, ...fields },
    files: { attachmentFile: [file("=cmd|' '!A0.html", HOSTILE), file('a"b;c=\u202e.svg', HOSTILE)] },
  });
  await client.attestJunit({
    ...place,
    body: {
      attestationName: "junit",
      junitResults: [
        { name: HOSTILE, failures: 1, errors: 1, skipped: 1, total: 3, duration: 1, timestamp: TIME },
      ],
      ...fields,
    },
  });
  const issues = [
    { id: HOSTILE, message: HOSTILE, locations: [{ uri: HOSTILE_ADDRESS, lines: HOSTILE }], ...EXTRA },
  ];
  await client.attestSnyk({
    ...place,
    body: {
      attestationName: "snyk",
      snykResults: {
        schemaVersion: 1,
        tool: { name: HOSTILE, version: HOSTILE },
        results: [{ highCount: 1, mediumCount: 1, lowCount: 1, high: issues, medium: issues, low: issues }],
      },
      ...fields,
    },
  });
  await client.attestPullRequest({
    ...place,
    body: {
      attestationName: "pr",
      gitProvider: "gitlab",
      pullRequests: [
        {
          url: HOSTILE_ADDRESS,
          state: HOSTILE,
          author: HOSTILE,
          title: HOSTILE,
          createdAt: TIME,
          headRef: HOSTILE,
          baseRef: HOSTILE,
          approvers: [{ username: HOSTILE, state: HOSTILE, ...EXTRA }],
          commits: [commit],
        },
        { url: HOSTILE_LINK, state: HOSTILE, mergeCommit: "", approvers: [HOSTILE] },
      ],
      ...fields,
    },
  });
  await client.attestJira({
    ...place,
    body: {
      attestationName: "jira",
      jiraResults: [
        {
          issueId: HOSTILE,
          issueUrl: HOSTILE_LINK,
          issueExists: true,
          issueFields: { [HOSTILE]: HOSTILE, summary: HOSTILE },
        },
      ],
      ...fields,
    },
  });
  await client.attestSonar({
    ...place,
    body: {
      attestationName: "sonar",
      sonarResults: {
        serverUrl: HOSTILE_ADDRESS,
        taskId: HOSTILE,
        status: HOSTILE,
        analysedAt: HOSTILE,
        revision: HOSTILE,
        changedAt: HOSTILE,
        project: { key: HOSTILE, name: HOSTILE, url: HOSTILE_LINK },
        qualityGate: {
          name: HOSTILE,
          status: HOSTILE,
          conditions: [
            { metric: HOSTILE, operator: HOSTILE, errorThreshold: HOSTILE, value: HOSTILE, status: HOSTILE },
          ],
        },
      },
      ...fields,
    },
  });
  await client.createCustomAttestationType({
    body: {
      name: "hostile",
      description: HOSTILE,
      evaluator: {
        contentType: "jq",
        rules: [".ok # </pre><script>alert(5)</script>", `.note == "${"<img src=x>"}"`],
      },
      summary: [{ name: HOSTILE, expression: ".note" }],
    },
    files: {
      typeSchema: file(
        "schema.json",
        JSON.stringify({ type: "object", title: HOSTILE, description: HOSTILE }),
      ),
    },
  });
  await client.attestCustom({
    ...place,
    body: {
      attestationName: "custom",
      typeName: "hostile",
      attestationData: { note: HOSTILE, [HOSTILE]: [EXTRA] },
      ...fields,
    },
  });
  await client.publishDecisionPolicy({
    identifier: "reviewed",
    body: { description: HOSTILE, files: { "policy.rego": `# ${HOSTILE}` } },
  });
  await client.createControl({
    body: {
      identifier: "HOSTILE-1",
      name: HOSTILE,
      description: HOSTILE,
      links: { [LABEL]: HOSTILE_LINK },
    },
  });
  await client.attestSystem({
    ...place,
    body: {
      attestationName: "decision",
      typeName: "decision",
      control: "HOSTILE-1",
      attestationData: { is_compliant: false, why: HOSTILE, evaluation: HOSTILE_EVALUATION },
      ...fields,
    },
  });
  await client.attestSystem({
    ...place,
    body: {
      attestationName: "facts",
      typeName: "sbom",
      attestationData: {
        format: HOSTILE,
        original_fingerprint: "a".repeat(64),
        document: { subject: { name: HOSTILE, version: EXTRA }, tools: [HOSTILE, 7], package_count: HOSTILE },
      },
      ...fields,
    },
  });
  await client.overrideAttestation({
    ...place,
    body: {
      attestationName: "custom",
      originalAttestationType: "custom:hostile",
      newComplianceStatus: false,
      reason: HOSTILE,
      ...fields,
    },
  });
}

async function addEnvironments(client: EvidenceClient): Promise<void> {
  const digests = { [HOSTILE]: FINGERPRINT };
  const unknown = { [`${HOSTILE}:1`]: "" };
  await client.putPolicy({
    body: { name: "hostile", description: HOSTILE, comment: HOSTILE },
    files: { policyFile: file(`${HOSTILE.replaceAll("/", "_")}.yml`, POLICY) },
  });
  for (const type of ["K8S", "ECS", "S3", "lambda", "docker", "azure-apps", "cloud-run"] as const) {
    await client.createEnvironment({
      body: {
        name: `hostile-${type}`,
        type,
        description: HOSTILE,
        ...(type === "K8S" ? { policies: ["hostile"] } : {}),
      },
    });
  }
  await client.updateTags({
    resourceType: "env",
    resourceId: "hostile-K8S",
    body: { setTags: { team: HOSTILE } },
  });
  const owner = { apiVersion: HOSTILE, kind: HOSTILE, name: HOSTILE, uid: HOSTILE, ...EXTRA };
  await client.reportK8S({
    envName: "hostile-K8S",
    body: {
      type: "K8S",
      artifacts: [
        { podName: HOSTILE, namespace: HOSTILE, digests, creationTimestamp: TIME, owners: [owner] },
      ],
    },
  });
  await client.reportECS({
    envName: "hostile-ECS",
    body: {
      type: "ECS",
      artifacts: [
        {
          taskArn: HOSTILE,
          digests: { ...digests, ...unknown },
          clusterName: HOSTILE,
          serviceName: HOSTILE,
          creationTimestamp: TIME,
        },
      ],
    },
  });
  const plain = [{ digests, creationTimestamp: TIME }];
  await client.reportS3({ envName: "hostile-S3", body: { type: "S3", artifacts: plain } });
  await client.reportLambda({ envName: "hostile-lambda", body: { type: "lambda", artifacts: plain } });
  await client.reportDocker({ envName: "hostile-docker", body: { type: "docker", artifacts: plain } });
  await client.reportAzureApps({
    envName: "hostile-azure-apps",
    body: {
      type: "azure-apps",
      artifacts: [
        {
          appName: HOSTILE,
          appKind: HOSTILE,
          digestsSource: "acr",
          digests: { ...digests, ...unknown },
          creationTimestamp: TIME,
        },
      ],
    },
  });
  await client.reportCloudRun({
    envName: "hostile-cloud-run",
    body: {
      type: "cloud-run",
      artifacts: [
        {
          kind: HOSTILE,
          serviceName: HOSTILE,
          revisionName: HOSTILE,
          jobName: HOSTILE,
          digests: { ...digests, ...unknown },
          creationTimestamp: TIME,
        },
      ],
    },
  });
}
