import type { Terminal } from "./usage.ts";

/** Exit status after an interrupt, as in shells. */
export const INTERRUPTED = 130;
export const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Until disposed, an interrupt prints what is then unknown; a spool is always whole. */
export function tellInterrupts({ note }: Terminal): Disposable {
  const end = () => {
    note("delivery-evidence: Interrupted: what was being sent may or may not have been recorded.");
    process.exit(INTERRUPTED);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  return {
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.removeListener(signal, end);
    },
  };
}

/** Until disposed, an interrupt aborts a signal in place of ending the program. */
export function interrupted(): Disposable & { signal: AbortSignal; status(terminal: Terminal): number } {
  const controller = new AbortController();
  const end = () => controller.abort(new Error("interrupted"));
  for (const signal of SIGNALS) process.once(signal, end);
  return {
    signal: controller.signal,
    status({ note }) {
      note("delivery-evidence: Interrupted: what was being sent may or may not have been recorded.");
      return INTERRUPTED;
    },
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.removeListener(signal, end);
    },
  };
}
