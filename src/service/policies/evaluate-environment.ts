import type { PolicyEvaluation } from "../../api/policy-evaluations.ts";
import type { FlowReport } from "../records/latest-reports.ts";
import type { PolicyVersion } from "../records/policies.ts";
import type { Database } from "../store/tables.ts";
import { type ArtifactFacts, artifactFacts } from "./artifact-facts.ts";
import { compilePolicy } from "./compile-policy.ts";
import { evaluatePolicy } from "./evaluate-policy.ts";

/** An artifact as something runs it, or would. */
export interface NamedArtifact {
  name: string;
  fingerprint: string;
}

export interface EvaluationRequest {
  orgId: string;
  policies: readonly PolicyVersion[];
  artifacts: readonly NamedArtifact[];
  /** The latest reports of the artifacts. */
  reports: readonly FlowReport[];
}

/** Tells an artifact from others in the result of `evaluatePolicies`. */
export function artifactKey({ name, fingerprint }: NamedArtifact): string {
  return `${name}\u0000${fingerprint}`;
}

/**
 * What policies say of artifacts: for each artifact, by its `artifactKey`, one evaluation for each policy, in the
 * order given. The number of queries does not grow with the artifacts, but for their being asked for in portions.
 */
export async function evaluatePolicies(
  db: Database,
  { orgId, policies, artifacts, reports }: EvaluationRequest,
): Promise<Map<string, PolicyEvaluation[]>> {
  const compiled = policies.map(compilePolicy);
  const fingerprints = [...new Set(artifacts.map(({ fingerprint }) => fingerprint))];
  const facts: ReadonlyMap<string, ArtifactFacts> =
    compiled.length === 0 ? new Map() : await artifactFacts(db, orgId, { fingerprints, reports });
  return new Map(
    artifacts.map((artifact) => {
      const { appearances = [], decisions = [] } = facts.get(artifact.fingerprint) ?? {};
      const subject = { ...artifact, appearances, decisions };
      return [artifactKey(artifact), compiled.map((policy) => evaluatePolicy(policy, subject))];
    }),
  );
}
