import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { COMPILE_CACHE } from "../program-variables.ts";
import { CLI } from "./command.ts";

/** A program that hangs is a failure, not a test that never ends. */
const GIVE_UP_MS = 40_000;

interface Surroundings {
  env?: Record<string, string>;
  /** Shell commands before the program: `umask 000`. */
  before?: string;
  /** Path of the program, by default that of this checkout. */
  program?: string;
}

function commandLine(args: readonly string[], { before, program = CLI }: Surroundings): [string, string[]] {
  const own = [program, ...args];
  if (before === undefined) return [process.execPath, own];
  return ["sh", ["-c", `${before}; exec "$0" "$@"`, process.execPath, ...own]];
}

/** Runs the program to its end. */
export function runProgram(args: readonly string[], surroundings: Surroundings = {}) {
  const { env = {} } = surroundings;
  const [command, all] = commandLine(args, surroundings);
  const { status, stdout, stderr } = spawnSync(command, all, {
    encoding: "utf8",
    env: { ...COMPILE_CACHE, ...env },
    timeout: GIVE_UP_MS,
    killSignal: "SIGKILL",
  });
  return { status, stdout, stderr };
}

/** A program that runs in parallel with the test. */
interface StartedProgram {
  readonly child: ChildProcess;
  /** The exit status and output. */
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
}

/** Starts the program. */
export function startProgram(args: readonly string[], { env = {} }: Surroundings = {}): StartedProgram {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: GIVE_UP_MS,
    killSignal: "SIGKILL",
  });
  const output = Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return { child, ended: output.then(([[status], stdout, stderr]) => ({ status, stdout, stderr })) };
}

/** More threads answer large requests; each takes as long to start as the service. Tests of them set the number. */
export const ONE_WORKER = { EVIDENCE_WORKERS: "1" };

/** The service as users start it. */
export interface ServedProgram {
  readonly child: ChildProcess;
  readonly address: string;
  /** Its standard error so far. */
  errors(): string;
  /** Ends it and resolves with its exit status. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `serve` on a free port and waits until it listens. */
export async function serveProgram(
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<ServedProgram> {
  const { env = {} } = surroundings;
  const [command, all] = commandLine(["serve", "--port", "0", ...args], surroundings);
  const child = spawn(command, all, {
    env: { ...COMPILE_CACHE, ...ONE_WORKER, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const listens = new AbortController();
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    exited.then(() => Promise.reject(new Error(`It ended: ${errors}`))),
    delay(GIVE_UP_MS, undefined, { signal: listens.signal }).then(() => {
      child.kill("SIGKILL");
      throw new Error(`It does not listen: ${errors}`);
    }),
  ]).finally(() => listens.abort());
  return {
    child,
    address: /http:\/\/\S+/.exec(line)?.[0] ?? "",
    errors: () => errors,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const [status] = await exited;
      return status;
    },
  };
}
