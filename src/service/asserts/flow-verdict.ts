import type { Assertion } from "../../api/resources/asserts.ts";
import type { FlowReport } from "../evidence/compliance/latest-reports.ts";
import {
  type ArtifactStatus,
  type AttestationFact,
  evaluateArtifact,
} from "../judging/compliance/evaluate.ts";
import type { Template } from "../judging/compliance/template.ts";
import type { Links } from "../kernel/links.ts";

export type FlowVerdict = Pick<Assertion, "flow" | "trail" | "complianceStatus" | "htmlUrl"> & {
  compliant: boolean;
};

/** Whether an artifact is compliant in one flow: by its latest report there, in that report's trail. */
export function flowVerdict(
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
