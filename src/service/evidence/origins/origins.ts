import * as z from "zod/mini";
import type { OriginState, RecordKind } from "../../store/account-tables.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

/** Who made a record, as it was proven. */
export type Origin = {
  state: OriginState;
  name: string;
  url: string | null;
  issuer: string;
  policy: string;
  differences: Record<string, { said: string; proven: string }>;
  by_author?: boolean;
  claims: Record<string, unknown>;
};

const differencesColumn = z.record(z.string(), z.object({ said: z.string(), proven: z.string() }));
const claimsColumn = z.record(z.string(), z.unknown());

/** The origins of records, by their ids. Those that were made with a key have none. */
export async function originsOf(
  db: Database,
  kind: RecordKind,
  ids: readonly string[],
): Promise<Map<string, Origin>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("record_origins as made")
    .innerJoin("origins", "origins.id", "made.origin_id")
    .select(["made.record_id", "made.state", "made.differences", "made.by_author"])
    .select(["origins.name", "origins.url", "origins.issuer", "origins.policy", "origins.claims"])
    .where("made.record_kind", "=", kind)
    .where("made.record_id", "in", listed(ids))
    .execute();
  return new Map(
    rows.map(({ record_id, differences, claims, by_author, ...origin }) => [
      record_id,
      {
        ...origin,
        differences: z.parse(differencesColumn, JSON.parse(differences)),
        ...(by_author === null ? {} : { by_author: by_author === 1 }),
        claims: z.parse(claimsColumn, JSON.parse(claims)),
      },
    ]),
  );
}

/** How records compare with what was proven of who made them, by their ids. Those made with a key are left out. */
export async function originStatesOf(
  db: Database,
  kind: RecordKind,
  ids: readonly string[],
): Promise<Map<string, Origin["state"]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("record_origins")
    .select(["record_id", "state"])
    .where("record_kind", "=", kind)
    .where("record_id", "in", listed(ids))
    .execute();
  return new Map(rows.map(({ record_id, state }) => [record_id, state]));
}

/** For the answer: nothing where there is none. */
export function withOrigin(origin: Origin | undefined): { origin?: Origin } {
  return origin === undefined ? {} : { origin };
}
