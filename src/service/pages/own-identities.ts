import type { RoutedRequest } from "../http/serve-operation.ts";
import type { ServiceContext } from "../operation/context.ts";
import { hashOf } from "../people/accounts/keys.ts";
import { providersFor } from "../people/sign-in/find-provider.ts";
import { identitiesOf, isSameRealm, unlinkIdentity } from "../people/sign-in/linked-identities.ts";
import type { Logins } from "../people/sign-in/logins.ts";
import type { OwnIdentities } from "./page.ts";
import type { Paths } from "./paths.ts";
import { FORM_TOKEN, maskedFormToken } from "./sent-form.ts";
import type { Viewer } from "./viewers.ts";

/** The accounts with which the viewer signs in. Undefined for a viewer who is no person. */
export function ownIdentities(
  { source }: Pick<RoutedRequest, "source">,
  viewer: Viewer,
  parts: { readonly context: ServiceContext; readonly logins: Logins },
  to: Paths,
): OwnIdentities | undefined {
  if (viewer.kind !== "account" || viewer.person === undefined) return undefined;
  const { formToken, org } = viewer;
  const { id: personId } = viewer.person;
  const { context } = parts;
  const known = async () => {
    const own = await identitiesOf(context.store.read, personId);
    const all = await providersFor(parts, org.name);
    return { own, providers: all.filter((each) => own.some(({ orgId }) => isSameRealm(each, orgId))) };
  };
  return {
    async list() {
      const { own, providers } = await known();
      return own.map(({ issuer, subject }) => {
        const label = providers.find((each) => each.issuer === issuer)?.label ?? issuer;
        return { id: idOf({ issuer, subject }), subject, label };
      });
    },
    async linkable() {
      const { own, providers } = await known();
      return providers
        .filter(({ issuer }) => !own.some((each) => each.issuer === issuer))
        .map(({ name, label }) => {
          // The link leads to another site, which a form may not.
          const query = new URLSearchParams({ link: "", [FORM_TOKEN]: maskedFormToken(formToken) });
          return { label, href: `${to.root("login", name)}?${query}` };
        });
    },
    async remove(id) {
      const { own, providers } = await known();
      const identity = own.find((each) => idOf(each) === id);
      if (identity === undefined) return;
      const its = providers.filter(({ issuer }) => issuer === identity.issuer);
      const by = { personId, source, now: context.now() };
      await context.store.write((db) => unlinkIdentity(db, identity, its, by));
    },
  };
}

function idOf({ issuer, subject }: { readonly issuer: string; readonly subject: string }): string {
  return hashOf(JSON.stringify([issuer, subject])).slice(0, 16);
}
