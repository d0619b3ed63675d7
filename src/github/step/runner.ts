import { readFileSync } from "node:fs";
import { parseJson } from "../../api/json.ts";
import { isObject } from "../../api/untyped.ts";
import type { CiContext } from "./ci-context.ts";
import { whyUnreadable } from "./file-faults.ts";
import { tlsWarnings } from "./tls-variables.ts";

/**
 * Facts about the job from the runner's variables. Any may be unknown, because the same code runs on other machines.
 * Empty values count as unknown.
 */
export interface Runner {
  /** Facts of another CI system, which then count instead of GitHub's. */
  readonly ci?: CiContext | undefined;
  readonly eventName?: string | undefined;
  /** The event's payload; empty if it cannot be read. */
  readonly event: Readonly<Record<string, unknown>>;
  /** Problems of the environment, one sentence each, for the log. */
  readonly warnings: readonly string[];
  readonly sha?: string | undefined;
  /** Such as `refs/heads/main`, `refs/tags/v1` or `refs/pull/7/merge`. */
  readonly ref?: string | undefined;
  /** `owner/name` */
  readonly repository?: string | undefined;
  readonly repositoryId?: string | undefined;
  /** Without a trailing slash. */
  readonly serverUrl: string;
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly runId?: string | undefined;
  /** Counted from 1. */
  readonly runAttempt?: number | undefined;
  readonly workflow?: string | undefined;
  /** Account that first started the run. */
  readonly actor?: string | undefined;
  /** Account that started this attempt: differs from `actor` if another person reran it. */
  readonly triggeringActor?: string | undefined;
  readonly workspace?: string | undefined;
  /** Emptied by the runner before and after each job. */
  readonly tempDir?: string | undefined;
  /** File in which a step declares artifacts for later steps. Unknown to older runners. */
  readonly artifactsFile?: string | undefined;
  /** File with the artifacts that earlier steps of the job declared. */
  readonly artifactsList?: string | undefined;
  /** Address of the page of this run attempt. */
  readonly runUrl?: string | undefined;
  /** Environment for child processes, without our inputs and the secrets among them. */
  readonly childEnv: Readonly<Record<string, string>>;
}

/** Reads the runner's variables. Only this function knows their names. */
export function readRunner(env: NodeJS.ProcessEnv): Runner {
  const variable = (name: string) => env[name] || undefined;
  const { event, warnings } = readEvent(variable("GITHUB_EVENT_PATH"));
  const runner = {
    eventName: variable("GITHUB_EVENT_NAME"),
    event,
    warnings: [...warnings, ...tlsWarnings(env)],
    sha: variable("GITHUB_SHA"),
    ref: variable("GITHUB_REF"),
    repository: variable("GITHUB_REPOSITORY"),
    repositoryId: variable("GITHUB_REPOSITORY_ID"),
    serverUrl: withoutSlash(variable("GITHUB_SERVER_URL") ?? "https://github.com"),
    apiUrl: withoutSlash(variable("GITHUB_API_URL") ?? "https://api.github.com"),
    runId: variable("GITHUB_RUN_ID"),
    runAttempt: attemptOf(variable("GITHUB_RUN_ATTEMPT")),
    workflow: variable("GITHUB_WORKFLOW"),
    actor: variable("GITHUB_ACTOR"),
    triggeringActor: variable("GITHUB_TRIGGERING_ACTOR"),
    workspace: variable("GITHUB_WORKSPACE"),
    tempDir: variable("RUNNER_TEMP"),
    artifactsFile: variable("GITHUB_ARTIFACTS"),
    artifactsList: variable("GITHUB_ARTIFACTS_LIST"),
    childEnv: childEnv(env),
  };
  return { ...runner, runUrl: runUrl(runner) };
}

/** Reads the event's payload. If it cannot be read, only details of the event are missing. */
function readEvent(path: string | undefined): Pick<Runner, "event" | "warnings"> {
  if (path === undefined) return { event: {}, warnings: [] };
  const unusable = (why: string) => ({
    event: {},
    warnings: [
      `The event's payload ${why}, so details of the event are unknown (GITHUB_EVENT_PATH is ${path})`,
    ],
  });
  try {
    const json = parseJson(readFileSync(path, "utf8"));
    if (json === undefined) return unusable("is not JSON");
    return isObject(json.value) ? { event: json.value, warnings: [] } : unusable("is not a JSON object");
  } catch (error) {
    return unusable(whyUnreadable(error));
  }
}

function attemptOf(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
}

function runUrl({ serverUrl, repository, runId, runAttempt }: Runner): string | undefined {
  if (repository === undefined || runId === undefined) return undefined;
  const attempt = runAttempt !== undefined && runAttempt > 1 ? `/attempts/${runAttempt}` : "";
  return `${serverUrl}/${repository}/actions/runs/${runId}${attempt}`;
}

/** Removes our inputs, which child processes do not need. They may need everything else. */
function childEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !/^(INPUTS$|INPUT_|EVIDENCE_)/i.test(name)) passed[name] = value;
  }
  return passed;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}
