import { setTimeout as delay } from "node:timers/promises";
import type { ServiceContext } from "../operation/context.ts";
import type { JobState } from "../ops/jobs.ts";
import { allMigrations } from "../store/migrations.ts";
import type { Reading } from "../store/store.ts";
import { whyUnavailable } from "../store/unavailable.ts";
import type { Answer } from "./error-answer.ts";

/** Time for which a result is cached, because checks are public and each costs a write. */
const CACHE_MS = 1_000;
/** Time to wait for a write, so that monitors seldom wait longer than a second. */
const WRITE_WAIT_MS = 500;
/** Time to wait for a check that `/ready` only mentions. Balancers wait for a few seconds. */
const SOON_MS = 1_000;
/** Timeout of a read, after which the records count as unreadable. */
const READ_TIMEOUT_MS = 5_000;
/** A commit this recent proves that writes work. No transaction takes nearly as long. */
const RECENT_MS = 60_000;

const LATE = "no response in time";

type Stores = Pick<ServiceContext, "store" | "attachments">;

interface Instance {
  readonly id: string;
  readonly version: string;
  readonly startedAt: number;
}

export interface Watched {
  readonly instance: Instance;
  instances(): Promise<readonly Instance[]>;
  jobs(): ReadonlyMap<string, JobState>;
  /** Counts of notification targets: recently failing, and disabled. */
  targets(): Promise<{ readonly failing: number; readonly ended: number }>;
  draining(): boolean;
}

export function makeHealth(stores: Stores, watched: Watched) {
  const { version, startedAt } = watched.instance;
  const reading = checked("The records cannot be read", () => inTime(read(stores.store)));
  const writing = checked("The records cannot be written", () => checkWritable(stores));
  const copying = checked("No copy of the records can be read", () => inTime(readCopy(stores)));
  const storing = checked("Attachments cannot be written", () => stores.attachments.checkWritable());
  const hasCopy = stores.store.copy !== undefined;
  const headers = { "x-version": version };
  const leaving = () => (watched.draining() ? "The service is about to stop" : undefined);
  return {
    /**
     * Status 200 if reads work, if need be on a copy. Instances share the database and the attachments, so that without
     * one of them a balancer would stop all instances. A balancer does not wait long, so neither does this for a write.
     */
    async ready(): Promise<Answer> {
      const readable = hasCopy ? reading.soon() : reading.now();
      const [unreadable, ...unwritable] = await Promise.all([readable, writing.soon(), storing.soon()]);
      const isCopied = unreadable !== undefined && hasCopy && (await copying.now()) === undefined;
      const reason = leaving() ?? (isCopied ? undefined : unreadable);
      const type = { "content-type": "text/plain; charset=utf-8" };
      const troubles = [isCopied ? `${unreadable}. A copy is read` : undefined, ...unwritable];
      const body = reason ?? ["OK", ...troubles.filter((each) => each !== undefined)].join("\n");
      return { status: statusOf(reason), headers: { ...headers, ...type }, body };
    },
    /** Status 200, or 503 with the reason, and the state of each part as JSON. */
    async health(): Promise<Answer> {
      const findings = await Promise.all([reading.now(), writing.now(), storing.now(), copying.now()]);
      const [unreadable, unwritable, ofAttachments, uncopied] = findings;
      const reason = leaving() ?? unreadable ?? unwritable ?? ofAttachments;
      const body = {
        status: reason ?? "OK",
        version,
        since: timeText(startedAt),
        records: {
          engine: stores.store.engine,
          schema: allMigrations().at(-1),
          readable: unreadable === undefined,
          // The last commit may be from just before the records became unreachable.
          writable: unreadable === undefined && unwritable === undefined,
          // No failure of the service, because the primary then answers everything.
          ...(hasCopy && { copy: uncopied ?? "OK" }),
        },
        attachments: { writable: ofAttachments === undefined, ...stores.attachments.damage() },
        jobs: Object.fromEntries([...watched.jobs()].map(([name, state]) => [name, jobView(state)])),
        notification_targets: await watched.targets().catch(() => null),
        // If the records are unreadable, only this instance is known.
        instances: (await watched.instances().catch(() => [watched.instance])).map(instanceView),
      };
      return { status: statusOf(reason), headers, body: JSON.stringify(body) };
    },
  };
}

function statusOf(reason: string | undefined): number {
  return reason === undefined ? 200 : 503;
}

function instanceView({ id, version, startedAt }: Instance) {
  return { id, version, since: timeText(startedAt) };
}

function jobView({ failing, lastRunAt, lastSuccessAt }: JobState) {
  const lastSuccess = lastSuccessAt === undefined ? null : timeText(lastSuccessAt);
  return { failing, last_run: timeText(lastRunAt), last_success: lastSuccess };
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

async function readCopy({ store }: Stores): Promise<void> {
  const copy = store.copy?.("recent");
  if (copy !== undefined) await read(copy);
}

function read({ read: db }: Reading): Promise<unknown> {
  return db.selectNoFrom(({ lit }) => lit(1).as("one")).execute();
}

async function whyNot(failure: string, work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return `${failure}: ${reasonIn(error)}`;
  }
}

async function inTime(reading: Promise<unknown>): Promise<void> {
  const late = delay(READ_TIMEOUT_MS, "late" as const, { ref: false });
  if ((await Promise.race([reading, late])) === "late") throw new Error(LATE);
}

/** A check waits for earlier writes, which may be large. A recent commit proves that writing works. */
async function checkWritable({ store }: Stores): Promise<void> {
  const checked = store.checkWritable();
  await Promise.race([checked, delay(WRITE_WAIT_MS, undefined, { ref: false })]);
  const committedAt = store.committedAt();
  if (committedAt === undefined || performance.now() - committedAt > RECENT_MS) await checked;
}

/** For a file system error, only its code: the rest contains a path, which is not public. */
function reasonIn(error: unknown): string {
  const why = whyUnavailable(error);
  if (why !== undefined) return why;
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error && "code" in error ? String(error.code) : error.message;
}

interface Check {
  now(): Promise<string | undefined>;
  /** Waits for a short time. A check that fails often waits for a timeout, so the failure before it is returned. */
  soon(): Promise<string | undefined>;
}

/** A result is cached, and requests that arrive meanwhile share one check. */
function checked(failure: string, work: () => Promise<unknown>): Check {
  let last: { startedAt: number; result: Promise<string | undefined> } | undefined;
  let running = false;
  let known: string | undefined;
  const check = async () => {
    running = true;
    known = await whyNot(failure, work);
    running = false;
    return known;
  };
  const now = () => {
    const startedAt = performance.now();
    const isFresh = running || (last !== undefined && startedAt - last.startedAt < CACHE_MS);
    if (last === undefined || !isFresh) last = { startedAt, result: check() };
    return last.result;
  };
  return {
    now,
    soon() {
      const late = delay(SOON_MS, undefined, { ref: false }).then(() => known ?? `${failure}: ${LATE}`);
      return Promise.race([now(), late]);
    },
  };
}
