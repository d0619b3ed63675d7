import { sonarSubmission } from "../../../../api/resources/attestation-kinds.ts";
import { fieldsIn } from "../../../kernel/json-column.ts";
import type { Call } from "../../../operation/handler.ts";
import { attestSonar } from "../kinds.ts";
import { asName, type Received, submissionOf } from "./submission.ts";

/** Beginnings of the analysis properties that say what an analysis is about. */
const PREFIXES = ["sonar.analysis.evidence_", "sonar.analysis.kosli_"] as const;

/**
 * Records the webhook of a Sonar analysis. The properties of the analysis name the flow, trail, attestation, commit and
 * artifact, and describe a new flow or trail. Defaults are the project's key, the revision, `sonar`, and the revision if
 * it is a commit. An analysis without a quality gate, as a failed one, is not compliant.
 *
 * @throws Invalid
 */
export async function recordAnalysis(content: unknown, received: Received, message: string): Promise<string> {
  const sent = fieldsIn(content);
  const project = fieldsIn(sent["project"]);
  const properties = fieldsIn(sent["properties"]);
  const property = (name: string) =>
    PREFIXES.map((prefix) => textIn(properties[prefix + name])).find(Boolean);
  const revision = textIn(sent["revision"]);
  // `web.unit` is an attestation of the artifact `web` in the template.
  const [name = "sonar", artifact] = (property("attestation") ?? "sonar").split(".").reverse();
  const commit = property("git_commit") ?? (/^[a-f0-9]{40}$/.test(revision) ? revision : undefined);
  const fingerprint = property("artifact_fingerprint");
  const submission = submissionOf(
    sonarSubmission,
    {
      flow: property("flow") ?? received.hook.flow_name ?? asName(textIn(project["key"])),
      flowDescription: property("flow_description"),
      trail: property("trail") ?? asName(revision),
      trailDescription: property("trail_description"),
      message,
      body: {
        attestation_name: name,
        ...(artifact && { target_artifacts: [artifact] }),
        ...(commit && { git_commit_info: { sha1: commit } }),
        ...(fingerprint && { artifact_fingerprint: fingerprint }),
        // A failed analysis lacks some fields.
        sonar_results: {
          ...{ analysedAt: "", revision: "", ...sent },
          project: { url: "", ...project },
        },
      },
    },
    received,
  );
  // Its schema has just confirmed the type of the body.
  await attestSonar(submission as Call<"attestSonar">, received.context);
  const { flowName, trailName } = submission.params;
  return `Recorded sonar attestation '${name}' on trail '${trailName}' of flow '${flowName}'`;
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
