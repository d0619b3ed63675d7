import type { Log } from "../kernel/log.ts";
import type { OnProgress } from "../store/copy/copy-records.ts";

/** Where a command that takes long reports to. */
export interface Listener {
  /** Is told how far it has come; when it throws, the work ends. */
  readonly onProgress: OnProgress;
  /** Takes what an operator should know of a store that fails. */
  readonly log: Log;
}
