import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation } from "../operation.ts";
import { LATEST_TIME } from "../times.ts";
import type { Camel } from "../wire-names.ts";
import { managesAccounts, scopeAnswer, scopeFields } from "./service-accounts.ts";

/** Maximum time that a rotated key keeps working, in hours. */
const MAX_GRACE_HOURS = 720;
const DEFAULT_GRACE_HOURS = 24;

/** Expiry, in Unix seconds; 0 means never. */
const expiry = z.nullish(z.int().check(z.minimum(0), z.maximum(LATEST_TIME)));

/** ID that means the key of the request. */
export const OWN_KEY = "self";

/** Whether the key may rotate itself, regardless of its other rights. */
const mayRotateItself = z.optional(z.boolean());

const apiKey = z.looseObject({
  id: z.string(),
  description: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  /** Expiry, in Unix seconds; 0 means never. */
  expires_at: z.number(),
  /** Time of the last use, in Unix seconds, accurate to about a minute. Null before the first use. */
  last_used_at: z.nullish(z.number()),
  /** Embedded service only: the last four characters of the key, by which people recognize it. */
  last_four: z.optional(z.string()),
  may_rotate_itself: mayRotateItself,
  ...scopeAnswer,
});
export type ApiKeyRecord = Camel<z.infer<typeof apiKey>>;

const createdKey = z.looseObject({
  id: z.string(),
  /** The key itself. Only this response contains it. */
  key: z.string(),
  description: z.string(),
  created_at: z.number(),
  expires_at: z.number(),
  may_rotate_itself: mayRotateItself,
  ...scopeAnswer,
});

const accountParam = { name: reference };
const keyParams = z.object({ ...accountParam, key_id: reference });
const NO_ACCOUNT = { 404: "No such service account" };
const NO_KEY = { 404: "No such service account or API key" };

/**
 * Creates a key for the account. Only this response contains the key.
 *
 * @example
 * const { body } = await client.createApiKey({ name: "ci", body: { description: "for the pipelines" } });
 * keep(body.key);
 */
export const createApiKey = defineOperation({
  ...managesAccounts,
  name: "createApiKey",
  summary: "Create an API key",
  route: "POST /service-accounts/{org}/{name}/api-keys",
  params: z.object(accountParam),
  body: {
    kind: "json",
    schema: z.object({
      description: z.string().check(z.minLength(1), z.maxLength(256)),
      expires_at: expiry,
      may_rotate_itself: mayRotateItself,
      ...scopeFields,
    }),
  },
  responses: { 201: createdKey },
  errors: NO_ACCOUNT,
});

/** Lists the keys of the account that are not revoked, oldest first. */
export const listApiKeys = defineOperation({
  ...managesAccounts,
  name: "listApiKeys",
  summary: "List API keys",
  route: "GET /service-accounts/{org}/{name}/api-keys",
  params: z.object(accountParam),
  responses: { 200: z.array(apiKey) },
  errors: NO_ACCOUNT,
});

/**
 * Finds the account and the record of a key, for example of one that leaked. Revoked keys are not found. The key is
 * neither stored nor logged.
 *
 * @example
 * const { body } = await client.findApiKey({ body: { key: leaked } });
 * await client.revokeApiKey({ name: body.account, keyId: body.apiKey.id });
 */
export const findApiKey = defineOperation({
  ...managesAccounts,
  name: "findApiKey",
  summary: "Find an API key",
  route: "POST /service-accounts/{org}/find-key",
  body: {
    kind: "json",
    schema: z.object({
      /** The key itself. */
      key: z.string().check(z.minLength(1), z.maxLength(256)),
    }),
  },
  responses: {
    200: z.looseObject({
      /** Name of its account. */
      account: z.string(),
      /** Its record, without the key. */
      api_key: apiKey,
    }),
  },
  errors: { 404: "No such API key" },
});

/** Returns the key's record, without the key. The ID `self` means the key of the caller. */
export const getApiKey = defineOperation({
  ...managesAccounts,
  name: "getApiKey",
  summary: "Get an API key",
  route: "GET /service-accounts/{org}/{name}/api-keys/{key_id}",
  forOwnKey: "key_id",
  params: keyParams,
  responses: { 200: apiKey },
  errors: NO_KEY,
});

/** Replaces the key with a new one. The old key keeps working for a grace period. */
export const rotateApiKey = defineOperation({
  ...managesAccounts,
  name: "rotateApiKey",
  summary: "Rotate an API key",
  route: "POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate",
  forOwnKey: "key_id",
  params: keyParams,
  body: {
    kind: "json",
    schema: z.object({
      grace_period_hours: z._default(
        z.int().check(z.minimum(1), z.maximum(MAX_GRACE_HOURS)),
        DEFAULT_GRACE_HOURS,
      ),
      /** Expiry of the new key, in Unix seconds; 0 means never. A key that rotates itself cannot extend its lifetime. */
      expires_at: expiry,
    }),
  },
  responses: {
    /** The new key. The old key stops working at the end of the grace period. */
    201: z.looseObject({ ...createdKey.shape, grace_period_expires_at: z.number() }),
  },
  errors: NO_KEY,
});

/** Revokes the key at once. This cannot be undone. */
export const revokeApiKey = defineOperation({
  ...managesAccounts,
  name: "revokeApiKey",
  summary: "Revoke an API key",
  route: "DELETE /service-accounts/{org}/{name}/api-keys/{key_id}",
  params: keyParams,
  responses: { 200: z.string() },
  errors: { 404: "No such service account or API key, or it was revoked before" },
});
