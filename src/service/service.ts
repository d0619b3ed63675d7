import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { join } from "node:path";
import { ensureOrganization } from "./accounts/first-start.ts";
import { trackKeyUse } from "./accounts/key-use.ts";
import { handlers } from "./handlers.ts";
import { makeApp } from "./http/app.ts";
import { BodyMemory } from "./http/body-memory.ts";
import { TrustedProxies } from "./http/client-address.ts";
import { DEFAULT_LIMITS, type ServiceLimits } from "./http/limits.ts";
import { makeMetricsServer } from "./http/metrics-answer.ts";
import { OpenAnswers } from "./http/open-answers.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { makeServer } from "./http/server.ts";
import { JobStates } from "./jobs/job-states.ts";
import { type JobRun, startJobs } from "./jobs/jobs.ts";
import { prune } from "./jobs/prune.ts";
import { sweep } from "./jobs/sweep.ts";
import { makeLinks } from "./kernel/links.ts";
import type { Log, RequestSummary } from "./kernel/log.ts";
import { LongWork } from "./kernel/long-work.ts";
import { type Metrics, makeMetrics } from "./metrics/metrics.ts";
import { observedAttachments } from "./metrics/observed-attachments.ts";
import { makePatternMatcher } from "./patterns/pattern-matcher.ts";
import { agreeOnOwner } from "./store/blobs/agree-on-owner.ts";
import { openAttachments } from "./store/blobs/attachments.ts";
import { openOwnFolder, openPlace, type PlaceSettings } from "./store/blobs/open-place.ts";
import { makeDataFolder } from "./store/data-folder.ts";
import { openRecords } from "./store/open-records.ts";
import type { PostgresOptions } from "./store/postgres/open-store.ts";
import { makeTypeEvaluator } from "./type-rules/evaluator.ts";

export interface ServiceOptions {
  /** Where everything is kept. Created when it is not there. */
  dataFolder: string;
  /** The database that keeps the records, in place of a file in the data folder. */
  database?: PostgresOptions;
  /** Where attachments are kept, if not in the data folder. */
  attachmentsAt?: PlaceSettings;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The organization to have; made with an admin key when it is not there. */
  org?: string;
  /** The admin key to make, instead of a new one. */
  adminKey?: string;
  /** Where the service is reached from outside; by default its own address. */
  publicUrl?: string;
  version: string;
  log: Log;
  /** Where to serve `/metrics`; without it they are for whoever asks the service itself from the same machine. */
  metrics?: { host: string; port: number };
  /** Where they differ from the usual ones. */
  limits?: Partial<ServiceLimits>;
  /** The time, in Unix seconds with a fraction. */
  now?: () => number;
}

export interface RunningService {
  /** Its own address, such as `http://127.0.0.1:8800`. */
  address: string;
  /** Where its metrics are, when they have a port of their own: `http://127.0.0.1:9464`. */
  metricsAddress?: string;
  /** The admin key, when one was made just now. This is the one time it can be seen. */
  firstKey?: string;
  /** Lets balancers know that it is about to stop; it goes on answering. */
  drain(): void;
  /** Answers the requests under way, then stops. */
  close(): Promise<void>;
}

/** Requests under way have this long to end when the service is closed. */
const CLOSE_GRACE_MS = 10_000;
/** Longer than clients and proxies keep an idle connection, so that it is they who end it. */
const KEEP_ALIVE_MS = 75_000;

/** Starts the service; it takes requests when this resolves. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { dataFolder, org, adminKey, version, log, now = () => Date.now() / 1000 } = options;
  const limits: ServiceLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const proxies = new TrustedProxies(limits.trustedProxies);
  const rateLimits = new RateLimits(limits, proxies);
  const undo: (() => unknown)[] = [];
  const openAnswers = new OpenAnswers();
  const close = async () => {
    openAnswers.drain();
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await makeDataFolder(dataFolder);
    const metrics = makeMetrics({
      version,
      engine: options.database === undefined ? "sqlite" : "postgresql",
    });
    const store = await openRecords({ ...options, observer: metrics.store });
    undo.push(() => store.close());
    const { attachmentsAt } = options;
    const place = await (attachmentsAt ? openPlace(attachmentsAt, log) : openOwnFolder(dataFolder));
    undo.push(() => place.close());
    await agreeOnOwner({ store, place, own: attachmentsAt === undefined });
    const opened = await openAttachments({ place, incoming: join(dataFolder, "incoming"), store, now, log });
    const attachments = observedAttachments(opened, metrics);
    metrics.sample({
      openRequests: () => openAnswers.count,
      load: () => store.load(),
      damage: () => attachments.damage(),
    });
    const bodyMemory = new BodyMemory(limits.bodyMemory);
    const keyUse = trackKeyUse(store);
    const typeEvaluator = makeTypeEvaluator();
    undo.push(() => typeEvaluator.close());
    const patterns = makePatternMatcher();
    undo.push(() => patterns.close());
    let address = "";
    const links = makeLinks(() => options.publicUrl ?? address);
    const record = (request: RequestSummary) => {
      metrics.request(request);
      log({ request });
    };
    const instance = { id: randomUUID(), version, startedAt: now() };
    const jobStates = new JobStates(now);
    const { fetch } = makeApp({
      handlers,
      context: { store, attachments, longWork: new LongWork(), links, typeEvaluator, patterns, now },
      admission: { rateLimits, bodyMemory, keyUse },
      watched: {
        instance,
        instances: () => [instance],
        jobs: () => jobStates.all(),
        draining: () => openAnswers.draining,
      },
      metrics: mayTellNeighbours(options) ? metrics : undefined,
      record,
      proxies,
    });
    const keepAlive = { keepAliveTimeout: KEEP_ALIVE_MS };
    const server = makeServer({ fetch, record, proxies, openAnswers, options: keepAlive });
    let jobs: ReturnType<typeof startJobs> | undefined;
    undo.push(() => jobs?.stop());
    const metricsAddress = options.metrics && (await serveMetrics(metrics, options.metrics, undo));
    address = await listen(server, options);
    undo.push(() => stop(server));
    const ran = (run: JobRun) => {
      metrics.job(run);
      jobStates.note(run);
    };
    jobs = startJobs([sweep({ attachments }), prune({ store, now })], { log, ran });
    // Last, so that the key of a first start is never made and then lost to a port that is taken.
    const firstKey = await ensureOrganization(store, { org, adminKey, now: now() });
    return {
      address,
      ...(metricsAddress === undefined ? {} : { metricsAddress }),
      ...(firstKey === undefined ? {} : { firstKey }),
      drain: () => openAnswers.drain(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Whether the service's own port may tell its metrics to this machine. Where the operator says that there is a proxy,
 * it may run here too, and hand on what anybody asks.
 */
function mayTellNeighbours({ metrics, publicUrl, limits }: ServiceOptions): boolean {
  return metrics === undefined && publicUrl === undefined && (limits?.trustedProxies ?? []).length === 0;
}

/** Opens the port of the metrics, which is closed after that of the service: its end can be watched. */
async function serveMetrics(metrics: Metrics, place: Place, undo: (() => unknown)[]): Promise<string> {
  const server = makeMetricsServer(metrics);
  const address = await listen(server, place);
  undo.push(() => stop(server));
  return address;
}

type Place = Pick<ServiceOptions, "host" | "port">;

function listen(server: Server, { host, port }: Place): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const bound = server.address();
      const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`);
    });
  });
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections that were busy become idle, and would be kept alive for more requests.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const grace = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}
