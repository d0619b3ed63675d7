import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { GITHUB_ISSUER } from "../api/resources/trust-policies.ts";
import type { Clock } from "./delivery/attempts/lease.ts";
import { tidyDeliveries } from "./delivery/attempts/old-events.ts";
import { oldestDue, targetTroubles, waitingDeliveries } from "./delivery/attempts/queue.ts";
import { reportQuietTrails } from "./delivery/rules/quiet-trails.ts";
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
import type { Tracer } from "./http/trace-request.ts";
import type { Log, RequestSummary } from "./kernel/log.ts";
import { threadModule } from "./kernel/threads/thread-pool.ts";
import type { ServiceContext } from "./operation/context.ts";
import { removeOldAnswers } from "./operation/idempotency.ts";
import { Opened } from "./ops/backup/opened.ts";
import { compose, type Settings } from "./ops/compose.ts";
import { type Job, type JobRun, JobStates, leased, startJobs } from "./ops/jobs.ts";
import { keepLogs } from "./ops/keep-logs.ts";
import { type Metrics, makeMetrics, observedAttachments } from "./ops/metrics.ts";
import type { TraceSettings } from "./ops/otlp-exporter.ts";
import type { WorkerPool } from "./ops/worker-pool.ts";
import { makePages } from "./pages/pages.ts";
import { trackKeyUse } from "./people/accounts/key-use.ts";
import { ensureOrganization } from "./people/accounts/provisioning.ts";
import { tidyTokens } from "./people/identity/exchange.ts";
import { warnOfExpiringKeys } from "./people/key-expiry.ts";
import { followProviders } from "./people/scim/follow-providers.ts";
import { removeOldSessions } from "./people/sessions.ts";
import type { Logins } from "./people/sign-in/logins.ts";
import { warnOfUnknownOrganizations } from "./people/sign-in/unknown-organizations.ts";
import { tidyEvaluations } from "./runtime/evaluations/tidy-evaluations.ts";
import {
  forgetInstance,
  type Instance,
  liveInstances,
  noteInstance,
  SEEN_EVERY_SECONDS,
} from "./store/instances.ts";
import { makeFolder, makeTemporaryFolder } from "./store/local-files.ts";
import { newLastWrite } from "./store/postgres/log-position.ts";
import { OF_NO_ORGANIZATION } from "./store/store.ts";
import type { WorkerSettings } from "./worker.ts";

export interface ServiceOptions extends Omit<Settings, "issuers" | "limits"> {
  /** Number of threads for large requests, besides the main one. By default, the main thread answers them. */
  workers?: number;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The organization to serve. Created with an admin key if it does not exist. */
  org?: string | undefined;
  /** The admin key to create, instead of a random one. */
  adminKey?: string | undefined;
  version: string;
  log: Log;
  /** Counts the lines of the log that could not be written. */
  lostLogLines?: () => number;
  /** Address for `/metrics`. By default, metrics are served on the service's port, to this machine only. */
  metrics?: { host: string; port: number } | undefined;
  /** Collector of the traces of requests. By default, there are none. */
  traces?: TraceSettings | undefined;
  /** Limits that differ from the defaults. */
  limits?: Partial<ServiceLimits>;
  /** The time, in Unix seconds with a fraction. */
  now?: () => number;
  /** Organizations whose pages are public. */
  publicOrgs?: readonly string[];
  /** Organizations whose people sign in with a provider. Only the operator's admin keys sign in there. */
  ssoOrgs?: readonly string[];
  /** Trusted token issuers; by default GitHub.com. */
  issuers?: Settings["issuers"] | undefined;
}

export interface RunningService {
  /** Its own address, such as `http://127.0.0.1:8800`. */
  address: string;
  /** URL of its metrics, if they have their own port: `http://127.0.0.1:9464`. */
  metricsAddress?: string;
  /** The admin key, if one was just created. It cannot be shown again. */
  firstKey?: string;
  /** Tells load balancers that the service is about to stop. It continues to answer. */
  drain(): void;
  /** Answers the requests in progress, then stops. */
  close(): Promise<void>;
}

/** Longer than clients and proxies keep an idle connection, so that they close it first. */
const KEEP_ALIVE_MS = 75_000;

/** Starts the service. It accepts requests when this resolves. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { dataFolder, attachmentsAt, org, adminKey, version, log } = options;
  const publicUrl = options.publicUrl?.replace(/\/+$/, "");
  const database = options.database && { ...options.database, lastWrite: newLastWrite() };
  const { now = () => Date.now() / 1000, secretKey, outgoing, mail } = options;
  const { issuers = [{ url: GITHUB_ISSUER }] } = options;
  const limits: ServiceLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const { loginProviders = [], operators, opa } = options;
  const settings = {
    dataFolder,
    database,
    attachmentsAt,
    secretKey,
    outgoing,
    mail,
    issuers,
    loginProviders,
    operators,
    limits,
    publicUrl,
    opa,
  };
  const proxies = new TrustedProxies(limits.trustedProxies);
  const openAnswers = new OpenAnswers();
  await using opened = new Opened();
  if (dataFolder !== undefined) await makeFolder(dataFolder);
  const metrics = makeMetrics({ version, engine: database === undefined ? "sqlite" : "postgresql" });
  const incoming = await incomingFolder(dataFolder, opened);
  const instance = { id: randomUUID(), version, host: hostname(), startedAt: now() };
  const tracer = options.traces && (await openTracer(options.traces, { log, instance, opened }));
  let address = publicUrl ?? "";
  const composed = await compose(settings, {
    ...{ id: instance.id, incoming, address: () => address, log, now: options.now, observer: metrics.store },
    observePlace: metrics.placed,
    watch: (attachments) => observedAttachments(attachments, metrics),
    isBusy: () => openAnswers.wereMany,
    attempted: (each) => metrics.delivery(each.sent),
  });
  opened.add(() => composed[Symbol.asyncDispose]());
  const { context, logins, deliveries, clock } = composed;
  const { store, secrets } = context;
  metrics.sample({
    openRequests: () => openAnswers.count,
    lostLogLines: options.lostLogLines ?? (() => 0),
    load: () => store.load(),
    damage: () => context.attachments.damage(),
    waitingDeliveries: () => waitingDeliveries(store.read),
    oldestDelivery: async () => {
      const at = await clock(store.read);
      return at - ((await oldestDue(store.read, at)) ?? at);
    },
  });
  const instances = async () => (store.isShared ? await liveInstances(store.read) : [instance]);
  const record = (request: RequestSummary) => {
    metrics.request(request);
    log({ request });
  };
  const jobStates = new JobStates(now);
  let workers: WorkerPool | undefined;
  const rateLimits = new RateLimits(limits, proxies);
  const publicOrgs = new Set(options.publicOrgs);
  const ssoOrgs = new Set(options.ssoOrgs);
  const { fetch } = makeApp({
    ...{ handlers, context, record, proxies, logins, tracer, publicOrgs },
    pages: makePages({
      handlers,
      context,
      logins,
      publicUrl: () => address,
      publicOrgs,
      ssoOrgs,
      rateLimits,
    }),
    admission: { rateLimits, bodyMemory: new BodyMemory(limits), keyUse: trackKeyUse(store) },
    answerElsewhere: (name, request, room) => workers?.answer(name, request, room),
    watched: {
      instance,
      instances,
      jobs: () => jobStates.all(),
      targets: () => targetTroubles(store.read),
      draining: () => openAnswers.draining,
    },
    metrics: servesLocalMetrics(options) ? metrics : undefined,
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
      ...{
        incoming,
        log,
        observer: metrics.store,
        observePlace: metrics.placed,
        traced: tracer?.sink,
        wake: () => deliveries.wake(),
      },
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
  jobs = startJobs(jobsOf({ ...context, logins, instance, instances, clock }), { log, ran });
  // Last, so that the key of a first start is not lost if the port is taken.
  const firstKey = await ensureOrganization(store, { org, adminKey, now: now() });
  await sealAddresses(store, secrets, log);
  await warnOfUnopened(store, secrets, log);
  await warnOfUnknownOrganizations(store.read, { loginProviders, operators }, log);
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

interface TracerParts {
  readonly log: Log;
  readonly instance: Instance;
  readonly opened: Opened;
}

/** Loaded on demand, because most services have no collector. Closed last, so that all spans are sent. */
async function openTracer(settings: TraceSettings, { log, instance, opened }: TracerParts): Promise<Tracer> {
  const { openExporter } = await import("./ops/otlp-exporter.ts");
  const { id, version } = instance;
  const own = { "service.version": version, "service.instance.id": id };
  const resource = { ...own, ...settings.resource };
  const exporter = openExporter({ ...settings, resource, version, log });
  opened.add(() => exporter.close());
  return { sink: exporter.sink, ratio: settings.ratio };
}

/** A folder for files while they arrive: in the data folder, or a temporary one. */
async function incomingFolder(dataFolder: string | undefined, opened: Opened): Promise<string> {
  if (dataFolder !== undefined) return join(dataFolder, "incoming");
  const folder = await makeTemporaryFolder("evidence-incoming");
  opened.add(folder.remove);
  return join(folder.path, "incoming");
}

interface JobParts
  extends Pick<
    ServiceContext,
    "store" | "attachments" | "links" | "deliveries" | "secrets" | "operators" | "evidenceLog" | "log" | "now"
  > {
  logins: Logins;
  instance: Instance;
  instances: () => Promise<readonly Pick<Instance, "id">[]>;
  clock: Clock;
}

const HOUR_MS = 60 * 60 * 1000;

/** Background jobs. If several instances can do one, only one of them does. */
function jobsOf({ instance, instances, clock, logins, ...context }: JobParts): Job[] {
  const { store, attachments, now } = context;
  const jobs: Job[] = [
    {
      name: "sweep",
      failure: "Unreferenced files could not be removed",
      // Half of the time that a file remains marked, so that two databases on one place are
      // detected before either removes anything.
      everyMs: 12 * HOUR_MS,
      run: (stop) => attachments.sweep(stop),
    },
    {
      name: "prune",
      failure: "Old stored responses could not be removed",
      everyMs: HOUR_MS,
      run: (stop) => removeOldAnswers({ store, now }, stop),
    },
    tidyDeliveries({ store, clock }),
    reportQuietTrails(context),
    {
      name: "sessions",
      failure: "Expired sessions could not be removed",
      everyMs: HOUR_MS,
      run: () => store.write((db) => removeOldSessions(db, now())),
    },
    warnOfExpiringKeys(context),
    tidyTokens({ store, now }),
    tidyEvaluations({ store, now, instances }),
    keepLogs(context),
  ];
  const roles = followProviders({ ...context, logins });
  if (!store.isShared) return [roles, ...jobs];
  const presence: Job = {
    name: "presence",
    failure: "This instance could not be registered",
    everyMs: SEEN_EVERY_SECONDS * 1000,
    run: () => store.write((db) => noteInstance(db, instance), OF_NO_ORGANIZATION),
  };
  return [presence, roles, ...jobs.map((job) => leased(job, { store, holder: instance.id }))];
}

/**
 * Whether the service's own port may serve metrics to this machine. With a proxy, which may run
 * here too, any client's request could appear local.
 */
function servesLocalMetrics({ metrics, publicUrl, limits }: ServiceOptions): boolean {
  return metrics === undefined && publicUrl === undefined && (limits?.trustedProxies ?? []).length === 0;
}

/** Opens the metrics port. It is closed after the service's port, so that the shutdown can be monitored. */
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
