import type { Log } from "../service/kernel/log.ts";
import type { OnProgress } from "../service/store/copy/copy-records.ts";
import { INTERRUPTED, SIGNALS } from "./interrupts.ts";
import { showProgress } from "./progress.ts";
import type { Terminal } from "./usage.ts";

interface LongWork {
  /** Shows how far the work has come; throws when it is to end. */
  onProgress: OnProgress;
  /** Takes what is worth a line of its own. */
  log: Log;
}

/**
 * Does something that takes long, with its progress shown. When the process is told to stop, the work ends where it
 * next tells of its progress, so that it can clean up after itself; told again, the process ends at once.
 *
 * @returns the exit status that the work gave, or that of an interrupted program
 */
export async function longCommand(
  terminal: Terminal,
  work: (long: LongWork) => Promise<number>,
): Promise<number> {
  const stopping = new AbortController();
  const stop = () => {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
    stopping.abort();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  using progress = showProgress(terminal);
  try {
    return await work({
      onProgress(reached) {
        stopping.signal.throwIfAborted();
        progress.onProgress(reached);
      },
      log(entry) {
        if ("message" in entry) terminal.note(entry.message);
      },
    });
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    terminal.note("delivery-evidence: Interrupted.");
    return INTERRUPTED;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}
