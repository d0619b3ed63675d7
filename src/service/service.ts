import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { GITHUB_ISSUER } from "../api/resources/trust-policies.ts";
import { ensureOrganization } from "./accounts/first-start.ts";
import { makeDeliveries } from "./delivery/attempts/deliver.ts";
import { tidyDeliveries } from "./delivery/attempts/old-events.ts";
import { type MailOptions, openSenders } from "./delivery/attempts/senders.ts";
import { type Clock, databaseClock } from "./delivery/clock.ts";
import type { SealingKey } from "./delivery/outgoing/sealed.ts";
import type { TargetOptions } from "./delivery/outgoing/target-address.ts";
import { unsubscribeAddress } from "./delivery/rules/unsubscribe.ts";
import { targetTroubles, waitingDeliveries } from "./delivery/watched.ts";
import { handlers, openHandlers } from "./handlers.ts";
import { makeApp } from "./http/app.ts";
import { BodyMemory } from "./http/body-memory.ts";
import { TrustedProxies } from "./http/client-address.ts";
import { DEFAULT_LIMITS, type ServiceLimits } from "./http/limits.ts";
import { listen, stop } from "./http/listen.ts";
import { makeMetricsServer } from "./http/metrics-answer.ts";
import { OpenAnswers } from "./http/open-answers.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { makeServer } from "./http/server.ts";
import { tidyTokens } from "./identity/tidy.ts";
import { JobStates } from "./jobs/job-states.ts";
import { leased } from "./jobs/leased.ts";
import { presence } from "./jobs/presence.ts";
import { prune } from "./jobs/prune.ts";
import { sweep } from "./jobs/sweep.ts";
import { makeLinks } from "./kernel/links.ts";
import type { Log, RequestSummary } from "./kernel/log.ts";
import { threadModule } from "./kernel/threads/thread-pool.ts";
import { observedAttachments } from "./metrics/observed-attachments.ts";
import { warnOfUnopened } from "./notifications/kept-secrets.ts";
import { sealAddresses } from "./notifications/sealed-addresses.ts";
import { openContext } from "./open-context.ts";
import { openSecretBox } from "./open-secret-box.ts";
import type { ServiceContext } from "./operation/context.ts";
import { type Job, type JobRun, startJobs } from "./ops/jobs.ts";
import { type Metrics, makeMetrics } from "./ops/metrics.ts";
import type { WorkerPool } from "./ops/worker-pool.ts";
import { makePages } from "./pages/pages.ts";
import { trackKeyUse } from "./people/accounts/key-use.ts";
import type { IssuerOptions } from "./people/identity/issuers.ts";
import { warnOfEndingKeys } from "./people/key-expiry.ts";
import { tidySessions } from "./sessions/tidy.ts";
import { agreeOnOwner } from "./store/blobs/agree-on-owner.ts";
import type { Attachments } from "./store/blobs/attachments.ts";
import { openPlaceOf, type PlaceSettings } from "./store/blobs/open-place.ts";
import { forgetInstance, type Instance, liveInstances, noteInstance } from "./store/instances.ts";
import { makeFolder } from "./store/make-folder.ts";
import { openRecords } from "./store/open-records.ts";
import type { PostgresOptions } from "./store/postgres/open-store.ts";
import { makeTemporaryFolder } from "./store/temporary-folder.ts";
import type { WorkerSettings } from "./worker.ts";

export interface ServiceOptions {
  /**
   * Where everything is kept that has no other place. Created when it is not there. Not needed where records and
   * attachments have other places.
   */
  dataFolder?: string;
  /** The database that keeps the records, in place of a file in the data folder. */
  database?: PostgresOptions;
  /** Where attachments are kept, if not in the data folder. */
  attachmentsAt?: PlaceSettings;
  /** How many threads answer large requests, beside the one that answers all others. By default that one does. */
  workers?: number;
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
  /** Counts the lines of the log that could not be written. */
  lostLogLines?: () => number;
  /** Where to serve `/metrics`; without it they are for whoever asks the service itself from the same machine. */
  metrics?: { host: string; port: number };
  /** Where they differ from the usual ones. */
  limits?: Partial<ServiceLimits>;
  /** The time, in Unix seconds with a fraction. */
  now?: () => number;
  /** The key that secrets of notifications are kept with; by default one is made in the data folder. */
  secretKey?: SealingKey;
  /** Where notifications may go, beyond public addresses with TLS. */
  outgoing?: TargetOptions;
  /** The organizations whose pages everybody may read. */
  publicOrgs?: readonly string[];
  /** Who says which workflow is which; by default GitHub.com. */
  issuers?: readonly IssuerOptions[];
  /** How e-mail leaves; without it none does. */
  mail?: MailOptions;
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
  const { dataFolder, database, org, adminKey, version, log, now = () => Date.now() / 1000 } = options;
  const limits: ServiceLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const proxies = new TrustedProxies(limits.trustedProxies);
  const undo: (() => unknown)[] = [];
  const openAnswers = new OpenAnswers();
  const close = async () => {
    openAnswers.drain();
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (dataFolder !== undefined) await makeFolder(dataFolder);
    const engine = database === undefined ? "sqlite" : "postgresql";
    const metrics = makeMetrics({ version, engine });
    const store = await openRecords({ ...kept(options), log, observer: metrics.store });
    undo.push(() => store.close());
    const place = await openPlaceOf({ ...kept(options), alone: true }, log);
    undo.push(() => place.close());
    await agreeOnOwner({ store, place, own: options.attachmentsAt === undefined });
    const incoming = await incomingFolder(dataFolder, undo);
    let address = "";
    const publicUrl = () => options.publicUrl ?? address;
    const links = makeLinks(publicUrl);
    const watch = (attachments: Attachments) => observedAttachments(attachments, metrics);
    const instance = { id: randomUUID(), version, host: hostname(), startedAt: now() };
    const clock: Clock = options.now === undefined ? databaseClock : async () => now();
    const secrets = openSecretBox(options);
    const { senders, close: closeSenders } = openSenders({
      ...leaving(options),
      mailRate: limits.mailRate,
      unsubscribeAt: (targetId) => unsubscribeAddress(targetId, { links, secrets }),
      secrets,
      now,
    });
    undo.push(closeSenders);
    const deliveries = makeDeliveries(
      {
        store,
        senders,
        clock,
        log,
        isBusy: () => openAnswers.wereMany,
        attempted: (each) => metrics.delivery(each.sent),
      },
      instance.id,
    );
    undo.push(() => deliveries.stop());
    const opened = await openContext({
      store,
      place,
      incoming,
      links,
      now,
      log,
      watch,
      deliveries,
      secrets,
      outgoing: leaving(options).outgoing,
      maxRules: limits.maxRules,
      issuers: trusted(options),
    });
    undo.push(opened.close);
    const { context } = opened;
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
    const { fetch } = makeApp({
      handlers,
      openHandlers,
      context,
      pages: makePages({
        handlers,
        context,
        publicUrl,
        publicOrgs: new Set(options.publicOrgs),
        rateLimits,
      }),
      admission: {
        rateLimits,
        bodyMemory: new BodyMemory(limits),
        keyUse: trackKeyUse(store),
      },
      answerElsewhere: (name, request, room) => workers?.answer(name, request, room),
      watched: {
        instance,
        instances: async () => (store.isShared ? await liveInstances(store.read) : [instance]),
        jobs: () => jobStates.all(),
        targets: () => targetTroubles(store.read),
        draining: () => openAnswers.draining,
      },
      metrics: mayTellNeighbours(options) ? metrics : undefined,
      record,
      proxies,
    });
    undo.push(() => workers?.close());
    const keepAlive = { keepAliveTimeout: KEEP_ALIVE_MS };
    const server = makeServer({
      ...{ fetch, record, proxies, openAnswers },
      options: keepAlive,
      bodyGrace: limits.bodyGrace,
    });
    let jobs: ReturnType<typeof startJobs> | undefined;
    undo.push(() => jobs?.stop());
    const metricsAddress = options.metrics && (await serveMetrics(metrics, options.metrics, undo));
    address = await listen(server, options);
    undo.push(() => stop(server));
    if (options.workers) {
      const { startWorkers } = await import("./ops/worker-pool.ts");
      workers = await startWorkers<WorkerSettings>({
        module: threadModule("./worker", import.meta.url),
        size: options.workers,
        incoming,
        settings: {
          ...kept(options),
          ...keyOf(options),
          ...leaving(options),
          issuers: trusted(options),
          address: options.publicUrl ?? address,
          version,
          limits,
        },
        log,
        observer: metrics.store,
        wake: () => deliveries.wake(),
      });
    }
    if (store.isShared) {
      await store.write((db) => noteInstance(db, instance));
      undo.push(() => store.write((db) => forgetInstance(db, instance.id)).catch(() => {}));
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

/** Where a service keeps what it has. */
function kept({ dataFolder, database, attachmentsAt }: ServiceOptions) {
  return {
    ...(dataFolder === undefined ? {} : { dataFolder }),
    ...(database === undefined ? {} : { database }),
    ...(attachmentsAt === undefined ? {} : { attachmentsAt }),
  };
}

function keyOf({ secretKey }: ServiceOptions) {
  return secretKey === undefined ? {} : { secretKey };
}

/** How notifications leave: by default to public addresses with TLS, and not as mail. */
function leaving({ outgoing = { allowTargets: [] }, mail }: ServiceOptions) {
  return { outgoing, mail };
}

function trusted({ issuers = [{ url: GITHUB_ISSUER }] }: ServiceOptions) {
  return issuers;
}

/** A folder for files while they arrive: in the data folder, else one that goes with the service. */
async function incomingFolder(dataFolder: string | undefined, undo: (() => unknown)[]): Promise<string> {
  if (dataFolder !== undefined) return join(dataFolder, "incoming");
  const folder = await makeTemporaryFolder("evidence-incoming");
  undo.push(folder.remove);
  return join(folder.path, "incoming");
}

interface JobParts extends Pick<ServiceContext, "store" | "attachments" | "links" | "deliveries" | "now"> {
  instance: Instance;
  clock: Clock;
}

/** What is done in the background. What other instances may do as well, one of them does. */
function jobsOf({ instance, clock, ...context }: JobParts): Job[] {
  const { store, attachments, now } = context;
  const jobs = [
    sweep({ attachments }),
    prune({ store, now }),
    tidyDeliveries({ store, clock }),
    tidySessions({ store, now }),
    warnOfEndingKeys(context),
    tidyTokens({ store, now }),
  ];
  if (!store.isShared) return jobs;
  return [presence(store, instance), ...jobs.map((job) => leased(job, { store, holder: instance.id }))];
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
  undo: (() => unknown)[],
): Promise<string> {
  const server = makeMetricsServer(metrics);
  const address = await listen(server, place);
  undo.push(() => stop(server));
  return address;
}
