import { readFileSync } from "node:fs";

/**
 * The most memory that this process has held, in KiB. What `process.resourceUsage` tells counts what its parent held
 * as well, from before the program was loaded; Linux tells it apart.
 */
export function peakMemory(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]);
}

/** The address of a module for `--import` that at the end of a program runs a statement with its `peak`, in KiB. */
export function atTheEnd(statement: string): string {
  const program = `import { peakMemory } from ${JSON.stringify(import.meta.url)};
    process.on("exit", () => { const peak = peakMemory(); ${statement} });`;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}
