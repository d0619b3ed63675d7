import { createHash } from "node:crypto";
import { EvidenceClient } from "../../../src/api/client/client.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

/*
 * Records of a company: 12 services over 17 weeks, which improve. The same records each time, so that pictures can be
 * compared.
 */

const DAY = 86_400;
const DAYS = 120;
const TRAILS_PER_DAY = 2.5;
/** An environment is reported after this many days. */
const REPORT_DAYS = 3;

const SERVICES = [
  ...["payments-api", "checkout", "ledger", "storefront", "identity", "search-api"],
  ...["inventory", "pricing", "mobile-gateway", "risk-engine", "data-export", "email-sender"],
];
/** A flow and its Jira project. */
const PROJECTS = [
  "PAY",
  "SHOP",
  "PAY",
  "SHOP",
  "CORE",
  "SHOP",
  "SHOP",
  "SHOP",
  "CORE",
  "PAY",
  "DATA",
  "CORE",
];
const PEOPLE = [
  ["Zoe Braun", "zoebraun"],
  ["Amir Haddad", "amirh"],
  ["Lena Fischer", "lenafischer"],
  ["Sam Okafor", "samokafor"],
  ["Mei Tanaka", "meitanaka"],
  ["Diego Ramos", "dramos"],
] as const;
const SUBJECTS = [
  ...[
    "Retry card authorization on timeout",
    "Show taxes before the last step",
    "Close accounts at midnight UTC",
  ],
  ...["Cache product pictures for a day", "Rotate session keys every week", "Rank exact matches first"],
  ...["Reserve stock for 15 minutes", "Round prices half up", "Drop support for the old app"],
  ...["Score refunds with the new model", "Export in slices of 10,000 rows", "Unsubscribe with one click"],
  ...["Update dependencies", "Log the request id with each error", "Fix the time zone of invoices"],
];

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: pull-request
      type: pull_request
    - name: ticket
      type: jira
  artifacts:
    - name: image
      attestations:
        - name: unit-tests
          type: junit
        - name: vulnerabilities
          type: snyk
`;

const POLICY = `_schema: https://evidence.example.com/api/v2/schemas/environment-policy/v1
artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ matches(artifact.name, '^registry\\.example\\.com/vendor/') }}
  trail-compliance:
    required: true
    exceptions:
      - if: \${{ matches(artifact.name, '^registry\\.example\\.com/vendor/') }}
`;

/** Environments, how much of what is built they run, and the days that a version takes to get there. */
const ENVIRONMENTS = [
  { name: "staging", share: 1, delay: 0, policies: [] as string[] },
  { name: "production", share: 0.8, delay: 1, policies: ["production"] },
  { name: "production-eu", share: 0.6, delay: 2, policies: ["production"] },
] as const;

interface Change {
  readonly service: string;
  readonly fingerprint: string;
  readonly commit: {
    sha1: string;
    message: string;
    author: string;
    branch: string;
    timestamp: number;
    url: string;
  };
  readonly at: number;
  readonly isGood: boolean;
}

/** Numbers from 0 to 1, the same each time. */
function numbers(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const hash = (text: string, digits: number) =>
  createHash("sha256").update(text).digest("hex").slice(0, digits);

/** Starts a service with the records of the company. Its clock is some hours after the last record. */
export async function companyService(
  options: Parameters<typeof startTestService>[1] = {},
): Promise<TestService> {
  const service = await startTestService({ keyRate: 0, addressRate: 0 } as never, options);
  const client = new EvidenceClient({
    ...{ baseUrl: service.address, org: ORG, apiKey: service.keys.admin, allowHttp: true, retries: 0 },
  });
  try {
    await fill(client, service);
  } finally {
    await client.close();
  }
  return service;
}

async function fill(client: EvidenceClient, { clock }: TestService): Promise<void> {
  const random = numbers();
  const end = clock.time;
  const start = end - DAYS * DAY;
  clock.time = start;
  await prepare(client);
  const changes: Change[] = [];
  for (let day = 0; day < DAYS; day++) {
    const count = Math.floor((day + 1) * TRAILS_PER_DAY) - Math.floor(day * TRAILS_PER_DAY);
    for (let each = 0; each < count; each++) {
      clock.time = start + day * DAY + 7 * 3_600 + Math.floor(random() * 10 * 3_600);
      changes.push(await deliver(client, { clock, random, day, number: changes.length }));
    }
    clock.time = start + day * DAY + 20 * 3_600;
    if (day % REPORT_DAYS === REPORT_DAYS - 1) {
      await report(client, changes, { clock, random, isLast: day === DAYS - 1 });
    }
  }
  clock.time = end;
}

async function prepare(client: EvidenceClient): Promise<void> {
  for (const [index, name] of SERVICES.entries()) {
    await client.createFlowWithTemplate({
      body: { name, description: `Builds of ${name}`, visibility: "private" },
      files: { templateFile: { name: "template.yml", content: new Blob([TEMPLATE]) } },
    });
    const setTags = { team: PROJECTS[index] ?? "", tier: index < 5 ? "1" : "2" };
    await client.updateTags({ resourceType: "flow", resourceId: name, body: { setTags } });
  }
  await client.putPolicy({
    body: { name: "production", description: "What production requires", comment: "First version" },
    files: { policyFile: { name: "policy.yml", content: new Blob([POLICY]) } },
  });
  for (const { name, policies } of ENVIRONMENTS) {
    await client.createEnvironment({ body: { name, type: "K8S", description: "", policies: [...policies] } });
  }
  for (const [identifier, name] of [
    ["SOC2-CC8.1", "Changes are reviewed before release"],
    ["SOC2-CC7.1", "Vulnerabilities are found and fixed"],
  ] as const) {
    await client.createControl({ body: { identifier, name, description: "" } });
  }
}

interface Turn {
  readonly clock: TestService["clock"];
  readonly random: () => number;
}

/** Records one change: its commit, its build and its evidence. */
async function deliver(
  client: EvidenceClient,
  { clock, random, day, number }: Turn & { readonly day: number; readonly number: number },
): Promise<Change> {
  const pick = Math.floor(random() * SERVICES.length);
  const service = SERVICES[pick] ?? "";
  const key = `${PROJECTS[pick]}-${300 + number}`;
  const pull = 200 + number;
  const [author, login] = PEOPLE[Math.floor(random() * PEOPLE.length)] ?? PEOPLE[0];
  const [, approver] =
    PEOPLE[(Math.floor(random() * 5) + 1 + PEOPLE.findIndex(([name]) => name === author)) % 6] ?? PEOPLE[1];
  const sha1 = hash(`commit ${number}`, 40);
  const fingerprint = hash(`image ${number}`, 64);
  const repo = `https://github.com/acme/${service}`;
  const run = `${repo}/actions/runs/${7_000_000 + number}`;
  const at = clock.time;
  const subject = SUBJECTS[Math.floor(random() * SUBJECTS.length)] ?? "";
  const commit = {
    ...{
      sha1,
      author: `${author} <${login}@example.com>`,
      branch: random() < 0.9 ? "main" : `${login}/${key}`,
    },
    ...{ message: `${key}: ${subject} (#${pull})`, timestamp: at - Math.floor(random() * 2 * DAY) },
    url: `${repo}/commit/${sha1}`,
  };
  const origin = {
    ...{ gitCommitInfo: commit, originUrl: run },
    repoInfo: { name: `acme/${service}`, url: repo, provider: "github" as const, id: String(100 + pick) },
  };
  const place = { flowName: service, trailName: sha1 };
  // Fewer changes fail as the weeks pass.
  const risk = 0.4 - (0.3 * day) / DAYS;
  const fails = random() < risk ? Math.floor(random() * 4) : -1;
  await client.beginTrail({ flowName: service, body: { name: sha1, description: "", ...origin } });
  const { gitCommitInfo, repoInfo, originUrl } = origin;
  if (fails !== 0) {
    clock.time += 40;
    const approvers = [{ username: approver, state: "APPROVED" as const, timestamp: at - 3_600 }];
    await client.attestPullRequest({
      ...place,
      body: {
        attestationName: "pull-request",
        gitProvider: "github",
        ...{ gitCommitInfo, repoInfo, originUrl },
        pullRequests: [
          {
            url: `${repo}/pull/${pull}`,
            ...{ state: "MERGED", author: login, title: `${key}: ${subject}`, mergeCommit: sha1 },
            ...{ createdAt: at - DAY, mergedAt: at - 600, headRef: `${login}/${key}` },
            approvers: fails === 1 ? [] : approvers,
            commits: [commit],
          },
        ],
      },
    });
  }
  const jiraResults = [
    { issueId: key, issueUrl: `https://acme.atlassian.net/browse/${key}`, issueExists: true },
  ];
  await client.attestJira({ ...place, body: { attestationName: "ticket", jiraResults, ...origin } });
  clock.time += 160;
  await client.reportArtifact({
    flowName: service,
    body: {
      ...{
        fingerprint,
        filename: `registry.example.com/acme/${service}:${sha1.slice(0, 7)}`,
        gitCommit: sha1,
      },
      ...{ gitCommitInfo, repoInfo, buildUrl: run, commitUrl: commit.url },
      ...{ trailName: sha1, templateReferenceName: "image" },
    },
  });
  clock.time += 90;
  const total = 700 + Math.floor(random() * 90);
  await client.attestJunit({
    ...place,
    body: {
      ...{ attestationName: "unit-tests", artifactFingerprint: fingerprint, ...origin },
      junitResults: [
        {
          name: "unit",
          failures: fails === 2 ? 2 : 0,
          errors: 0,
          skipped: 3,
          total,
          duration: 41.2,
          timestamp: at,
        },
      ],
    },
  });
  // The latest changes are still under way.
  const isUnderWay = day === DAYS - 1;
  if (!isUnderWay) {
    clock.time += 60;
    const high =
      fails === 3 ? [{ id: "SNYK-JS-TAR-1536531", message: "Path traversal in tar", locations: [] }] : [];
    await client.attestSnyk({
      ...place,
      body: {
        ...{ attestationName: "vulnerabilities", artifactFingerprint: fingerprint, ...origin },
        snykResults: {
          ...{ schemaVersion: 1, tool: { name: "Snyk", version: "1.1300.0" } },
          results: [
            { highCount: high.length, mediumCount: 0, lowCount: 0, high, medium: [], low: [] } as never,
          ],
        },
      },
    });
  }
  if (number % 3 === 0) await approve(client, { flowName: service, fingerprint, approver, sha1 });
  return { service, fingerprint, commit, at, isGood: fails < 0 && !isUnderWay };
}

async function approve(
  client: EvidenceClient,
  {
    flowName,
    fingerprint,
    approver,
    sha1,
  }: { flowName: string; fingerprint: string; approver: string; sha1: string },
): Promise<void> {
  const approvals = [
    {
      state: "APPROVED" as const,
      comment: "",
      approvedBy: approver,
      approvalUrl: "https://example.com/release",
    },
  ];
  await client.recordApproval({
    flowName,
    body: {
      ...{ artifactFingerprint: fingerprint, environment: "production", description: "Release of the week" },
      ...{ approvals, srcCommitList: [sha1], oldestCommit: sha1 },
    },
  });
}

/** Reports the environments: the latest version of each service that has reached them. */
async function report(
  client: EvidenceClient,
  changes: readonly Change[],
  { clock, random, isLast }: Turn & { readonly isLast: boolean },
): Promise<void> {
  for (const { name, delay } of ENVIRONMENTS) {
    const arrived = changes.filter(({ at, service, commit: { branch }, isGood }) => {
      if (at >= clock.time - delay * DAY) return false;
      if (name === "staging") return true;
      // At the end, one version in production may not run there.
      if (isLast && service === "checkout") return !isGood;
      return branch === "main" && (isGood || random() < 0.15);
    });
    const latest = new Map(arrived.map((change) => [change.service, change]));
    const pods = [...latest.values()].flatMap(({ service, fingerprint, commit }) =>
      ["a", "b"].map((replica) => ({
        podName: `${service}-${fingerprint.slice(0, 6)}-${replica}`,
        namespace: "shop",
        creationTimestamp: clock.time - 600,
        digests: { [`registry.example.com/acme/${service}:${commit.sha1.slice(0, 7)}`]: fingerprint },
        owners: [],
      })),
    );
    const vendor = {
      ...{ podName: "proxy-0", namespace: "ingress", creationTimestamp: clock.time - 600, owners: [] },
      digests: { "registry.example.com/vendor/proxy:3.2": hash("vendor", 64) },
    };
    clock.time += 60;
    await client.reportK8S({ envName: name, body: { type: "K8S", artifacts: [...pods, vendor] } });
  }
}
