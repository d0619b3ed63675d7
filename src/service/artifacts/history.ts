/** The beginning of a history: an artifact was reported, by its name in the template or else its own. */
export function reportedAs(name: unknown): string {
  return `${name} reported`;
}

/** The events of a trail that are about one artifact, in words. */
export function artifactHistory(
  events: readonly Readonly<Record<string, unknown>>[],
  artifact: { fingerprint: string; templateName: string | null },
): { event: string; timestamp: number }[] {
  return events
    .filter((event) => isAboutArtifact(event, artifact))
    .flatMap((event) => {
      const text = inWords(event);
      return text === undefined ? [] : [{ event: text, timestamp: Number(event.timestamp) }];
    });
}

function isAboutArtifact(
  event: Readonly<Record<string, unknown>>,
  { fingerprint, templateName }: { fingerprint: string; templateName: string | null },
): boolean {
  return event.type === "trail_attestation_for_artifact_reported"
    ? templateName !== null && event.target_artifact === templateName
    : event.artifact_fingerprint === fingerprint;
}

function inWords(event: Readonly<Record<string, unknown>>): string | undefined {
  switch (event.type) {
    case "artifact_creation_reported":
      return reportedAs(event.template_reference_name ?? event.artifact_name);
    case "artifact_attestation_reported":
    case "trail_attestation_for_artifact_reported":
      return `${event.attestation_type} attestation '${event.template_reference_name}' reported as ${
        event.is_compliant === true ? "compliant" : "non-compliant"
      }`;
    case "artifact_approval_reported":
      return `Approval #${event.approval_number} is ${event.state}`;
    case "artifact_started_running":
      return `Started running in ${event.environment_name}#${event.snapshot_index}`;
    case "artifact_stopped_running":
      return `Stopped running in ${event.environment_name}#${event.snapshot_index}`;
    default:
      return undefined;
  }
}
