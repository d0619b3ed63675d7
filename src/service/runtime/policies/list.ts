import { MAX_FILE_BYTES } from "../../../api/operation.ts";
import type { Policy } from "../../../api/resources/policies.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { byteLength, listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { type PolicyRow, policyRow } from "./records.ts";

/** Sorted by name, without file texts, which may be large. */
export async function listPolicies(db: Database, orgId: string): Promise<Policy[]> {
  const rows = await db
    .selectFrom("policies")
    .selectAll()
    .where("org_id", "=", orgId)
    .orderBy("name")
    .execute();
  return withHistory(db, rows, NO_TEXTS);
}

/** With versions, events and attached environments. */
export async function findPolicy(db: Database, orgId: string, name: string): Promise<Policy | undefined> {
  const row = await policyRow(db, orgId, name);
  const [policy] = row ? await withHistory(db, [row], await textsOf(db, row)) : [];
  return policy;
}

/** By version. */
type PolicyTexts = ReadonlyMap<number, string>;
const NO_TEXTS: PolicyTexts = new Map();

/** The newest files that fit together into a response. */
async function textsOf(db: Database, { id }: Pick<Tables["policies"], "id">): Promise<PolicyTexts> {
  const sizes = await db
    .selectFrom("policy_versions")
    .select("version")
    .select(byteLength("source").as("size"))
    .where("policy_id", "=", id)
    .orderBy("version", "desc")
    .execute();
  const rows = await db
    .selectFrom("policy_versions")
    .select(["version", "source"])
    .where("policy_id", "=", id)
    .where("version", ">=", oldestThatFits(sizes))
    .execute();
  return new Map(rows.map(({ version, source }) => [version, source]));
}

/** The newest file always fits: uploads have the same limit. */
function oldestThatFits(newestFirst: readonly { version: number; size: number }[]): number {
  let room = MAX_FILE_BYTES;
  const tooMuch = newestFirst.find(({ size }) => {
    room -= Number(size);
    return room < 0;
  });
  return tooMuch === undefined ? 1 : tooMuch.version + 1;
}

async function withHistory(db: Database, rows: readonly PolicyRow[], texts: PolicyTexts): Promise<Policy[]> {
  const ids = idsOf(rows);
  const versions = await db
    .selectFrom("policy_versions")
    .select(["policy_id", "version", "comment", "created_by", "created_at"])
    .where("policy_id", "in", listed(ids))
    .orderBy("policy_id")
    .orderBy("version")
    .execute();
  const events = await db
    .selectFrom("policy_events")
    .selectAll()
    .where("policy_id", "in", listed(ids))
    .orderBy("policy_id")
    .orderBy("number")
    .execute();
  const environments = await db
    .selectFrom("environment_policies")
    .innerJoin("environments", "environments.id", "environment_policies.environment_id")
    .select(["environment_policies.policy_id", "environments.name"])
    .where("environment_policies.policy_id", "in", listed(ids))
    .where("environments.archived_at", "is", null)
    .orderBy("environments.name")
    .execute();
  const versionsOf = Map.groupBy(versions, ({ policy_id }) => policy_id);
  const eventsOf = Map.groupBy(events, ({ policy_id }) => policy_id);
  const environmentsOf = Map.groupBy(environments, ({ policy_id }) => policy_id);
  return rows.map(({ id, name, description, created_by, created_at, last_modified_at }) => ({
    name,
    description,
    createdBy: created_by,
    createdAt: created_at,
    lastModifiedAt: last_modified_at,
    archived: false,
    versions: (versionsOf.get(id) ?? []).map((version) => ({
      version: version.version,
      comment: version.comment,
      timestamp: version.created_at,
      createdBy: version.created_by,
      policyYaml: texts.get(version.version) ?? "",
    })),
    events: (eventsOf.get(id) ?? []).map((event) => ({
      type: event.type,
      timestamp: event.created_at,
      user: event.created_by,
      data: fieldsOf(event.data),
    })),
    consumingEnvs: (environmentsOf.get(id) ?? []).map((environment) => environment.name),
  }));
}
