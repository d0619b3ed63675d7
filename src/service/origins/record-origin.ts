import { ORIGIN_HEADER } from "../../api/origin.ts";
import { isSameName } from "../kernel/github-names.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import type { RecordKind } from "../store/account-tables.ts";
import type { Database } from "../store/tables.ts";
import type { Authors } from "./authors.ts";
import { differencesOf, type Said } from "./compare.ts";

interface Recorded {
  readonly kind: RecordKind;
  readonly id: string;
  readonly said: Said;
  /** Who wrote what it is about, for what somebody else should do. */
  readonly authors?: Authors | undefined;
}

type Sender = Pick<RequestContext, "workflow">;

/** Keeps with a record who made it, where that was proven, and whether the record says the same. */
export async function recordOrigin(
  db: Database,
  { workflow }: Sender,
  { kind, id, said, authors }: Recorded,
): Promise<void> {
  if (workflow === undefined) {
    // What a later request says of a trail was not proven with what came before.
    if (kind === "trail")
      await db
        .deleteFrom("record_origins")
        .where("record_kind", "=", kind)
        .where("record_id", "=", id)
        .execute();
    return;
  }
  const differences = differencesOf(said, workflow);
  const state = Object.keys(differences).length === 0 ? "verified" : "different";
  const row = {
    origin_id: workflow.originId,
    state,
    differences: JSON.stringify(differences),
    by_author: authors === undefined ? null : byAuthor(workflow.claims["actor"], authors),
  } as const;
  await db
    .insertInto("record_origins")
    .values({ record_kind: kind, record_id: id, ...row })
    // A trail is put again by a later run: the latest has said what it says now.
    .onConflict((conflict) => conflict.columns(["record_kind", "record_id"]).doUpdateSet(row))
    .execute();
}

/** 1 for one of the authors, and 0 for somebody else; null where that cannot be told. */
function byAuthor(actor: unknown, { names, areAll }: Authors): 0 | 1 | null {
  if (typeof actor !== "string" || names.length === 0) return null;
  if (names.some((each) => isSameName(each, actor))) return 1;
  return areAll ? 0 : null;
}

/** The header that says of a record how it compares with what was proven. */
export function originHeader({ workflow }: Sender, said: Said): Record<string, string> {
  if (workflow === undefined) return {};
  const fields = Object.keys(differencesOf(said, workflow));
  return { [ORIGIN_HEADER]: fields.length === 0 ? "verified" : `different; ${fields.join(", ")}` };
}
