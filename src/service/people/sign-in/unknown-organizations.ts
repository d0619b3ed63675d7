import type { Log } from "../../kernel/log.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { findOrganization } from "../accounts/organizations.ts";
import type { LoginProvider } from "./provider.ts";

/** Organizations that a role map names, and that do not exist: their lines give no role. */
export async function unknownOrganizations(
  db: Database,
  { roleMap }: Pick<LoginProvider, "roleMap">,
): Promise<string[]> {
  const named = [...new Set(roleMap.map(({ org }) => org))];
  const rows = await db
    .selectFrom("organizations")
    .select("name")
    .where("name", "in", listed(named))
    .execute();
  const known = new Set(rows.map(({ name }) => name));
  return named.filter((name) => !known.has(name));
}

interface Configured {
  readonly loginProviders: readonly LoginProvider[];
  readonly operators: string | undefined;
}

/** Warns at the start of the service. The organizations may be created later. */
export async function warnOfUnknownOrganizations(
  db: Database,
  { loginProviders, operators }: Configured,
  log: Log,
): Promise<void> {
  if (operators !== undefined && (await findOrganization(db, operators)) === undefined)
    log({
      level: "warn",
      message: `--operators names the organization '${operators}', which does not exist`,
    });
  for (const provider of loginProviders) {
    for (const org of await unknownOrganizations(db, provider)) {
      log({
        level: "warn",
        message: `The role map of the login provider ${provider.name} names the organization '${org}', which does not exist`,
      });
    }
  }
}
