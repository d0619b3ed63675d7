import { join } from "node:path";
import type { Connection } from "../api/client/connection.ts";
import { ApiError, type EvidenceError, InputError, isEvidenceError } from "../api/client/errors.ts";
import { sendPrepared } from "../api/client/prepared.ts";
import { putDurably } from "./durable.ts";
import { RECORDED_FILE } from "./layout.ts";
import { isOnRecord, subjectOf } from "./on-record.ts";
import { isDone, openSubmission, readSpool, type SpooledSubmission } from "./read.ts";
import { describeRun, type Submission } from "./submission.ts";

export type Replayed = SpooledSubmission &
  Attempt & {
    /** For display: `attestGeneric 'unit' on web/4f0c…`; the folder's name if it is unreadable. */
    readonly what: string;
  };

export interface ReplayReport {
  readonly recorded: number;
  readonly found: number;
  /** Still unrecorded, including those that were not attempted. */
  readonly left: number;
  readonly stopped?: EvidenceError;
  readonly missing: Missing;
}

export interface ReplayOptions {
  /** Called after each submission. */
  readonly tell?: (replayed: Replayed) => void;
  /** Whether this job spooled them, so that its identity applies to them too. */
  readonly ofThisJob?: boolean;
}

/**
 * Records a spool in order, each submission once, even if repeated, interrupted or run concurrently. It needs no lock:
 * concurrent replays send the same `Idempotency-Key`, and only after the submission before is on record. Records of
 * other jobs name the run that spooled them, if the service knows which run replays.
 */
export async function replay(
  folder: string,
  connection: Connection,
  { tell = () => {}, ofThisJob = false }: ReplayOptions = {},
): Promise<ReplayReport> {
  const missing = new Missing();
  const waiting = await notDone(await readSpool(folder));
  const count = { recorded: 0, found: 0, left: 0 };
  for (const [index, spooled] of waiting.entries()) {
    const opened = await openSubmission(spooled);
    const { submission } = opened;
    const what = submission ? describe(submission) : spooled.name;
    let done: Attempt;
    try {
      done =
        opened.damage === undefined
          ? await attempt(opened.submission, { missing, connection, ofThisJob })
          : { result: "left", reason: `it is damaged: ${opened.damage}` };
    } catch (error) {
      // These errors affect every submission: no service, no permission, an unreadable response.
      if (!isEvidenceError(error)) throw error;
      return { ...count, left: count.left + waiting.length - index, stopped: error, missing };
    }
    if (done.result !== "left")
      done = { ...done, warnings: [...done.warnings, ...(await markDone(spooled, done))] };
    if (submission && done.result === "left") missing.left(submission, spooled.name);
    else if (submission) missing.recorded(submission);
    count[done.result]++;
    tell({ ...spooled, what, ...done });
  }
  return { ...count, missing };
}

type Attempt =
  /** Found: an earlier attempt or replay recorded it. */
  | { readonly result: "recorded" | "found"; readonly warnings: readonly string[] }
  /** It is damaged, refused, or needs one that is left. */
  | { readonly result: "left"; readonly reason: string };

interface ReplayContext {
  readonly missing: Missing;
  readonly connection: Connection;
  readonly ofThisJob: boolean;
}

async function attempt(
  submission: Submission,
  { missing, connection, ofThisJob }: ReplayContext,
): Promise<Attempt> {
  const { org, operation, prepared, id, madeBy } = submission;
  if (org !== connection.org) return { result: "left", reason: `it belongs to the organization '${org}'` };
  const blocker = missing.blockerOf(submission);
  if (blocker !== undefined) return { result: "left", reason: `it needs ${blocker}, which is not on record` };
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

/** Whether the service refused only this submission. A refused key affects all. */
function isRefusal(error: unknown): error is ApiError | InputError {
  if (error instanceof InputError) return true;
  return error instanceof ApiError && !error.unavailable && error.status !== 401 && error.status !== 403;
}

async function notDone(all: readonly SpooledSubmission[]): Promise<SpooledSubmission[]> {
  const waiting: SpooledSubmission[] = [];
  for (const spooled of all) if (!(await isDone(spooled))) waiting.push(spooled);
  return waiting;
}

/** Returns a warning if the mark fails, since the submission is recorded anyway. */
async function markDone(
  { path }: SpooledSubmission,
  { result: how }: { readonly result: string },
): Promise<string[]> {
  const mark = { how, at: new Date().toISOString() };
  try {
    await putDurably(join(path, RECORDED_FILE), `${JSON.stringify(mark)}\n`);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      `it is on record, but could not be marked as recorded (${why}): the next replay will check it again`,
    ];
  }
}

function describe(submission: Submission): string {
  const { flow, trail, fingerprint = "", attestation } = subjectOf(submission);
  const subject = attestation === undefined ? `artifact ${fingerprint.slice(0, 12)}` : `'${attestation}'`;
  return `${submission.operation.name} ${subject} on ${trail === undefined ? flow : `${flow}/${trail}`}`;
}

/** Unrecorded reports of artifacts by artifact. Attestations of these artifacts must wait. */
class Missing {
  readonly #by = new Map<string, string>();

  /** The submission that must be recorded first, if any. */
  blockerOf(submission: Submission): string | undefined {
    return isReport(submission) ? undefined : this.#by.get(artifactOf(submission));
  }

  left(submission: Submission, name: string): void {
    if (isReport(submission)) this.#by.set(artifactOf(submission), name);
  }

  recorded(submission: Submission): void {
    if (isReport(submission)) this.#by.delete(artifactOf(submission));
  }
}

function isReport(submission: Submission): boolean {
  return subjectOf(submission).attestation === undefined;
}

/** An attestation of a trail has no fingerprint, so it needs no report. */
function artifactOf({ org, ...submission }: Submission): string {
  const { flow, fingerprint } = subjectOf(submission);
  return JSON.stringify([org, flow, fingerprint]);
}
