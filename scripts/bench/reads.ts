import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EvidenceClient } from "../../src/api/client.ts";
import type { RequestOf } from "../../src/api/operation.ts";
import type { operations } from "../../src/api/operations.ts";
import { VERSION } from "../../src/api/version.ts";
import { startService } from "../../src/service/service.ts";
import { databaseFile } from "../../src/service/store/data-folder.ts";
import {
  environmentName,
  fingerprint,
  flowName,
  ORG,
  SIZES,
  trailSha,
  writeLargeData,
} from "./large-data.ts";
import { type Finding, median } from "./measure.ts";
import { recordStatements, tableScans } from "./statements.ts";

const ROUNDS = 15;
/** Milliseconds for the first page of a read, with the client on the same machine. */
const BOUND_MS = 50;
const PODS = 5_000;
const REPORT_ROUNDS = 5;

type Operations = typeof operations;
/** What each read is asked for. Reads of things that stay few are left out. */
type Questions = { readonly [Name in keyof Operations]?: RequestOf<Operations[Name]> };

const trail = { flowName: flowName(7), trailName: trailSha(77_007) };
const artifact = { flowName: flowName(7), fingerprint: fingerprint(77_007) };
const environment = { envName: environmentName(3) };

const QUESTIONS: Questions = {
  assertArtifact: { fingerprint: fingerprint(77_007) },
  diffSnapshots: { snappish1: `${environmentName(3)}~1`, snappish2: environmentName(3) },
  getArtifact: artifact,
  getArtifactAttestation: { ...artifact, attestationName: "check-7" },
  getArtifactCommit: { flowName: flowName(1), envName: environmentName(3) },
  getArtifactsByCommit: { flowName: flowName(7), commitSha: trailSha(77_007) },
  getEnvironment: environment,
  getFlow: { flowName: flowName(7) },
  getLatestCommit: artifact,
  getSnapshot: { ...environment, snapshotExpression: "-1" },
  getTrail: trail,
  listArtifacts: {},
  listAttestations: {},
  listAttestationsForCriteria: { commitList: [trailSha(77_007), trailSha(5)] },
  listEnvironmentEvents: environment,
  listEnvironments: {},
  listFlowArtifacts: { flowName: flowName(7) },
  listFlowAttestations: { flowName: flowName(7) },
  listFlowTrails: { flowName: flowName(7), perPage: 20 },
  listFlows: {},
  listLiveArtifacts: { repoName: "acme/repo-7" },
  listRepos: {},
  listSnapshots: environment,
  listTrailAttestations: { ...trail, attestationName: "check-0" },
  listTrails: {},
  searchSha: { searchValue: fingerprint(77_007).slice(0, 12) },
};

/** How long the first page of each read takes where there is a lot of data, and whether any read looks through all of it. */
export async function reads(): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-reads-"));
  try {
    const { apiKey } = await writeLargeData(folder);
    const recorded = recordStatements();
    /** How long the service took for the latest request, in milliseconds. */
    let lastServed = Number.NaN;
    const options = {
      dataFolder: folder,
      host: "127.0.0.1",
      port: 0,
      org: ORG,
      version: VERSION,
      log: (line: string) => {
        lastServed = Number(/ ([\d.]+) ms /.exec(line)?.[1]);
      },
    };
    const service = await startService(options);
    const client = new EvidenceClient({ apiKey, org: ORG, baseUrl: service.address });
    const findings = [
      ...(await readTimes(client)),
      ...(await reportsOfManyPods(client, recorded.runs, () => lastServed)),
    ];
    recorded.stop();
    await client.close();
    await service.close();
    const scans = tableScans(databaseFile(folder), recorded.texts);
    for (const scan of scans) process.stderr.write(`A whole table is read: ${scan}\n`);
    const scanned = {
      what: "queries that read a whole table",
      value: scans.length,
      unit: "",
      bound: { most: 0 },
    };
    return [...findings, scanned];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readTimes(client: EvidenceClient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of Object.keys(QUESTIONS) as (keyof Questions)[]) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      // The request stands under the operation's own name.
      await client[name](QUESTIONS[name] as never);
      times.push(performance.now() - start);
    }
    const value = median(times);
    findings.push({
      what: `read: ${name}, 1,000,000 attestations`,
      value,
      unit: "ms",
      bound: { most: BOUND_MS },
    });
  }
  return findings;
}

/** How many of the artifacts are new with a report; the others ran before. */
const FRESH = { "nothing new": 0, "a tenth new": PODS / 10, "all new": PODS };
/** Where the fingerprints of artifacts begin: those that were reported as built here, and others. */
const ORIGINS = { "built elsewhere": SIZES.trails, "built here": 0 };

/** The service's own time and statements for large reports; a client has its time for making and sending them. */
async function reportsOfManyPods(
  client: EvidenceClient,
  runs: readonly string[],
  served: () => number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [origin, first] of Object.entries(ORIGINS)) {
    let next = first;
    let running = Array.from({ length: PODS }, () => next++);
    await client.reportK8S(reportOf(running));
    await client.listFlows({});
    for (const [what, fresh] of Object.entries(FRESH)) {
      const times: number[] = [];
      const looks: number[] = [];
      let statements = 0;
      for (let round = 0; round < REPORT_ROUNDS; round++) {
        running = running.map((artifact, place) => (place < fresh ? next++ : artifact));
        const report = reportOf(running);
        const before = runs.length;
        await client.reportK8S(report);
        times.push(served());
        statements = Math.max(statements, runs.length - before);
        // Whoever looks at once waits until the snapshot is filed.
        await client.listFlows({});
        looks.push(served());
      }
      const name = `report of ${PODS} artifacts ${origin}, ${what}`;
      findings.push({ what: name, value: median(times), unit: "ms", bound: { most: 100 } });
      findings.push({ what: `${name}: to look at once after it`, value: median(looks), unit: "ms" });
      findings.push({ what: `${name}: SQL statements`, value: statements, unit: "", bound: { most: 10 } });
    }
  }
  return findings;
}

/** @param artifacts the numbers of the artifacts that run, by place */
function reportOf(artifacts: readonly number[]): RequestOf<Operations["reportK8S"]> {
  return {
    envName: environmentName(3),
    body: {
      type: "K8S",
      artifacts: artifacts.map((artifact, place) => ({
        podName: `web-${place}-${artifact}`,
        namespace: "prod",
        digests: { [`reg.example/web-${place}:1`]: fingerprint(artifact) },
        creationTimestamp: 1_700_000_000,
        owners: [],
      })),
    },
  };
}
