import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import tls from "node:tls";
import * as z from "zod/mini";
import { actions, root } from "../../src/actions/actions.ts";
import { runAction } from "../../src/github/step/run.ts";
import { COMPILE_CACHE } from "../program-variables.ts";

const DIST = join(import.meta.dirname, "../../dist");

export interface EndedAction {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a bundle of dist/ as the runner would: as a process in this folder, with these variables. */
export async function runActionBundle(
  name: string,
  env: NodeJS.ProcessEnv,
  workspace: string,
): Promise<EndedAction> {
  const child = spawn(process.execPath, [join(DIST, name, "index.js")], {
    cwd: workspace,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...COMPILE_CACHE, ...env },
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { status, stdout, stderr };
}

/** The environment, the output and the exit status belong to the process, so one step runs after another. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs an action from its source in this process, in this folder and with only these variables: everything that its
 * bundle does, except
 * the start and the end of a process, which cost far more than the work. Node's own options need a bundle, and so do
 * signals, faults outside of the work, steps at the same time, and what is kept until a process ends.
 */
export function runActionHere(name: string, env: NodeJS.ProcessEnv, workspace: string): Promise<EndedAction> {
  if (env["NODE_OPTIONS"]) throw new Error("only a process that starts reads NODE_OPTIONS");
  const run = last.then(() => runNow(name, env, workspace));
  last = run.catch(() => {});
  return run;
}

async function runNow(name: string, env: NodeJS.ProcessEnv, workspace: string): Promise<EndedAction> {
  const action = [...actions, root].find((one) => one.name === name);
  if (!action) throw new Error(`there is no action ${name}`);
  using kept = new DisposableStack();
  kept.adopt({ ...process.env }, setVariables);
  kept.adopt(process.exitCode, (status) => {
    process.exitCode = status;
  });
  kept.adopt({ jitless: false, ...z.config() }, z.config);
  kept.adopt(process.cwd(), process.chdir);
  process.chdir(workspace);
  setVariables(env);
  // A process reads it when it starts.
  const authority = env["NODE_EXTRA_CA_CERTS"];
  if (authority !== undefined && existsSync(authority)) kept.use(trusting(readFileSync(authority)));
  const [stdout, stderr] = [kept.use(captured(process.stdout)), kept.use(captured(process.stderr))];
  await runAction(action);
  return { status: Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() };
}

/** In place, because programs and Node's own functions read the variables of the process. */
function setVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

/** Trusts only this authority. To replace the default of the process takes longer than a step. */
function trusting(ca: Buffer): Disposable {
  const { connect } = tls;
  Object.assign(tls, { connect: (options: object) => connect({ ...options, ca }) });
  return {
    [Symbol.dispose]() {
      tls.connect = connect;
    },
  };
}

/** Collects what is written to a stream instead of writing it. */
function captured(stream: NodeJS.WriteStream) {
  const parts: string[] = [];
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array) => {
    parts.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    return true;
  };
  return {
    text: () => parts.join(""),
    [Symbol.dispose]() {
      stream.write = write;
    },
  };
}
