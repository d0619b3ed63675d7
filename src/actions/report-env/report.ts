import { createEnvironment } from "../../api/environments.ts";
import { InputError } from "../../api/errors.ts";
import { type PodEntry, reportK8S } from "../../api/reports.ts";
import type { ActionContext } from "../../github/action.ts";
import { tolerateUnavailable } from "../unavailable.ts";
import type { Target } from "./target.ts";

/** The outcome of reporting one environment. */
export interface Report {
  readonly status: "recorded" | "skipped" | "dry-run";
  readonly pods: readonly PodEntry[];
  readonly snapshotCreated: boolean;
  /** What the service said. */
  readonly message: string;
}

export interface Delivery {
  readonly type: "K8S";
  readonly onUnavailable: "fail" | "warn";
}

/**
 * The pods that run in an environment.
 *
 * @throws {InputError} when there are none and nobody said that this is right
 */
export async function readPods(target: Target, context: ActionContext): Promise<PodEntry[]> {
  const pods = await podsOf(target, context);
  if (pods.length === 0 && !target.allowEmpty) {
    throw new InputError([{ input: "allow-empty", problem: "is false, and no pod was found to report" }], {
      advice:
        "If nothing is meant to run there, set allow-empty: true; else check the namespaces and the context.",
    });
  }
  return pods;
}

async function podsOf(target: Target, { runner, signal, warn }: ActionContext): Promise<PodEntry[]> {
  const { selectNamespaces } = await import("../../kubernetes/select.ts");
  const selection = selectNamespaces(target);
  if (target.podsFile !== undefined) {
    const { readPodsFile } = await import("../../kubernetes/pods-file.ts");
    return (await readPodsFile({ path: target.podsFile, selection, onWarning: warn })).entries;
  }
  const { readCluster } = await import("../../kubernetes/cluster.ts");
  const { kubeconfig, context } = target;
  const tempDir = runner.tempDir ?? process.cwd();
  const env = runner.childEnv;
  return (await readCluster({ kubeconfig, context, selection, env, tempDir, signal, onWarning: warn }))
    .entries;
}

/** Tells the service what runs in an environment; creates the environment first if that is wanted. */
export async function sendReport(
  target: Target,
  pods: readonly PodEntry[],
  { type, onUnavailable }: Delivery,
  context: ActionContext,
): Promise<Report> {
  const { environment, createEnvironment: mayCreate } = target;
  const reply = await tolerateUnavailable(onUnavailable, context, async () => {
    if (mayCreate) {
      await context.call(createEnvironment, { body: { name: environment, type, description: "" } });
    }
    const body = { type, artifacts: [...pods] };
    return (await context.call(reportK8S, { envName: environment, body })) ?? ("dry-run" as const);
  });
  const recorded = typeof reply === "object" ? reply : undefined;
  if (recorded) context.info(`${pods.length} pods reported to '${environment}': ${recorded.body}`);
  return {
    status: reply === undefined ? "skipped" : reply === "dry-run" ? "dry-run" : "recorded",
    pods,
    snapshotCreated: recorded?.status === 201,
    message: recorded?.body ?? "",
  };
}
