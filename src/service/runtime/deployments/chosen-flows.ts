import { flowIdsInScope, flowIdsWithTags } from "../../evidence/flows/list.ts";
import { requireFlow } from "../../evidence/flows/records.ts";
import type { Organization } from "../../kernel/caller.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { Database } from "../../store/tables.ts";

interface Choice {
  /** Default: all. */
  names?: readonly string[] | undefined;
  /** `key:value` or `key`. A flow must have all of them. */
  tags?: readonly string[] | undefined;
  scope: Scope;
}

/** Ids of flows by their names and tags. Undefined without both. @throws NotFound */
export async function chosenFlows(
  db: Database,
  org: Organization,
  { names, tags = [], scope }: Choice,
): Promise<string[] | undefined> {
  const chosen = names && (await flowIdsOf(db, org, names));
  if (tags.length === 0) return chosen;
  const allowed = chosen ?? (await flowIdsInScope(db, org.id, scope));
  const tagged = await flowIdsWithTags(db, org.id, tags);
  return allowed ? tagged.filter((id) => allowed.includes(id)) : tagged;
}

/** @throws NotFound */
async function flowIdsOf(db: Database, org: Organization, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await requireFlow(db, org, name)).id);
  return ids;
}
