import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import type { Origin } from "../../evidence/compliance/latest-reports.ts";
import type { NamedArtifact } from "../../kernel/artifact-key.ts";
import { inSlices } from "../../kernel/slices.ts";
import { digestOf } from "../running/artifact.ts";
import type { EvaluatedArtifact, SnapshotArtifactRecord } from "../running/intervals.ts";
import type { AppliedPolicy } from "./records.ts";

type Policy = Pick<AppliedPolicy, "id" | "name" | "version">;

/** Whether an artifact is allowed or satisfies all policies. Null without policies. @param decisions one per policy */
export function isCompliant(decisions: readonly PolicyEvaluation[], allowed: boolean): boolean | null {
  if (decisions.length === 0) return null;
  return allowed || decisions.every(satisfied);
}

export function satisfied({ status }: PolicyEvaluation): boolean {
  return status === "COMPLIANT";
}

/** Null without policies. */
export function stateOf(
  policies: readonly Policy[],
  artifacts: readonly Pick<SnapshotArtifactRecord, "compliant">[],
): boolean | null {
  return policies.length === 0 ? null : artifacts.every(({ compliant }) => compliant === true);
}

/** Each policy with the artifacts that fail it. */
export async function appliedPolicies(
  policies: readonly Policy[],
  artifacts: readonly EvaluatedArtifact[],
): Promise<AppliedPolicy[]> {
  const applied: AppliedPolicy[] = [];
  for (const { id, name, version } of policies) {
    const failingArtifacts = await inSlices(artifacts, (slice) => failing(name, slice));
    applied.push({ id, name, version, failingArtifacts });
  }
  return applied;
}

function failing(policy: string, artifacts: readonly EvaluatedArtifact[]): NamedArtifact[] {
  return artifacts
    .filter(({ policyDecisions }) =>
      policyDecisions.some((decision) => decision.policyName === policy && !satisfied(decision)),
    )
    .map(({ name, fingerprint }) => ({ name, fingerprint }));
}

/**
 * Digest of the conditions of a snapshot. A new snapshot is created if this digest or the artifacts change.
 *
 * @param origins provenance of the artifacts
 */
export async function digestOfConditions(
  policies: readonly Policy[],
  artifacts: readonly Pick<SnapshotArtifactRecord, "name" | "fingerprint" | "compliant">[],
  origins: readonly Origin[],
): Promise<string> {
  const ofPolicies = policies.map(({ id, version }) => JSON.stringify(["policy", id, version]));
  const ofArtifacts = await inSlices(artifacts, (slice) =>
    slice.map(({ name, fingerprint, compliant }) => JSON.stringify([name, fingerprint, compliant])),
  );
  const ofOrigins = await inSlices(origins, (slice) =>
    slice.map(({ fingerprint, flow, trail, templateName, commitSha }) =>
      JSON.stringify(["origin", fingerprint, flow.id, trail?.id, templateName, commitSha]),
    ),
  );
  return digestOf([...ofPolicies, ...ofArtifacts, ...ofOrigins]);
}
