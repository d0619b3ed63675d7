import type { Terminal } from "./usage.ts";

/** Exit status after an interrupt, as in shells. */
export const INTERRUPTED = 130;
export const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Until disposed, an interrupt ends the program with a note that the outcome is unknown. Spools stay complete. */
export function tellInterrupts(terminal: Terminal): Disposable {
  return onInterrupt(() => process.exit(noteInterrupt(terminal)));
}

/** Until disposed, an interrupt aborts the signal and does not end the program. */
export function interrupted(): Disposable & { signal: AbortSignal; status(terminal: Terminal): number } {
  const controller = new AbortController();
  const listening = onInterrupt(() => controller.abort(new Error("interrupted")));
  return { ...listening, signal: controller.signal, status: noteInterrupt };
}

function noteInterrupt({ note }: Terminal): number {
  note("delivery-evidence: Interrupted: what was being sent may or may not have been recorded.");
  return INTERRUPTED;
}

function onInterrupt(end: () => void): Disposable {
  for (const signal of SIGNALS) process.once(signal, end);
  return {
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.removeListener(signal, end);
    },
  };
}
