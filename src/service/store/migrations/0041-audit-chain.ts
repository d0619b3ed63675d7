import type { Migration } from "kysely/migration";
import { auditDigest, type ChainedEntry } from "../audit-chain.ts";
import { changeTables } from "../dialect.ts";
import type { Database } from "../tables.ts";

const ENTRIES_AT_A_TIME = 1_000;

/** How many entries the audit log of an organization has, and a digest of them all. */
export const auditChain: Migration = {
  up: async (db: Database) => {
    await changeTables(db, "alter table organizations add column audit_entries integer not null default 0");
    await changeTables(db, "alter table organizations add column audit_digest text not null default ''");
    const chains = new Map<string, { entries: number; digest: string }>();
    for (let last = 0; ; ) {
      const rows: (ChainedEntry & { sequence: number })[] = await db
        .selectFrom("audit_log")
        .selectAll()
        .where("sequence", ">", last)
        .orderBy("sequence")
        .limit(ENTRIES_AT_A_TIME)
        .execute();
      for (const row of rows) {
        const { entries, digest } = chains.get(row.org_id) ?? { entries: 0, digest: "" };
        chains.set(row.org_id, { entries: entries + 1, digest: auditDigest(digest, row) });
      }
      last = rows.at(-1)?.sequence ?? last;
      if (rows.length < ENTRIES_AT_A_TIME) break;
    }
    for (const [id, { entries, digest }] of chains) {
      await db
        .updateTable("organizations")
        .set({ audit_entries: entries, audit_digest: digest })
        .where("id", "=", id)
        .execute();
    }
  },
};
