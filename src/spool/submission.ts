import type { Prepared } from "../api/client/prepared.ts";
import type { OperationShape } from "../api/operation.ts";

/** The run that made a submission, as its runner reports it: `run_id: 77`. Unproven, so it authorizes nothing. */
export type RunReference = Readonly<Record<string, string>>;

/** In characters. In a header, each character takes up to nine bytes; servers accept 16 KB. */
const MAX_LENGTH = 1_000;

/**
 * Text for display: `repository acme/web, workflow Build, run_id 77, …`. Shortened and made well-formed, so that a
 * header can contain it whatever the spool says.
 */
export function describeRun(run: RunReference | undefined): string {
  const facts = Object.entries(run ?? {}).map(([name, value]) => `${name} ${value}`);
  return facts.join(", ").slice(0, MAX_LENGTH).toWellFormed() || "an unknown run";
}

/** A prepared request, with everything that a later process needs to send it. */
export interface Submission {
  /** Its `Idempotency-Key` in every attempt. The record is annotated with it too. */
  readonly id: string;
  readonly operation: OperationShape;
  readonly org: string;
  /** For display only, since a service may move. */
  readonly host: string;
  readonly submittedAt: Date;
  readonly runUrl: string | undefined;
  readonly madeBy: RunReference | undefined;
  readonly prepared: Prepared;
}

/**
 * Annotation that identifies a record. Services may forget an `Idempotency-Key` after a day, and may recognize it only
 * with the same API key.
 */
export const MARK = "delivery-evidence-submission";

/** Name prefix of workflow artifacts with a spool. */
export const SPOOL_ARTIFACT_PREFIX = "delivery-evidence-spool-";

/** Time, sequence number within it, and a random part that distinguishes machines. */
const NAME = /^(\d{8}T\d{9}Z)-(\d{6})-[0-9a-f]{8}$/;

export function isSubmissionName(name: string): boolean {
  return NAME.test(name);
}

/**
 * A submission's folder name. Names sort in order of creation, even if the clock was set back.
 *
 * @param names of the submissions in the spool
 * @param random eight hexadecimal digits
 */
export function submissionName(names: readonly string[], now: Date, random: string): string {
  const [, lastTime = "", lastNumber = "0"] =
    NAME.exec(names.filter(isSubmissionName).sort().at(-1) ?? "") ?? [];
  const time = now.toISOString().replace(/[-:.]/g, "");
  const [from, number] = time > lastTime ? [time, 0] : [lastTime, Number(lastNumber) + 1];
  return `${from}-${String(number).padStart(6, "0")}-${random}`;
}
