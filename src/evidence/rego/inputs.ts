import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";

/*
 * Builds the documents that policies read as `input` from records as the interface returns them, under the names of the
 * wire.
 */

/** A trail and the records of its attestations. */
export interface TrailRecords {
  /** Response of `getTrail`. */
  readonly trail: Untyped;
  /** Records of attestations in any order, such as those of `attestationIds`. Others are ignored. */
  readonly attestations: readonly Untyped[];
}

/** IDs of the attestations that count for the trail and its artifacts. Their records complete its document. */
export function attestationIds(trail: Untyped): string[] {
  const { attestations_statuses, artifacts_statuses } = asObject(trail["compliance_status"]);
  const ofArtifacts = Object.values(asObject(artifacts_statuses)).map(
    (artifact) => asObject(artifact)["attestations_statuses"],
  );
  const statuses = [attestations_statuses, ...ofArtifacts].flatMap(asObjects);
  return [...new Set(statuses.map(({ attestation_id }) => asText(attestation_id)))].filter(Boolean);
}

/** Input of a policy about trails: `trail` for one, `trails` in the given order for several. */
export function trailsInput(trails: readonly TrailRecords[]): Untyped {
  const documents = trails.map(trailDocument);
  return documents.length === 1 ? { trail: documents[0] } : { trails: documents };
}

/** Input of a policy about an artifact: its record with the trails that report it. */
export function artifactInput(artifact: Untyped, trails: readonly TrailRecords[]): Untyped {
  return { artifact: { ...artifact, trails: trails.map(trailDocument) } };
}

/** Input of a policy about a snapshot of an environment. */
export function snapshotInput(snapshot: Untyped): Untyped {
  return { snapshot };
}

/** The trail with its attestations by name, each with the fields of its record. The fields of its status win. */
function trailDocument({ trail, attestations }: TrailRecords): Untyped {
  const records = new Map(attestations.map((record) => [asText(record["attestation_id"]), record]));
  const byName = (statuses: unknown) =>
    Object.fromEntries(
      asObjects(statuses).map((status) => {
        const record = records.get(asText(status["attestation_id"]));
        return [asText(status["attestation_name"]), { ...record, ...status }];
      }),
    );
  const status = asObject(trail["compliance_status"]);
  const artifacts = Object.entries(asObject(status["artifacts_statuses"])).map(([name, artifact]) => {
    const { attestations_statuses, ...others } = asObject(artifact);
    return [name, { ...others, attestations_statuses: byName(attestations_statuses) }] as const;
  });
  return {
    ...trail,
    compliance_status: {
      ...status,
      attestations_statuses: byName(status["attestations_statuses"]),
      artifacts_statuses: Object.fromEntries(artifacts),
    },
  };
}
