import type { Deadline } from "../net/deadline.ts";
import type { NetworkFault } from "../net/network-fault.ts";
import { backoff, isRetriedStatus, pause, retryAfter } from "../net/retry.ts";

/** What one attempt brought: an answer, whatever its status, or why there is none. */
export type Outcome<Answer> =
  | { readonly answer: Answer }
  | { readonly fault: NetworkFault; readonly cause: unknown };

/** What the retry rule looks at in an answer. */
interface RetriedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

interface RetryRule<Answer> {
  /** How many attempts to make at most. */
  readonly attempts: number;
  readonly deadline: Deadline;
  /** Answers with this status are final though they would otherwise be tried again. */
  readonly finalStatus?: number | undefined;
  /** Told before each wait. */
  readonly onRetry?: (failed: FailedAttempt<Answer>) => void;
  /** Stands in for waiting, in tests. */
  readonly pause?: typeof pause | undefined;
}

interface FailedAttempt<Answer> {
  readonly outcome: Outcome<Answer>;
  /** Counted from 1. */
  readonly attempt: number;
  readonly waitMs: number;
}

/** The last outcome. */
interface Retried<Answer> {
  readonly outcome: Outcome<Answer>;
  /** How many attempts it took. */
  readonly attempts: number;
  /** The wait for a further attempt, when the deadline has no room for it. */
  readonly tooLong?: LongWait;
}

export interface LongWait {
  readonly waitMs: number;
  /** Whether the answer asked for it, and not our own rule. */
  readonly asked: boolean;
}

/**
 * Makes attempts until one brings what another would not change, there may be no more, or the wait for the next one
 * would pass the deadline. Waits are those of `backoff`, or longer where `Retry-After` asks for it.
 *
 * @throws what an attempt throws, and the deadline's reason when it passes during a wait
 */
export async function retry<Answer extends RetriedAnswer>(
  attempt: () => Promise<Outcome<Answer>>,
  rule: RetryRule<Answer>,
): Promise<Retried<Answer>> {
  const { deadline } = rule;
  for (let made = 1; ; made++) {
    const outcome = await attempt();
    const leastMs = waitWanted(outcome, rule.finalStatus);
    if (leastMs === undefined || made >= rule.attempts) return { outcome, attempts: made };
    const own = backoff(made);
    const waitMs = Math.max(leastMs, own);
    if (waitMs > deadline.remaining) {
      return { outcome, attempts: made, tooLong: { waitMs, asked: leastMs > own } };
    }
    rule.onRetry?.({ outcome, attempt: made, waitMs });
    await (rule.pause ?? pause)(waitMs, deadline.signal);
  }
}

/** How long the outcome asks us to wait at least, in milliseconds, or undefined when it is final. */
function waitWanted(outcome: Outcome<RetriedAnswer>, finalStatus: number | undefined): number | undefined {
  if ("fault" in outcome) return outcome.fault.retried ? 0 : undefined;
  const { status, headers } = outcome.answer;
  if (!isRetriedStatus(status) || status === finalStatus) return undefined;
  return retryAfter(headers) ?? 0;
}
