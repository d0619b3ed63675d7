import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import type { Origin } from "../../evidence/compliance/latest-reports.ts";
import type { NamedArtifact } from "../../kernel/artifact-key.ts";
import { inSlices } from "../../kernel/slices.ts";
import { digestOf } from "../running/artifact.ts";
import type { JudgedArtifact, SnapshotArtifactRecord } from "../running/intervals.ts";
import type { AppliedPolicy } from "./records.ts";

/** A policy that holds for an environment. */
type Policy = Pick<AppliedPolicy, "id" | "name" | "version">;

/**
 * Whether an artifact may run: it is allowed, or every policy is satisfied. Null when there are no policies.
 *
 * @param decisions one for each policy
 */
export function isCompliant(decisions: readonly PolicyEvaluation[], allowed: boolean): boolean | null {
  if (decisions.length === 0) return null;
  return allowed || decisions.every(satisfied);
}

export function satisfied({ status }: PolicyEvaluation): boolean {
  return status === "COMPLIANT";
}

/** Whether all that runs may run. Null when there are no policies. */
export function stateOf(
  policies: readonly Policy[],
  artifacts: readonly Pick<SnapshotArtifactRecord, "compliant">[],
): boolean | null {
  return policies.length === 0 ? null : artifacts.every(({ compliant }) => compliant === true);
}

/** The policies, each with the artifacts that fail it. */
export async function appliedPolicies(
  policies: readonly Policy[],
  artifacts: readonly JudgedArtifact[],
): Promise<AppliedPolicy[]> {
  const applied: AppliedPolicy[] = [];
  for (const { id, name, version } of policies) {
    const failingArtifacts = await inSlices(artifacts, (slice) => failing(name, slice));
    applied.push({ id, name, version, failingArtifacts });
  }
  return applied;
}

function failing(policy: string, artifacts: readonly JudgedArtifact[]): NamedArtifact[] {
  return artifacts
    .filter(({ policyDecisions }) =>
      policyDecisions.some((decision) => decision.policyName === policy && !satisfied(decision)),
    )
    .map(({ name, fingerprint }) => ({ name, fingerprint }));
}

/** Why an artifact may not run, one line for each rule that is not satisfied. */
export function reasonsForIncompliance({
  compliant,
  policyDecisions,
}: Pick<SnapshotArtifactRecord, "compliant" | "policyDecisions">): string[] {
  if (compliant !== false) return [];
  return policyDecisions.flatMap(({ policyName, ruleEvaluations = [] }) =>
    ruleEvaluations
      .filter((evaluation) => evaluation.satisfied === false)
      .map(({ rule, resolutions = [] }) => {
        const failures = resolutions
          .map(({ type }) => type)
          .filter((type) => type !== "rule_satisfied" && type !== "rule_not_applicable");
        return `policy '${policyName}': ${rule.type}: ${[...new Set(failures)].join(", ")}`;
      }),
  );
}

/**
 * Digest of all that a new snapshot is made for beside the artifacts themselves.
 *
 * @param origins where the artifacts come from
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
