import { readdir, readFile } from "node:fs/promises";
import { median } from "./measure.ts";

/** The size of a process at one time. */
export interface ProcessSize {
  /** Resident memory, in MB. */
  readonly memory: number;
  /** Open file descriptors. */
  readonly descriptors: number;
}

/** The most that a level process grows: its memory by this factor, its descriptors by this number. */
const MOST = { memory: 1.15, descriptors: 5 };

/** The current size of a process, on Linux. */
export async function sizeOfProcess(pid: number): Promise<ProcessSize> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  return { memory: (kibibytes * 1024) / 1e6, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}

/** The medians of the first and the second half of a process's sizes, and whether the second is level with the first. */
export function halves(sizes: readonly ProcessSize[]) {
  const middle = Math.floor(sizes.length / 2);
  const mediansOf = (part: readonly ProcessSize[]): ProcessSize => ({
    memory: median(part.map(({ memory }) => memory)),
    descriptors: median(part.map(({ descriptors }) => descriptors)),
  });
  const [first, second] = [mediansOf(sizes.slice(0, middle)), mediansOf(sizes.slice(middle))];
  const isLevel =
    second.memory <= first.memory * MOST.memory && second.descriptors <= first.descriptors + MOST.descriptors;
  return { first, second, isLevel };
}
