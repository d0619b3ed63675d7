import type { Selectable } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { Sent } from "./attempt.ts";

type Target = Selectable<Tables["notification_targets"]>;

const DAY = 24 * 60 * 60;

/** A target pauses after this many failures in a row. */
const BREAKS_AFTER = 5;
const LONGEST_PAUSE = 300;
/** A target that fails this long is disabled. */
const GIVEN_UP_AFTER = 5 * DAY;

/** Longer than any wait of the schedule. After such a gap, the count of failures restarts. */
const LONGEST_GAP = 2 * DAY;

/** Slack takes one message a second from each webhook. */
const SPACING: { readonly [Kind in Target["kind"]]?: number } = { slack: 1 };

/** The changes of a target by an attempt that ended `at`, in Unix seconds. */
export function stateAfter(target: Target, sent: Sent, at: number): Partial<Target> {
  if (sent.delivered) {
    const paused_until = after(at, SPACING[target.kind]);
    return { failures: 0, failing_since: null, paused_until, last_success_at: at };
  }
  const { failing_since, last_failure_at, ended_at, ended_because } = target;
  const failures = target.failures + 1;
  const isLongAgo = last_failure_at !== null && at - last_failure_at > LONGEST_GAP;
  const since = isLongAgo ? at : (failing_since ?? at);
  const reason = ended_because ?? whyEnd(sent, { since, at });
  return {
    failures,
    failing_since: since,
    paused_until: later(target.paused_until, after(at, pauseAfter(failures, sent))),
    last_failure_at: at,
    last_failure: sent.outcome,
    ended_at: ended_at ?? (reason === null ? null : at),
    ended_because: reason,
  };
}

/** Whether a target gets one attempt at a time until it recovers. */
export function isBroken({ failures }: Pick<Target, "failures">): boolean {
  return failures >= BREAKS_AFTER;
}

function whyEnd({ endsTarget }: Sent, { since, at }: { since: number; at: number }): string | null {
  if (endsTarget !== undefined) return endsTarget;
  return at - since >= GIVEN_UP_AFTER ? "All attempts of 5 days have failed" : null;
}

function pauseAfter(failures: number, { status, retryAfterSeconds }: Sent): number | undefined {
  const requestedPause = status === 429 ? retryAfterSeconds : undefined;
  const own = failures < BREAKS_AFTER ? undefined : 2 ** failures;
  const pause = Math.max(requestedPause ?? 0, own ?? 0);
  return pause === 0 ? undefined : Math.min(pause, LONGEST_PAUSE);
}

function after(at: number, seconds: number | undefined): number | null {
  return seconds === undefined ? null : at + seconds;
}

function later(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
