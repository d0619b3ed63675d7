import { ORIGIN_HEADER } from "../../api/resources/origin.ts";
import type { Authors } from "../evidence/origins/authors.ts";
import { type Differences, differencesOf, type Said, stateOf } from "../evidence/origins/compare.ts";
import { originsOf } from "../evidence/origins/origins.ts";
import { isSameName } from "../kernel/github-names.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import type { RecordKind } from "../store/account-tables.ts";
import { listed } from "../store/dialect.ts";
import type { Database } from "../store/tables.ts";

interface Recorded {
  readonly kind: RecordKind;
  readonly id: string;
  readonly said: Said;
  /** The repository that it is shown with; a trail is shown with all that its records are from. */
  readonly repoId?: string | null;
  /** Who wrote what it is about, for what somebody else should do. */
  readonly authors?: Authors | undefined;
}

type Sender = Pick<RequestContext, "workflow">;

/**
 * Keeps with a record who made it, where that was proven, and whether the record says the same.
 *
 * @returns the header that says so
 */
export async function recordOrigin(
  db: Database,
  { workflow }: Sender,
  { kind, id, said, repoId = null, authors }: Recorded,
): Promise<Record<string, string>> {
  if (workflow === undefined) {
    // What a later request says of a trail was not proven with what came before.
    if (kind === "trail")
      await db
        .deleteFrom("record_origins")
        .where("record_kind", "=", kind)
        .where("record_id", "=", id)
        .execute();
    return {};
  }
  const linked = await db
    .selectFrom("repos")
    .select(["name", "url", "repo_id as id"])
    .where("id", "in", linkedRepoIds(db, { kind, id, repoId }))
    .execute();
  const differences = differencesOf(said, workflow, linked);
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
    // A trail is put again by a later run: the latest has said what it says now.
    .onConflict((conflict) => conflict.columns(["record_kind", "record_id"]).doUpdateSet(row))
    .execute();
  return headerOf(differences);
}

/** The repositories that a record names. */
function linkedRepoIds(
  db: Database,
  { kind, id, repoId }: Required<Pick<Recorded, "kind" | "id" | "repoId">>,
) {
  return kind === "trail"
    ? db.selectFrom("trail_repos").select("repo_id").where("trail_id", "=", id)
    : listed(repoId === null ? [] : [repoId]);
}

/** 1 for one of the authors, and 0 for somebody else; null where that cannot be told. */
function byAuthor(actor: unknown, { names, areAll }: Authors): 0 | 1 | null {
  if (typeof actor !== "string" || names.length === 0) return null;
  if (names.some((each) => isSameName(each, actor))) return 1;
  return areAll ? 0 : null;
}

/** The header that says of a record how it compares with what was proven. */
export function originHeader({ workflow }: Sender, said: Said): Record<string, string> {
  return workflow === undefined ? {} : headerOf(differencesOf(said, workflow));
}

/** The header for the origin that a record has already; empty if it has none. */
export async function recordedOriginHeader(
  db: Database,
  { kind, id }: Pick<Recorded, "kind" | "id">,
): Promise<Record<string, string>> {
  const origin = (await originsOf(db, kind, [id])).get(id);
  return origin === undefined ? {} : headerOf(origin.differences);
}

function headerOf(differences: Differences): Record<string, string> {
  const fields = Object.keys(differences).join(", ");
  const state = stateOf(differences);
  return { [ORIGIN_HEADER]: fields === "" ? state : `${state}; ${fields}` };
}
