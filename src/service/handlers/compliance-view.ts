import type * as z from "zod/mini";
import type { artifactStatus, trailStatus } from "../../api/trail-record.ts";
import type { Camel } from "../../api/wire-names.ts";
import type { ArtifactStatus, TrailStatus } from "../compliance/evaluate.ts";

/** The compliance of a trail as the interface shows it. */
export function trailStatusView(status: TrailStatus, now: number): Camel<z.infer<typeof trailStatus>> {
  return {
    ...status,
    attestationsStatuses: status.attestationsStatuses.map((attestation) => ({ ...attestation })),
    artifactsStatuses: Object.fromEntries(
      Object.entries(status.artifactsStatuses).map(([name, artifact]) => [
        name,
        artifactStatusView(artifact, now),
      ]),
    ),
    evaluatedAt: now,
    flowTemplateId: null,
  };
}

function artifactStatusView(status: ArtifactStatus, now: number): Camel<z.infer<typeof artifactStatus>> {
  return {
    ...status,
    attestationsStatuses: status.attestationsStatuses.map((attestation) => ({ ...attestation })),
    evaluatedAt: now,
    flowTemplateId: null,
  };
}
