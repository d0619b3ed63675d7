import { setTimeout as delay } from "node:timers/promises";
import type { ServiceContext } from "../operation/context.ts";
import type { JobState } from "../ops/jobs.ts";
import { allMigrations } from "../store/migrations.ts";
import { whyUnavailable } from "../store/unavailable.ts";
import type { Answer } from "./error-answer.ts";

/** Time for which a result is cached, because checks are public and each costs a write. */
const CACHE_MS = 1_000;
/** Time to wait for a write, so that monitors seldom wait longer than a second. */
const WRITE_WAIT_MS = 500;
/** Timeout of a read, after which the records count as unreadable. */
const READ_TIMEOUT_MS = 5_000;
/** A commit this recent proves that writes work. No transaction takes nearly as long. */
const RECENT_MS = 60_000;

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
  const find = cached(() => checkRecords(stores));
  const findAttachments = cached(() =>
    whyNot("Attachments cannot be written", () => stores.attachments.checkWritable()),
  );
  const headers = { "x-version": version };
  const look = async () => {
    const findings = await find();
    const leaving = watched.draining() ? "The service is about to stop" : undefined;
    return { findings, reason: leaving ?? findings.readable ?? findings.writable };
  };
  return {
    /** Ignores the store of attachments, because instances share it and requests without files still work. */
    async ready(): Promise<Answer> {
      const { reason } = await look();
      const type = { "content-type": "text/plain; charset=utf-8" };
      return { status: statusOf(reason), headers: { ...headers, ...type }, body: reason ?? "OK" };
    },
    /** Status 200, or 503 with the reason, and the state of each part as JSON. */
    async health(): Promise<Answer> {
      const [{ reason: ofRecords, findings }, ofAttachments] = await Promise.all([look(), findAttachments()]);
      const reason = ofRecords ?? ofAttachments;
      const body = {
        status: reason ?? "OK",
        version,
        since: timeText(startedAt),
        records: {
          engine: stores.store.engine,
          schema: allMigrations().at(-1),
          readable: findings.readable === undefined,
          // The last commit may be from just before the records became unreachable.
          writable: findings.readable === undefined && findings.writable === undefined,
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

async function checkRecords({ store }: Stores) {
  const read = () => store.read.selectNoFrom(({ lit }) => lit(1).as("one")).execute();
  return {
    readable: await whyNot("The records cannot be read", () => inTime(read())),
    writable: await whyNot("The records cannot be written", () => checkWritable(store)),
  };
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
  if ((await Promise.race([reading, late])) === "late") throw new Error("no response in time");
}

/** A check waits for earlier writes, which may be large. A recent commit proves that writing works. */
async function checkWritable(store: Stores["store"]): Promise<void> {
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

function cached<T>(load: () => Promise<T>): () => Promise<T> {
  let last: { loadedAt: number; answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.loadedAt >= CACHE_MS) last = { loadedAt: now, answer: load() };
    return last.answer;
  };
}
