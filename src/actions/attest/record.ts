import type { ActionContext } from "../../github/step/action.ts";
import type { AttestationRequest, Recorded } from "./attestation-request.ts";
import type { OtherInputs } from "./inputs.ts";
import { recordGeneric } from "./kinds/generic.ts";

/** Records an attestation of any kind. Facts are compliant, except those that contain their result. */
export async function record(attestation: AttestationRequest, context: ActionContext): Promise<Recorded> {
  const done = await recordKind(attestation, context);
  const isUnjudged = attestation.values.record === "facts" && attestation.kind !== "generic";
  return isUnjudged ? { ...done, compliant: true, reason: "" } : done;
}

/** All but the usual kind are loaded only when needed. */
async function recordKind(attestation: AttestationRequest, context: ActionContext): Promise<Recorded> {
  if (attestation.kind === "artifact")
    return (await import("./kinds/artifact.ts")).recordArtifact(attestation, context);
  const values: OtherInputs = attestation.values;
  switch (values.kind) {
    case "generic":
      return recordGeneric(attestation, context);
    case "scan":
      return values.record === "facts"
        ? (await import("./kinds/snyk.ts")).recordSnyk(attestation, context)
        : recordGeneric(attestation, context);
    case "sbom":
      return (await import("./kinds/sbom.ts")).recordSbom(attestation, context);
    case "provenance":
      if (values.environment !== undefined) {
        const { recordSnapshotProvenance } = await import("./kinds/snapshot-provenance.ts");
        return recordSnapshotProvenance({ ...attestation, values }, values.environment, context);
      }
      return (await import("./kinds/provenance.ts")).recordProvenance(attestation, context);
    case "test":
    case "junit":
      return (await import("./kinds/junit.ts")).recordJunit(attestation, context);
    case "snyk":
      return (await import("./kinds/snyk.ts")).recordSnyk(attestation, context);
    case "pull_request":
      return (await import("./kinds/pull-request.ts")).recordPullRequest(attestation, context);
    case "jira":
      return (await import("./kinds/jira.ts")).recordJira({ ...attestation, values }, context);
    case "sonar":
      return (await import("./kinds/sonar.ts")).recordSonar({ ...attestation, values }, context);
    case "custom":
      return (await import("./kinds/custom.ts")).recordCustom({ ...attestation, values }, context);
    case "decision":
      return (await import("./kinds/decision.ts")).recordDecision({ ...attestation, values }, context);
    case "override":
      return (await import("./kinds/override.ts")).recordOverride({ ...attestation, values }, context);
  }
}
