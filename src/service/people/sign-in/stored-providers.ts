import * as z from "zod/mini";
import { openedIn } from "../../delivery/rules/secrets.ts";
import { isRole, type Organization } from "../../kernel/caller.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { LoginProvider } from "./provider.ts";

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
      org: z.nullish(z.string()),
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

/** The owner of a provider's sealed client secret. */
export function secretOwner(id: string): string {
  return `login provider ${id}`;
}

/** The providers of an organization and of the one that operates the service, sorted by organization and name. */
export async function storedProviders(
  db: Database,
  orgName: string | undefined,
  context: Pick<ServiceContext, "secrets" | "operators">,
): Promise<LoginProvider[]> {
  const names = [orgName, context.operators].filter((name) => name !== undefined);
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom("login_providers as provider")
    .innerJoin("organizations as org", "org.id", "provider.org_id")
    .select(["provider.id", "provider.name", "settings", "client_secret"])
    .select(["org.id as orgId", "org.name as orgName"])
    .where("org.name", "in", listed(names))
    .orderBy("org.name")
    .orderBy("provider.name")
    .execute();
  return rows.map((row) => storedProvider(row, { id: row.orgId, name: row.orgName }, context));
}

/** A provider of the organization that operates the service is one of the service. */
export function storedProvider(
  {
    id,
    name,
    settings,
    client_secret,
  }: Pick<Tables["login_providers"], "id" | "name" | "settings" | "client_secret">,
  org: Organization,
  { secrets, operators }: Pick<ServiceContext, "secrets" | "operators">,
): LoginProvider {
  const { kind, label, issuer, ...fields } = settingsIn(settings);
  return {
    ...{ name: `${org.name}.${name}`, org: org.name === operators ? undefined : org, kind, label, issuer },
    clientId: fields.client_id,
    clientSecret: openedIn(secrets, secretOwner(id), client_secret),
    scopes: fields.scopes,
    groupsClaim: fields.groups_claim,
    scimClaim: fields.scim_claim,
    allowedDomains: fields.allowed_domains,
    strict: fields.strict,
    sync: fields.sync,
    roleMap: fields.role_map.flatMap(({ group, role, ...line }) =>
      isRole(role) ? [{ ...line, group: group ?? undefined, org: line.org ?? org.name, role }] : [],
    ),
  };
}
