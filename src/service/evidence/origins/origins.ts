import * as z from "zod/mini";
import type { OriginState, RecordKind } from "../../store/account-tables.ts";
import { listedJson } from "../../store/dialect.ts";
import { type Given, prepared } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import { headerOf } from "./compare.ts";

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

interface Recorded {
  kind: RecordKind;
  /** A JSON array. */
  ids: string;
}

const selectOrigins = prepared((db, given: Given<Recorded>) =>
  db
    .selectFrom("record_origins as made")
    .innerJoin("origins", "origins.id", "made.origin_id")
    .select(["made.record_id", "made.state", "made.differences", "made.by_author"])
    .select(["origins.name", "origins.url", "origins.issuer", "origins.policy", "origins.claims"])
    .where("made.record_kind", "=", given("kind"))
    .where("made.record_id", "in", listedJson(given("ids"))),
);

/** Records made with a key have no origin. */
export async function originsOf(db: Database, kind: RecordKind, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Origin>();
  const rows = await selectOrigins(db, { kind, ids: JSON.stringify(ids) });
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

const selectStates = prepared((db, given: Given<Recorded>) =>
  db
    .selectFrom("record_origins")
    .select(["record_id", "state"])
    .where("record_kind", "=", given("kind"))
    .where("record_id", "in", listedJson(given("ids"))),
);

/** Origins of records. Records made with a key have none. */
export async function originStatesOf(db: Database, kind: RecordKind, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, OriginState>();
  const rows = await selectStates(db, { kind, ids: JSON.stringify(ids) });
  return new Map(rows.map(({ record_id, state }) => [record_id, state]));
}

export function withOrigin(origin: Origin | undefined): { origin?: Origin } {
  return origin === undefined ? {} : { origin };
}

/** The header for a stored record; empty without an origin. */
export async function recordedOriginHeader(db: Database, { kind, id }: { kind: RecordKind; id: string }) {
  const origin = (await originsOf(db, kind, [id])).get(id);
  return origin === undefined ? {} : headerOf(origin.differences);
}
