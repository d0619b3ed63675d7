import { type ApiKeyRecord, OWN_KEY } from "../../../api/resources/api-keys.ts";
import { record } from "../../events/record.ts";
import { rotatesItself } from "../../kernel/access.ts";
import { Invalid, NotFound } from "../../kernel/errors.ts";
import { scopeOf } from "../../kernel/scope.ts";
import { type Call, type Handler, requestContextOf } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { accountToManage, accountToSee } from "./handlers.ts";
import { createKey, findKeyOf, keyInOrg, keysOf, revokeKey, type StoredKey } from "./keys.ts";
import { makeKey, NEVER, withdrawKey } from "./provisioning.ts";
import { revocationOf } from "./revocation.ts";

const SECONDS_PER_HOUR = 3_600;

/* Responses contain keys, so they are not stored for repeats. A retried request gets another key. */

export const createApiKey: Handler<"createApiKey"> = async (call, context) => {
  const { org, caller, params, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const { description, mayRotateItself } = body;
  const expiresAt = expiryOf(body.expiresAt, now);
  const scope = scopeOf(body);
  const { id, key } = await context.store.write(async (db) => {
    const account = await accountToManage(db, { org, caller, name: params.name });
    return makeKey(db, requestContext, account, { description, expiresAt, scope, mayRotateItself });
  });
  return {
    status: 201,
    body: {
      ...{ id, key, description, createdAt: now, expiresAt: expiresAt ?? NEVER },
      ...(mayRotateItself && { mayRotateItself }),
      ...scope,
    },
  };
};

export const listApiKeys: Handler<"listApiKeys"> = async ({ org, caller, params }, { store, now }) => {
  const listed = await store.readTogether(async (db) => {
    const { id } = await accountToSee(db, { org, caller, name: params.name });
    return keysOf(db, id, now());
  });
  return { status: 200, body: listed.map(keyView) };
};

export const findApiKey: Handler<"findApiKey"> = async ({ org, caller, body }, { store, now }) => {
  const { name, ...key } = await store.readTogether(async (db) => {
    const found = await keyInOrg(db, { orgId: org.id, key: body.key }, now());
    if (found === undefined) {
      const onPages = await revocationOf(db, { org, caller, key: body.key });
      throw new NotFound("api_key.not_found", "API key not found", {}, onPages);
    }
    await accountToSee(db, { org, caller, name: found.name });
    return found;
  });
  return { status: 200, body: { account: name, apiKey: keyView(key) } };
};

export const getApiKey: Handler<"getApiKey"> = async (call, { store, now }) => {
  const key = await store.readTogether((db) => requireNamedKey(db, call, accountToSee, now()));
  return { status: 200, body: keyView(key) };
};

export const rotateApiKey: Handler<"rotateApiKey"> = async (call, context) => {
  const { caller, params, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const wantedExpiry = expiryOf(body.expiresAt, now);
  const graceEnd = Math.ceil(now + body.gracePeriodHours * SECONDS_PER_HOUR);
  const rotated = await context.store.write(async (db) => {
    const { accountId, ...old } = await requireNamedKey(db, call, accountToManage, now);
    const expiresAt = rotatesItself(caller, params.keyId)
      ? noLongerThan(old, wantedExpiry, now)
      : wantedExpiry;
    const revokedAt = (await revokeKey(db, old.id, now, graceEnd)) ?? graceEnd;
    const { description, scope, mayRotateItself } = old;
    const made = { accountId, description, expiresAt, now, scope, mayRotateItself };
    const { id, key } = await createKey(db, made);
    const worksUntil = Math.min(revokedAt, old.expiresAt ?? revokedAt);
    await record(db, requestContext, {
      type: "api_key.rotated",
      subject: { name: params.name, id: old.id },
      data: {
        details: {
          description,
          grace_period_expires_at: worksUntil,
          new_api_key_id: id,
          new_expires_at: expiresAt ?? NEVER,
        },
      },
    });
    return { id, key, description, expiresAt, worksUntil, scope, mayRotateItself };
  });
  const { id, key, description, expiresAt, worksUntil, scope, mayRotateItself } = rotated;
  return {
    status: 201,
    body: {
      id,
      key,
      description,
      createdAt: now,
      expiresAt: expiresAt ?? NEVER,
      gracePeriodExpiresAt: worksUntil,
      ...(mayRotateItself && { mayRotateItself }),
      ...scope,
    },
  };
};

export const revokeApiKey: Handler<"revokeApiKey"> = async (call, context) => {
  const { org, caller, params } = call;
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const account = await accountToManage(db, { org, caller, name: params.name });
    const key = await requireKey(db, { accountId: account.id, keyId: params.keyId }, requestContext.now);
    await withdrawKey(db, requestContext, account, key);
  });
  return { status: 200, body: "revoked" };
};

/**
 * Returns the named key. The caller needs the right to its account, except for its own key that may rotate itself.
 *
 * @throws NotFound for an unknown or revoked key
 */
async function requireNamedKey(
  db: Database,
  { org, caller, params }: Pick<Call<"getApiKey">, "org" | "caller" | "params">,
  accountTo: typeof accountToSee,
  now: number,
): Promise<StoredKey & { accountId: string }> {
  const { name } = params;
  const isOwn = rotatesItself(caller, params.keyId);
  // A limited key must not learn about other accounts.
  if (isOwn && name !== caller.accountName) throw new NotFound("api_key.not_found", "API key not found");
  const accountId = isOwn ? caller.accountId : (await accountTo(db, { org, caller, name })).id;
  const keyId = params.keyId === OWN_KEY ? caller.keyId : params.keyId;
  return { ...(await requireKey(db, { accountId, keyId }, now)), accountId };
}

/** The wanted expiry, limited to the key's former lifetime, because a key that rotates itself must not extend it. */
function noLongerThan(
  { createdAt, expiresAt }: Pick<StoredKey, "createdAt" | "expiresAt">,
  wanted: number | null,
  now: number,
): number | null {
  if (expiresAt === null) return wanted;
  const latest = Math.floor(now + expiresAt - createdAt);
  return Math.min(wanted ?? latest, latest);
}

/** @throws NotFound for an unknown or revoked key */
async function requireKey(
  db: Database,
  key: { accountId: string; keyId: string },
  now: number,
): Promise<StoredKey> {
  const found = await findKeyOf(db, key, now);
  if (!found) throw new NotFound("api_key.not_found", "API key not found");
  return found;
}

/** @throws Invalid */
function expiryOf(expiresAt: number | null | undefined, now: number): number | null {
  if (expiresAt === undefined || expiresAt === null || expiresAt === NEVER) return null;
  if (expiresAt <= now) {
    throw new Invalid("request.field_invalid", "expires_at cannot be in the past", {
      expires_at: "must not be in the past",
    });
  }
  return expiresAt;
}

function keyView(key: StoredKey): ApiKeyRecord {
  const { id, description, createdAt, expiresAt, lastUsedAt, lastFour, scope, mayRotateItself } = key;
  return {
    ...{ id, description, createdAt, expiresAt: expiresAt ?? NEVER, lastUsedAt },
    ...(lastFour !== null && { lastFour }),
    ...(mayRotateItself && { mayRotateItself }),
    ...scope,
  };
}
