import type { PolicyEvaluation } from "../../api/policy-evaluations.ts";
import { attachedPolicies, policiesNamed } from "../records/policies.ts";
import type { Database } from "../store/tables.ts";
import { type ArtifactFacts, artifactFacts } from "./artifact-facts.ts";
import { compilePolicy } from "./compile-policy.ts";
import { evaluatePolicy } from "./evaluate-policy.ts";

/** An artifact as something runs it, or would. */
export interface NamedArtifact {
  name: string;
  fingerprint: string;
}

export type EvaluationRequest = {
  orgId: string;
  artifacts: readonly NamedArtifact[];
} & (
  | {
      /** The policies to hold the artifacts to; unknown ones are left out. */
      policyNames: readonly string[];
    }
  | {
      /** The environment whose policies the artifacts are held to. */
      environmentId: string;
    }
);

/** Tells an artifact from others in the result of `evaluatePolicies`. */
export function artifactKey({ name, fingerprint }: NamedArtifact): string {
  return `${name}\u0000${fingerprint}`;
}

/**
 * What the latest versions of policies say of artifacts: for each artifact, by its `artifactKey`, one evaluation
 * for each policy, in the order of the names given, or by name for an environment's. The number of queries does
 * not grow with the artifacts, but for their being asked for in portions.
 */
export async function evaluatePolicies(
  db: Database,
  request: EvaluationRequest,
): Promise<Map<string, PolicyEvaluation[]>> {
  const policies =
    "environmentId" in request
      ? await attachedPolicies(db, request.environmentId)
      : await policiesNamed(db, request.orgId, request.policyNames);
  const compiled = policies.map(compilePolicy);
  const fingerprints = [...new Set(request.artifacts.map(({ fingerprint }) => fingerprint))];
  const facts: ReadonlyMap<string, ArtifactFacts> =
    compiled.length === 0 ? new Map() : await artifactFacts(db, request.orgId, fingerprints);
  return new Map(
    request.artifacts.map((artifact) => {
      const { appearances = [], decisions = [] } = facts.get(artifact.fingerprint) ?? {};
      const subject = { ...artifact, appearances, decisions };
      return [artifactKey(artifact), compiled.map((policy) => evaluatePolicy(policy, subject))];
    }),
  );
}
