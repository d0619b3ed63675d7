import type { Job } from "../ops/jobs.ts";
import { removeEndedTokens } from "../people/accounts/access-tokens.ts";
import type { Store } from "../store/store.ts";

const QUARTER_MS = 15 * 60 * 1000;

/** Removes the tokens that have ended, four times an hour. */
export function tidyTokens({ store, now }: { store: Pick<Store, "write">; now: () => number }): Job {
  return {
    name: "tokens",
    failure: "Tokens that have ended could not be removed",
    run: () => store.write((db) => removeEndedTokens(db, now())),
    everyMs: QUARTER_MS,
  };
}
