import type { Outcome } from "../../github/step/action.ts";

export const outputs = {
  status:
    "`recorded` (all that was spooled is on record), `left` (some is not), `empty` (nothing was spooled) or `dry-run`.",
  replayed: "How many submissions were recorded now.",
  found: "How many were on record already.",
  left: "How many are not on record yet.",
};

export type ReplayResult = Outcome<keyof typeof outputs>;
