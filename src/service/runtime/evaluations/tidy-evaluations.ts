import type { Job } from "../../ops/jobs.ts";
import type { Store } from "../../store/store.ts";
import { failAbandoned, hasEnded, removeOldEvaluations } from "./records.ts";

const EVERY_MS = 60_000;
const RETENTION_SECONDS = 7 * 24 * 60 * 60;
/** Three times as long as all waiting evaluations of an organization can take alone. */
const LONGEST_SECONDS = 60 * 60;

interface Parts {
  readonly store: Pick<Store, "read" | "write">;
  readonly now: () => number;
  /** Instances that run now. */
  readonly instances: () => Promise<readonly { readonly id: string }[]>;
}

/** Fails the pending evaluations of stopped instances, and removes those older than seven days. */
export function tidyEvaluations({ store, now, instances }: Parts): Job {
  return {
    name: "evaluations",
    failure: "Failed to remove old evaluations",
    everyMs: EVERY_MS,
    async run() {
      const live = (await instances()).map(({ id }) => id);
      const at = now();
      const bounds = { live, since: at - LONGEST_SECONDS, keptSince: at - RETENTION_SECONDS };
      if (!(await hasEnded(store.read, bounds))) return;
      await store.write(async (db) => {
        await failAbandoned(db, bounds, at);
        await removeOldEvaluations(db, bounds);
      });
    },
  };
}
