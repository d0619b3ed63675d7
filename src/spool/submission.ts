import type { Prepared } from "../api/client/prepared.ts";
import type { OperationShape } from "../api/operation.ts";
import type { SaidRun } from "./said-run.ts";

/** A request that was made ready to be sent, and all that a later process needs to send it. */
export interface Submission {
  /** Its `Idempotency-Key`, whenever and by whomever it is sent. Its record is marked with it too. */
  readonly id: string;
  readonly operation: OperationShape;
  readonly org: string;
  /** The service it was made for; for people, because a service may move. */
  readonly host: string;
  readonly submittedAt: Date;
  /** The page of the run it comes from. */
  readonly runUrl: string | undefined;
  readonly madeBy: SaidRun | undefined;
  readonly prepared: Prepared;
}

/**
 * The annotation by which a record is known again. A service need remember an `Idempotency-Key` for a day only, and
 * one of another API key not at all; the record keeps its annotations for good.
 */
export const MARK = "delivery-evidence-submission";

/**
 * Whether an operation can be spooled: it records evidence, once, and the evidence stays true. Decisions, overrides and
 * approvals cannot: anyone who can write to a spool could open a gate with the rights of the replay.
 */
export function isSpoolable({ method, access, decides, takesIdempotencyKey }: OperationShape): boolean {
  return method === "POST" && access === "attest" && !decides && takesIdempotencyKey === true;
}

/** How the names of workflow artifacts begin that hold a spool. */
export const SPOOL_ARTIFACT_PREFIX = "delivery-evidence-spool-";

/** Time, a number for those of one moment, and what tells apart the submissions of several machines. */
const NAME = /^(\d{8}T\d{9}Z)-(\d{6})-[0-9a-f]{8}$/;

export function isSubmissionName(name: string): boolean {
  return NAME.test(name);
}

/**
 * The name of a submission's folder. Names sort as the submissions were made, even when the clock was set back.
 *
 * @param names what is in the spool already
 * @param random eight hexadecimal digits
 */
export function submissionName(names: readonly string[], now: Date, random: string): string {
  const [, lastTime = "", lastNumber = "0"] =
    NAME.exec(names.filter(isSubmissionName).sort().at(-1) ?? "") ?? [];
  const time = now.toISOString().replace(/[-:.]/g, "");
  const [from, number] = time > lastTime ? [time, 0] : [lastTime, Number(lastNumber) + 1];
  return `${from}-${String(number).padStart(6, "0")}-${random}`;
}
