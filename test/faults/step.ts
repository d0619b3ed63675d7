import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runActionHere } from "../actions/action-here.ts";
import { API_KEY, PUSH, SHA } from "../actions/bundle-run.ts";
import { readOutputs } from "../github/outputs-file.ts";
import { COMPILE_CACHE } from "../program-variables.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

export interface StepCall {
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Files in the workspace, by path. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Event payload. Default: a push. */
  readonly event?: unknown;
  /** Creates special files in the workspace. */
  readonly prepare?: (workspace: string) => void;
  /** Variables that depend on the path of the workspace. */
  readonly envOf?: (workspace: string) => Readonly<Record<string, string>>;
  /** User of a started bundle when the tests run as the superuser, who may read everything. */
  readonly user?: number;
}

/** A running bundle, with the folders it works in. */
export interface RunningStep {
  readonly child: ChildProcess;
  readonly workspace: string;
  readonly temp: string;
  readonly ended: Promise<EndedStep>;
}

export interface EndedStep {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Starts a bundle of dist/ as a step of a job would: as its own process, isolated from our environment. */
export function startStep(action: string, call: StepCall): RunningStep {
  const { temp, workspace, env, left } = prepared(call);
  const isOther = call.user !== undefined && process.getuid?.() === 0;
  const child = spawn(process.execPath, [join(DIST, action, "index.js")], {
    cwd: workspace,
    stdio: ["ignore", "pipe", "pipe"],
    ...(isOther && { uid: call.user, gid: call.user }),
    env: { ...COMPILE_CACHE, ...env },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<EndedStep>((resolve) => {
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr, ...left() }));
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(temp, { recursive: true, force: true });
  });
  return { child, workspace, temp, ended };
}

/** Runs an action to its end from its source, without a process of its own: see `runActionHere`. */
export async function runStep(action: string, call: StepCall): Promise<EndedStep> {
  const { temp, workspace, env, left } = prepared(call);
  onTestFinished(() => rmSync(temp, { recursive: true, force: true }));
  return { signal: null, ...(await runActionHere(action, env, workspace)), ...left() };
}

/** The folders and variables of a step. */
function prepared({
  inputs,
  env = {},
  files = {},
  event = PUSH,
  prepare = () => {},
  envOf = () => ({}),
  user,
}: StepCall) {
  const temp = mkdtempSync(join(tmpdir(), "fault-"));
  const workspace = join(temp, "workspace");
  mkdirSync(workspace);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  const at = (name: string) => join(temp, name);
  const [output, summary, payload] = [at("output"), at("summary"), at("event.json")];
  for (const file of [output, summary]) writeFileSync(file, "");
  writeFileSync(payload, JSON.stringify(event));
  prepare(workspace);
  if (user !== undefined) for (const path of [temp, output, summary]) chmodSync(path, 0o777);
  return {
    temp,
    workspace,
    env: {
      PATH: "/usr/bin:/bin",
      HOME: temp,
      INPUTS: JSON.stringify({ "api-key": API_KEY, org: "acme", ...inputs }),
      GITHUB_EVENT_NAME: "push",
      GITHUB_EVENT_PATH: payload,
      GITHUB_REF: "refs/heads/main",
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_RUN_ID: "77",
      GITHUB_SHA: SHA,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      ...env,
      ...envOf(workspace),
    },
    /** The outputs and the summary so far. */
    left: () => ({
      outputs: readOutputs(readFileSync(output, "utf8")),
      summary: readFileSync(summary, "utf8"),
    }),
  };
}

/** The texts of a step's annotations of one level, as the runner shows them. */
export function annotations(stdout: string, level: "error" | "warning" = "error"): string[] {
  // The runner ends a line at a line feed only. A dot in a pattern also stops at other characters.
  const lines = stdout.matchAll(new RegExp(`^::${level}(?: [^:]*)?::([^\\n]*)$`, "gm"));
  return [...lines].map(([, text = ""]) =>
    text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%"),
  );
}
