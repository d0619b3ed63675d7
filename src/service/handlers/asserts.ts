import type { Assertion, assertArtifact } from "../../api/asserts.ts";
import { type ArtifactStatus, evaluateArtifact } from "../compliance/evaluate.ts";
import type { Template } from "../compliance/template.ts";
import type { Handler } from "../http/handler.ts";
import { type HttpError, invalidInput, notFound } from "../http-error.ts";
import type { Links } from "../links.ts";
import { type ArtifactReport, latestReports, unknownArtifact } from "../records/artifacts.ts";
import { attestationFacts } from "../records/attestations.ts";
import { requireFlow } from "../records/flows.ts";
import type { Database } from "../store/tables.ts";

export const handleAssertArtifact: Handler<typeof assertArtifact> = async (
  { org, params },
  { store, links, now },
) => {
  const { fingerprint, flowName, environmentName, policyName } = params;
  refuseUnevaluated({ environmentName, policyName });
  return store.readTogether(async (db) => {
    if (flowName !== undefined) await requireFlow(db, org, flowName);
    const reports = await latestReports(db, { orgId: org.id, fingerprint, flowName });
    const flows: Verdict[] = [];
    for (const report of reports) flows.push(await verdict(db, report, { org: org.name, links, now: now() }));
    const [latest] = flows;
    if (!latest) throw missing(org.name, flowName, fingerprint);
    return {
      status: 200,
      body: {
        ...latest,
        fingerprint,
        compliant: flows.every(({ compliant }) => compliant),
        flows,
        scope: "flow",
      },
    };
  });
};

type Verdict = Pick<Assertion, "flow" | "trail" | "compliant" | "complianceStatus" | "htmlUrl">;

/** Whether an artifact is compliant in one flow: by its latest report there, in that report's trail. */
async function verdict(
  db: Database,
  report: ArtifactReport,
  { org, links, now }: { org: string; links: Links; now: number },
): Promise<Verdict> {
  const { flow, trail } = report;
  const template: Template = JSON.parse(trail?.template ?? flow.template);
  const attestations = trail ? await attestationFacts(db, trail.id) : [];
  const status = evaluateArtifact({ template, attestations }, report);
  return {
    flow: flow.name,
    trail: trail?.name ?? null,
    compliant: status.isCompliant,
    complianceStatus: statusView(status, now),
    htmlUrl: links.artifact(org, flow.name, report.fingerprint, report.id),
  };
}

function statusView(status: ArtifactStatus, now: number) {
  return {
    artifactFingerprint: status.artifactFingerprint,
    status: status.status,
    isCompliant: status.isCompliant,
    attestationsStatuses: status.attestationsStatuses.map((attestation) => ({
      attestationName: attestation.attestationName,
      attestationType: attestation.attestationType,
      status: attestation.status,
      isCompliant: attestation.isCompliant,
      unexpected: attestation.unexpected,
    })),
    evaluatedAt: now,
    unexpected: status.unexpected,
  };
}

/** A gate must not take an answer about flows for one about an environment or a policy. */
function refuseUnevaluated(given: { environmentName: unknown; policyName: unknown }): void {
  const errors: Record<string, string> = {};
  const text = "This service does not evaluate environments and policies yet";
  if (given.environmentName !== undefined) errors["query.environment_name"] = text;
  if (given.policyName !== undefined) errors["query.policy_name"] = text;
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
}

function missing(org: string, flow: string | undefined, fingerprint: string): HttpError {
  return flow === undefined ? notFound("Artifact not found") : unknownArtifact(org, flow, fingerprint);
}
