import { ORIGIN_HEADER } from "../../api/origin.ts";
import type { RequestContext } from "../kernel/request-context.ts";
import type { RecordKind } from "../store/account-tables.ts";
import type { Database } from "../store/tables.ts";
import { differencesOf, type Said } from "./compare.ts";

interface Recorded {
  readonly kind: RecordKind;
  readonly id: string;
  readonly said: Said;
  /** Who wrote what it is about, by GitHub's names, for what somebody else should do. */
  readonly authors?: readonly string[] | undefined;
}

type Sender = Pick<RequestContext, "workflow">;

/** Keeps with a record who made it, where that was proven, and whether the record says the same. */
export async function recordOrigin(
  db: Database,
  { workflow }: Sender,
  { kind, id, said, authors = [] }: Recorded,
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
  const by_author = authors.length === 0 ? null : Number(isAmong(workflow.claims["actor"], authors));
  const row = {
    origin_id: workflow.originId,
    state,
    differences: JSON.stringify(differences),
    by_author,
  } as const;
  await db
    .insertInto("record_origins")
    .values({ record_kind: kind, record_id: id, ...row })
    // A trail is put again by a later run: the latest has said what it says now.
    .onConflict((conflict) => conflict.columns(["record_kind", "record_id"]).doUpdateSet(row))
    .execute();
}

/** Names at GitHub are the same in any letter case. */
function isAmong(actor: unknown, authors: readonly string[]): boolean {
  return typeof actor === "string" && authors.some((each) => each.toLowerCase() === actor.toLowerCase());
}

/** The header that says of a record how it compares with what was proven. */
export function originHeader({ workflow }: Sender, said: Said): Record<string, string> {
  if (workflow === undefined) return {};
  const fields = Object.keys(differencesOf(said, workflow));
  return { [ORIGIN_HEADER]: fields.length === 0 ? "verified" : `different; ${fields.join(", ")}` };
}
