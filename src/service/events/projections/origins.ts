import type { Authors } from "../../evidence/origins/authors.ts";
import {
  differencesOf,
  type StatedOrigin,
  type StatedRepository,
  stateOf,
} from "../../evidence/origins/compare.ts";
import type { RequestContext } from "../../kernel/caller.ts";
import { isSameName } from "../../kernel/github-names.ts";
import type { RecordKind } from "../../store/account-tables.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import type { Projection, RecordedEvent } from "../types/event-types.ts";

export const origins: Projection = {
  "trail.begun": (db, { subject: { id }, data, seen: { stated }, by }) =>
    recordOriginOfTrail(db, by, { id, stated, repoIds: data.repo_ids }),
  "trail.updated": async (db, { subject: { id }, data, seen: { stated }, by }) => {
    // A later unproven request changes what was proven before.
    if (by.workflow === undefined) await forgetOrigin(db, { kind: "trail", id });
    else if (stated) await recordOriginOfTrail(db, by, { id, stated, repoIds: data.repo_ids });
  },
  "artifact.reported": (db, { subject: { id }, seen: { stated, linked }, by }) =>
    recordOrigin(db, by, { kind: "artifact", id, stated, linked }),
  "attestation.recorded": originOfAttestation,
  "attestation.overridden": originOfAttestation,
  "approval.recorded": (db, { subject: { id }, seen: { authors }, by }) =>
    recordOrigin(db, by, { kind: "approval", id, stated: {}, authors }),
  "snapshot.taken": async (db, { subject: { id }, data: { reported }, by }) => {
    if (reported) await recordOrigin(db, by, { kind: "snapshot", id, stated: {} });
  },
};

function originOfAttestation(
  db: Database,
  {
    subject: { id },
    seen: { stated, linked, authors },
    by,
  }: RecordedEvent<"attestation.recorded" | "attestation.overridden">,
) {
  return recordOrigin(db, by, { kind: "attestation", id, stated, linked, authors });
}

async function recordOriginOfTrail(
  db: Database,
  by: Pick<RequestContext, "workflow">,
  { id, stated, repoIds }: { id: string; stated: StatedOrigin; repoIds: readonly string[] },
): Promise<void> {
  if (by.workflow === undefined) return;
  const linked = await db
    .selectFrom("repos")
    .select(["name", "url", "repo_id as id"])
    .where("id", "in", listed(repoIds))
    .execute();
  await recordOrigin(db, by, { kind: "trail", id, stated, linked });
}

interface Recorded {
  readonly kind: RecordKind;
  readonly id: string;
  readonly stated: StatedOrigin;
  /** Repositories that the record is shown with. */
  readonly linked?: readonly StatedRepository[];
  /** Authors of what an override or approval is about. */
  readonly authors?: Authors | undefined;
}

async function recordOrigin(
  db: Database,
  { workflow }: Pick<RequestContext, "workflow">,
  { kind, id, stated, linked, authors }: Recorded,
): Promise<void> {
  if (workflow === undefined) return;
  const differences = differencesOf(stated, workflow, linked);
  const row = {
    origin_id: workflow.originId,
    state: stateOf(differences),
    differences: JSON.stringify(differences),
    // The actor of a replay is not the person who decided.
    by_author:
      authors === undefined || workflow.spooledBy !== undefined
        ? null
        : byAuthor(workflow.claims["actor"], authors),
  } as const;
  await db
    .insertInto("record_origins")
    .values({ record_kind: kind, record_id: id, ...row })
    // The latest run of a trail wins.
    .onConflict((conflict) => conflict.columns(["record_kind", "record_id"]).doUpdateSet(row))
    .execute();
}

async function forgetOrigin(db: Database, { kind, id }: Pick<Recorded, "kind" | "id">): Promise<void> {
  await db.deleteFrom("record_origins").where("record_kind", "=", kind).where("record_id", "=", id).execute();
}

/** 1 for an author, 0 for another person, null when that is unknown. */
function byAuthor(actor: unknown, { names, areAll }: Authors): 0 | 1 | null {
  if (typeof actor !== "string" || names.length === 0) return null;
  if (names.some((each) => isSameName(each, actor))) return 1;
  return areAll ? 0 : null;
}
