import type { Connection } from "../../api/client/connection.ts";
import { counted } from "../../api/client/counted.ts";
import { ApiError, InputError } from "../../api/client/errors.ts";
import { createEnvironment, getEnvironment } from "../../api/resources/environments.ts";
import type { ActionContext, Outcome } from "../../github/step/action.ts";
import type { Cell } from "../../github/step/summary.ts";
import { environmentUrl } from "../links.ts";
import { adviseMissing } from "../missing-advice.ts";
import { tolerateUnavailable } from "../unavailable.ts";
import type { ReadRunning, RunningArtifacts } from "./running-artifacts.ts";
import type { EnvironmentType, Target } from "./target.ts";
import { readK8S } from "./types/k8s.ts";

export const outputs = {
  status:
    "`recorded`, `skipped` (the service was unavailable and `on-unavailable` is `warn`) or `dry-run`. With `config` or `discover`: the common status, or the worst one, which may be `failed`.",
  "pod-count":
    "Number of reported pods, containers, paths, tasks or functions; 1 for the content of a bucket.",
  "snapshot-created": "`true` if the report created a snapshot because something changed, otherwise `false`.",
  message: "Message from the service.",
  results:
    "With `config` or `discover`: a JSON array with the outcome for each environment: `environment` (empty for a part of a cloud that failed), `status`, `pod-count`, `snapshot-created`, `message`, `error`. Otherwise empty.",
};

export type ReportEnvResult = Outcome<keyof typeof outputs>;

export interface Report {
  readonly target: Target;
  readonly status: "recorded" | "skipped" | "dry-run";
  readonly running: RunningArtifacts;
  readonly snapshotCreated: boolean;
  readonly message: string;
}

export interface Delivery {
  readonly onUnavailable: "fail" | "warn";
}

/** Reader of each type. All but the usual one are loaded only when needed. */
const READERS: Readonly<Record<EnvironmentType, () => ReadRunning | Promise<ReadRunning>>> = {
  K8S: () => readK8S,
  docker: async () => (await import("./types/docker.ts")).readDocker,
  server: async () => (await import("./types/server.ts")).readServerPaths,
  ECS: async () => (await import("./types/ecs.ts")).readTasks,
  lambda: async () => (await import("./types/lambda.ts")).readFunctions,
  S3: async () => (await import("./types/s3.ts")).readObjects,
  "azure-apps": async () => (await import("./types/azure-apps.ts")).readAzureApps,
  "cloud-run": async () => (await import("./types/cloud-run.ts")).readRun,
};

/** For the message when nothing runs. */
const WHERE_TO_LOOK: Readonly<Record<EnvironmentType, string>> = {
  K8S: "the namespaces and the context",
  docker: "the engine that DOCKER_HOST names",
  server: "paths",
  ECS: "the region, the clusters and the services",
  lambda: "the region and the names",
  S3: "the bucket and the beginnings of keys",
  "azure-apps": "azure-resource-group and the names",
  "cloud-run": "google-project, google-region and the names",
};

/**
 * Reads the running artifacts of an environment.
 *
 * @throws {InputError} if there are none and `allow-empty` is off
 */
export async function readRunning(target: Target, context: ActionContext): Promise<RunningArtifacts> {
  const read = await READERS[target.type]();
  const running = await read(target, context);
  if (running.count === 0 && !target.allowEmpty) {
    const problem = `is false, and no ${running.things.slice(0, -1)} was found to report`;
    throw new InputError([{ input: "allow-empty", code: "snapshot.empty", problem }], {
      advice: `If the environment may be empty, set allow-empty: true. Otherwise, check ${WHERE_TO_LOOK[target.type]}.`,
    });
  }
  return running;
}

/** Reports an environment to the service, and creates it first if requested. */
export async function sendReport(
  target: Target,
  running: RunningArtifacts,
  { onUnavailable }: Delivery,
  context: ActionContext,
): Promise<Report> {
  const { environment } = target;
  const reply = await tolerateUnavailable(onUnavailable, context, async () => {
    if (target.createEnvironment) await createIfMissing(target, context);
    try {
      return (await running.report(context.call, environment)) ?? ("dry-run" as const);
    } catch (error) {
      const advice = `Check \`environment\`, or set create-environment: true to create '${environment}'.`;
      throw adviseMissing(error, advice, "Environment");
    }
  });
  const recorded = typeof reply === "object" ? reply : undefined;
  const message = recorded?.body ?? "";
  if (recorded)
    context.info(`Reported ${counted(running.count, running.things)} to '${environment}': ${message}`);
  return {
    target,
    status: reply === undefined ? "skipped" : reply === "dry-run" ? "dry-run" : "recorded",
    running,
    snapshotCreated: recorded?.status === 201,
    message,
  };
}

/** The service's message, with a link to the new snapshot. */
export function outcomeCell(environment: string, message: string, connection: Connection): Cell {
  const [, snapshot] = /snapshot #(\d+)/.exec(message) ?? [];
  return snapshot === undefined
    ? message
    : { text: message, url: environmentUrl(connection, environment, snapshot) };
}

/** An existing environment is never changed. A dry run shows the request that would create it. */
async function createIfMissing(
  { environment, type, description = "" }: Target,
  context: ActionContext,
): Promise<void> {
  if (!context.dryRun && (await exists(environment, context))) return;
  await context.call(createEnvironment, { body: { name: environment, type, description } });
}

async function exists(environment: string, context: ActionContext): Promise<boolean> {
  try {
    await context.call(getEnvironment, { envName: environment });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.missing) return false;
    throw error;
  }
}
