import { createHash } from "node:crypto";
import { artifactKey } from "../../kernel/artifact-key.ts";

/** A pod, task or container. Further fields depend on its kind. */
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
  /** Cloud Run only: a service or a job. */
  kind?: string;
  revisionName?: string | null;
  jobName?: string | null;
}

export interface RunningArtifact {
  name: string;
  /** Empty if unknown. */
  fingerprint: string;
  instances: readonly Instance[];
}

export interface ReportEntry {
  digests: Readonly<Record<string, string>>;
  creationTimestamp: number;
}

/** The distinct artifacts of a report, each with all its instances. */
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

/** Distinct fingerprints. */
export function knownFingerprints(artifacts: readonly Pick<RunningArtifact, "fingerprint">[]): string[] {
  const fingerprints = new Set(artifacts.map(({ fingerprint }) => fingerprint));
  // Unknown artifacts have no builder.
  fingerprints.delete("");
  return [...fingerprints];
}

/** Whether a non-empty report has no known fingerprint, so that it has no new information. */
export function isUndetermined(entries: number, artifacts: readonly RunningArtifact[]): boolean {
  return entries > 0 && artifacts.every(({ fingerprint }) => fingerprint === "");
}

/** Empty without a name, because a later start time alone does not mean a new instance. */
export function instanceName({ namespace, podName, taskArn }: Instance): string {
  if (podName !== undefined) return `${namespace}/${podName}`;
  return taskArn ?? "";
}

/** Independent of order and number of instances. */
export function digestOfArtifacts(artifacts: readonly RunningArtifact[]): string {
  return digestOf(artifacts.map(({ name, fingerprint }) => JSON.stringify([name, fingerprint])));
}

export function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(texts.toSorted().join("\n")).digest("hex");
}
