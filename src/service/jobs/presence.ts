import type { Job } from "../ops/jobs.ts";
import { type Instance, noteInstance, SEEN_EVERY_SECONDS } from "../store/instances.ts";
import type { Store } from "../store/store.ts";

/** Shows to other instances that this one lives. */
export function presence(store: Pick<Store, "write">, instance: Instance): Job {
  return {
    name: "presence",
    failure: "This instance could not be noted",
    run: () => store.write((db) => noteInstance(db, instance)),
    everyMs: SEEN_EVERY_SECONDS * 1000,
  };
}
