import type { EvidenceClient } from "../../src/api/client/client.ts";
import { environmentName, fingerprint, SIZES } from "./large-data.ts";
import { median } from "./measure.ts";
import type { Measured } from "./rows.ts";
import type { ServiceProcess } from "./service-process.ts";

const PODS = 5_000;
const ROUNDS = 5;
const USUAL_ROUNDS = 50;
const environment = { envName: environmentName(3) };

/** Number of new artifacts in a report. The others ran before. */
const FRESH = { nothingNew: 0, fiftyNew: 50, allNew: PODS } as const;
/** First fingerprint numbers: of artifacts built elsewhere, and of those built here. */
const ORIGINS = { "built elsewhere": SIZES.trails, "built here": 0 };

type Kind = keyof typeof FRESH;

interface Parties {
  readonly service: ServiceProcess;
  readonly client: EvidenceClient;
  /** A client of another organization. */
  readonly other: EvidenceClient;
}

/** Cost of one report, including deferred work. */
interface Cost {
  readonly cpu: number;
  readonly statements: number;
  /** Duration of another client's next request, in milliseconds. */
  readonly next: number;
}

/** The service's own work for large reports, and its effect on the next client. */
export async function largeReports(
  parties: Parties,
): Promise<Readonly<Record<Kind | "statements" | "afterReport", Measured>>> {
  const usual = await usualCost(parties);
  const cpu: Record<Kind, Measured> = { nothingNew: NONE, fiftyNew: NONE, allNew: NONE };
  let [statements, next]: Measured[] = [NONE, NONE];
  for (const [origin, first] of Object.entries(ORIGINS)) {
    const report = reporter(parties, first);
    // The first report is large, whatever its content.
    await report(PODS);
    for (const kind of Object.keys(FRESH) as Kind[]) {
      const costs: Cost[] = [];
      for (let round = 0; round < ROUNDS; round++) costs.push(await report(FRESH[kind]));
      const of = (figure: keyof Cost) => median(costs.map((cost) => cost[figure])) - usual[figure];
      cpu[kind] = worse(cpu[kind], of("cpu"), origin);
      statements = worse(statements, of("statements"), `${kind}, ${origin}`);
      next = worse(next, of("next"), `${kind}, ${origin}; usually ${usual.next.toFixed(1)} ms`);
    }
  }
  return { ...cpu, statements: statements ?? NONE, afterReport: next ?? NONE };
}

const NONE: Measured = { value: Number.NEGATIVE_INFINITY };

function worse(before: Measured | undefined, value: number, note: string): Measured {
  return before !== undefined && before.value >= value ? before : { value, note };
}

/** Returns a function that sends reports with a number of new artifacts. */
function reporter(parties: Parties, first: number): (fresh: number) => Promise<Cost> {
  let next = first;
  let running = Array.from({ length: PODS }, () => next++);
  return (fresh) => {
    running = running.map((artifact, place) => (place < fresh ? next++ : artifact));
    const body = reportOf(running);
    return costOf(parties, () => parties.client.reportK8S({ ...environment, body }));
  };
}

/** The cost of some work and the reads after it, by which time deferred work is done. */
async function costOf({ service, client, other }: Parties, work: () => Promise<unknown>): Promise<Cost> {
  const before = await service.usage();
  await work();
  const start = performance.now();
  await other.listRepos({});
  const next = performance.now() - start;
  await client.getEnvironment(environment);
  const after = await service.usage();
  return { cpu: after.cpu - before.cpu, statements: after.statements - before.statements, next };
}

/** The cost of the reads alone. */
async function usualCost(parties: Parties): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < USUAL_ROUNDS; round++) costs.push(await costOf(parties, async () => {}));
  const of = (figure: keyof Cost) => median(costs.map((cost) => cost[figure]));
  return { cpu: of("cpu"), statements: of("statements"), next: of("next") };
}

/** @param artifacts numbers of the running artifacts, by position */
function reportOf(artifacts: readonly number[]) {
  return {
    type: "K8S" as const,
    artifacts: artifacts.map((artifact, place) => ({
      podName: `web-${place}-${artifact}`,
      namespace: "prod",
      digests: { [`reg.example/web-${place}:1`]: fingerprint(artifact) },
      creationTimestamp: 1_700_000_000,
      owners: [],
    })),
  };
}
