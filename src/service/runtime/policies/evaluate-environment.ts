import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import type { FlowReport } from "../../evidence/compliance/latest-reports.ts";
import type { PatternAnswers } from "../../judging/patterns/pattern-answers.ts";
import { askPatterns, type Place } from "../../judging/policies/ask-patterns.ts";
import { compilePolicy } from "../../judging/policies/compile-policy.ts";
import { evaluatePolicy } from "../../judging/policies/evaluate-policy.ts";
import { artifactKey, type NamedArtifact } from "../../kernel/artifact-key.ts";
import { inSlices } from "../../kernel/slices.ts";
import type { Database } from "../../store/tables.ts";
import { type ArtifactFacts, artifactFacts } from "./artifact-facts.ts";
import type { PolicyVersion } from "./versions.ts";

export interface EvaluationRequest {
  orgId: string;
  policies: readonly PolicyVersion[];
  artifacts: readonly NamedArtifact[];
  reports: readonly FlowReport[];
  /** Known matches of policy patterns. */
  patterns: PatternAnswers;
}

/**
 * Evaluations by `artifactKey`: one for each policy, in the given order. Reads artifacts in batches.
 *
 * @throws UnansweredPatterns
 */
export async function evaluatePolicies(
  db: Database,
  { orgId, policies, artifacts, reports, patterns }: EvaluationRequest,
): Promise<Map<string, PolicyEvaluation[]>> {
  const compiled = policies.map(compilePolicy);
  const withOrigins = compiled.some(({ provenance, attestations }) =>
    [provenance, ...attestations].some(({ mustMeet }) => mustMeet),
  );
  const userDataPaths = [...new Set(compiled.flatMap((policy) => policy.userDataPaths))];
  // Matches patterns first, because most of them are about artifacts alone. This saves queries that would be repeated.
  await askPatterns(
    compiled,
    artifacts.map((artifact) => ({ flow: null, artifact })),
    patterns,
  );
  const fingerprints = [...new Set(artifacts.map(({ fingerprint }) => fingerprint))];
  const facts: ReadonlyMap<string, ArtifactFacts> =
    compiled.length === 0
      ? new Map()
      : await artifactFacts(db, orgId, { fingerprints, reports, withOrigins, userDataPaths });
  const inFlows = await inSlices(artifacts, (slice) =>
    slice.flatMap((artifact) => placesOf(artifact, facts.get(artifact.fingerprint))),
  );
  await askPatterns(compiled, inFlows, patterns);
  const isFound = (pattern: string, text: string) => patterns.isFound(pattern, text);
  const evaluated = await inSlices(artifacts, (slice) =>
    slice.map((artifact) => {
      const { inFlows = [], decisions = [] } = facts.get(artifact.fingerprint) ?? {};
      const subject = { ...artifact, inFlows, decisions, isFound };
      return [artifactKey(artifact), compiled.map((policy) => evaluatePolicy(policy, subject))] as const;
    }),
  );
  return new Map(evaluated);
}

/** The artifact in each flow, and once more for each record with an origin or user data. */
function placesOf(artifact: NamedArtifact, { inFlows, decisions }: ArtifactFacts = NO_FACTS): Place[] {
  return inFlows.flatMap((inFlow) => {
    const { flow, attestations } = inFlow;
    const records = [...attestations, ...decisions];
    const origins = [inFlow, ...records].flatMap(({ origin }) => origin ?? []);
    const data = records.flatMap(({ userData }) => (userData === undefined ? [] : [userData]));
    return [
      { flow, artifact },
      ...origins.map((origin) => ({ flow, artifact, origin })),
      ...data.map((userData) => ({ flow, artifact, userData })),
    ];
  });
}

const NO_FACTS: ArtifactFacts = { inFlows: [], decisions: [] };
