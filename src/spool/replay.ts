import { join } from "node:path";
import type { Connection } from "../api/client/connection.ts";
import { ApiError, type EvidenceError, InputError, isEvidenceError } from "../api/client/errors.ts";
import { sendPrepared } from "../api/client/prepared.ts";
import { Missing } from "./dependence.ts";
import { putDurably } from "./durable.ts";
import { RECORDED_FILE } from "./layout.ts";
import { isOnRecord } from "./on-record.ts";
import { isDone, type Kept, openSubmission, readSpool } from "./read.ts";
import { describeRun } from "./said-run.ts";
import { subjectOf } from "./subject.ts";
import type { Submission } from "./submission.ts";

/** What became of one submission. */
export type Replayed = Kept &
  Attempt & {
    /** What it is, for people: `attestGeneric 'unit' on web/4f0c…`; its name alone when it cannot be read. */
    readonly what: string;
  };

export interface ReplayReport {
  /** Recorded now. */
  readonly recorded: number;
  /** Found to be on record. */
  readonly found: number;
  /** Still to be recorded, those that were not tried included. */
  readonly left: number;
  /** Why the rest was not tried. */
  readonly stopped?: EvidenceError;
  /** What is missing because of what is left. */
  readonly missing: Missing;
}

export interface ReplayOptions {
  /** Is told of each as it is done. */
  readonly tell?: (replayed: Replayed) => void;
  /** The job that replays has spooled it, too, and what it can prove holds for both. */
  readonly ofThisJob?: boolean;
}

/**
 * Records what is in a spool, in order, each once, however often this is done, interrupted, or done twice at the same
 * time. There is no lock, which could be left behind: two replays at once send the same `Idempotency-Key`, and each
 * sends a submission only after the one before is proven to be on record. A submission is marked only after that.
 *
 * A service that knows which run replays keeps with each record that another one made it, as the spool says.
 */
export async function replay(
  folder: string,
  connection: Connection,
  { tell = () => {}, ofThisJob = false }: ReplayOptions = {},
): Promise<ReplayReport> {
  const missing = new Missing();
  const waiting = await notDone(await readSpool(folder));
  const count = { recorded: 0, found: 0, left: 0 };
  for (const [index, kept] of waiting.entries()) {
    const opened = await openSubmission(kept);
    const { submission } = opened;
    const what = submission ? describe(submission) : kept.name;
    let done: Attempt;
    try {
      done =
        opened.damage === undefined
          ? await attempt(opened.submission, { missing, connection, ofThisJob })
          : { result: "left", reason: `it is damaged: ${opened.damage}` };
    } catch (error) {
      // What keeps one from being sent keeps all from it: no service, no right, no answer that can be read.
      if (!isEvidenceError(error)) throw error;
      return { ...count, left: count.left + waiting.length - index, stopped: error, missing };
    }
    if (done.result !== "left")
      done = { ...done, warnings: [...done.warnings, ...(await markDone(kept, done))] };
    if (submission && done.result === "left") missing.left(submission, kept.name);
    else if (submission) missing.recorded(submission);
    count[done.result]++;
    tell({ ...kept, what, ...done });
  }
  return { ...count, missing };
}

type Attempt =
  /** Found when an earlier attempt or replay recorded it. */
  | { readonly result: "recorded" | "found"; readonly warnings: readonly string[] }
  /** It stays in the spool, because it is damaged, refused, or needs one that is left. */
  | { readonly result: "left"; readonly reason: string };

interface Surroundings {
  readonly missing: Missing;
  readonly connection: Connection;
  readonly ofThisJob: boolean;
}

async function attempt(
  submission: Submission,
  { missing, connection, ofThisJob }: Surroundings,
): Promise<Attempt> {
  const { org, operation, prepared, id, madeBy } = submission;
  if (org !== connection.org) return { result: "left", reason: `it belongs to the organization '${org}'` };
  const held = missing.heldBy(submission);
  if (held !== undefined) return { result: "left", reason: `it needs ${held}, which is not on record` };
  try {
    if (await isOnRecord(connection, submission)) return { result: "found", warnings: [] };
    const { warnings } = await sendPrepared(connection, operation, prepared, {
      idempotencyKey: id,
      ...(!ofThisJob && { spooledBy: describeRun(madeBy) }),
    });
    return { result: "recorded", warnings };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { result: "left", reason: [error.message, ...error.details].join("; ") };
  }
}

/** Whether only this submission is at fault. A key that is not accepted concerns all of them. */
function isRefusal(error: unknown): error is ApiError | InputError {
  if (error instanceof InputError) return true;
  return error instanceof ApiError && !error.unavailable && error.status !== 401 && error.status !== 403;
}

async function notDone(all: readonly Kept[]): Promise<Kept[]> {
  const waiting: Kept[] = [];
  for (const kept of all) if (!(await isDone(kept))) waiting.push(kept);
  return waiting;
}

/** Marks a submission that is on record; gives what to warn of when that fails, since it is on record all the same. */
async function markDone({ path }: Kept, { result: how }: { readonly result: string }): Promise<string[]> {
  const mark = { how, at: new Date().toISOString() };
  try {
    await putDurably(join(path, RECORDED_FILE), `${JSON.stringify(mark)}\n`);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`it is on record, but cannot be marked as that (${why}): the next replay will ask for it again`];
  }
}

function describe(submission: Submission): string {
  const { flow, trail, fingerprint = "", attestation } = subjectOf(submission);
  const subject = attestation === undefined ? `artifact ${fingerprint.slice(0, 12)}` : `'${attestation}'`;
  return `${submission.operation.name} ${subject} on ${trail === undefined ? flow : `${flow}/${trail}`}`;
}
