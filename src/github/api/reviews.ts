import * as z from "zod/mini";
import { unixSeconds } from "./commit-facts.ts";
import { part, text } from "./lenient.ts";
import type { Review } from "./pull-request.ts";

const DECIDING = ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"] as const;

/** A review that its author has handed in. */
const record = z.object({
  /** Null for an account that was deleted. */
  user: part({ login: text, type: text }),
  state: z.enum([...DECIDING, "COMMENTED"]),
  submitted_at: text,
});

/** How GitHub shows whoever deleted their account. */
export const GHOST = "ghost";

/**
 * The word of each reviewer that counts now, from all reviews in the order they were given, which is GitHub's. A
 * later comment takes nothing back from an approval; a dismissal does.
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
