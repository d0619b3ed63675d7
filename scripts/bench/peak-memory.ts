import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

let copy = "";

/**
 * A new copy of Node's executable, for measurements of memory. Linux counts whole cached blocks of an executable as
 * memory of its process: small ones for a new file, up to 45 MiB more for a file that was read ahead.
 */
export function freshNode(): string {
  if (copy !== "") return copy;
  const folder = mkdtempSync(join(tmpdir(), "bench-node-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  copy = join(folder, "node");
  copyFileSync(process.execPath, copy);
  return copy;
}
