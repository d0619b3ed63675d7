import * as z from "zod/mini";
import { unixSeconds } from "./commit-facts.ts";
import { part, text } from "./lenient.ts";
import type { Review } from "./pull-request.ts";

const record = z.object({
  /** Null for an account that was deleted. */
  user: part({ login: text, type: text }),
  state: text,
  submitted_at: text,
  commit_id: text,
});

/** How GitHub shows whoever deleted their account. */
export const GHOST = "ghost";

const DECIDING: ReadonlySet<string> = new Set(["APPROVED", "CHANGES_REQUESTED", "DISMISSED"]);

/**
 * The word of each reviewer that counts now, from all reviews in the order they were given, which is GitHub's. A
 * later comment takes nothing back from an approval; a dismissal does.
 */
export function latestReviews(records: readonly unknown[], headSha: string | undefined): Review[] {
  const latest = new Map<string, Review>();
  for (const item of records) {
    const review = reviewOf(item, headSha);
    if (review === undefined) continue;
    const before = latest.get(review.username.toLowerCase());
    if (before && review.state === "COMMENTED" && DECIDING.has(before.state)) continue;
    latest.set(review.username.toLowerCase(), review);
  }
  return [...latest.values()];
}

/** Undefined for a review that its author has not handed in, and for what is none. */
function reviewOf(item: unknown, headSha: string | undefined): Review | undefined {
  const { user, state, submitted_at, commit_id } = z.safeParse(record, item).data ?? {};
  if (state === undefined || !isState(state)) return undefined;
  const username = user?.login ?? GHOST;
  const timestamp = unixSeconds(submitted_at);
  return {
    username,
    bot: isBot(username, user?.type),
    state,
    ...(timestamp !== undefined && { timestamp }),
    ofHead: headSha !== undefined && commit_id === headSha,
  };
}

function isState(state: string): state is Review["state"] {
  return DECIDING.has(state) || state === "COMMENTED";
}

function isBot(username: string, type: string | undefined): boolean {
  return type === "Bot" || username.endsWith("[bot]");
}
