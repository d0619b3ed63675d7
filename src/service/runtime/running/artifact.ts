import { createHash } from "node:crypto";
import { artifactKey } from "../../kernel/artifact-key.ts";

/** One thing that runs an artifact: a pod, a task, a container. Its further fields are those of its kind. */
export interface Instance {
  /** Unix seconds. */
  creationTimestamp: number;
  podName?: string;
  namespace?: string;
  owners?: readonly unknown[];
  taskArn?: string;
  clusterName?: string | null;
  serviceName?: string | null;
  appName?: string;
  appKind?: string;
  digestsSource?: string;
  /** What Cloud Run calls it: a service or a job. */
  kind?: string;
  revisionName?: string | null;
  jobName?: string | null;
}

/** An artifact that runs, with its instances. */
export interface RunningArtifact {
  name: string;
  /** Empty when it is not known what runs. */
  fingerprint: string;
  instances: readonly Instance[];
}

/** An entry of a report, whatever its kind. */
export interface ReportEntry {
  digests: Readonly<Record<string, string>>;
  creationTimestamp: number;
}

/** The artifacts that the entries of a report run, each once, with all its instances. */
export function runningArtifacts<Entry extends ReportEntry>(
  entries: readonly Entry[],
  instanceOf: (entry: Entry) => Instance,
): RunningArtifact[] {
  const running = new Map<string, { name: string; fingerprint: string; instances: Instance[] }>();
  for (const entry of entries) {
    const instance = instanceOf(entry);
    for (const [name, fingerprint] of Object.entries(entry.digests)) {
      const key = artifactKey({ name, fingerprint });
      const known = running.get(key);
      if (known) known.instances.push(instance);
      else running.set(key, { name, fingerprint, instances: [instance] });
    }
  }
  return [...running.values()];
}

/** The fingerprints of what runs, each once. */
export function knownFingerprints(artifacts: readonly Pick<RunningArtifact, "fingerprint">[]): string[] {
  const fingerprints = new Set(artifacts.map(({ fingerprint }) => fingerprint));
  // What is not known cannot have been built here.
  fingerprints.delete("");
  return [...fingerprints];
}

/** Whether things run, but of none is it known what it is: such a report says nothing new. */
export function isUndetermined(entries: number, artifacts: readonly RunningArtifact[]): boolean {
  return entries > 0 && artifacts.every(({ fingerprint }) => fingerprint === "");
}

/** The name of an instance. Without one it is empty: another time alone makes no other instance. */
export function instanceName({ namespace, podName, taskArn }: Instance): string {
  if (podName !== undefined) return `${namespace}/${podName}`;
  return taskArn ?? "";
}

/** Digest of what runs: equal for the same artifacts in any order, whatever the number of their instances. */
export function digestOfArtifacts(artifacts: readonly RunningArtifact[]): string {
  return digestOf(artifacts.map(({ name, fingerprint }) => JSON.stringify([name, fingerprint])));
}

/** Digest of a set of texts. */
export function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(texts.toSorted().join("\n")).digest("hex");
}
