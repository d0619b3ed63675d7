import * as z from "zod/mini";
import { reference, serviceAccountName } from "../names.ts";
import { defineOperation, grantsOrganization } from "../operation.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/** Roles of accounts. Only the embedded service has attester, approver and auditor. */
export const ROLES = ["admin", "member", "attester", "approver", "snapshotter", "auditor", "reader"] as const;
export type Role = (typeof ROLES)[number];

/** Maximum number of flows, and of environments, in a scope. */
const MOST_NAMES = 100;

const names = z._default(
  z.nullish(z.array(shortText.check(z.minLength(1))).check(z.maxLength(MOST_NAMES))),
  null,
);

/**
 * Scope of a key or workflow: names of flows and environments. Without either, the whole organization; with one of them,
 * only what is named.
 */
export const scopeFields = { flows: names, environments: names };

/** Scope in responses: null if nothing is named. */
export const scopeAnswer = {
  flows: z.nullish(z.array(z.string())),
  environments: z.nullish(z.array(z.string())),
};

const privilege = z.enum(ROLES);

const description = z.string().check(z.maxLength(512));

const serviceAccount = z.looseObject({
  name: z.string(),
  display_name: z.nullish(z.string()),
  privilege: z.string(),
  description: z.nullish(z.string()),
  /** Name of the account that created it. Null if that account was deleted, or for the command line. */
  creating_user_id: z.nullish(z.string()),
  /** Time of creation, in Unix seconds. */
  created_at: z.nullish(z.number()),
  for_webhook: z.nullish(z.boolean()),
  /** Embedded service only: whether the account belongs to a trust policy, whose workflows need no key. */
  of_trust_policy: z.optional(z.boolean()),
});
export type ServiceAccountRecord = Camel<z.infer<typeof serviceAccount>>;

const accountParam = z.object({ name: reference });
const NO_ACCOUNT = { 404: "No such service account" };
export const managesAccounts = { access: "manage accounts", reach: "never", heavy: false } as const;

/** Creates a service account with at most the rights of the caller. */
export const createServiceAccount = defineOperation({
  ...managesAccounts,
  name: "createServiceAccount",
  summary: "Create a service account",
  route: "POST /service-accounts/{org}",
  body: {
    kind: "json",
    schema: z.object({
      name: serviceAccountName,
      description: z.nullish(description),
      privilege: z._default(privilege, "reader"),
    }),
  },
  responses: { 201: serviceAccount },
  takesIdempotencyKey: true,
});

/** Lists the service accounts by name. A snapshotter sees only those it created. */
export const listServiceAccounts = defineOperation({
  ...managesAccounts,
  name: "listServiceAccounts",
  summary: "List service accounts",
  route: "GET /service-accounts/{org}",
  responses: { 200: z.array(serviceAccount) },
});

/** Returns the account with its role and rights. */
export const getServiceAccount = defineOperation({
  ...managesAccounts,
  name: "getServiceAccount",
  summary: "Get a service account",
  route: "GET /service-accounts/{org}/{name}",
  params: accountParam,
  responses: { 200: serviceAccount },
  errors: NO_ACCOUNT,
});

/** Changes the description of the account. An admin can also change its role. */
export const updateServiceAccount = defineOperation({
  ...grantsOrganization,
  name: "updateServiceAccount",
  summary: "Update a service account",
  route: "PATCH /service-accounts/{org}/{name}",
  params: accountParam,
  body: {
    kind: "json",
    /** Absent fields stay unchanged. A null description clears it. */
    schema: z.object({ description: z.nullish(description), privilege: z.optional(privilege) }),
  },
  responses: { 200: serviceAccount },
  errors: NO_ACCOUNT,
});

/** Deletes the account. Its keys stop working at once. */
export const deleteServiceAccount = defineOperation({
  ...grantsOrganization,
  name: "deleteServiceAccount",
  summary: "Delete a service account",
  route: "DELETE /service-accounts/{org}/{name}",
  params: accountParam,
  responses: { 200: z.string() },
  errors: NO_ACCOUNT,
});
