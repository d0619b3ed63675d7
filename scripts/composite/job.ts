import { mkdir, writeFile } from "node:fs/promises";
import { arch, platform } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { ContextValue } from "./expressions.ts";

/** The `github` context, by GitHub's own names: `sha`, `ref_name`, `event`, `token` … */
export type GitHubContext = Readonly<Record<string, ContextValue>>;

/** Environment of a job's steps. */
export interface Job {
  /** The job's variables, as its `env:` would set them. */
  env?: Readonly<Record<string, string>> | undefined;
  workspace: string;
  /** RUNNER_TEMP. Created if it does not exist. */
  tempDir: string;
  /** RUNNER_TOOL_CACHE. By default a folder that does not exist, so that it contains no Node. */
  toolCache?: string | undefined;
  github?: GitHubContext | undefined;
  /** The first folder of PATH. By default that of the current Node, unless `env` has a PATH. */
  nodePath?: string | undefined;
  /** Simulates debug logging. */
  debug?: boolean | undefined;
}

/** Variables of the machine, not of the job. */
const MACHINE_VARIABLES = [
  "HOME",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "SystemRoot",
  // Without it, each job compiles every bundle again. Runners set none.
  "NODE_COMPILE_CACHE",
];

/** Parts of the `github` context that steps get as GITHUB_ variables. The token is not one of them. */
const GITHUB_VARIABLES = new Set([
  ...["action", "action_path", "action_ref", "action_repository", "actor", "actor_id", "api_url", "base_ref"],
  ...["event_name", "event_path", "graphql_url", "head_ref", "job", "ref", "ref_name", "ref_protected"],
  ...["ref_type", "repository", "repository_id", "repository_owner", "repository_owner_id", "retention_days"],
  ...["run_attempt", "run_id", "run_number", "server_url", "sha", "triggering_actor", "workflow"],
  ...["workflow_ref", "workflow_sha", "workspace"],
]);

const OPERATING_SYSTEMS: Partial<Record<string, string>> = { darwin: "macOS", win32: "Windows" };

/** The `runner` context on this machine. */
export function runnerContext({ tempDir, toolCache, debug }: Job): Readonly<Record<string, string>> {
  return {
    name: "local",
    os: OPERATING_SYSTEMS[platform()] ?? "Linux",
    arch: arch().replace("ia32", "x86").toUpperCase(),
    environment: "self-hosted",
    temp: tempDir,
    tool_cache: toolCache ?? join(tempDir, "_tool"),
    ...(debug === true ? { debug: "1" } : {}),
  };
}

/** The `github` context of one action's steps. Like the runner, it also writes the event to a file. */
export async function githubContext(job: Job, actionFolder: string): Promise<GitHubContext> {
  const given = job.github ?? {};
  const context = {
    ...given,
    workspace: job.workspace,
    action_path: actionFolder,
    action: given["action"] ?? "__run",
  };
  if (given["event"] === undefined || given["event_path"] !== undefined) return context;
  const folder = join(job.tempDir, "_github_workflow");
  const eventPath = join(folder, "event.json");
  await mkdir(folder, { recursive: true });
  await writeFile(eventPath, JSON.stringify(given["event"]));
  return { ...context, event_path: eventPath };
}

/** Variables that the runner sets for every step, regardless of the workflow. */
export function runnerVariables(
  github: GitHubContext,
  runner: Readonly<Record<string, string>>,
): Record<string, string> {
  const variables: Record<string, string> = { GITHUB_ACTIONS: "true" };
  for (const [name, value] of Object.entries(github)) {
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    if (plain && GITHUB_VARIABLES.has(name)) variables[`GITHUB_${name.toUpperCase()}`] = String(value);
  }
  for (const [name, value] of Object.entries(runner)) variables[`RUNNER_${name.toUpperCase()}`] = value;
  return variables;
}

/** Variables of the machine, including its PATH. */
export function machineVariables({ env, nodePath }: Job): Record<string, string> {
  const variables: Record<string, string> = { CI: "true" };
  for (const name of MACHINE_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) variables[name] = value;
  }
  const path = env?.["PATH"] ?? process.env["PATH"] ?? "";
  const first = nodePath ?? (env?.["PATH"] === undefined ? dirname(process.execPath) : undefined);
  return { ...variables, PATH: first === undefined ? path : `${first}${delimiter}${path}` };
}
