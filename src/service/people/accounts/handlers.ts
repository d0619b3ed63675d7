import type { ServiceAccountRecord } from "../../../api/resources/service-accounts.ts";
import { record, recordChange } from "../../events/record.ts";
import { covers } from "../../kernel/access.ts";
import { type Caller, isRole, type Organization } from "../../kernel/caller.ts";
import { Forbidden, Invalid, NotFound } from "../../kernel/errors.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import { once } from "../../operation/idempotency.ts";
import type { Database } from "../../store/tables.ts";
import { isOfTrustPolicy, trustPolicyAccounts } from "./keys.ts";
import { recordNewAccount } from "./provisioning.ts";
import type { ServiceAccount } from "./records.ts";
import * as accounts from "./records.ts";

export const createServiceAccount: Handler<"createServiceAccount"> = async (call, context) => {
  const { org, caller, body, identity } = call;
  const { name, description, privilege } = body;
  if (!covers(caller.role, privilege)) throw new Forbidden();
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  type Created = { status: 201; body: ServiceAccountRecord };
  const create = async (db: Database): Promise<Created> => {
    const fields = { orgId: org.id, name, role: privilege, description, createdBy: caller.accountId };
    if ((await accounts.insertServiceAccount(db, fields, now)) === undefined) {
      throw new Invalid(
        "resource.exists",
        `Service account '${name}' already exists in organization '${org.name}'`,
      );
    }
    const account = await accounts.requireServiceAccount(db, org, name);
    await recordNewAccount(db, requestContext, account);
    return { status: 201, body: accountView(account) };
  };
  const repeat = async (db: Database, first: Created): Promise<Created> => {
    const account = await accounts.findServiceAccount(db, org.id, name);
    // The name may belong to another account now.
    if (!account || account.createdAt !== first.body.createdAt) {
      throw new NotFound(
        "service_account.not_found",
        "Service account not found: it was deleted after this request created it",
      );
    }
    return { status: 201, body: accountView(account) };
  };
  return context.store.write((db) =>
    once(db, { identity, now, record: () => create(db), repeat: (first) => repeat(db, first) }),
  );
};

export const listServiceAccounts: Handler<"listServiceAccounts"> = async ({ org, caller }, { store }) => {
  const createdBy = caller.role === "snapshotter" ? caller.accountId : undefined;
  return store.readTogether(async (db) => {
    const listed = await accounts.listServiceAccounts(db, org.id, createdBy);
    const ofPolicies = await trustPolicyAccounts(db, org.id);
    const body = listed.map((account) => ({
      ...accountView(account),
      ...(ofPolicies.has(account.id) && { ofTrustPolicy: true }),
    }));
    return { status: 200, body };
  });
};

export const getServiceAccount: Handler<"getServiceAccount"> = async ({ org, caller, params }, { store }) =>
  store.readTogether(async (db) => {
    const account = await accountToSee(db, { org, caller, name: params.name });
    const ofTrustPolicy = await isOfTrustPolicy(db, account.id);
    return { status: 200, body: { ...accountView(account), ...(ofTrustPolicy && { ofTrustPolicy }) } };
  });

export const updateServiceAccount: Handler<"updateServiceAccount"> = async (call, context) => {
  const { org, caller, params, body } = call;
  const account = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const existing = await accountToManage(db, { org, caller, name: params.name });
    const { description, privilege = existing.role } = body;
    const changesPrivilege = privilege !== existing.role;
    if (changesPrivilege && caller.role !== "admin") throw new Forbidden();
    if (changesPrivilege && existing.role === "admin") {
      await accounts.requireAnotherAdmin(db, org.id, existing, requestContext.now);
    }
    await accounts.updateServiceAccount(db, existing.id, { role: body.privilege, description });
    const updated = await accounts.requireServiceAccount(db, org, params.name);
    await recordChange(db, requestContext, {
      type: changesPrivilege ? "service_account.privilege_changed" : "service_account.changed",
      subject: existing,
      before: auditedState(existing),
      after: auditedState(updated),
    });
    return updated;
  });
  return { status: 200, body: accountView(account) };
};

export const deleteServiceAccount: Handler<"deleteServiceAccount"> = async (call, context) => {
  const { org, caller, params } = call;
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const { now } = requestContext;
    const account = await accountToManage(db, { org, caller, name: params.name });
    if (account.role === "admin") await accounts.requireAnotherAdmin(db, org.id, account, now);
    const revoked = await accounts.deleteServiceAccount(db, account.id, now);
    await record(db, requestContext, {
      type: "service_account.deleted",
      subject: account,
      data: { details: { privilege: account.role, revoked_api_keys: revoked } },
    });
  });
  return { status: 200, body: "OK" };
};

function auditedState({ role, description }: accounts.ServiceAccount) {
  return { privilege: role, description };
}

interface AccountRequest {
  org: Organization;
  caller: Caller;
  name: string;
}

/** @throws NotFound, or Forbidden if the caller may not see the account */
export async function accountToSee(
  db: Database,
  { org, caller, name }: AccountRequest,
): Promise<accounts.ServiceAccount> {
  const account = await accounts.requireServiceAccount(db, org, name);
  if (!maySee(caller, account)) throw new Forbidden();
  return account;
}

/**
 * Accounts of trust policies change only with their policy.
 *
 * @throws NotFound, Forbidden or Invalid
 */
export async function accountToManage(
  db: Database,
  { org, caller, name }: AccountRequest,
): Promise<accounts.ServiceAccount> {
  const account = await accounts.requireServiceAccount(db, org, name);
  if (!mayManage(caller, account)) throw new Forbidden();
  if (await isOfTrustPolicy(db, account.id)) {
    throw new Invalid(
      "service_account.managed",
      `The account '${name}' belongs to a trust policy: change or delete the policy instead`,
    );
  }
  return account;
}

function accountView(account: accounts.ServiceAccount): ServiceAccountRecord {
  return {
    name: account.name,
    displayName: account.name,
    privilege: account.role,
    description: account.description,
    creatingUserId: account.creator?.name ?? null,
    createdAt: account.createdAt,
    forWebhook: false,
  };
}

type Rights = Pick<Caller, "accountId" | "role">;
type Managed = Pick<ServiceAccount, "role" | "creator">;

/** Whether a caller sees an account. A snapshotter sees only the accounts that it created. */
export function maySee(
  { accountId, role }: Rights,
  { creator }: { readonly creator: { readonly id: string } | null },
): boolean {
  return role !== "snapshotter" || creator?.id === accountId;
}

/** Whether a caller may manage an account. The caller must see the account and have at least the account's rights. */
export function mayManage(caller: Rights, account: Managed): boolean {
  return maySee(caller, account) && isRole(account.role) && covers(caller.role, account.role);
}

export const getOrganization: Handler<"getOrganization"> = async ({ org }, { store }) => {
  const { created_at } = await store.read
    .selectFrom("organizations")
    .select("created_at")
    .where("id", "=", org.id)
    .executeTakeFirstOrThrow();
  return {
    status: 200,
    body: {
      name: org.name,
      // Only shared organizations have service accounts.
      kind: "shared",
      experimentalFeaturesEnabled: false,
      createdAt: created_at,
      lastModifiedAt: created_at,
    },
  };
};

/** An account belongs to one organization. */
export const getDefaultOrg: Handler<"getDefaultOrg"> = async ({ org }) => ({
  status: 200,
  body: { defaultOrgName: org.name },
});

/** Changes nothing: the path names the caller's organization, the only possible default. */
export const setDefaultOrg: Handler<"setDefaultOrg"> = async () => ({ status: 200, body: "OK" });
