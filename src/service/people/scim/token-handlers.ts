import { MAX_SCIM_TOKENS, type ScimTokenRecord } from "../../../api/resources/scim-tokens.ts";
import { record, recordChange } from "../../events/record.ts";
import { Conflict, Invalid, NotFound } from "../../kernel/errors.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import type { Tables } from "../../store/tables.ts";
import { storedProviders } from "../sign-in/stored-providers.ts";
import { createToken, revokeToken, tokensOf } from "./tokens.ts";

/* The response to the creation contains the token, so it is not stored for repeats. */

export const createScimToken: Handler<"createScimToken"> = async (call, context) => {
  const { org, caller, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const { description, provider, expiresAt = null } = body;
  if (expiresAt !== null && expiresAt <= now) {
    const problem = "must not be in the past";
    throw new Invalid("request.field_invalid", "expires_at cannot be in the past", { expires_at: problem });
  }
  const fields = {
    ...{ org_id: org.id, description, provider, created_by: caller.accountName },
    ...{ created_at: now, expires_at: expiresAt },
  };
  const made = await context.store.write(async (db) => {
    const stored = (await storedProviders(db, org.name, context)).map(({ name }) => name);
    if (!context.serviceLogins.includes(provider) && !stored.includes(provider))
      throw new NotFound("login_provider.not_found", `Login provider '${provider}' does not exist`);
    const live = (await tokensOf(db, org.id)).filter(({ expires_at }) => (expires_at ?? now + 1) > now);
    if (live.length >= MAX_SCIM_TOKENS)
      throw new Conflict(
        "scim_token.too_many",
        `${MAX_SCIM_TOKENS} SCIM tokens work already: revoke one first`,
      );
    const created = await createToken(db, fields);
    await recordChange(db, requestContext, {
      type: "scim_token.created",
      subject: { name: description, id: created.id },
      after: { provider, expires_at: expiresAt },
    });
    return created;
  });
  const shown = view({ ...fields, id: made.id, last_used_at: null }, context.links.scim(org.name));
  return { status: 201, body: { ...shown, token: made.token } };
};

export const listScimTokens: Handler<"listScimTokens"> = async ({ org }, { store, links }) => {
  const tokens = await tokensOf(store.read, org.id);
  return { status: 200, body: tokens.map((token) => view(token, links.scim(org.name))) };
};

export const revokeScimToken: Handler<"revokeScimToken"> = async (call, context) => {
  const { org, params } = call;
  const requestContext = requestContextOf(call, context);
  await context.store.write(async (db) => {
    const revoked = await revokeToken(db, { id: params.tokenId, orgId: org.id, now: requestContext.now });
    if (revoked === undefined) throw new NotFound("scim_token.not_found", "No such SCIM token");
    const { id, description, provider } = revoked;
    const subject = { name: description, id };
    await record(db, requestContext, {
      type: "scim_token.revoked",
      subject,
      data: { details: { provider } },
    });
  });
  return { status: 200, body: "revoked" };
};

type Shown = Omit<Tables["scim_tokens"], "org_id" | "token_hash" | "expiry_told_days" | "revoked_at">;

function view(token: Shown, url: string): ScimTokenRecord {
  return {
    ...{ id: token.id, description: token.description, provider: token.provider, url },
    ...{ createdBy: token.created_by, createdAt: token.created_at },
    ...{ expiresAt: token.expires_at, lastUsedAt: token.last_used_at },
  };
}
