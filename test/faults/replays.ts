import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { spool } from "../../src/spool/spool.ts";
import { API_KEY } from "../actions/bundle-run.ts";
import { archiveOf, gitHubWith } from "../actions/spool-artifacts.ts";
import { CLI } from "../cli/command.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { connectTo, sampleSubmission } from "../spool/fixtures.ts";
import type { Sample } from "./samples.ts";

/** Requests of the replay action to GitHub. */
export const GITHUB_TOKEN = "ghs_2Wq8rTzY5uLk0PmXc7Vb";

/** The replay action, with a GitHub that returns what an earlier run spooled. */
export async function replaySample(): Promise<Sample> {
  const { github } = await gitHubWith({ archive: await archiveOf("v1", "unit") });
  return {
    name: "replay",
    inputs: { "github-token": GITHUB_TOKEN },
    env: { GITHUB_API_URL: github.url },
    answer: () => [],
    // The action checks whether the service has a submission before it sends it.
    writes: false,
    posts: false,
  };
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<EndedCommand>;
}

interface EndedCommand {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ReplayCommand {
  readonly baseUrl: string;
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `delivery-evidence replay` of a folder with one submission. */
export async function startReplayCommand({
  baseUrl,
  options = [],
  env = {},
}: ReplayCommand): Promise<RunningCommand> {
  const folder = await mkdtemp(join(tmpdir(), "replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const connection = connectTo("http://127.0.0.1:9", "de_key");
  await spool(
    folder,
    await sampleSubmission(connection, { body: { attestationName: "unit", isCompliant: true } }),
  );
  await connection.close();
  return startCommand(["replay", folder, "--base-url", baseUrl, ...options], env);
}

/** Starts `delivery-evidence`, with a key. */
export function startCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningCommand {
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...COMPILE_CACHE, PATH: "/usr/bin:/bin", EVIDENCE_API_KEY: API_KEY, ...env },
  });
  const ended = Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.on("close", (...how) => resolve(how));
    }),
  ]).then(([stdout, stderr, [status, signal]]) => {
    return { status, signal, stdout, stderr };
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended };
}
