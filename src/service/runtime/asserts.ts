import type { Assertion } from "../../api/resources/asserts.ts";
import type { PolicyEvaluation } from "../../api/resources/policy-evaluations.ts";
import { unknownArtifact } from "../evidence/artifacts/records.ts";
import {
  type FlowReport,
  latestAttestationsOfReports,
  latestReportsOf,
} from "../evidence/compliance/latest-reports.ts";
import { requireFlow } from "../evidence/flows/records.ts";
import {
  type ArtifactStatus,
  type AttestationFact,
  evaluateArtifact,
} from "../judging/compliance/evaluate.ts";
import type { Template } from "../judging/compliance/template.ts";
import type { PatternAnswers } from "../judging/patterns/pattern-answers.ts";
import { withPatterns } from "../judging/patterns/with-patterns.ts";
import { artifactKey, type NamedArtifact } from "../kernel/artifact-key.ts";
import type { Organization } from "../kernel/caller.ts";
import { invalidInput, NotFound, type Refusal } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import { namesIn, type Scope } from "../kernel/scope.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Call, Handler } from "../operation/handler.ts";
import type { Database } from "../store/tables.ts";
import { findAllowance } from "./environments/allowlists.ts";
import { requireEnvironment } from "./environments/records.ts";
import { evaluatePolicies } from "./policies/evaluate-environment.ts";
import { policiesFor, policiesNamed, requirePolicies } from "./policies/versions.ts";
import { type RefusedGate, reportRefusedGate } from "./refused-gates.ts";
import { satisfied } from "./snapshots/compliance.ts";

/**
 * Evaluates an artifact. The result is the same for every caller: flows outside the caller's scope also count, but their
 * names, trails and attestations are hidden. An artifact without a flow in the scope is unknown.
 */
export const assertArtifact: Handler<"assertArtifact"> = async (call, context) => {
  refuseBoth(call.params);
  return { status: 200, body: await assertion(call, context) };
};

/** @throws Invalid */
export function refuseBoth({ environmentName, policyName }: Omit<Params, "fingerprint">): void {
  if (environmentName === undefined || policyName === undefined) return;
  throw invalidInput({ "query.policy_name": "Give either an environment or policies, not both" });
}

type Asked = Pick<Call<"assertArtifact">, "org" | "caller" | "source" | "params" | "byProgram">;

/** Evaluates an artifact, and notifies about a gate that refuses it to a program. @throws NotFound */
export async function assertion(asked: Asked, context: ServiceContext): Promise<Assertion> {
  const { body, refused } = await evaluated(asked, context);
  // The result must not depend on the notification. If that fails, the next check of the artifact repeats it.
  if (refused && asked.byProgram) await reportRefusedGate(asked, context, refused).catch(() => undefined);
  return body;
}

function evaluated(asked: Asked, { store, links, patterns, now }: ServiceContext): Promise<Evaluated> {
  return withPatterns({ patterns, orgId: asked.org.id }, (answers) =>
    store.readTogether((db) => evaluatedIn(db, asked, { links, now: now(), patterns: answers })),
  );
}

export interface Evaluated {
  readonly body: Assertion;
  /** Undefined for a compliant artifact. */
  readonly refused: RefusedGate | undefined;
  /** The reports that were evaluated. */
  readonly reports: readonly FlowReport[];
  /** The latest of those that the caller may see. */
  readonly shown: FlowReport;
  /** Attestations that count for the reports. */
  readonly attestations: readonly AttestationFact[];
}

interface Evaluating {
  readonly links: Links;
  readonly now: number;
  readonly patterns: PatternAnswers;
}

/** Evaluates an artifact on one state of the records. @throws NotFound, UnansweredPatterns */
export async function evaluatedIn(
  db: Database,
  { org, caller: { scope }, params }: Pick<Asked, "org" | "caller" | "params">,
  { links, now, patterns }: Evaluating,
): Promise<Evaluated> {
  await requireScope(db, org, params);
  const reports = await reportsOf(db, org, params);
  const attestations = await latestAttestationsOfReports(db, reports);
  const view = { org: org.name, links, now };
  const all = reports.map((report) =>
    flowVerdict(report, attestations.get(report.trail?.id ?? "") ?? [], view),
  );
  const flows = all.filter(({ flow }) => isShown(scope, flow));
  const [first] = flows;
  const newestFirst = reports.toSorted((a, b) => b.sequence - a.sequence);
  const [latest] = newestFirst;
  const shown = newestFirst.find(({ flow }) => isShown(scope, flow.name));
  if (!first || !latest || !shown) throw missing(org, params);
  const inFlows = all.every(({ compliant }) => compliant);
  const artifact = { name: latest.filename, fingerprint: params.fingerprint };
  const verdict = await scopeVerdict(db, org, params, { artifact, inFlows, patterns });
  const { fingerprint } = params;
  const body = { ...first, fingerprint, flows, ...visibleIn(scope, verdict) };
  const refused = verdict.compliant
    ? undefined
    : {
        assertion: { ...first, fingerprint, flows: all, ...verdict },
        artifact: latest,
        flow: latest.flow.name,
        trailId: latest.trail?.id,
        environment: verdict.environment ?? null,
        policies: [params.policyName ?? []].flat(),
      };
  return { body, refused, reports, shown, attestations: [...attestations.values()].flat() };
}

type Params = Call<"assertArtifact">["params"];

/** @throws NotFound for an unknown environment, policy or flow, even before the artifact is looked up */
async function requireScope(db: Database, org: Organization, { environmentName, policyName }: Params) {
  if (environmentName !== undefined) await requireEnvironment(db, org, environmentName);
  if (policyName !== undefined) await requirePolicies(db, org, policyName);
}

/** The latest report in each flow; the flow with the first report comes first. */
async function reportsOf(db: Database, org: Organization, { fingerprint, flowName }: Params) {
  const flow = flowName === undefined ? undefined : await requireFlow(db, org, flowName);
  const reports = await latestReportsOf(db, org.id, [fingerprint]);
  return reports
    .filter((report) => flow === undefined || report.flow.id === flow.id)
    .toSorted((a, b) => a.firstSequence - b.firstSequence);
}

async function scopeVerdict(
  db: Database,
  org: Organization,
  { environmentName, policyName }: Params,
  { artifact, inFlows, patterns }: ScopeQuestion & { inFlows: boolean },
): Promise<ScopeVerdict> {
  if (environmentName !== undefined) {
    return environmentVerdict(db, org, { environmentName, artifact, inFlows, patterns });
  }
  if (policyName === undefined) return { scope: "flow", compliant: inFlows };
  const policyEvaluations = await evaluationsOf(db, org, { policyNames: policyName, artifact, patterns });
  return { scope: "policy", compliant: policyEvaluations.every(satisfied), policyEvaluations };
}

function missing(org: Organization, { flowName, fingerprint }: Params): Refusal {
  return flowName === undefined
    ? new NotFound(
        "artifact.not_found",
        `Artifact with fingerprint '${fingerprint}' does not exist in organization '${org.name}'`,
      )
    : unknownArtifact(org.name, flowName, fingerprint);
}

interface ScopeVerdict {
  scope: Assertion["scope"];
  compliant: boolean;
  environment?: string;
  policyEvaluations?: PolicyEvaluation[];
  allowListing?: NonNullable<Assertion["allowListing"]>;
}

interface ScopeQuestion {
  artifact: NamedArtifact;
  /** Known matches of policy patterns. */
  patterns: PatternAnswers;
}

/**
 * Whether an artifact may run in an environment, by its policies and allowlist. Without policies, its flows decide.
 *
 * @throws NotFound, UnansweredPatterns
 */
async function environmentVerdict(
  db: Database,
  org: Organization,
  { environmentName, inFlows, ...question }: { environmentName: string; inFlows: boolean } & ScopeQuestion,
): Promise<ScopeVerdict> {
  const environment = await requireEnvironment(db, org, environmentName);
  const policyNames = (await policiesFor(db, environment)).map(({ name }) => name);
  const policyEvaluations = await evaluationsOf(db, org, { policyNames, ...question });
  const allowance = await findAllowance(db, environment.id, question.artifact.fingerprint);
  const may = policyNames.length === 0 ? inFlows : policyEvaluations.every(satisfied);
  return {
    scope: "environment",
    environment: environment.name,
    compliant: may || allowance !== undefined,
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

/** Evaluations in the given order of policies. @throws UnansweredPatterns */
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

type FlowVerdict = Pick<Assertion, "flow" | "trail" | "complianceStatus" | "htmlUrl"> & {
  compliant: boolean;
};

/** Evaluates the latest report in the flow, with that report's trail. */
function flowVerdict(
  report: FlowReport,
  attestations: readonly AttestationFact[],
  { org, links, now }: { org: string; links: Links; now: number },
): FlowVerdict {
  const { flow, trail, verdict } = report;
  const template: Template = JSON.parse(trail?.template ?? flow.template);
  const status = evaluateArtifact({ template, attestations }, report);
  return {
    flow: flow.name,
    trail: trail?.name ?? null,
    compliant: verdict.state === "COMPLIANT",
    complianceStatus: statusView(status, now),
    htmlUrl: links.artifact(org, flow.name, report.fingerprint, report.id),
  };
}

function statusView(status: ArtifactStatus, now: number) {
  return {
    artifactFingerprint: status.artifactFingerprint,
    status: status.status,
    isCompliant: status.isCompliant,
    attestationsStatuses: status.attestationsStatuses.map(
      ({ overriddenAttestationId: _overridden, ...shown }) => shown,
    ),
    evaluatedAt: now,
    unexpected: status.unexpected,
  };
}

function isShown(scope: Scope, flow: string | null | undefined): boolean {
  return namesIn(scope, "flows")?.includes(flow ?? "") ?? true;
}

/** Replaces the reasons of hidden flows with a general one. */
function visibleIn(scope: Scope, verdict: ScopeVerdict): ScopeVerdict {
  const { policyEvaluations } = verdict;
  if (policyEvaluations === undefined || scope === null) return verdict;
  return { ...verdict, policyEvaluations: policyEvaluations.map((each) => evaluationIn(scope, each)) };
}

function evaluationIn(scope: Scope, evaluation: PolicyEvaluation): PolicyEvaluation {
  return {
    ...evaluation,
    ruleEvaluations: evaluation.ruleEvaluations?.map((rule) => ({
      ...rule,
      resolutions: rule.resolutions?.map(({ type, context }) =>
        isShown(scope, context?.flowName)
          ? { type, context }
          : { type, context: { ...context, flowName: null, trailName: null, artifactStatus: null } },
      ),
    })),
  };
}
