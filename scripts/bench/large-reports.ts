import type { EvidenceClient } from "../../src/api/client/client.ts";
import { environmentName, fingerprint, SIZES } from "./large-data.ts";
import { median } from "./measure.ts";
import type { Measured } from "./rows.ts";
import type { ServiceProcess } from "./service-process.ts";

const PODS = 5_000;
const ROUNDS = 5;
const USUAL_ROUNDS = 50;
const environment = { envName: environmentName(3) };

/** How many of the artifacts are new with a report; the others ran before. */
const FRESH = { nothingNew: 0, fiftyNew: 50, allNew: PODS } as const;
/** Where the fingerprints of artifacts begin: those that nobody built here, and those that were. */
const ORIGINS = { "built elsewhere": SIZES.trails, "built here": 0 };

type Kind = keyof typeof FRESH;

interface Parties {
  readonly service: ServiceProcess;
  readonly client: EvidenceClient;
  /** Somebody of another organization. */
  readonly other: EvidenceClient;
}

/** What one report costs, with all that is left to be done when it is answered. */
interface Cost {
  readonly cpu: number;
  readonly statements: number;
  /** How long the next request of somebody else takes, in milliseconds. */
  readonly next: number;
}

/** The service's own work for large reports, and what whoever comes next notices of them. */
export async function largeReports(
  parties: Parties,
): Promise<Readonly<Record<Kind | "statements" | "afterReport", Measured>>> {
  const usual = await usualCost(parties);
  const cpu: Record<Kind, Measured> = { nothingNew: NONE, fiftyNew: NONE, allNew: NONE };
  let [statements, next]: Measured[] = [NONE, NONE];
  for (const [origin, first] of Object.entries(ORIGINS)) {
    const report = reporter(parties, first);
    // The first is large whatever it holds.
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

/** Gives what reports one after the other, each with so many artifacts that did not run before. */
function reporter(parties: Parties, first: number): (fresh: number) => Promise<Cost> {
  let next = first;
  let running = Array.from({ length: PODS }, () => next++);
  return (fresh) => {
    running = running.map((artifact, place) => (place < fresh ? next++ : artifact));
    const body = reportOf(running);
    return costOf(parties, () => parties.client.reportK8S({ ...environment, body }));
  };
}

/** The cost of something, with that of the reads after it: work that was put off is done by then. */
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

/** @param artifacts the numbers of the artifacts that run, by place */
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
