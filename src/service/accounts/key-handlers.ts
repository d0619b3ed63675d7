import type {
  ApiKeyRecord,
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from "../../api/api-keys.ts";
import { recordAct } from "../audit-log/record-act.ts";
import { Invalid, NotFound } from "../kernel/errors.ts";
import { scopeOf } from "../kernel/scope.ts";
import type { Handler } from "../operation/handler.ts";
import { requestContextOf } from "../operation/request-context.ts";
import type { Database } from "../store/tables.ts";
import { makeKey, NEVER, withdrawKey } from "./audited.ts";
import { accountToManage, accountToSee } from "./handlers.ts";
import { createKey, findKeyOf, keysOf, revokeKey, type StoredKey } from "./keys.ts";

const SECONDS_PER_HOUR = 3_600;

/*
 * No answer here is kept for a repeat of its request: it holds a key. A client that asks again, since the first
 * answer was lost, gets another key.
 */

export const handleCreateApiKey: Handler<typeof createApiKey> = async (call, context) => {
  const { org, caller, params, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const { description } = body;
  const expiresAt = expiryOf(body.expiresAt, now);
  const scope = scopeOf(body);
  const { id, key } = await context.store.write(async (db) => {
    const account = await accountToManage(db, { org, caller, name: params.name });
    return makeKey(db, requestContext, account, { description, expiresAt, scope });
  });
  return {
    status: 201,
    body: { id, key, description, createdAt: now, expiresAt: expiresAt ?? NEVER, ...scope },
  };
};

export const handleListApiKeys: Handler<typeof listApiKeys> = async (
  { org, caller, params },
  { store, now },
) => {
  const listed = await store.readTogether(async (db) => {
    const { id } = await accountToSee(db, { org, caller, name: params.name });
    return keysOf(db, id, now());
  });
  return { status: 200, body: listed.map(keyView) };
};

export const handleGetApiKey: Handler<typeof getApiKey> = async ({ org, caller, params }, { store, now }) => {
  const key = await store.readTogether(async (db) => {
    const { id } = await accountToSee(db, { org, caller, name: params.name });
    return requireKey(db, { accountId: id, keyId: params.keyId }, now());
  });
  return { status: 200, body: keyView(key) };
};

export const handleRotateApiKey: Handler<typeof rotateApiKey> = async (call, context) => {
  const { org, caller, params, body } = call;
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  const expiresAt = expiryOf(body.expiresAt, now);
  const graceEnd = Math.ceil(now + body.gracePeriodHours * SECONDS_PER_HOUR);
  const rotated = await context.store.write(async (db) => {
    const { id: accountId } = await accountToManage(db, { org, caller, name: params.name });
    const old = await requireKey(db, { accountId, keyId: params.keyId }, now);
    const revokedAt = (await revokeKey(db, old.id, now, graceEnd)) ?? graceEnd;
    const { description, scope } = old;
    const { id, key } = await createKey(db, { accountId, description, expiresAt, now, scope });
    const worksUntil = Math.min(revokedAt, old.expiresAt ?? revokedAt);
    await recordAct(db, requestContext, {
      act: "api_key.rotated",
      resource: { name: params.name, id: old.id },
      details: {
        description,
        grace_period_expires_at: worksUntil,
        new_api_key_id: id,
        new_expires_at: expiresAt ?? NEVER,
      },
    });
    return { id, key, description, worksUntil, scope };
  });
  const { id, key, description, worksUntil, scope } = rotated;
  return {
    status: 201,
    body: {
      id,
      key,
      description,
      createdAt: now,
      expiresAt: expiresAt ?? NEVER,
      gracePeriodExpiresAt: worksUntil,
      ...scope,
    },
  };
};

export const handleRevokeApiKey: Handler<typeof revokeApiKey> = async (call, context) => {
  const { org, caller, params } = call;
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const account = await accountToManage(db, { org, caller, name: params.name });
    const key = await requireKey(db, { accountId: account.id, keyId: params.keyId }, requestContext.now);
    await withdrawKey(db, requestContext, account, key);
  });
  return { status: 200, body: "revoked" };
};

/** @throws NotFound when the account has no such key, or it is revoked */
async function requireKey(
  db: Database,
  key: { accountId: string; keyId: string },
  now: number,
): Promise<StoredKey> {
  const found = await findKeyOf(db, key, now);
  if (!found) throw new NotFound("API key not found");
  return found;
}

/** @throws Invalid */
function expiryOf(expiresAt: number | null | undefined, now: number): number | null {
  if (expiresAt === undefined || expiresAt === null || expiresAt === NEVER) return null;
  if (expiresAt <= now) throw new Invalid("expires_at cannot be in the past");
  return expiresAt;
}

function keyView({ id, description, createdAt, expiresAt, lastUsedAt, scope }: StoredKey): ApiKeyRecord {
  return { id, description, createdAt, expiresAt: expiresAt ?? NEVER, lastUsedAt, ...scope };
}
