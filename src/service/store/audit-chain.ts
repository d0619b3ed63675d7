import { hash } from "node:crypto";
import { sha256After } from "./dialect.ts";
import type { Database, Tables } from "./tables.ts";

export type ChainedEntry = Omit<Tables["audit_log"], "sequence">;

export function auditDigest(before: string, entry: ChainedEntry): string {
  return hash("sha256", before + digestOf(entry));
}

function digestOf(entry: ChainedEntry): string {
  const fields = [
    ...[entry.id, entry.org_id, entry.created_at, entry.act, entry.account, entry.api_key_id],
    ...[entry.address, entry.request_id, entry.resource_type, entry.resource_name, entry.resource_id],
    ...[entry.details, entry.changes],
  ];
  return hash("sha256", JSON.stringify(fields));
}

export async function appendEntry(db: Database, entry: ChainedEntry): Promise<void> {
  await db.insertInto("audit_log").values(entry).execute();
  await db
    .updateTable("organizations")
    .set(({ eb }) => ({
      audit_entries: eb("audit_entries", "+", 1),
      audit_digest: sha256After("audit_digest", digestOf(entry)),
    }))
    .where("id", "=", entry.org_id)
    .execute();
}
