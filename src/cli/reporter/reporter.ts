import { setTimeout as sleep } from "node:timers/promises";
import { counted } from "../../api/client/counted.ts";
import { isUnavailable } from "../../api/client/errors.ts";
import type { PodEntry } from "../../api/resources/reports.ts";
import { podReport, type ReportedPod } from "../../kubernetes/pod-collector.ts";
import type { Environment } from "./environments.ts";
import type { ReporterMetrics } from "./metrics.ts";
import { StateLog } from "./state-log.ts";

/** Pods of a part of the cluster; undefined while they are not known completely. */
interface PodSource {
  readonly pods: Iterable<ReportedPod> | undefined;
}

interface ReporterOptions {
  readonly environments: readonly Environment[];
  readonly sources: readonly PodSource[];
  /** Sends a report. Returns the service's message, empty if nothing changed. */
  readonly send: (environment: Environment, pods: PodEntry[]) => Promise<string>;
  readonly metrics: ReporterMetrics;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** Longest time between two reports, in milliseconds. */
  readonly intervalMs: number;
  /** Time from a change to its report, in milliseconds. */
  readonly debounceMs: number;
}

interface State {
  readonly environment: Environment;
  /** Time of the next report, by the monotonic clock of the process. */
  dueAt: number;
  failures: number;
  hadPods: boolean;
  warnings: ReadonlySet<string>;
}

/** First wait after a failed report in milliseconds. It doubles up to the interval. */
const FIRST_RETRY_MS = 5_000;

/** Reports environments when their pods change, and regularly. One report at a time. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #states: readonly State[];
  readonly #stateLog: StateLog;
  #wake = new AbortController();
  /** Time of the last success, at first of the start. */
  #succeededAt = performance.now();

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#stateLog = new StateLog(options.log);
    const first = { dueAt: 0, failures: 0, hadPods: false, warnings: new Set<string>() };
    this.#states = options.environments.map((environment) => ({ environment, ...first }));
  }

  get succeededAt(): number {
    return this.#succeededAt;
  }

  /** Reports the environments of these namespaces soon. */
  changed(namespaces: ReadonlySet<string>): void {
    const { debounceMs } = this.#options;
    const soon = performance.now() + debounceMs;
    for (const state of this.#states) {
      const { selection } = state.environment;
      // While the service fails, a change does not shorten the wait.
      if (state.failures === 0 && [...namespaces].some((name) => selection.includes(name)))
        state.dueAt = Math.min(state.dueAt, soon);
    }
    this.#wake.abort();
  }

  /** Ends when the signal aborts. */
  async run(): Promise<void> {
    const { signal, sources } = this.#options;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const known = sources.every(({ pods }) => pods !== undefined);
      const next = this.#states.reduce((one, other) => (other.dueAt < one.dueAt ? other : one));
      const wait = next.dueAt - performance.now();
      if (known && wait <= 0) await this.#report(next);
      else await this.#pause(known ? wait : this.#options.intervalMs);
    }
  }

  async #pause(ms: number): Promise<void> {
    const signal = AbortSignal.any([this.#wake.signal, this.#options.signal]);
    await sleep(ms, undefined, { signal }).catch(() => {});
  }

  async #report(state: State): Promise<void> {
    const { sources, send, metrics, intervalMs, signal } = this.#options;
    const { environment } = state;
    const { name } = environment;
    const own = sources.flatMap(({ pods }) => [...(pods ?? [])]);
    const selected = own.filter(({ entry }) => environment.selection.includes(entry.namespace));
    const warnings = new Set<string>();
    const pods = podReport(selected, (warning) => warnings.add(warning));
    this.#tellWarnings(state, warnings);
    state.hadPods ||= pods.length > 0;
    // A change during the request makes it due earlier.
    state.dueAt = performance.now() + intervalMs;
    if (!state.hadPods && !environment.allowEmpty) return this.#tellEmpty(environment);
    try {
      const message = await send(environment, pods);
      this.#succeededAt = performance.now();
      state.failures = 0;
      metrics.reports.inc({ environment: name, outcome: message === "" ? "unchanged" : "recorded" });
      metrics.lastSuccess.set({ environment: name }, Date.now() / 1000);
      metrics.pods.set({ environment: name }, pods.length);
      const line = `Reported ${counted(pods.length, "pods")} to '${name}'`;
      if (message !== "") this.#options.log(`${line}: ${message}`);
      this.#stateLog.set(name, "ok", message === "" ? line : undefined);
    } catch (error) {
      if (signal.aborted) return;
      state.failures += 1;
      const wait = Math.min(intervalMs, FIRST_RETRY_MS * 2 ** (state.failures - 1));
      state.dueAt = performance.now() + wait * (0.5 + Math.random() / 2);
      metrics.reports.inc({ environment: name, outcome: "failed" });
      const text = textOf(error);
      this.#stateLog.set(
        name,
        isUnavailable(error) ? "unavailable" : text,
        `'${name}' could not be reported, and will be tried again: ${text}`,
      );
    }
  }

  #tellEmpty({ name, selection }: Environment): void {
    const where = selection.exactly === undefined ? "the selected namespaces" : selection.exactly.join(", ");
    const advice = "Check the namespaces, or set allow-empty: true if the environment may be empty.";
    this.#stateLog.set(name, "empty", `'${name}' is not reported: there is no pod in ${where}. ${advice}`);
  }

  #tellWarnings(state: State, warnings: ReadonlySet<string>): void {
    for (const warning of warnings) {
      if (!state.warnings.has(warning)) this.#options.log(`warning: ${state.environment.name}: ${warning}`);
    }
    state.warnings = warnings;
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { details, advice } = error as { details?: readonly string[]; advice?: string };
  return [error.message, ...(details ?? []), advice].filter(Boolean).join(". ");
}
