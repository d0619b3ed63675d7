import { ACCESS_TOKEN_SECONDS } from "../../../api/resources/token-exchange.ts";
import { isRefusal, Unproven } from "../../kernel/errors.ts";
import { scopeText } from "../../kernel/scope.ts";
import type { ProvenToken } from "../../operation/context.ts";
import type { PublicHandler } from "../../operation/handler.ts";
import type { Job } from "../../ops/jobs.ts";
import { newIdOf } from "../../store/ids.ts";
import type { Store } from "../../store/store.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { createAccessToken, removeEndedTokens } from "../accounts/access-tokens.ts";
import { hashOf } from "../accounts/keys.ts";
import { findOrganization } from "../accounts/organizations.ts";
import { matchingPolicy } from "./compare-policies.ts";
import { namedBy } from "./issuer-kinds.ts";
import { LEEWAY_SECONDS } from "./issuers.ts";
import { countUse, isFor, keysFor, pinPolicy, policiesFor, type TrustPolicy } from "./policies.ts";

export const getTokenAudience: PublicHandler<"getTokenAudience"> = async ({ params }, { links }) => ({
  status: 200,
  body: { audience: links.organization(params.org) },
});

export const exchangeToken: PublicHandler<"exchangeToken"> = async ({ body, source }, context) => {
  const { store, issuers, links } = context;
  const org = organizationIn(body.org, links.organization(""));
  const now = context.now();
  // An unknown organization has no policies, so the answer is that of a known one.
  const orgId = (await findOrganization(store.read, org))?.id ?? "";
  const trusted = (issuer: string) => keysFor(store.read, { orgId, issuer, now });
  const token = await issuers.verify(body.token, links.organization(org), trusted);
  const { repeatSecret = null } = body;
  const used = { ...token, repeatHash: repeatSecret === null ? null : hashOf(repeatSecret) };
  const fittingIn = async (db: Database) => {
    const policies = await policiesFor(db, { orgId, issuer: token.issuer, now });
    const wanted = body.policy ?? undefined;
    return matchingPolicy(policies.filter(isFor(token)), { org, wanted, claims: token.claims, now });
  };
  await fittingIn(store.read).catch(async (error: unknown) => {
    if (isRefusal(error, "trust_policy.no_match")) await refuseUsed(store, used, orgId);
    throw error;
  });
  const { policy, accessToken } = await store.write(
    async (db) => {
      await useOnce(db, used);
      const fitting = await fittingIn(db);
      const { keyId, accountId } = fitting;
      const run = namedBy(token.issuer, token.claims);
      const by = { orgId, accountId, accountName: run.name, keyId, ...source, now };
      await pinPolicy(db, fitting, token.claims, by);
      return { policy: fitting, accessToken: await admit(db, fitting, { orgId, token, run, now }) };
    },
    { orgId },
  );
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

/** By name, or by an audience of RFC 8693 clients. */
function organizationIn(named: string, before: string): string {
  if (!named.startsWith(before)) return named;
  try {
    return decodeURIComponent(named.slice(before.length));
  } catch {
    return named;
  }
}

/**
 * Marks an unmatched token as used. A repeat costs no write.
 *
 * @throws Unproven
 */
async function refuseUsed(
  store: Pick<Store, "read" | "write">,
  token: UsedToken,
  orgId: string,
): Promise<void> {
  if (await mayRepeat(store.read, token)) return;
  await store.write((db) => useOnce(db, token), { orgId });
}

interface UsedToken extends Pick<ProvenToken, "issuer" | "id" | "expiresAt"> {
  /** Null without a secret. */
  readonly repeatHash: string | null;
}

/**
 * Whether the token was used before by the holder of the same secret.
 *
 * @throws Unproven if it was used by another one
 */
async function mayRepeat(db: Database, { issuer, id, repeatHash }: UsedToken): Promise<boolean> {
  if (id === null) return true;
  const used = await db
    .selectFrom("used_tokens")
    .select("repeat_hash")
    .where("issuer", "=", issuer)
    .where("token_id", "=", id)
    .executeTakeFirst();
  if (used === undefined) return false;
  if (repeatHash === null || used.repeat_hash !== repeatHash) throw usedBefore();
  return true;
}

function usedBefore(): Unproven {
  return new Unproven(
    "auth.token_used",
    "Unauthorized: the token was already used: request another one from its issuer",
  );
}

/**
 * Each token with an id is exchanged once across instances, except by the holder of its secret.
 *
 * @throws Unproven
 */
async function useOnce(db: Database, token: UsedToken): Promise<void> {
  const { issuer, id, expiresAt, repeatHash } = token;
  if (id === null) return;
  const used = await db
    .insertInto("used_tokens")
    .values({
      ...{ issuer, token_id: id, repeat_hash: repeatHash },
      expires_at: expiresAt + 2 * LEEWAY_SECONDS,
    })
    .onConflict((conflict) => conflict.columns(["issuer", "token_id"]).doNothing())
    .returning("token_id")
    .executeTakeFirst();
  if (used === undefined) await mayRepeat(db, token);
}

interface Admitted {
  orgId: string;
  token: ProvenToken;
  run: Pick<Tables["origins"], "name" | "url">;
  /** Unix seconds. */
  now: number;
}

async function admit(
  db: Database,
  policy: Pick<TrustPolicy, "id" | "keyId" | "name">,
  { orgId, token: { issuer, claims }, run, now }: Admitted,
): Promise<string> {
  const originId = newIdOf(now);
  await db
    .insertInto("origins")
    .values({
      id: originId,
      org_id: orgId,
      policy: policy.name,
      issuer,
      ...run,
      claims: JSON.stringify(claims),
      created_at: now,
    })
    .execute();
  await countUse(db, policy, now);
  return createAccessToken(db, { keyId: policy.keyId, originId, now });
}

const QUARTER_MS = 15 * 60 * 1000;

/** Interval of the job. */
export function tidyTokens({ store, now }: { store: Pick<Store, "write">; now: () => number }): Job {
  return {
    name: "tokens",
    failure: "Failed to remove ended tokens",
    run: () => store.write((db) => removeEndedTokens(db, now())),
    everyMs: QUARTER_MS,
  };
}
