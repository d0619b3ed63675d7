import { type PodEntry, reportK8S } from "../../../api/resources/reports.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import type { ClusterName } from "../../../kubernetes/contexts.ts";
import type { ReadRunning, RunningArtifact } from "../running-artifacts.ts";
import type { Target } from "../target.ts";

/** The pods of a cluster, or of a file. */
export const readK8S: ReadRunning = async (target, context) => {
  const { pods, source } = await podsOf(target, context);
  if (source) context.info(`Read cluster '${source.cluster}' through the context '${source.context}'.`);
  return {
    count: pods.length,
    things: "pods",
    source,
    artifacts: () => pods.flatMap(artifactsOf),
    table: { columns: ["Namespace", "Pods"], rows: podsByNamespace(pods), most: 15 },
    report: (call, envName) => call(reportK8S, { envName, body: { type: "K8S", artifacts: [...pods] } }),
  };
};

interface Pods {
  readonly pods: readonly PodEntry[];
  readonly source?: ClusterName | undefined;
}

async function podsOf(target: Target, { runner, signal, warn }: ActionContext): Promise<Pods> {
  const { selectNamespaces } = await import("../../../kubernetes/select.ts");
  const selection = selectNamespaces(target);
  if (target.podsFile !== undefined) {
    const { readPodsFile } = await import("../../../kubernetes/pods-file.ts");
    return { pods: await readPodsFile({ path: target.podsFile, selection, onWarning: warn }) };
  }
  const { readCluster } = await import("../../../kubernetes/cluster.ts");
  const { kubeconfig, context } = target;
  const tempDir = runner.tempDir ?? process.cwd();
  const env = runner.childEnv;
  const pods = await readCluster({ kubeconfig, context, selection, env, tempDir, signal, onWarning: warn });
  const { currentCluster } = await import("../../../kubernetes/contexts.ts");
  const source = await currentCluster({ program: "kubectl", kubeconfig, context, env, signal }).catch(
    () => undefined,
  );
  return { pods, source };
}

function podsByNamespace(pods: readonly PodEntry[]): string[][] {
  return [...Map.groupBy(pods, ({ namespace }) => namespace)]
    .sort(([a, few], [b, many]) => many.length - few.length || (a < b ? -1 : 1))
    .map(([namespace, { length }]) => [namespace, String(length)]);
}

function artifactsOf(pod: PodEntry): RunningArtifact[] {
  const { namespace, digests, creationTimestamp: since } = pod;
  const workload = `${namespace}-${workloadOf(pod)}`;
  return Object.entries(digests).map(([name, fingerprint]) => ({ name, fingerprint, workload, since }));
}

/** The owner of a pod. Replica sets have the Deployment's name and a hash of the template. */
function workloadOf({ podName, owners }: PodEntry): string {
  const owner = owners?.find(({ controller }) => controller === true) ?? owners?.[0];
  if (owner === undefined) return podName;
  return owner.kind === "ReplicaSet" ? owner.name.replace(/-[a-z0-9]+$/, "") : owner.name;
}
