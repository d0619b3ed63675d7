import type * as z from "zod/mini";
import type { artifactStatus, trailStatus } from "../../api/trail-record.ts";
import type { Camel } from "../../api/wire-names.ts";
import type { ArtifactStatus, TrailStatus } from "../compliance/evaluate.ts";

/** What a trail was judged by, and when something last happened that made it be judged. */
interface Evaluation {
  /** Unix seconds. */
  evaluatedAt: number;
  flowTemplateId: string;
}

/** The compliance of a trail as the interface shows it. */
export function trailStatusView(
  status: TrailStatus,
  evaluation: Evaluation,
): Camel<z.infer<typeof trailStatus>> {
  return {
    ...status,
    attestationsStatuses: status.attestationsStatuses.map((attestation) => ({ ...attestation })),
    artifactsStatuses: Object.fromEntries(
      Object.entries(status.artifactsStatuses).map(([name, artifact]) => [
        name,
        artifactStatusView(artifact, evaluation),
      ]),
    ),
    ...evaluation,
  };
}

function artifactStatusView(
  status: ArtifactStatus,
  evaluation: Evaluation,
): Camel<z.infer<typeof artifactStatus>> {
  return {
    ...status,
    attestationsStatuses: status.attestationsStatuses.map((attestation) => ({ ...attestation })),
    ...evaluation,
  };
}
