import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "undici";
import { pages } from "../../src/api/client/all-pages.ts";
import { EvidenceClient } from "../../src/api/client/client.ts";
import type { RequestOf } from "../../src/api/operation.ts";
import type { operations } from "../../src/api/resources/operations.ts";
import { databaseFile } from "../../src/service/store/sqlite/open-store.ts";
import { signedIn } from "../../test/service/pages/visitor.ts";
import {
  END,
  environmentName,
  fingerprint,
  flowName,
  ORG,
  SIZES,
  START,
  trailSha,
  writeLargeData,
} from "./large-data.ts";
import { largeReports } from "./large-reports.ts";
import { median, quantile, slowest } from "./measure.ts";
import { visitTimes } from "./pages.ts";
import type { Measured, Measurements } from "./rows.ts";
import { startServiceProcess } from "./service-process.ts";
import { tableScans } from "./statements.ts";

const ROUNDS = 15;
/** Number of pages read in sequence by cursor. */
const CURSOR_PAGES = 30;
const PER_PAGE = 20;
const OTHER_ORG = "bystander";

type Operations = typeof operations;
/** Parameters of each read. */
type Questions = { readonly [Name in keyof Operations]?: RequestOf<Operations[Name]> };

const flow = { flowName: flowName(7) };
const trail = { ...flow, trailName: trailSha(77_007) };
const artifact = { ...flow, fingerprint: fingerprint(77_007) };
const environment = { envName: environmentName(3) };

const year = { from: String(START), to: String(END) };

/** Every list, with the parameters of its first page. */
const LISTS: Questions = {
  listApprovals: flow,
  listArtifacts: {},
  listAttestations: {},
  listAttestationsForCriteria: { commitList: [trailSha(77_007), trailSha(5)] },
  listBuilds: { startTs: 0 },
  listControlTags: {},
  listControls: {},
  listCustomAttestationTypes: {},
  listDeployments: { envName: [environment.envName], startTs: START, endTs: END },
  listEnvironmentDeployments: { ...environment, ...year },
  listEnvironmentEvents: environment,
  listEnvironments: {},
  listFlowArtifacts: flow,
  listFlowAttestations: flow,
  listFlowTrails: { ...flow, perPage: PER_PAGE },
  listFlows: {},
  listLiveArtifacts: { repoName: "acme/repo-7" },
  listPolicies: {},
  listRepoFilterOptions: { namespace: "acme" },
  listRepoTags: {},
  listRepos: {},
  listSnapshots: environment,
  listTrailAttestations: { ...trail, attestationName: "check-0" },
  listTrails: {},
};

const lastPage = (items: number) => ({ page: Math.floor(items / PER_PAGE), perPage: PER_PAGE });

/** Last pages of the lists with page numbers. The others are short, or have a cursor. */
const LAST_PAGES: Questions = {
  listArtifacts: lastPage(SIZES.trails),
  listBuilds: { startTs: 0, ...lastPage(SIZES.trails) },
  listEnvironmentEvents: { ...environment, ...lastPage(SIZES.snapshots / SIZES.environments) },
  listFlowArtifacts: { ...flow, ...lastPage(SIZES.trails / SIZES.flows) },
  listFlowAttestations: { ...flow, ...lastPage(SIZES.attestations / SIZES.flows) },
  listFlowTrails: { ...flow, ...lastPage(SIZES.trails / SIZES.flows) },
  listSnapshots: { ...environment, ...lastPage(SIZES.snapshots / SIZES.environments) },
  listTrails: lastPage(SIZES.trails),
};

const ONE_THING: Questions = {
  assertArtifact: { fingerprint: fingerprint(77_007) },
  diffSnapshots: { snappish1: `${environmentName(3)}~1`, snappish2: environmentName(3) },
  getArtifact: artifact,
  getArtifactAttestation: { ...artifact, attestationName: "check-7" },
  getArtifactCommit: { flowName: flowName(1), ...environment },
  getArtifactsByCommit: { ...flow, commitSha: trailSha(77_007) },
  getEnvironment: environment,
  getFlow: flow,
  getLatestCommit: artifact,
  getSnapshot: { ...environment, snapshotExpression: "-1" },
  getTrail: trail,
  searchSha: { searchValue: fingerprint(77_007).slice(0, 12) },
};

/** Words that few, many and all trails have. */
const SEARCHES = [
  "Change 77007",
  "change",
  "author:ada branch:main change 5",
  "is:failing flow:flow-7",
  trailSha(77_007).slice(0, 10),
  "ch",
];

const TRENDS: readonly RequestOf<Operations["getTrends"]>[] = [
  year,
  { ...year, env: [environmentName(3)] },
  { ...year, flow: [flowName(7)] },
];

const PAGES = [
  "",
  "/deployments",
  "/reports",
  "/flows",
  `/flows/${flowName(7)}`,
  `/flows/${flowName(7)}?state=NON-COMPLIANT&branch=main`,
  `/flows/${flowName(7)}/artifacts`,
  `/flows/${flowName(7)}/trails/${trailSha(77_007)}`,
  "/environments",
  `/environments/${environmentName(3)}`,
  `/environments/${environmentName(3)}/snapshots`,
  "/search?q=change",
  "/audit-log",
].map((path) => `/${ORG}${path}`);
const VISITS = 40;

/** The cost of reads and large reports for an organization that has used the service for years. */
export async function lists(): Promise<Measurements<"lists">> {
  const folder = await mkdtemp(join(tmpdir(), "bench-lists-"));
  try {
    const { apiKey } = await writeLargeData(folder);
    const measured = await measureReads(folder, apiKey);
    const scans = tableScans(databaseFile(folder), measured.texts);
    for (const scan of scans) process.stderr.write(`This query reads a whole table: ${scan}\n`);
    return { ...measured.rows, wholeTables: { value: scans.length } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureReads(folder: string, apiKey: string) {
  await using service = await startServiceProcess(folder, [OTHER_ORG]);
  const baseUrl = service.address;
  const client = new EvidenceClient({ apiKey, org: ORG, baseUrl });
  const other = new EvidenceClient({ apiKey: service.keys[OTHER_ORG] ?? "", org: OTHER_ORG, baseUrl });
  try {
    const rows = {
      firstPage: slowestOf(await timesOf(client, LISTS)),
      anyPage: slowestOf({ ...(await timesOf(client, LAST_PAGES)), ...(await cursorTimes(client)) }),
      oneThing: slowestOf(await timesOf(client, ONE_THING)),
      search: slowestOf(await eachTime(SEARCHES, (q) => client.search({ q }))),
      trends: slowestOf(await eachTime(TRENDS, (chosen) => client.getTrends(chosen))),
      page: slowestOf(await pageTimes(baseUrl, apiKey)),
      ...(await largeReports({ service, client, other })),
    };
    return { rows, texts: await service.texts() };
  } finally {
    await client.close();
    await other.close();
  }
}

function slowestOf(times: Readonly<Record<string, number>>): Measured {
  const { value, name } = slowest(times);
  return { value, note: `${name}, of ${Object.keys(times).length}` };
}

/** Median time of each read, in milliseconds, with the client on the same machine. */
async function timesOf(client: EvidenceClient, questions: Questions): Promise<Record<string, number>> {
  const medians: Record<string, number> = {};
  for (const name of Object.keys(questions) as (keyof Questions)[]) {
    // The parameters belong to the operation of that name.
    medians[name] = await timeOf(() => client[name](questions[name] as never));
  }
  return medians;
}

async function eachTime<Given>(
  all: readonly Given[],
  read: (given: Given) => Promise<unknown>,
): Promise<Record<string, number>> {
  const medians: Record<string, number> = {};
  for (const given of all) medians[JSON.stringify(given)] = await timeOf(() => read(given));
  return medians;
}

async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** The 95th percentile of the time of each page, in milliseconds. */
async function pageTimes(address: string, apiKey: string): Promise<Record<string, number>> {
  const dispatcher = new Agent();
  const visitor = await signedIn({ address, dispatcher }, apiKey);
  const slow: Record<string, number> = {};
  for (const path of PAGES) slow[path] = quantile(await visitTimes(visitor, path, VISITS), 0.95);
  await dispatcher.destroy();
  return slow;
}

/** The slowest page of a list with a cursor. */
async function cursorTimes(client: EvidenceClient): Promise<Record<string, number>> {
  const times: number[] = [];
  let start = performance.now();
  for await (const _ of pages(client, "listAttestations", { perPage: PER_PAGE })) {
    times.push(performance.now() - start);
    if (times.length === CURSOR_PAGES) break;
    start = performance.now();
  }
  return { "listAttestations by its cursor": median(times) };
}
