import { NotFound } from "../../kernel/errors.ts";
import { isStorable } from "../../kernel/storable-text.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { findOrganization } from "../accounts/organizations.ts";
import type { Logins } from "./logins.ts";
import type { LoginProvider } from "./provider.ts";
import { storedProviders } from "./stored-providers.ts";

interface Context {
  readonly context: Pick<ServiceContext, "store" | "secrets">;
  readonly logins: Logins;
}

/** The providers that sign in to an organization: those of the service, and its own. */
export async function providersFor(
  { context, logins }: Context,
  orgName: string | undefined,
): Promise<LoginProvider[]> {
  const { providers } = logins;
  if (orgName === undefined || !isStorable(orgName)) return [...providers];
  const { read } = context.store;
  const org = await findOrganization(read, orgName);
  return org === undefined ? [...providers] : [...providers, ...(await storedProviders(read, org, context))];
}

/** @throws NotFound */
export async function findProvider(parts: Context, name: string): Promise<LoginProvider> {
  // Names of organizations may have dots, names of providers have none.
  const dot = name.lastIndexOf(".");
  const all = await providersFor(parts, dot === -1 ? undefined : name.slice(0, dot));
  const found = all.find((provider) => provider.name === name);
  if (found === undefined)
    throw new NotFound("login_provider.not_found", "This login provider does not exist");
  return found;
}
