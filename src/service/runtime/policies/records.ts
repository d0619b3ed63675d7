import type { Selectable } from "kysely";
import { type PolicyDump, policyDump } from "../../../api/resources/policies.ts";
import { toWire } from "../../../api/wire-names.ts";
import type { RequestContext } from "../../kernel/caller.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { nextNumber } from "../../store/counters.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";

export interface WrittenPolicy {
  source: string;
  definition: PolicyDump;
  controlIds: readonly string[];
}

export interface PolicyFields {
  name: string;
  description: string;
  /** Reason of the change. */
  comment: string;
}

export type PolicyRow = Selectable<Tables["policies"]>;

export async function policyRow(db: Database, orgId: string, name: string): Promise<PolicyRow | undefined> {
  return db
    .selectFrom("policies")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** Creates or updates a policy. Returns it `before` and `after`. @throws Invalid for a new policy without a file */
export async function putPolicy(
  db: Database,
  fields: PolicyFields,
  written: WrittenPolicy | undefined,
  requestContext: RequestContext,
) {
  const made = written && (await insertPolicy(db, fields, requestContext));
  if (written && made) {
    const { id: policyId } = made;
    await addVersion(db, { policyId, version: 1, comment: fields.comment }, written, requestContext);
    await addEvent(db, { policyId, type: "creation", data: {} }, requestContext);
    return { before: undefined, after: made };
  }
  const policy = await policyRow(db, requestContext.orgId, fields.name);
  if (!policy) throw invalidInput({ policy_file: "Field required [input: None]" });
  return { before: policy, after: await updatePolicy(db, policy, fields, written, requestContext) };
}

/** Undefined for a taken name. */
async function insertPolicy(
  db: Database,
  { name, description }: PolicyFields,
  { orgId, accountName, now }: RequestContext,
): Promise<PolicyRow | undefined> {
  return db
    .insertInto("policies")
    .values({
      id: newId(),
      org_id: orgId,
      name,
      description,
      version: 1,
      created_by: accountName,
      created_at: now,
      last_modified_at: now,
    })
    .onConflict((conflict) => conflict.columns(["org_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Updates a policy. An equal file creates no new version. Without a difference, there is no event. */
async function updatePolicy(
  db: Database,
  policy: PolicyRow,
  { description, comment }: PolicyFields,
  written: WrittenPolicy | undefined,
  requestContext: RequestContext,
): Promise<PolicyRow> {
  const isNewVersion = written !== undefined && written.source !== (await latestSource(db, policy));
  const isDescribed = description !== policy.description;
  if (!isNewVersion && !isDescribed) return policy;
  const policyId = policy.id;
  const updated = await db
    .updateTable("policies")
    .set(({ eb }) => ({
      description,
      version: eb("version", "+", Number(isNewVersion)),
      last_modified_at: requestContext.now,
    }))
    .where("id", "=", policyId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const { version } = updated;
  if (isDescribed) {
    await addEvent(db, { policyId, type: "metadata_update", data: { description } }, requestContext);
  }
  if (isNewVersion) {
    await addVersion(db, { policyId, version, comment }, written, requestContext);
    await addEvent(db, { policyId, type: "new_version", data: { version } }, requestContext);
  }
  return updated;
}

async function latestSource(db: Database, { id, version }: PolicyRow): Promise<string | undefined> {
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
  { accountName, now }: RequestContext,
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
  { accountName, now }: RequestContext,
): Promise<void> {
  await db
    .insertInto("policy_events")
    .values({
      policy_id: policyId,
      number: await nextNumber(db, "policies", policyId),
      type,
      data: JSON.stringify(data),
      created_by: accountName,
      created_at: now,
    })
    .execute();
}
