import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RequestSummary } from "../kernel/log.ts";
import type { Attachments } from "../store/blobs/attachments.ts";
import type { Damage } from "../store/blobs/checked-files.ts";
import type { StoreLoad, StoreObserver } from "../store/store.ts";
import type { JobRun } from "./jobs.ts";

type AttachmentTask = "keep" | "check" | "read";

export type Metrics = ReturnType<typeof makeMetrics>;

/** Around what clients wait for: 5 ms for a read, tens of seconds for a large upload. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];
/** A request that reached no operation, or that no request could be read of. */
const NO_OPERATION = "none";

/** The methods that senders are known by; of others there may be any number. */
const METHODS = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

export function makeMetrics(build: { version: string; engine: string }) {
  const registry = Registry.merge([processMetrics()]);
  const registers = [registry];
  const gauge = <L extends string>(
    name: string,
    help: string,
    { labels = [], aggregator = "sum" }: { labels?: readonly L[]; aggregator?: "sum" | "max" | "first" } = {},
  ) => new Gauge<L>({ name, help, labelNames: labels, aggregator, registers });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name, help, labelNames, registers });

  gauge("evidence_build_info", "The version of the service and the engine of its records.", {
    labels: ["version", "engine"],
    aggregator: "first",
  }).set(build, 1);

  const requests = new Histogram({
    name: "evidence_http_request_duration_seconds",
    help: "How long requests took until their answer began, by operation, method and status.",
    labelNames: ["operation", "method", "status"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const limits = counter("evidence_limit_hits_total", "Requests that met a limit, by limit.", ["limit"]);

  const commits = new Histogram({
    name: "evidence_commit_duration_seconds",
    help: "How long a batch of writes took from its begin to the end of its commit.",
    buckets: COMMIT_SECONDS,
    registers,
  });
  const batches = new Histogram({
    name: "evidence_write_batch_size",
    help: "How many writes were committed together.",
    buckets: BATCH_SIZES,
    registers,
  });
  const commitFailures = counter(
    "evidence_commit_failures_total",
    "Batches of writes that were not committed.",
  );
  const retries = counter("evidence_write_retries_total", "Batches of writes that were begun again.", [
    "reason",
  ]);

  const jobRuns = counter("evidence_job_runs_total", "Runs of a job that have ended.", ["job"]);
  const jobFailures = counter("evidence_job_failures_total", "Runs of a job that have failed.", ["job"]);
  const jobSeconds = counter("evidence_job_seconds_total", "How long the runs of a job took in all.", [
    "job",
  ]);
  const jobSuccess = gauge("evidence_job_last_success_timestamp_seconds", "When a job last succeeded.", {
    labels: ["job"],
    aggregator: "max",
  });

  const deliveries = counter(
    "evidence_deliveries_total",
    "Attempts to deliver events to targets, by how they ended.",
    ["outcome"],
  );

  const received = counter(
    "evidence_attachment_received_bytes_total",
    "Bytes of attachments that were kept.",
  );
  const attachmentFailures = counter(
    "evidence_attachment_failures_total",
    "Attachments that could not be kept, checked or read to their end.",
    ["task"],
  );

  const store: StoreObserver = {
    committed({ writes, seconds }) {
      batches.observe(writes);
      commits.observe(seconds);
    },
    failed: () => commitFailures.inc(),
    retried: (reason) => retries.inc({ reason }),
  };
  return {
    /** Metrics of the service and its process, which prom-client's `AggregatorRegistry` can merge. */
    registry,
    store,
    request({ operation = NO_OPERATION, method, status, milliseconds, limit, brokeOff }: RequestSummary) {
      // It was counted when its answer began.
      if (brokeOff) return;
      const known = METHODS.has(method) ? method : "other";
      requests.observe({ operation, method: known, status }, milliseconds / 1000);
      if (limit !== undefined) limits.inc({ limit });
    },
    job({ name: job, seconds, failed }: JobRun) {
      jobRuns.inc({ job });
      jobSeconds.inc({ job }, seconds);
      jobFailures.inc({ job }, Number(failed));
      if (!failed) jobSuccess.set({ job }, Date.now() / 1000);
    },
    delivery: ({ outcome }: { outcome: string }) =>
      deliveries.inc({ outcome: outcome.replace(/^(status_\d)\d\d$/, "$1xx") }),
    attachmentsReceived: (bytes: number) => received.inc(bytes),
    attachmentFailed: (task: AttachmentTask) => attachmentFailures.inc({ task }),
    sample: (sampled: Sampled) => sampleInto(registers, sampled),
  };
}

/** What is asked for when the metrics are read. */
interface Sampled {
  openRequests(): number;
  lostLogLines(): number;
  load(): StoreLoad;
  damage(): Readonly<Record<Damage, number>>;
  waitingDeliveries(): Promise<number>;
}

function sampleInto(
  registers: Registry[],
  { openRequests, lostLogLines, load, damage, waitingDeliveries }: Sampled,
): void {
  const one = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      aggregator: "sum",
      collect() {
        this.set(value());
      },
    });
  one("evidence_http_requests_in_flight", "Requests that are not answered to their end.", openRequests);
  new Counter({
    name: "evidence_log_lines_lost_total",
    help: "Lines of the log that could not be written.",
    registers,
    collect() {
      this.reset();
      this.inc(lostLogLines());
    },
  });
  one("evidence_write_queue_waiting", "Writes that wait for those before them.", () => load().waitingWrites);
  new Gauge({
    name: "evidence_database_connections",
    help: "Connections to the database server, busy or idle, and requests that wait for one.",
    labelNames: ["state"],
    aggregator: "sum",
    registers,
    collect() {
      for (const [state, count] of Object.entries(load().connections ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: "evidence_deliveries_waiting",
    help: "Deliveries that are to come, 100000 when there are more.",
    // Each instance counts the same ones.
    aggregator: "max",
    registers,
    async collect() {
      // Metrics are there to be read when the records are not.
      const waiting = await waitingDeliveries().catch(() => undefined);
      if (waiting !== undefined) this.set(waiting);
    },
  });
  new Gauge({
    name: "evidence_attachments_damaged",
    help: "Attachments that were found changed or missing since the service started.",
    labelNames: ["condition"],
    // Each process finds the same ones.
    aggregator: "max",
    registers,
    collect() {
      for (const [condition, count] of Object.entries(damage())) this.set({ condition }, count);
    },
  });
}

/** Each look at the event loop wakes the process: at 10 ms, the default, that is half a percent of a core. */
const EVENT_LOOP_LOOKS_MS = 50;

let registry: Registry | undefined;

/** Metrics of the process, shared by all services in it. */
function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOKS_MS });
  }
  return registry;
}

export function observedAttachments(
  attachments: Attachments,
  metrics: Pick<Metrics, "attachmentsReceived" | "attachmentFailed">,
): Attachments {
  const counted = async <T>(task: AttachmentTask, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      metrics.attachmentFailed(task);
      throw error;
    }
  };
  return {
    ...attachments,
    async keepFor(files, record) {
      // They are kept once the record begins; what goes wrong after that is not theirs.
      let recording: ReturnType<typeof record> | undefined;
      const begin = () => {
        metrics.attachmentsReceived(files.reduce((sum, { size }) => sum + size, 0));
        recording = record();
        return recording;
      };
      try {
        return await attachments.keepFor(files, begin);
      } catch (error) {
        if (recording === undefined) metrics.attachmentFailed("keep");
        throw error;
      }
    },
    conditionOf: (sha256) => counted("check", attachments.conditionOf(sha256)),
    glance: (file) => counted("check", attachments.glance(file)),
    contentOf: (sha256) => ReadableStream.from(chunks(attachments.contentOf(sha256))),
  };

  async function* chunks(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* content;
    } catch (error) {
      metrics.attachmentFailed("read");
      throw error;
    }
  }
}
