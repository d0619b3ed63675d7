import type { Selectable } from "kysely";
import type { TypeRules } from "../../judging/type-rules/evaluation.ts";
import type { Organization, RequestContext } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf, newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";

export type Evaluator = { contentType: "jq"; rules: string[] } | { contentType: "default" };

export interface TypeVersion {
  name: string;
  description: string | null;
  schema: string | null;
  evaluator: Evaluator;
  /** JSON. */
  summary: string | null;
}

/** Creates a type, adds a version, or restores an archived type. Returns it `before` (if it existed) and `after`. */
export async function addTypeVersion(
  db: Database,
  { name, description, schema, evaluator, summary }: TypeVersion,
  { orgId, accountName, now }: RequestContext,
) {
  const before = await findType(db, orgId, name);
  const after = await db
    .insertInto("custom_attestation_types")
    .values({
      id: newId(),
      org_id: orgId,
      name,
      description,
      last_version: 1,
      created_by: accountName,
      created_at: now,
      last_modified_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["org_id", "name"]).doUpdateSet(({ eb }) => ({
        description,
        archived_at: null,
        last_version: eb("custom_attestation_types.last_version", "+", 1),
        last_modified_at: now,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto("custom_attestation_type_versions")
    .values({
      type_id: after.id,
      version: after.last_version,
      type_schema: schema,
      evaluator: JSON.stringify(evaluator),
      summary,
      created_by: accountName,
      created_at: now,
    })
    .execute();
  return { before, after };
}

export type TypeRow = Selectable<Tables["custom_attestation_types"]>;
type VersionRow = Tables["custom_attestation_type_versions"];

/** Versions newest first. */
export interface StoredType {
  row: TypeRow;
  versions: VersionRow[];
}

function findType(db: Database, orgId: string, name: string): Promise<TypeRow | undefined> {
  return db
    .selectFrom("custom_attestation_types")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("name", "=", name)
    .executeTakeFirst();
}

function latestVersion(db: Database, typeId: string): Promise<VersionRow | undefined> {
  return db
    .selectFrom("custom_attestation_type_versions")
    .selectAll()
    .where("type_id", "=", typeId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** @throws NotFound */
export async function requireType(db: Database, org: Organization, name: string): Promise<TypeRow> {
  const row = await findType(db, org.id, name);
  if (!row)
    throw new NotFound(
      "attestation_type.not_found",
      `Custom attestation type '${name}' does not exist for org '${org.name}'`,
    );
  return row;
}

/** @throws NotFound for an unknown or archived type */
export async function requireUsableType(
  db: Database,
  org: Organization,
  name: string,
): Promise<TypeRules & { version: number }> {
  const row = await requireType(db, org, name);
  if (row.archived_at !== null) {
    throw new NotFound(
      "attestation_type.archived",
      `Custom attestation type '${name}' has been archived for org '${org.name}'`,
    );
  }
  const latest = await latestVersion(db, row.id);
  if (!latest) throw new Error(`Custom attestation type '${name}' has no version`);
  const evaluator = evaluatorOf(latest);
  return {
    version: latest.version,
    schema: latest.type_schema,
    rules: evaluator.contentType === "jq" ? evaluator.rules : [],
  };
}

export function evaluatorOf({ evaluator }: Pick<VersionRow, "evaluator">): Evaluator {
  return JSON.parse(evaluator);
}

/** All versions, or the requested one. @throws NotFound */
export async function findTypeVersions(
  db: Database,
  org: Organization,
  { name, version }: { name: string; version?: number | undefined },
): Promise<StoredType> {
  const row = await requireType(db, org, name);
  const versions = (await versionsOf(db, [row.id])).get(row.id) ?? [];
  if (version === undefined) return { row, versions };
  const matching = versions.filter((each) => each.version === version);
  if (matching.length === 0) {
    throw new NotFound(
      "attestation_type.not_found",
      `version ${version} does not exist for custom attestation type '${name}'`,
    );
  }
  return { row, versions: matching };
}

export async function listTypes(db: Database, orgId: string): Promise<StoredType[]> {
  const rows = await db
    .selectFrom("custom_attestation_types")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("archived_at", "is", null)
    .orderBy("name")
    .execute();
  const versions = await versionsOf(db, idsOf(rows));
  return rows.map((row) => ({ row, versions: versions.get(row.id) ?? [] }));
}

async function versionsOf(db: Database, typeIds: readonly string[]): Promise<Map<string, VersionRow[]>> {
  if (typeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("custom_attestation_type_versions")
    .selectAll()
    .where("type_id", "in", listed(typeIds))
    .orderBy("version", "desc")
    .execute();
  return Map.groupBy(rows, ({ type_id }) => type_id);
}

export async function archiveType(db: Database, typeId: string, now: number): Promise<void> {
  await db
    .updateTable("custom_attestation_types")
    .set({ archived_at: now, last_modified_at: now })
    .where("id", "=", typeId)
    .execute();
}
