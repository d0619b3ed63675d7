import { hasTag } from "../../evidence/tag-records.ts";
import type { Organization } from "../../kernel/caller.ts";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import { isAmong, listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { requireEnvironment } from "../environments/records.ts";

interface Choice {
  /** Default: all. */
  names?: readonly string[] | undefined;
  /** `key:value` or `key`. An environment must have all of them. */
  tags?: readonly string[] | undefined;
  scope: Scope;
}

/** Physical environments by their names and tags, and the members of logical ones. @throws NotFound */
export async function chosenEnvironments(
  db: Database,
  org: Organization,
  { names, tags = [], scope }: Choice,
): Promise<Tables["environments"][]> {
  let query = db
    .selectFrom("environments")
    .selectAll()
    .where("org_id", "=", org.id)
    .where("archived_at", "is", null)
    .where(isAmong("name", names))
    .where(isAmong("name", namesIn(scope, "environments")));
  for (const tag of tags) query = query.where(hasTag("environment", tag));
  const found = await query.orderBy("name").execute();
  for (const name of names ?? []) {
    if (!found.some((environment) => environment.name === name)) await requireEnvironment(db, org, name);
  }
  const logical = idsOf(found.filter(({ type }) => type === "logical"));
  const physical = found.filter(({ type }) => type !== "logical");
  if (logical.length === 0) return physical;
  const members = await db
    .selectFrom("environment_members")
    .innerJoin("environments", "environments.id", "environment_members.member_id")
    .selectAll("environments")
    .where("environment_members.environment_id", "in", listed(logical))
    .where("environments.archived_at", "is", null)
    .orderBy("environments.name")
    .execute();
  return [...new Map([...physical, ...members].map((environment) => [environment.id, environment])).values()];
}
