import type { PodEntry } from "../../api/resources/reports.ts";
import { ApiServer, type ApiServerOptions } from "../../kubernetes/api-server.ts";
import { type ClusterFault, missingRight } from "../../kubernetes/kubectl-error.ts";
import { PodWatch } from "../../kubernetes/pod-watch.ts";
import { type Environment, namespacesOf } from "./environments.ts";
import { makeReporterMetrics } from "./metrics.ts";
import { openProbes } from "./probes.ts";
import { Reporter } from "./reporter.ts";
import { StateLog } from "./state-log.ts";

export interface RunOptions {
  readonly cluster: ApiServerOptions;
  readonly environments: readonly Environment[];
  readonly send: (environment: Environment, pods: PodEntry[]) => Promise<string>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  readonly intervalMs: number;
  readonly debounceMs: number;
  readonly host: string;
  readonly port: number;
}

/** Intervals without success after which the reporter is not healthy. */
const PATIENCE = 3;

/** Watches the cluster and reports its environments until the signal aborts. */
export async function runReporter(options: RunOptions): Promise<void> {
  const { cluster, environments, log, signal, intervalMs } = options;
  const metrics = makeReporterMetrics();
  const states = new StateLog(log);
  await using server = new ApiServer(cluster);
  const namespaces = namespacesOf(environments) ?? [undefined];
  const watches = namespaces.map((namespace) => {
    const where = namespace === undefined ? "the cluster" : `the namespace '${namespace}'`;
    return new PodWatch({
      server,
      namespace,
      signal,
      onChange: (changed) => reporter.changed(changed),
      onState(fault) {
        metrics.watching.set({ namespace: namespace ?? "" }, fault === undefined ? 1 : 0);
        const line = fault === undefined ? `Watching the pods of ${where}` : faultLine(where, fault);
        states.set(where, fault === undefined ? "ok" : "failed", line);
      },
    });
  });
  const reporter = new Reporter({ ...options, metrics, sources: watches });
  const problem = () => {
    const oldest = performance.now() - PATIENCE * intervalMs;
    if (reporter.succeededAt < oldest) return `no report succeeded for ${PATIENCE} intervals`;
    const isLost = watches.some(({ lostAt }) => lostAt !== undefined && lostAt < oldest);
    return isLost ? `the pods could not be watched for ${PATIENCE} intervals` : undefined;
  };
  using probes = await openProbes({ ...options, metrics, problem });
  const names = environments.map(({ name }) => `'${name}'`).join(", ");
  log(`Reporting ${names}; ${probes.address}/healthz and /metrics are served`);
  await Promise.all([...watches.map((watch) => watch.run()), reporter.run()]);
}

function faultLine(where: string, { message }: ClusterFault): string {
  const right = missingRight(message);
  const other = right?.isClusterWide ? ", or list `namespaces` by name in each environment" : "";
  const advice = right === undefined ? "" : `. ${right.right}${other}`;
  return `The pods of ${where} cannot be watched, and nothing is reported meanwhile: ${message}${advice}`;
}
