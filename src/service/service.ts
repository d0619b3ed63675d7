import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { GITHUB_ISSUER } from "../api/resources/trust-policies.ts";
import type { Clock } from "./delivery/attempts/lease.ts";
import { tidyDeliveries } from "./delivery/attempts/old-events.ts";
import { targetTroubles, waitingDeliveries } from "./delivery/attempts/queue.ts";
import { sealAddresses, warnOfUnopened } from "./delivery/rules/secrets.ts";
import * as handlers from "./handlers.ts";
import { makeApp } from "./http/app.ts";
import { BodyMemory } from "./http/body-memory.ts";
import { TrustedProxies } from "./http/client-address.ts";
import { DEFAULT_LIMITS, type ServiceLimits } from "./http/limits.ts";
import { makeMetricsServer } from "./http/metrics-answer.ts";
import { OpenAnswers } from "./http/open-answers.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { listen, makeServer, stop } from "./http/server.ts";
import type { Log, RequestSummary } from "./kernel/log.ts";
import { threadModule } from "./kernel/threads/thread-pool.ts";
import type { ServiceContext } from "./operation/context.ts";
import { removeOldAnswers } from "./operation/idempotency.ts";
import { Opened } from "./ops/backup/opened.ts";
import { compose, type Settings } from "./ops/compose.ts";
import { type Job, type JobRun, JobStates, leased, startJobs } from "./ops/jobs.ts";
import { type Metrics, makeMetrics, observedAttachments } from "./ops/metrics.ts";
import type { WorkerPool } from "./ops/worker-pool.ts";
import { makePages } from "./pages/pages.ts";
import { trackKeyUse } from "./people/accounts/key-use.ts";
import { ensureOrganization } from "./people/accounts/provisioning.ts";
import { tidyTokens } from "./people/identity/exchange.ts";
import { warnOfExpiringKeys } from "./people/key-expiry.ts";
import { removeOldSessions } from "./people/sessions.ts";
import {
  forgetInstance,
  type Instance,
  liveInstances,
  noteInstance,
  SEEN_EVERY_SECONDS,
} from "./store/instances.ts";
import { makeFolder, makeTemporaryFolder } from "./store/local-files.ts";
import type { WorkerSettings } from "./worker.ts";

export interface ServiceOptions extends Omit<Settings, "issuers" | "limits"> {
  /** How many threads answer large requests, beside the one that answers all others. By default that one does. */
  workers?: number;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The organization to have; made with an admin key when it is not there. */
  org?: string | undefined;
  /** The admin key to make, instead of a new one. */
  adminKey?: string | undefined;
  /** Where the service is reached from outside; by default its own address. */
  publicUrl?: string | undefined;
  version: string;
  log: Log;
  /** Counts the lines of the log that could not be written. */
  lostLogLines?: () => number;
  /** Where to serve `/metrics`; without it they are for whoever asks the service itself from the same machine. */
  metrics?: { host: string; port: number } | undefined;
  /** Where they differ from the usual ones. */
  limits?: Partial<ServiceLimits>;
  /** The time, in Unix seconds with a fraction. */
  now?: () => number;
  /** The organizations whose pages everybody may read. */
  publicOrgs?: readonly string[];
  /** Who says which workflow is which; by default GitHub.com. */
  issuers?: Settings["issuers"] | undefined;
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

/** Longer than clients and proxies keep an idle connection, so that it is they who end it. */
const KEEP_ALIVE_MS = 75_000;

/** Starts the service; it takes requests when this resolves. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { dataFolder, database, attachmentsAt, org, adminKey, version, log, publicUrl } = options;
  const { now = () => Date.now() / 1000, secretKey, outgoing, mail } = options;
  const { issuers = [{ url: GITHUB_ISSUER }] } = options;
  const limits: ServiceLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const settings = { dataFolder, database, attachmentsAt, secretKey, outgoing, mail, issuers, limits };
  const proxies = new TrustedProxies(limits.trustedProxies);
  const openAnswers = new OpenAnswers();
  await using opened = new Opened();
  if (dataFolder !== undefined) await makeFolder(dataFolder);
  const metrics = makeMetrics({ version, engine: database === undefined ? "sqlite" : "postgresql" });
  const incoming = await incomingFolder(dataFolder, opened);
  const instance = { id: randomUUID(), version, host: hostname(), startedAt: now() };
  let address = publicUrl ?? "";
  const composed = await compose(settings, {
    ...{ id: instance.id, incoming, address: () => address, log, now: options.now, observer: metrics.store },
    watch: (attachments) => observedAttachments(attachments, metrics),
    isBusy: () => openAnswers.wereMany,
    attempted: (each) => metrics.delivery(each.sent),
  });
  opened.add(() => composed[Symbol.asyncDispose]());
  const { context, deliveries, clock } = composed;
  const { store, secrets } = context;
  metrics.sample({
    openRequests: () => openAnswers.count,
    lostLogLines: options.lostLogLines ?? (() => 0),
    load: () => store.load(),
    damage: () => context.attachments.damage(),
    waitingDeliveries: () => waitingDeliveries(store.read),
  });
  const record = (request: RequestSummary) => {
    metrics.request(request);
    log({ request });
  };
  const jobStates = new JobStates(now);
  let workers: WorkerPool | undefined;
  const rateLimits = new RateLimits(limits, proxies);
  const publicOrgs = new Set(options.publicOrgs);
  const { fetch } = makeApp({
    ...{ handlers, context, record, proxies },
    pages: makePages({ handlers, context, publicUrl: () => address, publicOrgs, rateLimits }),
    admission: { rateLimits, bodyMemory: new BodyMemory(limits), keyUse: trackKeyUse(store) },
    answerElsewhere: (name, request, room) => workers?.answer(name, request, room),
    watched: {
      instance,
      instances: async () => (store.isShared ? await liveInstances(store.read) : [instance]),
      jobs: () => jobStates.all(),
      targets: () => targetTroubles(store.read),
      draining: () => openAnswers.draining,
    },
    metrics: mayTellNeighbours(options) ? metrics : undefined,
  });
  opened.add(() => workers?.close());
  const server = makeServer({
    ...{ fetch, record, proxies, openAnswers, bodyGrace: limits.bodyGrace },
    options: { keepAliveTimeout: KEEP_ALIVE_MS },
  });
  let jobs: ReturnType<typeof startJobs> | undefined;
  opened.add(() => jobs?.stop());
  const metricsAddress = options.metrics && (await serveMetrics(metrics, options.metrics, opened));
  const ownAddress = await listen(server, options);
  address = publicUrl ?? ownAddress;
  opened.add(() => stop(server));
  if (options.workers) {
    const { startWorkers } = await import("./ops/worker-pool.ts");
    workers = startWorkers<WorkerSettings>({
      module: threadModule("./worker", import.meta.url),
      size: options.workers,
      settings: { ...settings, address },
      ...{ incoming, log, observer: metrics.store, wake: () => deliveries.wake() },
    });
  }
  if (store.isShared) {
    await store.write((db) => noteInstance(db, instance));
    opened.add(() => store.write((db) => forgetInstance(db, instance.id)).catch(() => {}));
  }
  const ran = (run: JobRun) => {
    metrics.job(run);
    jobStates.note(run);
  };
  jobs = startJobs(jobsOf({ ...context, instance, clock }), { log, ran });
  // Last, so that the key of a first start is never made and then lost to a port that is taken.
  const firstKey = await ensureOrganization(store, { org, adminKey, now: now() });
  await sealAddresses(store, secrets, log);
  await warnOfUnopened(store, secrets, log);
  deliveries.start();
  const running = opened.keep();
  return {
    address: ownAddress,
    ...(metricsAddress === undefined ? {} : { metricsAddress }),
    ...(firstKey === undefined ? {} : { firstKey }),
    drain: () => openAnswers.drain(),
    async close() {
      openAnswers.drain();
      await running[Symbol.asyncDispose]();
    },
  };
}

/** A folder for files while they arrive: in the data folder, else one that goes with the service. */
async function incomingFolder(dataFolder: string | undefined, opened: Opened): Promise<string> {
  if (dataFolder !== undefined) return join(dataFolder, "incoming");
  const folder = await makeTemporaryFolder("evidence-incoming");
  opened.add(folder.remove);
  return join(folder.path, "incoming");
}

interface JobParts extends Pick<ServiceContext, "store" | "attachments" | "links" | "deliveries" | "now"> {
  instance: Instance;
  clock: Clock;
}

const HOUR_MS = 60 * 60 * 1000;

/** What is done in the background. What other instances may do as well, one of them does. */
function jobsOf({ instance, clock, ...context }: JobParts): Job[] {
  const { store, attachments, now } = context;
  const jobs: Job[] = [
    {
      name: "sweep",
      failure: "Files that no record names could not be removed",
      // Half of what a file stays marked, so that two databases on one place meet before either removes anything.
      everyMs: 12 * HOUR_MS,
      run: (stop) => attachments.sweep(stop),
    },
    {
      name: "prune",
      failure: "Old answers could not be removed",
      everyMs: HOUR_MS,
      run: (stop) => removeOldAnswers({ store, now }, stop),
    },
    tidyDeliveries({ store, clock }),
    {
      name: "sessions",
      failure: "Sessions that are over could not be removed",
      everyMs: HOUR_MS,
      run: () => store.write((db) => removeOldSessions(db, now())),
    },
    warnOfExpiringKeys(context),
    tidyTokens({ store, now }),
  ];
  if (!store.isShared) return jobs;
  const presence: Job = {
    name: "presence",
    failure: "This instance could not be noted",
    everyMs: SEEN_EVERY_SECONDS * 1000,
    run: () => store.write((db) => noteInstance(db, instance)),
  };
  return [presence, ...jobs.map((job) => leased(job, { store, holder: instance.id }))];
}

/**
 * Whether the service's own port may tell its metrics to this machine. Where the operator says that there is a proxy,
 * it may run here too, and hand on what anybody asks.
 */
function mayTellNeighbours({ metrics, publicUrl, limits }: ServiceOptions): boolean {
  return metrics === undefined && publicUrl === undefined && (limits?.trustedProxies ?? []).length === 0;
}

/** Opens the port of the metrics, which is closed after that of the service: its end can be watched. */
async function serveMetrics(
  metrics: Metrics,
  place: { host: string; port: number },
  opened: Opened,
): Promise<string> {
  const server = makeMetricsServer(metrics);
  const address = await listen(server, place);
  opened.add(() => stop(server));
  return address;
}
