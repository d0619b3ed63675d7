import { createHash } from "node:crypto";
import type { Database, Tables } from "./tables.ts";

/** What a digest covers of an entry of the audit log. */
export type ChainedEntry = Omit<Tables["audit_log"], "sequence">;

/** The digest of all entries up to one, from the digest of those before it. */
export function auditDigest(before: string, entry: ChainedEntry): string {
  const fields = [
    ...[before, entry.id, entry.org_id, entry.created_at, entry.act, entry.account, entry.api_key_id],
    ...[entry.address, entry.request_id, entry.resource_type, entry.resource_name, entry.resource_id],
    ...[entry.details, entry.changes],
  ];
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}

/** Adds an entry to the audit log of an organization, and counts it. */
export async function appendEntry(db: Database, entry: ChainedEntry): Promise<void> {
  const before = await db
    .selectFrom("organizations")
    .select(["audit_entries", "audit_digest"])
    .where("id", "=", entry.org_id)
    .executeTakeFirstOrThrow();
  await db.insertInto("audit_log").values(entry).execute();
  await db
    .updateTable("organizations")
    .set({ audit_entries: before.audit_entries + 1, audit_digest: auditDigest(before.audit_digest, entry) })
    .where("id", "=", entry.org_id)
    .execute();
}
