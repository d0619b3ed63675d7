import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { ArtifactFact, AttestationFact } from "../../judging/compliance/evaluate.ts";
import { type Verdict, verdictsOf } from "../../judging/compliance/trail-verdict.ts";
import { letOthersIn } from "../../kernel/slices.ts";
import { changeTables } from "../dialect.ts";

/** What this step reads, as it was before it. */
interface OldTables {
  trails: { id: string; template: string; created_at: number };
  artifacts: {
    sequence: number;
    id: string;
    trail_id: string | null;
    fingerprint: string;
    filename: string;
    template_name: string | null;
    commit_sha: string | null;
    is_compliant: number | null;
    created_at: number;
  };
  attestations: {
    sequence: number;
    id: string;
    trail_id: string;
    name: string;
    type: string;
    is_compliant: number;
    artifact_fingerprint: string | null;
    commit_sha: string | null;
    overridden_id: string | null;
    created_at: number;
  };
  attestation_targets: { attestation_id: string; artifact_name: string };
}

type OldDatabase = Kysely<OldTables>;

/**
 * What trails and their artifacts are was worked out from all their records each time that somebody asked. Now it is
 * kept, with since when and why, and beside it which attestations count. Records of before are gone through once, in
 * the order in which they were made. What was asked of a trail before its template was replaced is not known, so that
 * such a trail is what it is since the record that made it so under the template of now.
 *
 * It relies on code that lives on, `compliance/`: what is kept has to be what the judge of this version says. A version
 * that judges otherwise needs a step that judges all trails again anyway.
 */
export const keptCompliance: Migration = {
  up: async (db: OldDatabase) => {
    for (const statement of TABLES) await changeTables(db, statement);
    await fill(db);
    for (const statement of INDEXES) await changeTables(db, statement);
  },
};

const TABLES = [
  "alter table trails add column compliance_state text not null default 'COMPLIANT'",
  "alter table trails add column compliance_since double precision not null default 0",
  "alter table trails add column compliance_reason text",
  "alter table artifacts add column compliance_state text",
  "alter table artifacts add column compliance_since double precision",
  "alter table artifacts add column compliance_reason text",
  `create table latest_attestations (
    trail_id text not null references trails (id),
    fingerprint text not null,
    artifact_name text not null,
    commit_sha text not null,
    name text not null,
    type text not null,
    control text not null,
    attestation_sequence integer not null references attestations (sequence),
    primary key (trail_id, fingerprint, artifact_name, commit_sha, name, type, control)
  )`,
  // The columns that tell apart what counts and what was replaced; the highest sequence of each group counts.
  `insert into latest_attestations
    select made.trail_id, coalesce(made.artifact_fingerprint, ''), coalesce(target.artifact_name, ''),
      case when target.artifact_name is null then '' else coalesce(made.commit_sha, '') end,
      made.name, made.type, coalesce(decision.control, ''), max(made.sequence)
    from attestations as made
    left join attestation_targets as target
      on target.attestation_id = made.id and made.artifact_fingerprint is null
    left join control_decisions as decision on decision.attestation_id = made.id
    group by 1, 2, 3, 4, 5, 6, 7`,
];

const INDEXES = [
  "create index latest_attestations_fingerprint on latest_attestations (fingerprint, control)",
  "create index trails_org_state on trails (org_id, compliance_state, created_at, id)",
  "create index trails_flow_state on trails (flow_id, compliance_state, created_at, id)",
  "create index trail_events_age on trail_events (trail_id, created_at, sequence)",
];

const TRAILS_AT_A_TIME = 500;

/** Judges every trail after each of its records. */
async function fill(db: OldDatabase): Promise<void> {
  let last = "";
  for (;;) {
    const trails = await db
      .selectFrom("trails")
      .select(["id", "template", "created_at"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(TRAILS_AT_A_TIME)
      .execute();
    for (const trail of trails) await fillTrail(db, trail);
    last = trails.at(-1)?.id ?? last;
    if (trails.length < TRAILS_AT_A_TIME) return;
    await letOthersIn();
  }
}

/** A verdict with since when that is the state. */
interface Since extends Verdict {
  /** Unix seconds. */
  since: number;
}

async function fillTrail(db: OldDatabase, trail: OldTables["trails"]): Promise<void> {
  const template = JSON.parse(trail.template);
  const artifacts: ArtifactFact[] = [];
  const attestations = new Attestations();
  let ofTrail: Since | undefined;
  let ofArtifacts: Since[] = [];
  const judge = (at: number) => {
    const verdicts = verdictsOf({ template, artifacts, attestations: attestations.all() });
    ofTrail = after(ofTrail, verdicts.trail, at);
    ofArtifacts = verdicts.artifacts.map((verdict, index) => after(ofArtifacts[index], verdict, at));
  };
  judge(trail.created_at);
  for (const { artifact, attestation, at } of await recordsOf(db, trail.id)) {
    if (artifact) artifacts.push(artifact);
    if (!attestation || attestations.add(attestation)) judge(at);
  }
  await keep(
    db,
    trail.id,
    ofTrail,
    artifacts.map(({ sequence }, index) => [sequence, ofArtifacts[index]] as const),
  );
}

function after(before: Since | undefined, verdict: Verdict, at: number): Since {
  return { ...verdict, since: before?.state === verdict.state ? before.since : at };
}

/** The attestations of a trail, each in place of an earlier one like it. */
class Attestations {
  readonly #byKey = new Map<string, AttestationFact>();
  readonly #latestOfName = new Map<string, string>();

  /** @returns whether anything can be otherwise now: not when it repeats the latest attestation of its name. */
  add(made: AttestationFact): boolean {
    const { name, type, fingerprint, compliant } = made;
    const named = fingerprint === null && made.targets.length > 0;
    const key = JSON.stringify([name, type, fingerprint, ...(named ? [made.targets, made.commitSha] : [])]);
    const isRepeat = this.#latestOfName.get(name) === key && this.#byKey.get(key)?.compliant === compliant;
    this.#byKey.set(key, made);
    this.#latestOfName.set(name, key);
    return !isRepeat;
  }

  all(): AttestationFact[] {
    return [...this.#byKey.values()];
  }
}

interface TrailRecord {
  artifact?: ArtifactFact;
  attestation?: AttestationFact;
  /** Unix seconds. */
  at: number;
}

/** What was added to a trail, in the order in which it was. */
async function recordsOf(db: OldDatabase, trailId: string): Promise<TrailRecord[]> {
  const artifacts = await db
    .selectFrom("artifacts")
    .select(["sequence", "id", "fingerprint", "filename", "template_name", "commit_sha", "is_compliant"])
    .select("created_at")
    .where("trail_id", "=", trailId)
    .orderBy("sequence")
    .execute();
  const attestations = await db
    .selectFrom("attestations")
    .leftJoin("attestation_targets as target", "target.attestation_id", "attestations.id")
    .select(["sequence", "id", "name", "type", "is_compliant", "artifact_fingerprint", "created_at"])
    .select(["attestations.commit_sha", "overridden_id", "target.artifact_name"])
    .where("attestations.trail_id", "=", trailId)
    .orderBy("sequence")
    .execute();
  const records = [
    ...artifacts.map((row): TrailRecord => ({ at: row.created_at, artifact: artifactFact(row) })),
    ...[...Map.groupBy(attestations, ({ id }) => id)].flatMap(([id, rows]): TrailRecord[] => {
      const targets = rows.flatMap(({ artifact_name }) => artifact_name ?? []);
      return rows
        .slice(0, 1)
        .map((row) => ({ at: row.created_at, attestation: { ...fact(row), id, targets } }));
    }),
  ];
  return records.sort((a, b) => a.at - b.at);
}

function artifactFact(row: Omit<OldTables["artifacts"], "trail_id" | "created_at">): ArtifactFact {
  return {
    sequence: row.sequence,
    id: row.id,
    fingerprint: row.fingerprint,
    filename: row.filename,
    templateName: row.template_name,
    commitSha: row.commit_sha,
    declaredCompliant: row.is_compliant === null ? null : row.is_compliant === 1,
  };
}

function fact(row: Omit<OldTables["attestations"], "id" | "trail_id" | "created_at">) {
  return {
    sequence: row.sequence,
    name: row.name,
    type: row.type,
    compliant: row.is_compliant === 1,
    fingerprint: row.artifact_fingerprint,
    commitSha: row.commit_sha,
    overriddenId: row.overridden_id,
  };
}

async function keep(
  db: OldDatabase,
  trailId: string,
  trail: Since | undefined,
  artifacts: readonly (readonly [sequence: number, since: Since | undefined])[],
): Promise<void> {
  if (!trail) return;
  await sql`update trails set compliance_state = ${trail.state}, compliance_since = ${trail.since},
    compliance_reason = ${trail.reason} where id = ${trailId}`.execute(db);
  for (const [sequence, artifact] of artifacts) {
    if (!artifact) continue;
    await sql`update artifacts set compliance_state = ${artifact.state}, compliance_since = ${artifact.since},
      compliance_reason = ${artifact.reason} where sequence = ${sequence}`.execute(db);
  }
}
