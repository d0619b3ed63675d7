import { LogRefused, organizationsBehind } from "../events/log/evidence-log.ts";
import type { Log } from "../kernel/log.ts";
import type { EvidenceLog } from "../operation/context.ts";
import type { Store } from "../store/store.ts";
import type { Job } from "./jobs.ts";

const EVERY_MS = 1_000;
/** Time until a log that was refused is tried again, because an operator may have continued it. */
const RETRY_MS = 60_000;

interface Parts {
  readonly store: Pick<Store, "read">;
  readonly evidenceLog: EvidenceLog;
  readonly log: Log;
}

/** Adds new events to the logs of their organizations, and signs checkpoints. */
export function keepLogs({ store, evidenceLog, log }: Parts): Job {
  /** Organizations whose records do not continue their last checkpoint, each with the time of the next attempt. */
  const refused = new Map<string, number>();
  return {
    name: "log",
    failure: "Failed to add events to the log",
    everyMs: EVERY_MS,
    async run(stop) {
      for (const org of await organizationsBehind(store.read).execute()) {
        if (stop.aborted) break;
        if (performance.now() < (refused.get(org.id) ?? 0)) continue;
        try {
          await evidenceLog.keepUp(org);
          refused.delete(org.id);
        } catch (error) {
          if (!(error instanceof LogRefused)) throw error;
          if (!refused.has(org.id)) log({ level: "error", message: `Nothing is signed. ${error.message}` });
          refused.set(org.id, performance.now() + RETRY_MS);
        }
      }
      return refused.size === 0;
    },
  };
}
