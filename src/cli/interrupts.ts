import type { Terminal } from "./usage.ts";

/** The exit status of a program that was interrupted, as shells have it. */
export const INTERRUPTED = 130;
export const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Until it is disposed of, whoever stops the process is told what is not known then; a spool is whole at any time. */
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
