import {
  type ComplianceStatus,
  evaluateAll,
  type ReportedArtifactStatus,
  type TrailFacts,
  type TrailStatus,
} from "./evaluate.ts";
import { reasonOfArtifact, reasonOfTrail, reasonsOfTrail } from "./reason.ts";
import type { Template } from "./template.ts";

/** What a trail, or an artifact in it, is as a whole. */
export interface Verdict {
  state: ComplianceStatus;
  /** What keeps it from being compliant, in short; null when nothing does. */
  reason: string | null;
}

/** What a trail is that holds nothing yet. */
export function verdictOfNewTrail(template: Template): Verdict {
  return verdictsOf({ template, artifacts: [], attestations: [] }).trail;
}

/** What a trail and each of its artifacts are by these facts. */
export function verdictsOf(facts: TrailFacts): { trail: Verdict; artifacts: Verdict[] } {
  const { trail, artifacts } = evaluateAll(facts);
  return { trail: verdictOfTrail(trail), artifacts: artifacts.map(verdictOfArtifact) };
}

/** Each thing that keeps a trail from being compliant, the weightiest first. */
export function reasonsFor(facts: TrailFacts): string[] {
  return reasonsOfTrail(evaluateAll(facts).trail);
}

function verdictOfTrail(status: TrailStatus): Verdict {
  return { state: status.status, reason: reasonOfTrail(status) };
}

/** What a reported artifact is by its status. */
export function verdictOfArtifact(status: ReportedArtifactStatus): Verdict {
  return { state: status.status, reason: reasonOfArtifact(status) };
}
