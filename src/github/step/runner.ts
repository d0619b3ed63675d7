import { readFileSync } from "node:fs";
import { parseJson } from "../../api/json.ts";
import { isObject } from "../../api/untyped.ts";
import { whyUnreadable } from "./file-faults.ts";
import { tlsWarnings } from "./tls-variables.ts";

/**
 * What the runner says of the job. Everything may be unknown, because the same code runs on other machines;
 * what is empty counts as unknown.
 */
export interface Runner {
  readonly eventName?: string | undefined;
  /** The event's payload; empty when there is none that can be read. */
  readonly event: Readonly<Record<string, unknown>>;
  /** What about the surroundings is not as it should be, one sentence each, for the log. */
  readonly warnings: readonly string[];
  readonly sha?: string | undefined;
  /** Such as `refs/heads/main`, `refs/tags/v1` or `refs/pull/7/merge`. */
  readonly ref?: string | undefined;
  /** `owner/name` */
  readonly repository?: string | undefined;
  readonly repositoryId?: string | undefined;
  /** Without a slash at the end. */
  readonly serverUrl: string;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly runId?: string | undefined;
  /** 1 for the first. */
  readonly runAttempt?: number | undefined;
  readonly workflow?: string | undefined;
  /** The account for which the run was started first. */
  readonly actor?: string | undefined;
  /** The account that started it this time: another than `actor` when somebody runs it again. */
  readonly triggeringActor?: string | undefined;
  readonly workspace?: string | undefined;
  /** Emptied by the runner before and after each job. */
  readonly tempDir?: string | undefined;
  /** The page of this run, at this attempt. */
  readonly runUrl?: string | undefined;
  /** For child processes: without our inputs, and so without the keys and tokens among them. */
  readonly childEnv: Readonly<Record<string, string>>;
}

/** Reads the variables that a runner sets. The only place that knows their names. */
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
    childEnv: childEnv(env),
  };
  return { ...runner, runUrl: runUrl(runner) };
}

/** A payload that cannot be read costs details of the event, never the job. */
function readEvent(path: string | undefined): Pick<Runner, "event" | "warnings"> {
  if (path === undefined) return { event: {}, warnings: [] };
  const unusable = (why: string) => ({
    event: {},
    warnings: [
      `The event's payload ${why}, so details of the event are not known (GITHUB_EVENT_PATH is ${path})`,
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

/** A child process has no business with our inputs; everything else may be what it works with. */
function childEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !/^(INPUTS$|INPUT_|EVIDENCE_)/i.test(name)) kept[name] = value;
  }
  return kept;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}
