import { type PolicyDump, policyDump } from "../../api/policies.ts";
import { toWire } from "../../api/wire-names.ts";
import type { Occasion } from "../kernel/request-context.ts";
import { newId } from "../store/ids.ts";
import type { Database, Tables } from "../store/tables.ts";

/** A policy file that was checked. */
export interface WrittenPolicy {
  /** As it was uploaded. */
  source: string;
  definition: PolicyDump;
  /** The ids of the controls that it names. */
  controlIds: readonly string[];
}

export interface PolicyFields {
  name: string;
  description: string;
  /** Why the file was changed. */
  comment: string;
}

/** Creates a policy with its first version. */
export async function createPolicy(
  db: Database,
  { name, description, comment }: PolicyFields,
  written: WrittenPolicy,
  occasion: Occasion,
): Promise<void> {
  const { orgId, accountName, now } = occasion;
  const id = newId();
  await db
    .insertInto("policies")
    .values({
      id,
      org_id: orgId,
      name,
      description,
      version: 1,
      created_by: accountName,
      created_at: now,
      last_modified_at: now,
    })
    .execute();
  await addVersion(db, { policyId: id, version: 1, comment }, written, occasion);
  await addEvent(db, { policyId: id, type: "creation", data: {} }, occasion);
}

/**
 * Changes a policy. A file like that of the latest version makes no new version; what is said of the policy
 * changes all the same.
 */
export async function updatePolicy(
  db: Database,
  policy: Tables["policies"],
  { description, comment }: PolicyFields,
  written: WrittenPolicy | undefined,
  occasion: Occasion,
): Promise<void> {
  const isNewVersion = written !== undefined && written.source !== (await latestSource(db, policy));
  const isDescribed = written === undefined || description !== policy.description;
  if (!isNewVersion && !isDescribed) return;
  const version = isNewVersion ? policy.version + 1 : policy.version;
  await db
    .updateTable("policies")
    .set({ description, version, last_modified_at: occasion.now })
    .where("id", "=", policy.id)
    .execute();
  const policyId = policy.id;
  if (isDescribed) {
    await addEvent(db, { policyId, type: "metadata_update", data: { description } }, occasion);
  }
  if (isNewVersion) {
    await addVersion(db, { policyId, version, comment }, written, occasion);
    await addEvent(db, { policyId, type: "new_version", data: { version } }, occasion);
  }
}

async function latestSource(db: Database, { id, version }: Tables["policies"]): Promise<string | undefined> {
  const row = await db
    .selectFrom("policy_versions")
    .select("source")
    .where("policy_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.source;
}

async function addVersion(
  db: Database,
  { policyId, version, comment }: { policyId: string; version: number; comment: string },
  { source, definition, controlIds }: WrittenPolicy,
  { accountName, now }: Occasion,
): Promise<void> {
  await db
    .insertInto("policy_versions")
    .values({
      policy_id: policyId,
      version,
      comment,
      source,
      definition: JSON.stringify(toWire(policyDump, definition)),
      created_by: accountName,
      created_at: now,
    })
    .execute();
  await db.deleteFrom("policy_controls").where("policy_id", "=", policyId).execute();
  const rows = controlIds.map((controlId) => ({ policy_id: policyId, control_id: controlId }));
  if (rows.length > 0) await db.insertInto("policy_controls").values(rows).execute();
}

async function addEvent(
  db: Database,
  { policyId, type, data }: { policyId: string; type: string; data: object },
  { accountName, now }: Occasion,
): Promise<void> {
  const { last } = await db
    .selectFrom("policy_events")
    .select(({ fn }) => fn.max("number").as("last"))
    .where("policy_id", "=", policyId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto("policy_events")
    .values({
      policy_id: policyId,
      number: (last ?? 0) + 1,
      type,
      data: JSON.stringify(data),
      created_by: accountName,
      created_at: now,
    })
    .execute();
}
