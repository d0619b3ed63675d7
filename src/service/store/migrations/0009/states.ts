/** One thing that runs an artifact, with the fields that tell it from the others of its artifact. */
interface Instance {
  creationTimestamp: number;
  podName?: string;
  namespace?: string;
  taskArn?: string;
}

/** Where an artifact was built, as its latest report in a flow said. */
export interface Provenance {
  artifactId: string;
  flowName: string;
  trailId: string | null;
  trailName: string | null;
  templateName: string | null;
  commitSha: string | null;
  commitUrl: string;
  gitCommitInfo: Record<string, unknown> | null;
}

/** A flow that an artifact of a snapshot came from, and what its deployment brought. */
export interface DeployedFlow extends Provenance {
  deploymentDiff: object | null;
  /** Seconds from the commit to when the artifact started to run. */
  commitLeadTime: number | null;
}

/** What a snapshot said of an artifact. */
export interface State {
  name: string;
  /** Empty when it was not known what ran. */
  fingerprint: string;
  instances: readonly Instance[];
  compliant: boolean | null;
  allowed: boolean;
  policyDecisions: readonly unknown[];
  flows: readonly DeployedFlow[];
}

/** What changed about an artifact since the snapshot before, as the type of an event. Null when it is no event. */
export function changeOf(before: State | undefined, after: State): string | null {
  if (!before) return after.compliant ? "started-compliant" : "started-non-compliant";
  if (before.instances.length !== after.instances.length) return "scaled";
  if (originsOf(before) !== originsOf(after)) return "updated-provenance";
  if (before.compliant !== after.compliant) return "changed";
  const known = new Set(before.instances.map(instanceName));
  return after.instances.every((instance) => known.has(instanceName(instance))) ? null : "changed";
}

function instanceName({ namespace, podName, taskArn, creationTimestamp }: Instance): string {
  if (podName !== undefined) return `${namespace}/${podName}`;
  return taskArn ?? String(creationTimestamp);
}

function originsOf({ flows }: State): string {
  const origins = flows.map(({ flowName, trailName, templateName, commitSha }) =>
    JSON.stringify([flowName, trailName, templateName, commitSha]),
  );
  return origins.sort().join();
}
