import { ProtocolError } from "../api/client/errors.ts";
import type { PodEntry } from "../api/resources/reports.ts";
import type { Kubectl } from "./contexts.ts";
import { ClusterFault, explainFault } from "./kubectl-error.ts";
import { type PageOptions, PageReader } from "./pages.ts";
import { NotAPod } from "./pod.ts";
import { PodCollector } from "./pod-collector.ts";
import type { NamespaceSelection } from "./select.ts";

export interface ClusterOptions extends PageOptions, Omit<Kubectl, "program"> {
  /** The program; `kubectl` on the PATH of `env` when absent. */
  kubectl?: string | undefined;
  selection: NamespaceSelection;
  onWarning: (message: string) => void;
}

/**
 * Reads the pods of a cluster with kubectl, which supports every kind of cluster login. A failed page is repeated up to
 * 3 times; an expired list starts over once. No process or socket is left when this returns, fails or is aborted.
 *
 * @throws {InputError} for faults of the workflow: kubectl, the context or permissions are missing.
 * @throws {NetworkError} with the code `KUBECTL` if the cluster cannot be read for another reason.
 * @throws {ProtocolError} if the list contains anything other than pods.
 * @throws the signal's reason when it aborts.
 */
export async function readCluster(options: ClusterOptions): Promise<PodEntry[]> {
  const kubectl: Kubectl = { ...options, program: options.kubectl ?? "kubectl" };
  await using pages = new PageReader(kubectl, options);
  try {
    return await listPods(pages, options).catch((error: unknown) => {
      if (error instanceof ClusterFault && error.expired) return listPods(pages, options);
      throw error;
    });
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof NotAPod)
      throw new ProtocolError({ what: `the cluster's list of pods is invalid: ${error.message}` });
    throw error instanceof ClusterFault ? await explainFault(error, kubectl) : error;
  }
}

async function listPods(pages: PageReader, { selection, onWarning }: ClusterOptions): Promise<PodEntry[]> {
  const collector = new PodCollector(selection);
  const empty: string[] = [];
  if (selection.exactly === undefined) await collect(pages.list("/api/v1/pods"), collector);
  for (const namespace of selection.exactly ?? []) {
    const pods = await collect(pages.list(`/api/v1/namespaces/${namespace}/pods`), collector);
    if (pods === 0) empty.push(namespace);
  }
  // The API server returns an empty list for a missing namespace: the name may be misspelled.
  for (const namespace of empty) onWarning(`namespace '${namespace}' has no pods, or does not exist`);
  return collector.report(onWarning);
}

async function collect(list: AsyncIterable<readonly unknown[]>, collector: PodCollector): Promise<number> {
  let pods = 0;
  for await (const page of list) {
    for (const pod of page) collector.add(pod);
    pods += page.length;
  }
  return pods;
}
