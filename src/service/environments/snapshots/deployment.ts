import type { DeploymentDiff } from "../../../api/snapshots.ts";
import type { DatedProvenance } from "../../artifacts/provenance.ts";
import { artifactKey } from "../../kernel/artifact-key.ts";
import type { DeployedFlow, Provenance } from "../../running/artifact.ts";
import { compareAddress } from "./compare-address.ts";

/** An artifact of the snapshot before. */
export interface Predecessor {
  name: string;
  fingerprint: string;
  compliant: boolean | null;
  flows: readonly DeployedFlow[];
}

interface Deployment {
  name: string;
  fingerprint: string;
  flows: readonly DatedProvenance[];
}

/** What else ran, and runs. */
interface Surroundings {
  /** What ran before: the artifacts themselves, and what their deployment may replace. */
  previous: readonly Predecessor[];
  /** Whether an artifact, by its `artifactKey`, runs now. */
  runs: (key: string) => boolean;
  /** Unix seconds. */
  now: number;
}

/**
 * The flows of artifacts by `artifactKey`, with what the deployment brought. An artifact that ran already keeps what
 * was said when it started.
 */
export function deployedFlows(
  artifacts: readonly Deployment[],
  { previous, runs, now }: Surroundings,
): ReadonlyMap<string, readonly DeployedFlow[]> {
  const ranBefore = new Map(previous.map((artifact) => [artifactKey(artifact), artifact]));
  const predecessors = byPlace(previous);
  return new Map(
    artifacts.map((artifact) => {
      const key = artifactKey(artifact);
      const flows = artifact.flows.map(({ committedAt, ...flow }) => {
        const kept = ranBefore.get(key)?.flows.find(({ flowName }) => flowName === flow.flowName);
        if (kept)
          return { ...flow, deploymentDiff: kept.deploymentDiff, commitLeadTime: kept.commitLeadTime };
        const before = predecessors
          .get(placeOf(flow))
          ?.find(({ artifact: other }) => other.fingerprint !== artifact.fingerprint);
        return {
          ...flow,
          deploymentDiff: before ? diffFrom(before, flow, runs(artifactKey(before.artifact))) : null,
          commitLeadTime: ranBefore.has(key) || committedAt === null ? null : Math.max(0, now - committedAt),
        };
      });
      return [key, flows];
    }),
  );
}

interface PlacedPredecessor {
  artifact: Predecessor;
  flow: DeployedFlow;
}

/** What one build of a flow replaces is the earlier build of the same thing: of that name in the template. */
function placeOf({ flowName, templateName }: Provenance): string {
  return JSON.stringify([flowName, templateName]);
}

function byPlace(previous: readonly Predecessor[]): ReadonlyMap<string, readonly PlacedPredecessor[]> {
  const placed = previous.flatMap((artifact) => artifact.flows.map((flow) => ({ artifact, flow })));
  return Map.groupBy(placed, ({ flow }) => placeOf(flow));
}

function diffFrom(
  { artifact, flow: before }: PlacedPredecessor,
  flow: Provenance,
  stillRuns: boolean,
): DeploymentDiff {
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
