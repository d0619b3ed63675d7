import { NotFound } from "../../kernel/errors.ts";
import { isStorable } from "../../kernel/storable-text.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Logins } from "./logins.ts";
import type { LoginProvider } from "./provider.ts";
import { storedProviders } from "./stored-providers.ts";

interface Context {
  readonly context: Pick<ServiceContext, "store" | "secrets" | "operators">;
  readonly logins: Logins;
}

/** The providers that sign in to an organization: those of the service, and its own. */
export async function providersFor(
  { context, logins }: Context,
  orgName: string | undefined,
): Promise<LoginProvider[]> {
  const name = orgName !== undefined && isStorable(orgName) ? orgName : undefined;
  return [...logins.providers, ...(await storedProviders(context.store.read, name, context))];
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
