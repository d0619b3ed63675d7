import type { Assertion } from "../../api/resources/asserts.ts";
import type { PolicyEvaluation } from "../../api/resources/policy-evaluations.ts";
import { latestReportsOf } from "../evidence/compliance/latest-reports.ts";
import type { PatternAnswers } from "../judging/patterns/pattern-answers.ts";
import { artifactKey, type NamedArtifact } from "../kernel/artifact-key.ts";
import type { Organization } from "../kernel/organization.ts";
import { findAllowance } from "../runtime/environments/allowlists.ts";
import { requireEnvironment } from "../runtime/environments/records.ts";
import { evaluatePolicies } from "../runtime/policies/evaluate-environment.ts";
import { policiesHeldTo, policiesNamed } from "../runtime/policies/versions.ts";
import type { Database } from "../store/tables.ts";

/** The verdict on an artifact in what it is asserted against. */
export interface ScopeVerdict {
  scope: Assertion["scope"];
  compliant: boolean;
  environment?: string;
  policyEvaluations?: PolicyEvaluation[];
  allowListing?: NonNullable<Assertion["allowListing"]>;
}

interface ScopeQuestion {
  artifact: NamedArtifact;
  /** What is known of the patterns of policies. */
  patterns: PatternAnswers;
}

/**
 * Whether an artifact may run in an environment: it satisfies every policy there, or is allowed whatever they
 * say. Where there are no policies its flows decide.
 *
 * @throws NotFound, UnansweredPatterns
 */
export async function environmentVerdict(
  db: Database,
  org: Organization,
  { environmentName, inFlows, ...question }: { environmentName: string; inFlows: boolean } & ScopeQuestion,
): Promise<ScopeVerdict> {
  const environment = await requireEnvironment(db, org, environmentName);
  const policyNames = (await policiesHeldTo(db, environment)).map(({ name }) => name);
  const policyEvaluations = await evaluationsOf(db, org, { policyNames, ...question });
  const allowance = await findAllowance(db, environment.id, question.artifact.fingerprint);
  const satisfied = policyNames.length === 0 ? inFlows : policyEvaluations.every(isCompliant);
  return {
    scope: "environment",
    environment: environment.name,
    compliant: satisfied || allowance !== undefined,
    policyEvaluations,
    ...(allowance && {
      allowListing: {
        allowlistId: allowance.id,
        allowedByUserId: allowance.createdBy,
        timestamp: allowance.createdAt,
        description: allowance.description,
      },
    }),
  };
}

/** Whether an artifact satisfies policies, in the order in which they are given. @throws UnansweredPatterns */
export async function policyVerdict(
  db: Database,
  org: Organization,
  question: { policyNames: readonly string[] } & ScopeQuestion,
): Promise<ScopeVerdict> {
  const policyEvaluations = await evaluationsOf(db, org, question);
  return { scope: "policy", compliant: policyEvaluations.every(isCompliant), policyEvaluations };
}

async function evaluationsOf(
  db: Database,
  org: Organization,
  { policyNames, artifact, patterns }: { policyNames: readonly string[] } & ScopeQuestion,
): Promise<PolicyEvaluation[]> {
  const policies = await policiesNamed(db, org.id, policyNames);
  const reports = await latestReportsOf(db, org.id, [artifact.fingerprint]);
  const artifacts = [artifact];
  const evaluations = await evaluatePolicies(db, { orgId: org.id, policies, artifacts, reports, patterns });
  return evaluations.get(artifactKey(artifact)) ?? [];
}

function isCompliant({ status }: PolicyEvaluation): boolean {
  return status === "COMPLIANT";
}
