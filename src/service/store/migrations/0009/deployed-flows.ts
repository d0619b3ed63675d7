import { artifactKey } from "../../../kernel/artifact-key.ts";
import { compareAddress } from "./compare-address.ts";
import type { DeployedFlow, Provenance, State } from "./states.ts";

type Predecessor = Pick<State, "name" | "fingerprint" | "compliant" | "flows">;

interface Surroundings {
  /** What ran in the snapshot before. */
  previous: readonly Predecessor[];
  provenance: ReadonlyMap<string, readonly Provenance[]>;
  /** When the snapshot was made, in Unix seconds. */
  now: number;
}

/**
 * The artifacts of a snapshot with their flows and what their deployment brought. One that ran before keeps what was
 * said when it started.
 */
export function withFlows(
  artifacts: readonly Omit<State, "flows">[],
  { previous, provenance, now }: Surroundings,
): State[] {
  const running = new Set(artifacts.map(artifactKey));
  const ranBefore = new Map(previous.map((artifact) => [artifactKey(artifact), artifact]));
  const placed = previous.flatMap((artifact) => artifact.flows.map((flow) => ({ artifact, flow })));
  const predecessors = Map.groupBy(placed, ({ flow }) => placeOf(flow));
  const deployed = (artifact: Omit<State, "flows">, flow: Provenance): DeployedFlow => {
    const ran = ranBefore.get(artifactKey(artifact));
    const kept = ran?.flows.find(({ flowName }) => flowName === flow.flowName);
    if (kept) return { ...flow, deploymentDiff: kept.deploymentDiff, commitLeadTime: kept.commitLeadTime };
    const before = predecessors
      .get(placeOf(flow))
      ?.find(({ artifact: other }) => other.fingerprint !== artifact.fingerprint);
    return {
      ...flow,
      deploymentDiff: before ? diffFrom(before, flow, running.has(artifactKey(before.artifact))) : null,
      commitLeadTime: ran ? null : leadTime(flow, now),
    };
  };
  return artifacts.map((artifact) => {
    const flows = provenance.get(artifact.fingerprint) ?? [];
    return { ...artifact, flows: flows.map((flow) => deployed(artifact, flow)) };
  });
}

/** What one build of a flow replaces is the earlier build of what has that name in the template. */
function placeOf({ flowName, templateName }: Provenance): string {
  return JSON.stringify([flowName, templateName]);
}

function diffFrom(
  { artifact, flow: before }: { artifact: Predecessor; flow: DeployedFlow },
  flow: Provenance,
  stillRuns: boolean,
): object {
  const comparable = before.commitSha !== null && flow.commitSha !== null;
  return {
    diffUrl: comparable ? compareAddress(flow.commitUrl, before.commitSha ?? "", flow.commitSha ?? "") : null,
    previousGitCommit: before.commitSha,
    previousFingerprint: artifact.fingerprint,
    previousArtifactName: artifact.name,
    previousArtifactComplianceState: complianceWord(artifact.compliant),
    previousRunning: stillRuns,
    previousGitCommitUrl: before.commitUrl,
    previousTrailName: before.trailName,
    previousTemplateReferenceName: before.templateName,
  };
}

function complianceWord(compliant: boolean | null): string | null {
  if (compliant === null) return null;
  return compliant ? "COMPLIANT" : "NON-COMPLIANT";
}

function leadTime({ gitCommitInfo }: Provenance, now: number): number | null {
  const committed = gitCommitInfo?.["timestamp"];
  return typeof committed === "number" ? Math.max(0, now - committed) : null;
}
