import type { AttestationFact } from "../../judging/compliance/evaluate.ts";
import { listed } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { together } from "../../store/together.ts";

/** An attestation that was just recorded, which now counts in place of an earlier one like it. */
interface RecordedAttestation {
  id: string;
  trailId: string;
  name: string;
  type: string;
  fingerprint: string | null;
  targets: readonly string[];
  commitSha: string | null;
  /** The control that it decides about. */
  control: string | undefined;
}

type Subject = Omit<Tables["latest_attestations"], "attestation_sequence">;

const upsertLatest = prepared((db, given: Given<Subject & { id: string }>) => {
  const made = db.selectFrom("attestations").select("sequence").where("id", "=", given("id"));
  return db
    .insertInto("latest_attestations")
    .values({
      trail_id: given("trail_id"),
      fingerprint: given("fingerprint"),
      artifact_name: given("artifact_name"),
      commit_sha: given("commit_sha"),
      name: given("name"),
      type: given("type"),
      control: given("control"),
      attestation_sequence: made,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["trail_id", "fingerprint", "artifact_name", "commit_sha", "name", "type", "control"])
        .doUpdateSet({ attestation_sequence: (eb) => eb.ref("excluded.attestation_sequence") }),
    );
});

/** Keeps an attestation as the latest of its name, type and control about each thing that it is about. */
export async function keepLatest(db: Database, { id, ...attestation }: RecordedAttestation): Promise<void> {
  await together(subjectsOf(attestation).map((subject) => upsertLatest(db, { ...subject, id })));
}

function subjectsOf({
  fingerprint,
  targets,
  commitSha,
  control,
  ...attestation
}: Omit<RecordedAttestation, "id">): Subject[] {
  const subject = {
    trail_id: attestation.trailId,
    fingerprint: fingerprint ?? "",
    artifact_name: "",
    commit_sha: "",
    name: attestation.name,
    type: attestation.type,
    control: control ?? "",
  };
  if (fingerprint !== null || targets.length === 0) return [subject];
  return [...new Set(targets)].map((target) => ({
    ...subject,
    artifact_name: target,
    commit_sha: commitSha ?? "",
  }));
}

/** The attestations that count, for the caller to choose among. */
export function selectLatest(db: Database) {
  return db
    .selectFrom("latest_attestations as kept")
    .innerJoin("attestations as made", "made.sequence", "kept.attestation_sequence")
    .select(["kept.trail_id", "kept.fingerprint", "kept.artifact_name", "made.sequence", "made.id"])
    .select(["made.name", "made.type", "made.is_compliant", "made.commit_sha", "made.overridden_id"]);
}

export interface LatestRow {
  id: string;
  sequence: number;
  name: string;
  type: string;
  is_compliant: number;
  /** Empty for none. */
  fingerprint: string;
  /** Empty for none. */
  artifact_name: string;
  commit_sha: string | null;
  overridden_id: string | null;
}

/** An attestation that is for several artifacts of the template has a row for each of those that it counts for. */
export function latestFacts(rows: readonly LatestRow[]): AttestationFact[] {
  const facts = new Map<string, AttestationFact & { targets: string[] }>();
  for (const row of rows) {
    const known = facts.get(row.id);
    const targets = row.artifact_name === "" ? [] : [row.artifact_name];
    if (known) known.targets.push(...targets);
    else {
      facts.set(row.id, {
        sequence: row.sequence,
        id: row.id,
        name: row.name,
        type: row.type,
        compliant: row.is_compliant === 1,
        fingerprint: row.fingerprint === "" ? null : row.fingerprint,
        targets,
        commitSha: row.commit_sha,
        overriddenId: row.overridden_id,
      });
    }
  }
  return [...facts.values()];
}

/** The attestations that count in each of several trails. A trail without attestations is absent. */
export async function latestAttestationsOf(
  db: Database,
  trailIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AttestationFact[]>> {
  if (trailIds.length === 0) return new Map();
  return byTrail(await selectLatest(db).where("kept.trail_id", "in", listed(trailIds)).execute());
}

interface ReportInTrail {
  sequence: number;
  trailId: string | null;
}

/**
 * The attestations that count for each of several reports of artifacts, by trail: those about the artifacts
 * themselves, about their trails, and for artifacts by name. What is about other artifacts of a trail is not read.
 */
export async function latestAttestationsAbout(
  db: Database,
  reports: readonly ReportInTrail[],
): Promise<ReadonlyMap<string, readonly AttestationFact[]>> {
  const inTrails = reports.filter(({ trailId }) => trailId !== null);
  if (inTrails.length === 0) return new Map();
  const trailIds = [...new Set(inTrails.flatMap(({ trailId }) => trailId ?? []))];
  const sequences = inTrails.map(({ sequence }) => sequence);
  const aboutArtifacts = selectLatest(db)
    .innerJoin("artifacts as report", (join) =>
      join
        .onRef("report.trail_id", "=", "kept.trail_id")
        .onRef("report.fingerprint", "=", "kept.fingerprint"),
    )
    .where("report.sequence", "in", listed(sequences));
  const rows = await selectLatest(db)
    .where("kept.trail_id", "in", listed(trailIds))
    .where("kept.fingerprint", "=", "")
    .unionAll(aboutArtifacts)
    .execute();
  return byTrail(rows);
}

function byTrail(rows: readonly (LatestRow & { trail_id: string })[]) {
  const ofTrails = Map.groupBy(rows, ({ trail_id }) => trail_id);
  return new Map([...ofTrails].map(([trailId, ofTrail]) => [trailId, latestFacts(ofTrail)]));
}
