import type * as z from "zod/mini";
import type { artifactStatus, trailStatus } from "../../api/resources/trail-record.ts";
import type { Camel } from "../../api/wire-names.ts";
import type { ArtifactStatus, TrailStatus } from "../judging/compliance/evaluate.ts";
import type { OriginState } from "../store/account-tables.ts";

/** What a trail was judged by, and when something last happened that made it be judged. */
interface Evaluation {
  /** Unix seconds. */
  evaluatedAt: number;
  flowTemplateId: string;
}

/** How attestations compare with what was proven of who made them, by their ids. */
type OriginStates = ReadonlyMap<string, OriginState>;

/** The compliance of a trail as the interface shows it. */
export function trailStatusView(
  status: TrailStatus,
  evaluation: Evaluation,
  origins: OriginStates,
): Camel<z.infer<typeof trailStatus>> {
  return {
    ...status,
    attestationsStatuses: attestationStatusViews(status, origins),
    artifactsStatuses: Object.fromEntries(
      Object.entries(status.artifactsStatuses).map(([name, artifact]) => [
        name,
        artifactStatusView(artifact, evaluation, origins),
      ]),
    ),
    ...evaluation,
  };
}

function artifactStatusView(
  status: ArtifactStatus,
  evaluation: Evaluation,
  origins: OriginStates,
): Camel<z.infer<typeof artifactStatus>> {
  return {
    ...status,
    attestationsStatuses: attestationStatusViews(status, origins),
    ...evaluation,
  };
}

function attestationStatusViews(
  { attestationsStatuses }: Pick<ArtifactStatus, "attestationsStatuses">,
  origins: OriginStates,
) {
  return attestationsStatuses.map((attestation) => {
    const originState = origins.get(attestation.attestationId ?? "");
    return { ...attestation, ...(originState === undefined ? {} : { originState }) };
  });
}

/** The attestations that a trail has, by their ids. */
export function attestationIdsIn({ attestationsStatuses, artifactsStatuses }: TrailStatus): string[] {
  const ofArtifacts = Object.values(artifactsStatuses).flatMap((artifact) => artifact.attestationsStatuses);
  return [...attestationsStatuses, ...ofArtifacts].flatMap(({ attestationId }) => attestationId ?? []);
}
