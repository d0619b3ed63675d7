import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { changeTables } from "../dialect.ts";

/** What this step reads and fills, as it is with the new columns. */
interface OldTables {
  share_links: {
    id: string;
    org_id: string;
    kind: string;
    place: string;
    name: string | null;
    created_at: number;
    revoked_at: number | null;
    flow_id: string | null;
    trail_id: string | null;
    environment_id: string | null;
  };
  flows: { id: string; org_id: string; name: string; created_at: number };
  environments: { id: string; org_id: string; name: string; created_at: number };
  trails: { id: string; flow_id: string; name: string; created_at: number };
  audit_log: {
    org_id: string;
    created_at: number;
    act: string;
    resource_id: string | null;
    resource_name: string;
    changes: string;
  };
}

type OldDatabase = Kysely<OldTables>;
type Link = OldTables["share_links"];

/**
 * Share links name what they show by id, because a name may be given to something else. A link from before gets the id of
 * what had its name when it was made. If that cannot be known, the link is revoked.
 */
export const shareLinkIds: Migration = {
  up: async (db: OldDatabase) => {
    for (const [column, table] of [
      ["flow_id", "flows"],
      ["trail_id", "trails"],
      ["environment_id", "environments"],
    ]) {
      await changeTables(db, `alter table share_links add column ${column} text references ${table} (id)`);
    }
    const links = await db.selectFrom("share_links").selectAll().where("revoked_at", "is", null).execute();
    for (const link of links) {
      const ids = await idsOf(db, link);
      const set = ids ?? { revoked_at: Date.now() / 1000 };
      await db.updateTable("share_links").set(set).where("id", "=", link.id).execute();
    }
  },
};

async function idsOf(db: OldDatabase, link: Link) {
  if (link.kind === "environment") {
    const environment_id = await placeId(db, "environments", link);
    return environment_id === undefined ? undefined : { environment_id };
  }
  const flow_id = await placeId(db, "flows", link);
  if (flow_id === undefined) return undefined;
  if (link.kind !== "trail") return { flow_id };
  // Trails are never renamed.
  const trail = await db
    .selectFrom("trails")
    .select("id")
    .where("flow_id", "=", flow_id)
    .where("name", "=", link.name)
    .where("created_at", "<=", link.created_at)
    .executeTakeFirst();
  return trail && { flow_id, trail_id: trail.id };
}

/** The flow or environment that had the name of a link when it was made. */
async function placeId(
  db: OldDatabase,
  table: "flows" | "environments",
  { org_id, place, created_at }: Link,
): Promise<string | undefined> {
  const acts = await db
    .selectFrom("audit_log")
    .select(["resource_id", "resource_name", "changes"])
    .where("org_id", "=", org_id)
    .where("act", "=", table === "flows" ? "flow.renamed" : "environment.renamed")
    .where("created_at", ">=", created_at)
    .execute();
  const renames = acts.filter(
    ({ resource_name, changes }) => resource_name === place || JSON.parse(changes).name?.to === place,
  );
  const [first, ...others] = renames;
  if (others.length > 0) return undefined;
  if (first !== undefined && first.resource_name !== place) return undefined;
  let found = db.selectFrom(table).select("id").where("org_id", "=", org_id);
  found = first === undefined ? found.where("name", "=", place) : found.where("id", "=", first.resource_id);
  const rows = await found.where("created_at", "<=", created_at).execute();
  return rows.length === 1 ? rows[0]?.id : undefined;
}
