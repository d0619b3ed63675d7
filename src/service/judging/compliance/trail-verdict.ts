import {
  type ComplianceStatus,
  evaluateAll,
  type ReportedArtifactStatus,
  type TrailFacts,
  type TrailStatus,
} from "./evaluate.ts";
import { reasonOfArtifact, reasonOfTrail, reasonsOfTrail } from "./reason.ts";
import type { Template } from "./template.ts";

export interface Verdict {
  state: ComplianceStatus;
  /** Null for a compliant subject. */
  reason: string | null;
}

export function verdictOfNewTrail(template: Template): Verdict {
  return verdictsOf({ template, artifacts: [], attestations: [] }).trail;
}

export function verdictsOf(facts: TrailFacts): { trail: Verdict; artifacts: Verdict[] } {
  const { trail, artifacts } = evaluateAll(facts);
  return { trail: verdictOfTrail(trail), artifacts: artifacts.map(verdictOfArtifact) };
}

/** Reasons for the status of a trail, most important first. */
export function reasonsFor(facts: TrailFacts): string[] {
  return reasonsOfTrail(evaluateAll(facts).trail);
}

function verdictOfTrail(status: TrailStatus): Verdict {
  return { state: status.status, reason: reasonOfTrail(status) };
}

export function verdictOfArtifact(status: ReportedArtifactStatus): Verdict {
  return { state: status.status, reason: reasonOfArtifact(status) };
}
