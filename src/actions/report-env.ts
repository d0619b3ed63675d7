import { createEnvironment } from "../api/environments.ts";
import { InputError, type InputProblem } from "../api/errors.ts";
import { type PodEntry, reportK8S } from "../api/snapshots.ts";
import { type ActionContext, defineAction, type Outcome } from "../github/action.ts";
import { choice, flag, list, required, text, type ValuesOf } from "../github/input.ts";
import { onUnavailable, unlessUnavailable } from "./unavailable.ts";

const inputs = {
  environment: required({ description: "The environment that is reported." }),
  type: choice({ choices: ["K8S"], default: "K8S", description: "What kind of environment it is." }),
  kubeconfig: text({ description: "The path of a kubeconfig file; kubectl's own choice unless given." }),
  context: text({ description: "The kubeconfig context; the current one unless given." }),
  namespaces: list({ description: "Report these namespaces alone." }),
  "namespaces-regex": list({
    description: "Report the namespaces that match one of these regular expressions.",
  }),
  "exclude-namespaces": list({ description: "Report all but these namespaces." }),
  "exclude-namespaces-regex": list({ description: "Report all but the namespaces that match one of these." }),
  "pods-file": text({
    description:
      "A file with the output of `kubectl get pods --all-namespaces -o json`, in place of asking the cluster.",
  }),
  "allow-empty": flag({
    default: "false",
    description: "Accept that no pods run. Otherwise that is an error.",
  }),
  "create-environment": flag({
    default: "false",
    description: "Create the environment if it does not exist.",
  }),
  ...onUnavailable,
};

type Values = ValuesOf<typeof inputs>;

const outputs = {
  status:
    "`recorded`, `skipped` (the service was unavailable and `on-unavailable` accepts that) or `dry-run`.",
  "pod-count": "How many pods were reported.",
  "snapshot-created": "`true` when what runs has changed and a snapshot was made, else `false`.",
  message: "What the service said.",
};

type Result = Outcome<keyof typeof outputs>;

export const reportEnv = defineAction({
  name: "report-env",
  title: "Report a Kubernetes environment",
  description: "Report the pods that run in a Kubernetes environment, from the cluster or from a file.",
  inputs,
  outputs,
  check,
  run,
});

function check(_: Values, given: ReadonlySet<string>): InputProblem[] {
  if (!given.has("pods-file")) return [];
  return ["kubeconfig", "context"]
    .filter((input) => given.has(input))
    .map((input) => ({ input, problem: "is not used with pods-file" }));
}

async function run(values: Values, context: ActionContext): Promise<Result> {
  const pods = await readPods(values, context);
  if (pods.length === 0 && !values.allowEmpty) {
    throw new InputError([{ input: "allow-empty", problem: "is false, and no pod was found to report" }], {
      advice:
        "If nothing is meant to run there, set allow-empty: true; else check the namespaces and the context.",
    });
  }
  const reply = await unlessUnavailable(values.onUnavailable, context, () => report(values, pods, context));
  const status = reply === undefined ? "skipped" : reply === "dry-run" ? "dry-run" : "recorded";
  const recorded = typeof reply === "object" ? reply : undefined;
  if (recorded) context.info(`${pods.length} pods reported to '${values.environment}': ${recorded.body}`);
  return {
    outputs: {
      status,
      "pod-count": String(pods.length),
      "snapshot-created": String(recorded?.status === 201),
      message: recorded?.body ?? "",
    },
    summary: {
      heading: `Environment ${values.environment}: ${status}`,
      mark: "neutral",
      columns: ["Namespace", "Pods"],
      rows: podsByNamespace(pods),
    },
  };
}

async function report(values: Values, pods: PodEntry[], context: ActionContext) {
  if (values.createEnvironment) {
    await context.call(createEnvironment, {
      body: { name: values.environment, type: values.type, description: "" },
    });
  }
  const body = { type: values.type, artifacts: pods };
  return (await context.call(reportK8S, { envName: values.environment, body })) ?? ("dry-run" as const);
}

async function readPods(values: Values, { runner, signal, warn }: ActionContext): Promise<PodEntry[]> {
  const { selectNamespaces } = await import("../kubernetes/select.ts");
  const selection = selectNamespaces(values);
  if (values.podsFile !== undefined) {
    const { readPodsFile } = await import("../kubernetes/pods-file.ts");
    return (await readPodsFile({ path: values.podsFile, selection, onWarning: warn })).entries;
  }
  const { readCluster } = await import("../kubernetes/cluster.ts");
  const { kubeconfig, context } = values;
  const tempDir = runner.tempDir ?? process.cwd();
  const env = runner.childEnv;
  return (await readCluster({ kubeconfig, context, selection, env, tempDir, signal, onWarning: warn }))
    .entries;
}

function podsByNamespace(pods: readonly PodEntry[]): string[][] {
  const counts = new Map<string, number>();
  for (const { namespace } of pods) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([namespace, count]) => [namespace, String(count)]);
}
