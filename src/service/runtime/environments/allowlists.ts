import type { RequestContext } from "../../kernel/caller.ts";
import { isAmong } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";

export interface Allowance {
  id: string;
  artifactName: string;
  fingerprint: string;
  description: string;
  createdBy: string;
  /** Unix seconds. */
  createdAt: number;
}

/** The latest allowance of an artifact counts. */
export async function putAllowance(
  db: Database,
  environmentId: string,
  { artifactName, fingerprint, description }: Pick<Allowance, "artifactName" | "fingerprint" | "description">,
  { accountName, now }: RequestContext,
): Promise<void> {
  const fields = { artifact_name: artifactName, description, created_by: accountName, created_at: now };
  await db
    .insertInto("allowlists")
    .values({ id: newId(), environment_id: environmentId, fingerprint, ...fields })
    .onConflict((conflict) => conflict.columns(["environment_id", "fingerprint"]).doUpdateSet(fields))
    .execute();
}

export async function findAllowance(db: Database, environmentId: string, fingerprint: string) {
  const row = await db
    .selectFrom("allowlists")
    .selectAll()
    .where("environment_id", "=", environmentId)
    .where("fingerprint", "=", fingerprint)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      artifactName: row.artifact_name,
      fingerprint: row.fingerprint,
      description: row.description,
      createdBy: row.created_by,
      createdAt: row.created_at,
    }
  );
}

export async function allowedFingerprints(db: Database, environmentId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("allowlists")
    .select("fingerprint")
    .where("environment_id", "=", environmentId)
    .execute();
  return new Set(rows.map(({ fingerprint }) => fingerprint));
}

/** Newest first, without archived environments. @param names of environments; undefined for all */
export async function listAllowances(db: Database, orgId: string, names: readonly string[] | undefined) {
  return db
    .selectFrom("environments")
    .innerJoin("allowlists", "allowlists.environment_id", "environments.id")
    .selectAll("allowlists")
    .select("environments.name as environment_name")
    .where("environments.org_id", "=", orgId)
    .where("environments.archived_at", "is", null)
    .where(isAmong("environments.name", names))
    .orderBy("allowlists.created_at", "desc")
    .orderBy("allowlists.id")
    .execute();
}
