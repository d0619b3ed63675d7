import * as z from "zod/mini";
import { unixSeconds } from "./commit-facts.ts";
import { part, text } from "./lenient.ts";
import type { Review } from "./pull-request.ts";

const DECIDING = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"] as const;

/** A submitted review. */
const record = z.object({
  /** Null for a deleted account. */
  user: part({ login: text, type: text }),
  state: z.enum([...DECIDING, "COMMENTED"]),
  submitted_at: text,
});

/** GitHub's name for deleted accounts. */
export const GHOST = "ghost";

/**
 * The current review of each reviewer, from all reviews in GitHub's order, which is chronological. A later comment does
 * not withdraw an approval; a dismissal does.
 */
export function latestReviews(records: readonly unknown[]): Review[] {
  const latest = new Map<string, Review>();
  for (const item of records) {
    const { success, data } = z.safeParse(record, item);
    if (!success) continue;
    const { user, state, submitted_at } = data;
    const username = user?.login ?? GHOST;
    const before = latest.get(username.toLowerCase())?.state;
    if (state === "COMMENTED" && DECIDING.some((deciding) => deciding === before)) continue;
    const bot = user?.type === "Bot" || username.endsWith("[bot]");
    const timestamp = unixSeconds(submitted_at);
    latest.set(username.toLowerCase(), {
      username,
      bot,
      state,
      ...(timestamp !== undefined && { timestamp }),
    });
  }
  return [...latest.values()];
}
