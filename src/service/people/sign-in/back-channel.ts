import { Unproven } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { endSessionsOf, personOf } from "../members/persons.ts";
import type { LoggedOut } from "./party.ts";
import type { LoginProvider } from "./provider.ts";

/**
 * Ends the sessions that a logout token names: one session at the provider, or all of a subject, also of the command
 * line. A token works once.
 *
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html
 * @throws Unproven for a token that was used before
 */
export async function endProviderSessions(
  { store }: Pick<ServiceContext, "store">,
  { name, org, issuer }: LoginProvider,
  { tokenId, expiresAt, session, subject }: LoggedOut,
): Promise<void> {
  await store.write(async (db) => {
    const used = await db
      .insertInto("used_tokens")
      .values({ issuer, token_id: `logout ${tokenId}`, expires_at: expiresAt })
      .onConflict((conflict) => conflict.columns(["issuer", "token_id"]).doNothing())
      .returning("token_id")
      .executeTakeFirst();
    if (used === undefined) throw new Unproven("auth.token_used", "This logout token was used before");
    if (session !== undefined) {
      // Approved requests of command lines are about to become sessions.
      for (const table of ["device_logins", "sessions"] as const) {
        await db
          .deleteFrom(table)
          .where("provider", "=", name)
          .where("provider_session", "=", session)
          .execute();
      }
      return;
    }
    const known = await personOf(db, { orgId: org?.id ?? null, issuer, subject: subject ?? "" });
    if (known !== undefined) await endSessionsOf(db, known);
  });
}
