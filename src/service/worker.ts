import { rm } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { attemptsOf } from "./delivery/attempts/deliver.ts";
import { type MailOptions, openSenders } from "./delivery/attempts/senders.ts";
import { databaseClock } from "./delivery/clock.ts";
import type { SealingKey } from "./delivery/outgoing/sealed.ts";
import type { TargetOptions } from "./delivery/outgoing/target-address.ts";
import { unsubscribeAddress } from "./delivery/rules/unsubscribe.ts";
import { handlers, openHandlers } from "./handlers.ts";
import { makeApp } from "./http/app.ts";
import { BodyMemory } from "./http/body-memory.ts";
import { NO_LIMITS, type ServiceLimits } from "./http/limits.ts";
import { listenLocally, stop } from "./http/listen.ts";
import { OpenAnswers } from "./http/open-answers.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { makeServer } from "./http/server.ts";
import { aboutToStop } from "./kernel/about-to-stop.ts";
import { makeLinks } from "./kernel/links.ts";
import type { Log, RequestSummary } from "./kernel/log.ts";
import { openContext } from "./open-context.ts";
import { openSecretBox } from "./open-secret-box.ts";
import type { WorkerMessage, WorkerTask } from "./ops/worker-pool.ts";
import type { IssuerOptions } from "./people/identity/issuers.ts";
import { openPlaceOf, type PlaceSettings } from "./store/blobs/open-place.ts";
import { openServedRecords } from "./store/open-records.ts";
import type { PostgresOptions } from "./store/postgres/open-store.ts";
import { handedOver, keepRequestId } from "./workers/hand-over.ts";

/** What a worker needs to know of the service that it works for. */
export interface WorkerSettings {
  readonly dataFolder?: string;
  readonly database?: PostgresOptions;
  readonly attachmentsAt?: PlaceSettings;
  readonly secretKey?: SealingKey;
  readonly outgoing: TargetOptions;
  readonly issuers: readonly IssuerOptions[];
  readonly mail: MailOptions | undefined;
  /** Where the service is reached. */
  readonly address: string;
  readonly version: string;
  readonly limits: ServiceLimits;
}

/*
 * A thread that answers the requests which another one hands over, on records that are open there already. Whether a
 * request is admitted, and how often its sender may ask, was decided there; who may do what is decided here again.
 */

const { socket, incoming, settings }: WorkerTask<WorkerSettings> = workerData;
const tell = (message: WorkerMessage) => parentPort?.postMessage(message);
const log: Log = (entry) => {
  if (!("request" in entry)) tell({ logged: entry });
};
const now = () => Date.now() / 1000;

/** A few requests at a time are answered here. */
const POOL = 4;

const { database } = settings;
const store = await openServedRecords({
  ...settings,
  ...(database === undefined ? {} : { database: { ...database, pool: POOL } }),
  log,
  observer: {
    committed: (committed) => tell({ committed }),
    failed: () => tell({ failed: true }),
    retried: (retried) => tell({ retried }),
  },
});
const place = await openPlaceOf({ ...settings, alone: false }, log);
const secrets = openSecretBox(settings);
const links = makeLinks(() => settings.address);
const { senders, close: closeSenders } = openSenders({
  ...settings,
  mailRate: settings.limits.mailRate,
  unsubscribeAt: (targetId) => unsubscribeAddress(targetId, { links, secrets }),
  secrets,
  now,
});
const stopping = new AbortController();
const { context, close } = await openContext({
  store,
  place,
  incoming,
  links,
  deliveries: {
    wake: () => tell({ due: true }),
    attempt: attemptsOf({ store, senders, clock: databaseClock, log, giveUp: stopping.signal }),
  },
  secrets,
  outgoing: settings.outgoing,
  maxRules: settings.limits.maxRules,
  issuers: settings.issuers,
  now,
  log,
});
/** Requests are written down where they came in. What failed here is known here only. */
const record = ({ status, error, requestId }: RequestSummary) => {
  if (error === undefined) return;
  log({ level: "error", message: `The request ${requestId} was answered with ${status}`, error });
};
const openAnswers = new OpenAnswers();
const instance = { id: "", version: settings.version, startedAt: now() };
const { fetch } = makeApp({
  handlers,
  openHandlers,
  context,
  admission: {
    rateLimits: new RateLimits({ ...settings.limits, ...NO_LIMITS }, handedOver),
    // The thread that takes requests from outside counts what is on the disk.
    bodyMemory: new BodyMemory({ ...settings.limits, bodyDisk: Number.POSITIVE_INFINITY }),
    keyUse: { note() {} },
  },
  watched: {
    instance,
    instances: async () => [],
    jobs: () => new Map(),
    targets: async () => ({ failing: 0, ended: 0 }),
    draining: () => false,
  },
  metrics: undefined,
  record,
  proxies: handedOver,
});
const server = makeServer({ fetch, record, proxies: handedOver, openAnswers });
server.prependListener("request", keepRequestId);
await rm(socket, { force: true });
await listenLocally(server, socket);
tell({ ready: true });
parentPort?.once("message", async () => {
  openAnswers.drain();
  await stop(server);
  stopping.abort(aboutToStop());
  await close();
  await closeSenders();
  await place.close();
  await store.close();
  parentPort?.close();
});
