import { setTimeout as delay } from "node:timers/promises";
import type { ServiceContext } from "../operation/context.ts";
import type { JobState } from "../ops/jobs.ts";
import { allMigrations } from "../store/migrations.ts";
import { whyUnavailable } from "../store/unavailable.ts";
import type { Answer } from "./error-answer.ts";

/** Anybody may ask, and each answer costs a write: for so long one answer is given to all. */
const FRESH_MS = 1_000;
/** Whoever watches seldom waits for more than a second. */
const PATIENCE_MS = 500;
/** So long a read may take before the records count as not to be read. */
const READ_PATIENCE_MS = 5_000;
/** A commit no older than this shows that writes work. No transaction takes nearly so long. */
const RECENT_MS = 60_000;

type Kept = Pick<ServiceContext, "store" | "attachments">;

interface Instance {
  readonly id: string;
  readonly version: string;
  readonly startedAt: number;
}

export interface Watched {
  readonly instance: Instance;
  instances(): Promise<readonly Instance[]>;
  jobs(): ReadonlyMap<string, JobState>;
  /** How many targets of notifications failed lately, and how many get nothing any more. */
  targets(): Promise<{ readonly failing: number; readonly ended: number }>;
  draining(): boolean;
}

export function makeHealth(kept: Kept, watched: Watched) {
  const { version, startedAt } = watched.instance;
  const find = remembered(() => tryOut(kept));
  const findAttachments = remembered(() =>
    whyNot("Attachments cannot be written", () => kept.attachments.checkWritable()),
  );
  const headers = { "x-version": version };
  const look = async () => {
    const findings = await find();
    const leaving = watched.draining() ? "The service is about to stop" : undefined;
    return { findings, reason: leaving ?? findings.readable ?? findings.writable };
  };
  return {
    /** Ignores the store of attachments: instances share it, and requests without files still work. */
    async ready(): Promise<Answer> {
      const { reason } = await look();
      const type = { "content-type": "text/plain; charset=utf-8" };
      return { status: statusOf(reason), headers: { ...headers, ...type }, body: reason ?? "OK" };
    },
    /** 200 or 503 with the reason, and what works and what does not, as JSON. */
    async health(): Promise<Answer> {
      const [{ reason: ofRecords, findings }, ofAttachments] = await Promise.all([look(), findAttachments()]);
      const reason = ofRecords ?? ofAttachments;
      const body = {
        status: reason ?? "OK",
        version,
        since: timeText(startedAt),
        records: {
          engine: kept.store.engine,
          schema: allMigrations().at(-1),
          readable: findings.readable === undefined,
          // The last commit may be from just before they were out of reach.
          writable: findings.readable === undefined && findings.writable === undefined,
        },
        attachments: { writable: ofAttachments === undefined, ...kept.attachments.damage() },
        jobs: Object.fromEntries([...watched.jobs()].map(([name, state]) => [name, jobView(state)])),
        notification_targets: await watched.targets().catch(() => null),
        // Where the records cannot be read, only one is known.
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

async function tryOut({ store }: Kept) {
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
  const late = delay(READ_PATIENCE_MS, "late" as const, { ref: false });
  if ((await Promise.race([reading, late])) === "late") throw new Error("no answer in time");
}

/** A write waits for all those before it, which may be large: then the last commit tells whether writing works. */
async function checkWritable(store: Kept["store"]): Promise<void> {
  const checked = store.checkWritable();
  await Promise.race([checked, delay(PATIENCE_MS, undefined, { ref: false })]);
  const committedAt = store.committedAt();
  if (committedAt === undefined || performance.now() - committedAt > RECENT_MS) await checked;
}

/** An error of the file system in one word: what else it says is a path, which is not for everybody. */
function reasonIn(error: unknown): string {
  const why = whyUnavailable(error);
  if (why !== undefined) return why;
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error && "code" in error ? String(error.code) : error.message;
}

function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { askedAt: number; answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.askedAt >= FRESH_MS) last = { askedAt: now, answer: ask() };
    return last.answer;
  };
}
