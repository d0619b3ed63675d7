import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RequestSummary } from "../kernel/log.ts";
import type { Attachments } from "../store/blobs/attachments.ts";
import type { Damage } from "../store/blobs/checked-files.ts";
import type { PlaceObserver } from "../store/blobs/observed-place.ts";
import { ERROR_CLASSES } from "../store/postgres/faults.ts";
import type { StoreLoad, StoreObserver } from "../store/store.ts";
import type { JobRun } from "./jobs.ts";

const ATTACHMENT_TASKS = ["keep", "check", "read"] as const;
type AttachmentTask = (typeof ATTACHMENT_TASKS)[number];

export type Metrics = ReturnType<typeof makeMetrics>;

/** From 5 ms for a read to tens of seconds for a large upload. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A round trip on one machine takes 0.1 ms. */
const SHORT_SECONDS = [0.0001, 0.00025, 0.0005, ...COMMIT_SECONDS];
const STATEMENTS = [4, 8, 16, 32, 64, 128, 256, 512];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];
/** A request that reached no operation or could not be parsed. */
const NO_OPERATION = "none";

/** The methods with their own label. Clients may send any number of others. */
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

  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });

  gauge("evidence_build_info", "The version of the service and the engine of its records.", {
    labels: ["version", "engine"],
    aggregator: "first",
  }).set(build, 1);

  const requests = new Histogram({
    name: "evidence_http_request_duration_seconds",
    help: "Time until the response to a request started, by operation, method and status.",
    labelNames: ["operation", "method", "status"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const limits = counter("evidence_limit_hits_total", "Requests that exceeded a limit, by limit.", ["limit"]);

  const commits = histogram(
    "evidence_commit_duration_seconds",
    "Time from the start of a batch of writes to the end of its commit.",
    COMMIT_SECONDS,
  );
  const queued = histogram(
    "evidence_write_queue_seconds",
    "Time from a write's arrival to the start of the batch that committed it.",
    COMMIT_SECONDS,
  );
  const lockWaits = histogram(
    "evidence_write_lock_wait_seconds",
    "Time that a batch waited for other instances that write records of the same organization.",
    SHORT_SECONDS,
  );
  const flushes = histogram(
    "evidence_commit_flush_seconds",
    "Time of the commit of a batch and its flush.",
    SHORT_SECONDS,
  );
  const batches = histogram("evidence_write_batch_size", "Number of writes committed together.", BATCH_SIZES);
  const statements = histogram(
    "evidence_write_batch_statements",
    "Statements that a batch sent to the database server.",
    STATEMENTS,
  );
  const roundTrips = histogram(
    "evidence_write_batch_round_trips",
    "Number of times that a batch waited for the database server before it sent more.",
    BATCH_SIZES,
  );
  const roundTrip = histogram(
    "evidence_database_round_trip_seconds",
    "Time of one round trip to the database server, measured at the start of each batch.",
    SHORT_SECONDS,
  );
  const connectionWaits = new Histogram({
    name: "evidence_database_connection_wait_seconds",
    help: "Time until a query or batch received a connection to the database server, by pool.",
    labelNames: ["pool"],
    buckets: SHORT_SECONDS,
    registers,
  });
  const databaseErrors = counter(
    "evidence_database_errors_total",
    "Failed statements and connections of the database server, by class.",
    ["class"],
  );
  const commitFailures = counter(
    "evidence_commit_failures_total",
    "Batches of writes that failed to commit.",
  );
  const retries = counter("evidence_write_retries_total", "Batches of writes that were retried.", ["reason"]);

  const jobRuns = counter("evidence_job_runs_total", "Finished runs of a job.", ["job"]);
  const jobFailures = counter("evidence_job_failures_total", "Failed runs of a job.", ["job"]);
  const jobSeconds = counter("evidence_job_seconds_total", "Total time of the runs of a job.", ["job"]);
  const jobSuccess = gauge(
    "evidence_job_last_success_timestamp_seconds",
    "Time of the last successful run of a job.",
    {
      labels: ["job"],
      aggregator: "max",
    },
  );

  const deliveries = counter(
    "evidence_deliveries_total",
    "Attempts to deliver events to targets, by outcome.",
    ["outcome"],
  );

  const received = counter("evidence_attachment_received_bytes_total", "Bytes of stored attachments.");
  const attachmentFailures = counter(
    "evidence_attachment_failures_total",
    "Attachments that could not be stored, checked or read.",
    ["task"],
  );
  // A counter that appears with its first failure shows no increase.
  for (const task of ATTACHMENT_TASKS) attachmentFailures.inc({ task }, 0);
  const named = build.engine === "postgresql" ? ERROR_CLASSES : [];
  for (const errorClass of named) databaseErrors.inc({ class: errorClass }, 0);

  const attachmentSeconds = new Histogram({
    name: "evidence_attachment_duration_seconds",
    help: "Time of an operation on the attachment storage, by operation.",
    labelNames: ["operation"],
    buckets: REQUEST_SECONDS,
    registers,
  });

  const store: StoreObserver = {
    committed({ writes, seconds, wait, flush, queued: waits, server }) {
      batches.observe(writes);
      commits.observe(seconds);
      lockWaits.observe(wait);
      flushes.observe(flush);
      for (const each of waits) queued.observe(each);
      if (server === undefined) return;
      statements.observe(server.statements);
      roundTrips.observe(server.roundTrips);
      roundTrip.observe(server.roundTrip);
    },
    failed: () => commitFailures.inc(),
    retried: (reason) => retries.inc({ reason }),
    connected: ({ pool, seconds }) => connectionWaits.observe({ pool }, seconds),
    faulted: (errorClass) => databaseErrors.inc({ class: errorClass }),
  };
  const placed: PlaceObserver = ({ operation, seconds }) => attachmentSeconds.observe({ operation }, seconds);
  return {
    /** Metrics of the service and its process, which prom-client's `AggregatorRegistry` can merge. */
    registry,
    store,
    placed,
    request({ operation = NO_OPERATION, method, status, milliseconds, limit, brokeOff }: RequestSummary) {
      // It was counted when its response started.
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

/** Values that are read when the metrics are. */
interface Sampled {
  openRequests(): number;
  lostLogLines(): number;
  load(): StoreLoad;
  damage(): Readonly<Record<Damage, number>>;
  waitingDeliveries(): Promise<number>;
  /** Seconds since the oldest due delivery was due. 0 if none is. */
  oldestDelivery(): Promise<number>;
}

function sampleInto(
  registers: Registry[],
  { openRequests, lostLogLines, load, damage, waitingDeliveries, oldestDelivery }: Sampled,
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
  one("evidence_http_requests_in_flight", "Requests in progress.", openRequests);
  new Counter({
    name: "evidence_log_lines_lost_total",
    help: "Log lines that could not be written.",
    registers,
    collect() {
      this.reset();
      this.inc(lostLogLines());
    },
  });
  one("evidence_write_queue_waiting", "Writes waiting for earlier writes.", () => load().waitingWrites);
  new Gauge({
    name: "evidence_database_connections",
    help: "Connections to the database server, busy or idle, and requests waiting for one.",
    labelNames: ["state"],
    aggregator: "sum",
    registers,
    collect() {
      for (const [state, count] of Object.entries(load().connections ?? {})) this.set({ state }, count);
    },
  });
  const queried = (name: string, help: string, query: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      // Every instance finds the same.
      aggregator: "max",
      registers,
      async collect() {
        // Metrics stay readable if the records are not.
        const value = await query().catch(() => undefined);
        if (value !== undefined) this.set(value);
      },
    });
  queried("evidence_deliveries_waiting", "Waiting deliveries. 100000 if there are more.", waitingDeliveries);
  queried(
    "evidence_deliveries_oldest_due_seconds",
    "Age of the oldest delivery that is due. 0 if none is.",
    oldestDelivery,
  );
  new Gauge({
    name: "evidence_attachments_damaged",
    help: "Attachments found changed or missing since the service started.",
    labelNames: ["condition"],
    // Every process finds the same ones.
    aggregator: "max",
    registers,
    collect() {
      for (const [condition, count] of Object.entries(damage())) this.set({ condition }, count);
    },
  });
}

/** Each measurement wakes the process. At the default of 10 ms, that is half a percent of a core. */
const EVENT_LOOP_RESOLUTION_MS = 50;

let registry: Registry | undefined;

/** Metrics of the process, shared by all its services. */
function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_RESOLUTION_MS });
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
      // By the time the record begins, the files have been stored. Later failures are not about them.
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
