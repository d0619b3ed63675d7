import { spawn } from "node:child_process";
import { once } from "node:events";
import { atTheEnd, freshNode } from "./peak-memory.ts";

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs a program and returns its wall time in milliseconds. */
export async function timed(
  command: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const [program = "", ...args] = command;
  const start = process.hrtime.bigint();
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [status] = await once(child, "close");
  const elapsed = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}`);
  return elapsed;
}

/**
 * Median wall time of each program in milliseconds. The programs take turns, so that other load on
 * the machine affects all of them equally.
 */
export async function medians<Name extends string>(
  programs: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(programs) as Name[];
  const times = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, values] of times) values.push(await programs[name]());
  }
  const medianOf = (name: Name) => [name, median(times.get(name) ?? [])];
  return Object.fromEntries(names.map(medianOf)) as Record<Name, number>;
}

/** The value below which a fraction of all values lies: 0.99 gives the p99. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The largest figure with its name. */
export function slowest(figures: Readonly<Record<string, number>>): { value: number; name: string } {
  const [name = "", value = Number.NaN] = Object.entries(figures).sort(([, a], [, b]) => b - a)[0] ?? [];
  return { value, name };
}

/** Runs a Node program and returns its peak memory, in MiB. */
export async function peakMemory(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const preload = atTheEnd('process.getBuiltinModule("fs").writeSync(3, String(peak));');
  const child = spawn(freshNode(), ["--import", preload, ...args], {
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
