import {
  ACCESS_TOKEN_SECONDS,
  type exchangeToken,
  type getTokenAudience,
} from "../../../api/resources/token-exchange.ts";
import { Unproven, Untrusted } from "../../kernel/errors.ts";
import { scopeText } from "../../kernel/scope.ts";
import type { OpenHandler } from "../../operation/handler.ts";
import type { ProvenToken } from "../../operation/issuers.ts";
import { newId } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { createAccessToken } from "../accounts/access-tokens.ts";
import { findOrganization } from "../accounts/organizations.ts";
import { namedBy } from "./claims.ts";
import { LEEWAY_SECONDS } from "./issuers.ts";
import { theFitting } from "./judge.ts";
import { countUse, pinPolicy, policiesFor, type TrustPolicy } from "./policies.ts";

export const handleGetTokenAudience: OpenHandler<typeof getTokenAudience> = async (
  { params },
  { links },
) => ({
  status: 200,
  body: { audience: links.organization(params.org) },
});

export const handleExchangeToken: OpenHandler<typeof exchangeToken> = async ({ body }, context) => {
  const { store, issuers, links } = context;
  const org = organizationIn(body.org, links.organization(""));
  const token = await issuers.verify(body.token, links.organization(org));
  const now = context.now();
  const fittingIn = async (db: Database) => {
    const orgId = (await findOrganization(db, org))?.id ?? "";
    const policies = await policiesFor(db, { orgId, issuer: token.issuer, now });
    const wanted = body.policy ?? undefined;
    return { orgId, fitting: theFitting(policies, { org, wanted, claims: token.claims, now }) };
  };
  await store.readTogether(fittingIn).catch(async (error: unknown) => {
    if (error instanceof Untrusted) await refuseUsed(store, token);
    throw error;
  });
  const { policy, accessToken } = await store.write(async (db) => {
    await useOnce(db, token);
    const { orgId, fitting } = await fittingIn(db);
    await pinPolicy(db, fitting, token.claims);
    return { policy: fitting, accessToken: await admit(db, fitting, { orgId, token, now }) };
  });
  return {
    status: 200,
    body: {
      accessToken,
      issuedTokenType: "urn:ietf:params:oauth:token-type:access_token",
      tokenType: "Bearer",
      expiresIn: ACCESS_TOKEN_SECONDS,
      scope: [policy.role, scopeText(policy.scope)].filter(Boolean).join(" "),
      policy: policy.name,
    },
  };
};

/** An organization by its name, or by the audience that its tokens name, as clients of RFC 8693 give it. */
function organizationIn(named: string, before: string): string {
  if (!named.startsWith(before)) return named;
  try {
    return decodeURIComponent(named.slice(before.length));
  } catch {
    return named;
  }
}

/**
 * Uses up a token that no policy fits. One that is sent again costs no write.
 *
 * @throws Unproven
 */
async function refuseUsed(store: Pick<Store, "read" | "write">, token: ProvenToken): Promise<void> {
  const used = await store.read
    .selectFrom("used_tokens")
    .select("token_id")
    .where("issuer", "=", token.issuer)
    .where("token_id", "=", token.id)
    .executeTakeFirst();
  if (used !== undefined) throw usedBefore();
  await store.write((db) => useOnce(db, token));
}

function usedBefore(): Unproven {
  return new Unproven("Unauthorized: the token was used before: ask its issuer for another");
}

/**
 * A token gets one of ours once, however many instances are asked.
 *
 * @throws Unproven
 */
async function useOnce(db: Database, { issuer, id, expiresAt }: ProvenToken): Promise<void> {
  const used = await db
    .insertInto("used_tokens")
    .values({ issuer, token_id: id, expires_at: expiresAt + 2 * LEEWAY_SECONDS })
    .onConflict((conflict) => conflict.columns(["issuer", "token_id"]).doNothing())
    .returning("token_id")
    .executeTakeFirst();
  if (used === undefined) throw usedBefore();
}

interface Admitted {
  orgId: string;
  token: ProvenToken;
  /** Unix seconds. */
  now: number;
}

/** Makes an access token, and keeps what was proven. */
async function admit(
  db: Database,
  policy: Pick<TrustPolicy, "id" | "keyId" | "name">,
  { orgId, token: { issuer, claims }, now }: Admitted,
): Promise<string> {
  const originId = newId();
  await db
    .insertInto("origins")
    .values({
      id: originId,
      org_id: orgId,
      policy: policy.name,
      issuer,
      ...namedBy(issuer, claims),
      claims: JSON.stringify(claims),
      created_at: now,
    })
    .execute();
  await countUse(db, policy, now);
  return createAccessToken(db, { keyId: policy.keyId, originId, now });
}
