import type { Log } from "../../service/kernel/log.ts";
import type { OnProgress, Progress } from "../../service/store/copy/copy-records.ts";
import { INTERRUPTED, SIGNALS } from "../interrupts.ts";
import type { Terminal } from "../usage.ts";

interface LongWork {
  onProgress: OnProgress;
  log: Log;
}

/**
 * Runs long work with its progress. At a signal the work ends at its next progress, so that it can clean up; a second
 * signal ends the process at once.
 *
 * @returns the work's exit status, or that of an interrupt
 */
export async function longCommand(terminal: Terminal, work: (long: LongWork) => Promise<number>) {
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

/** Interval of redrawing on a terminal, in ms. */
const REDRAWN_MS = 100;
/** Interval of lines in a log, in ms. */
const NOTED_MS = 10_000;
const BAR = 24;

/** Shows progress until disposed: a bar on a terminal, else occasional lines. */
export function showProgress({
  interactive,
  note,
  show,
}: Terminal): Disposable & { onProgress(progress: Progress): void } {
  let shownAt = performance.now();
  return {
    onProgress(progress) {
      const now = performance.now();
      if (now - shownAt < (interactive ? REDRAWN_MS : NOTED_MS)) return;
      shownAt = now;
      if (interactive) show(barOf(progress));
      else note(lineOf(progress));
    },
    [Symbol.dispose]() {
      if (interactive) show("");
    },
  };
}

function barOf({ step, done, of }: Progress): string {
  const share = of === 0 ? 1 : Math.min(1, done / of);
  const filled = Math.round(share * BAR);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${percent}  ${step}`;
}

function lineOf({ step, done, of }: Progress): string {
  return `${step}: ${done.toLocaleString("en")} of ${of.toLocaleString("en")}`;
}
