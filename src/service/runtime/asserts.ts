import type { assertArtifact } from "../../api/resources/asserts.ts";
import { flowVerdict } from "../asserts/flow-verdict.ts";
import { isShown, toldIn } from "../asserts/in-scope.ts";
import { environmentVerdict, policyVerdict, type ScopeVerdict } from "../asserts/scopes.ts";
import { unknownArtifact } from "../evidence/artifacts/records.ts";
import { latestAttestationsOfReports, latestReportsOf } from "../evidence/compliance/latest-reports.ts";
import { requireFlow } from "../evidence/flows/records.ts";
import type { PatternAnswers } from "../judging/patterns/pattern-answers.ts";
import { withPatterns } from "../judging/patterns/with-patterns.ts";
import { invalidInput, NotFound, type Refusal } from "../kernel/errors.ts";
import type { Organization } from "../kernel/organization.ts";
import type { Call, Handler } from "../operation/handler.ts";
import type { Database } from "../store/tables.ts";
import { requireEnvironment } from "./environments/records.ts";
import { requirePolicies } from "./policies/versions.ts";

/**
 * The verdict is the whole truth for everybody: a flow out of the scope of who asks closes the gate like any other.
 * Only its name, its trails and its attestations are not told. An artifact of no flow in the scope is unknown.
 */
export const handleAssertArtifact: Handler<typeof assertArtifact> = async (
  { org, caller: { scope }, params },
  { store, links, patterns, now },
) => {
  if (params.environmentName !== undefined && params.policyName !== undefined) {
    throw invalidInput({ "query.policy_name": "Give either an environment or policies, not both" });
  }
  return withPatterns({ patterns, orgId: org.id }, (answers) =>
    store.readTogether(async (db) => {
      await requireScope(db, org, params);
      const reports = await reportsOf(db, org, params);
      const attestations = await latestAttestationsOfReports(db, reports);
      const all = reports.map((report) =>
        flowVerdict(report, attestations.get(report.trail?.id ?? "") ?? [], {
          org: org.name,
          links,
          now: now(),
        }),
      );
      const flows = all.filter(({ flow }) => isShown(scope, flow));
      const [first] = flows;
      const latest = reports.toSorted((a, b) => b.sequence - a.sequence)[0];
      if (!first || !latest) throw missing(org, params);
      const inFlows = all.every(({ compliant }) => compliant);
      const artifact = { name: latest.filename, fingerprint: params.fingerprint };
      const verdict = await scopeVerdict(db, org, { params, artifact, inFlows, patterns: answers });
      const told = toldIn(scope, verdict);
      return { status: 200, body: { ...first, fingerprint: params.fingerprint, flows, ...told } };
    }),
  );
};

type Params = Call<typeof assertArtifact>["params"];

/** What the question names must exist, whatever is known of the artifact. @throws NotFound */
async function requireScope(
  db: Database,
  org: Organization,
  { environmentName, policyName }: Params,
): Promise<void> {
  if (environmentName !== undefined) await requireEnvironment(db, org, environmentName);
  if (policyName !== undefined) await requirePolicies(db, org, policyName);
}

/** The latest report of the artifact in each flow that is asked about; the flow it came to first is first. */
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
  {
    params: { environmentName, policyName },
    artifact,
    inFlows,
    patterns,
  }: {
    params: Params;
    artifact: { name: string; fingerprint: string };
    inFlows: boolean;
    patterns: PatternAnswers;
  },
): Promise<ScopeVerdict> {
  if (environmentName !== undefined) {
    return environmentVerdict(db, org, { environmentName, artifact, inFlows, patterns });
  }
  if (policyName !== undefined)
    return policyVerdict(db, org, { policyNames: policyName, artifact, patterns });
  return { scope: "flow", compliant: inFlows };
}

function missing(org: Organization, { flowName, fingerprint }: Params): Refusal {
  return flowName === undefined
    ? new NotFound(`Artifact with fingerprint '${fingerprint}' does not exist in organization '${org.name}'`)
    : unknownArtifact(org.name, flowName, fingerprint);
}
