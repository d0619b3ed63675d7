import { INTERRUPTED, SIGNALS } from "./interrupts.ts";

/** Resolves with the exit status at a signal. A second one ends the process at once. */
export function stopSignal(): Promise<number> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      for (const each of SIGNALS) process.removeListener(each, stop);
      resolve(signal === "SIGTERM" ? 0 : INTERRUPTED);
    };
    for (const each of SIGNALS) process.on(each, stop);
  });
}
