import * as z from "zod/mini";
import { openedIn } from "../../delivery/rules/secrets.ts";
import { isRole, type Organization } from "../../kernel/caller.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Database } from "../../store/tables.ts";
import type { LoginProvider, MappedRole } from "./provider.ts";

/** The column `settings`. Secrets are in their own column. */
const column = z.object({
  kind: z.enum(["oidc", "github"]),
  label: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  scopes: z.array(z.string()),
  groups_claim: z.string(),
  scim_claim: z.string(),
  allowed_domains: z.array(z.string()),
  strict: z.boolean(),
  sync: z.boolean(),
  role_map: z.array(
    z.object({
      group: z.nullish(z.string()),
      role: z.string(),
      flows: z.nullish(z.array(z.string())),
      environments: z.nullish(z.array(z.string())),
    }),
  ),
});
export type ProviderSettings = z.infer<typeof column>;

export function settingsIn(settings: string): ProviderSettings {
  return z.parse(column, JSON.parse(settings));
}

export function roleMapOf(lines: ProviderSettings["role_map"], { name: org }: Organization): MappedRole[] {
  return lines.flatMap(({ group, role, ...scope }) =>
    isRole(role) ? [{ ...scope, group: group ?? undefined, org, role }] : [],
  );
}

/** The owner of a provider's sealed client secret. */
export function secretOwner(id: string): string {
  return `login provider ${id}`;
}

/** The providers of an organization, sorted by name. */
export async function storedProviders(
  db: Database,
  org: Organization,
  { secrets }: Pick<ServiceContext, "secrets">,
): Promise<LoginProvider[]> {
  const rows = await db
    .selectFrom("login_providers")
    .select(["id", "name", "settings", "client_secret"])
    .where("org_id", "=", org.id)
    .orderBy("name")
    .execute();
  return rows.map(({ id, name, settings, client_secret }) => {
    const { kind, label, issuer, ...fields } = settingsIn(settings);
    return {
      ...{ name: `${org.name}.${name}`, org, kind, label, issuer },
      clientId: fields.client_id,
      clientSecret: openedIn(secrets, secretOwner(id), client_secret),
      scopes: fields.scopes,
      groupsClaim: fields.groups_claim,
      scimClaim: fields.scim_claim,
      allowedDomains: fields.allowed_domains,
      strict: fields.strict,
      sync: fields.sync,
      roleMap: roleMapOf(fields.role_map, org),
    };
  });
}
