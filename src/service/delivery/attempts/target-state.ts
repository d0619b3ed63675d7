import type { Selectable } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { Sent } from "../sent.ts";

type Target = Selectable<Tables["notification_targets"]>;

const DAY = 24 * 60 * 60;

/** After so many failures in a row a target is left alone for a while. */
const BREAKS_AFTER = 5;
const LONGEST_PAUSE = 300;
/** A target that fails for so long is switched off. */
const GIVEN_UP_AFTER = 5 * DAY;

/** Longer than the schedule ever waits: in between there was nothing to send, and so nothing that failed. */
const LONGEST_GAP = 2 * DAY;

/** Slack takes one message a second from each webhook. */
const SPACING: { readonly [Kind in Target["kind"]]?: number } = { slack: 1 };

/** What is known of a target from how attempts went. */
export type TargetState = Pick<
  Target,
  | "failures"
  | "failing_since"
  | "paused_until"
  | "last_success_at"
  | "last_failure_at"
  | "last_failure"
  | "ended_at"
  | "ended_because"
>;

/**
 * What is known of a target after one more attempt.
 *
 * @param at when the attempt ended, in Unix seconds
 */
export function stateAfter(target: TargetState & Pick<Target, "kind">, sent: Sent, at: number): TargetState {
  const { failures, failing_since, last_success_at, last_failure_at, last_failure } = target;
  const { ended_at, ended_because } = target;
  if (sent.delivered) {
    return {
      failures: 0,
      failing_since: null,
      paused_until: after(at, SPACING[target.kind]),
      last_success_at: at,
      last_failure_at,
      last_failure,
      ended_at,
      ended_because,
    };
  }
  const isLongAgo = last_failure_at !== null && at - last_failure_at > LONGEST_GAP;
  const since = isLongAgo ? at : (failing_since ?? at);
  const reason = ended_because ?? whyEnd(sent, { since, at });
  return {
    failures: failures + 1,
    failing_since: since,
    paused_until: later(target.paused_until, after(at, pauseAfter(failures + 1, sent))),
    last_success_at,
    last_failure_at: at,
    last_failure: sent.outcome,
    ended_at: ended_at ?? (reason === null ? null : at),
    ended_because: reason,
  };
}

/** Whether a target has failed so often that one attempt at a time is enough to see whether it is back. */
export function isBroken({ failures }: Pick<TargetState, "failures">): boolean {
  return failures >= BREAKS_AFTER;
}

function whyEnd({ endsTarget }: Sent, { since, at }: { since: number; at: number }): string | null {
  if (endsTarget !== undefined) return endsTarget;
  return at - since >= GIVEN_UP_AFTER ? "All attempts of 5 days have failed" : null;
}

/** For how long to leave a target alone that has failed so often, in seconds. */
function pauseAfter(failures: number, { status, retryAfterSeconds }: Sent): number | undefined {
  const asked = status === 429 ? retryAfterSeconds : undefined;
  const own = failures < BREAKS_AFTER ? undefined : 2 ** failures;
  const pause = Math.max(asked ?? 0, own ?? 0);
  return pause === 0 ? undefined : Math.min(pause, LONGEST_PAUSE);
}

function after(at: number, seconds: number | undefined): number | null {
  return seconds === undefined ? null : at + seconds;
}

function later(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
