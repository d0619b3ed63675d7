import { randomBytes } from "node:crypto";
import type { HookKind } from "../../../../api/resources/hooks.ts";
import type { Organization } from "../../../kernel/caller.ts";
import { NotFound } from "../../../kernel/errors.ts";
import type { Database, Tables } from "../../../store/tables.ts";

export type Hook = Tables["hooks"];

/** 32 random bytes, which no one can guess. */
export function randomText(): string {
  return randomBytes(32).toString("base64url");
}

export async function hooksOf(db: Database, orgId: string): Promise<Hook[]> {
  return db.selectFrom("hooks").selectAll().where("org_id", "=", orgId).orderBy("name").execute();
}

/** @throws NotFound */
export async function requireHook(
  db: Database,
  { id, kind }: { id: string; kind: HookKind },
): Promise<{ hook: Hook; org: Organization }> {
  const row = await db
    .selectFrom("hooks")
    .innerJoin("organizations", "organizations.id", "hooks.org_id")
    .selectAll("hooks")
    .select("organizations.name as org_name")
    .where("hooks.id", "=", id)
    .where("hooks.kind", "=", kind)
    .executeTakeFirst();
  if (!row) throw new NotFound("hook.not_found", "No such hook");
  const { org_name: name, ...hook } = row;
  return { hook, org: { id: hook.org_id, name } };
}
