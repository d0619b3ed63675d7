import { readFileSync } from "node:fs";

/**
 * Peak memory of this process, in KiB. `process.resourceUsage` includes the parent's memory from
 * before the program was loaded, but Linux reports the two separately.
 */
export function peakMemory(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1]);
}

/** URL of a module for `--import` that at the end of a program runs a statement with its `peak`, in KiB. */
export function atTheEnd(statement: string): string {
  const program = `import { peakMemory } from ${JSON.stringify(import.meta.url)};
    process.on("exit", () => { const peak = peakMemory(); ${statement} });`;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}
