import { spawn } from "node:child_process";
import { once } from "node:events";
import { atTheEnd } from "./peak-memory.ts";

/** One line of the report: what was measured, and the bound it is held to. */
export interface Finding {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** `at most` or `at least` this much; absent where the number is only shown. */
  readonly bound?: { readonly most?: number; readonly least?: number };
  readonly note?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs a program to its end and gives the wall time in milliseconds. */
export async function timed(
  command: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const [program = "", ...args] = command;
  const start = process.hrtime.bigint();
  const child = spawn(program, args, { env, stdio: "ignore" });
  const [status] = await once(child, "close");
  const elapsed = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}`);
  return elapsed;
}

/**
 * The median wall time of each program in milliseconds. The programs take turns, so that whatever else the machine
 * does meets all of them alike.
 */
export async function medians(
  programs: Readonly<Record<string, () => Promise<number>>>,
  rounds: number,
): Promise<Record<string, number>> {
  const times = Object.fromEntries(Object.keys(programs).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(programs)) times[name]?.push(await run());
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

/** Runs a Node program and gives the most memory it held, in MiB. */
export async function peakMemory(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const preload = atTheEnd('process.getBuiltinModule("fs").writeSync(3, String(peak));');
  const child = spawn(process.execPath, ["--import", preload, ...args], {
    env,
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  let kilobytes = "";
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    kilobytes += chunk.toString();
  });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
  return Number(kilobytes) / 1024;
}
