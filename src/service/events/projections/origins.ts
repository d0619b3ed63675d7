import type { Authors } from "../../evidence/origins/authors.ts";
import {
  differencesOf,
  type StatedOrigin,
  type StatedRepository,
  stateOf,
} from "../../evidence/origins/compare.ts";
import { asciiLower } from "../../kernel/ascii-lower.ts";
import type { RequestContext } from "../../kernel/caller.ts";
import { isSameName } from "../../kernel/github-names.ts";
import type { OriginState, RecordKind } from "../../store/account-tables.ts";
import { listed } from "../../store/dialect.ts";
import { newIdOf } from "../../store/ids.ts";
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
  by: By,
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

type By = Pick<RequestContext, "orgId" | "workflow" | "person" | "now">;

interface Recorded {
  readonly kind: RecordKind;
  readonly id: string;
  readonly stated: StatedOrigin;
  /** Repositories that the record is shown with. */
  readonly linked?: readonly StatedRepository[];
  /** Authors of what an override or approval is about. */
  readonly authors?: Authors | undefined;
}

async function recordOrigin(db: Database, by: By, recorded: Recorded): Promise<void> {
  const { workflow, person } = by;
  const { stated, linked, authors } = recorded;
  if (workflow === undefined) {
    // People decide. Their sign-in proves nothing about what they report.
    if (person !== undefined && authors !== undefined) await recordPerson(db, by, person.id, recorded);
    return;
  }
  const differences = differencesOf(stated, workflow, linked);
  await insertOrigin(db, recorded, {
    ...{ originId: workflow.originId, state: stateOf(differences), differences },
    // The actor of a replay is not the person who decided.
    byAuthor:
      authors === undefined || workflow.spooledBy !== undefined
        ? null
        : byAuthor(workflow.claims["actor"], authors),
  });
}

/** Records who overrode or approved, as proven by the provider that signed the person in. */
async function recordPerson(
  db: Database,
  { orgId, now }: By,
  personId: string,
  recorded: Recorded,
): Promise<void> {
  const { name, email, issuer, subject } = await db
    .selectFrom("people")
    .innerJoin("identities", "identities.person_id", "people.id")
    .select(["people.name", "people.email", "identities.issuer", "identities.subject"])
    .where("people.id", "=", personId)
    .executeTakeFirstOrThrow();
  const claims = { sub: subject, name, ...(email !== null && { email, email_verified: true }) };
  const originId = newIdOf(now);
  await db
    .insertInto("origins")
    .values({
      ...{ id: originId, org_id: orgId, policy: "", issuer, url: null, created_at: now },
      ...{ name: email === null ? name : `${name} <${email}>`, claims: JSON.stringify(claims) },
    })
    .execute();
  const isAuthor =
    email !== null && recorded.authors?.emails.some((each) => asciiLower(each) === asciiLower(email));
  await insertOrigin(db, recorded, {
    // A sign-in proves no commit, so policies that ask for a verified origin stay strict.
    ...{ originId, state: "unproven", differences: {} },
    // Git takes any address, so another one does not prove another person.
    byAuthor: isAuthor ? 1 : null,
  });
}

interface Proven {
  readonly originId: string;
  readonly state: OriginState;
  readonly differences: ReturnType<typeof differencesOf>;
  readonly byAuthor: 0 | 1 | null;
}

async function insertOrigin(
  db: Database,
  { kind, id }: Recorded,
  { originId, state, differences, byAuthor }: Proven,
): Promise<void> {
  const row = {
    ...{ origin_id: originId, state },
    differences: JSON.stringify(differences),
    by_author: byAuthor,
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
