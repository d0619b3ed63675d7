import type {
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  ServiceAccountRecord,
  updateServiceAccount,
} from "../../../api/resources/service-accounts.ts";
import { recordNewAccount } from "../../accounts/audited.ts";
import { mayManage, maySee } from "../../accounts/rights.ts";
import { recordAct, recordChange } from "../../audit-log/record-act.ts";
import { covers } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/caller.ts";
import { Forbidden, Invalid, NotFound } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { Handler } from "../../operation/handler.ts";
import { once } from "../../operation/idempotency.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import type { Database } from "../../store/tables.ts";
import { isOfTrustPolicy } from "./keys.ts";
import * as accounts from "./records.ts";

export const handleCreateServiceAccount: Handler<typeof createServiceAccount> = async (call, context) => {
  const { org, caller, body, identity } = call;
  const { name, description, privilege } = body;
  if (!covers(caller.role, privilege)) throw new Forbidden();
  const requestContext = requestContextOf(call, context);
  const { now } = requestContext;
  type Created = { status: 201; body: ServiceAccountRecord };
  const record = async (db: Database): Promise<Created> => {
    const fields = { orgId: org.id, name, role: privilege, description, createdBy: caller.accountId };
    if ((await accounts.insertServiceAccount(db, fields, now)) === undefined) {
      throw new Invalid(`Service account '${name}' already exists in organization '${org.name}'`);
    }
    const account = await accounts.requireServiceAccount(db, org, name);
    await recordNewAccount(db, requestContext, account);
    return { status: 201, body: accountView(account) };
  };
  const repeat = async (db: Database, first: Created): Promise<Created> => {
    const account = await accounts.findServiceAccount(db, org.id, name);
    // Another account may have the name by now.
    if (!account || account.createdAt !== first.body.createdAt) {
      throw new NotFound("Service account not found: it was deleted after this request had created it");
    }
    return { status: 201, body: accountView(account) };
  };
  return context.store.write((db) =>
    once(db, { identity, now, record: () => record(db), repeat: (first) => repeat(db, first) }),
  );
};

export const handleListServiceAccounts: Handler<typeof listServiceAccounts> = async (
  { org, caller },
  { store },
) => {
  const createdBy = caller.role === "snapshotter" ? caller.accountId : undefined;
  const listed = await accounts.listServiceAccounts(store.read, org.id, createdBy);
  return { status: 200, body: listed.map(accountView) };
};

export const handleGetServiceAccount: Handler<typeof getServiceAccount> = async (
  { org, caller, params },
  { store },
) =>
  store.readTogether(async (db) => {
    const account = await accountToSee(db, { org, caller, name: params.name });
    const ofTrustPolicy = await isOfTrustPolicy(db, account.id);
    return { status: 200, body: { ...accountView(account), ...(ofTrustPolicy && { ofTrustPolicy }) } };
  });

export const handleUpdateServiceAccount: Handler<typeof updateServiceAccount> = async (call, context) => {
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
      act: changesPrivilege ? "service_account.privilege_changed" : "service_account.changed",
      resource: existing,
      before: auditedState(existing),
      after: auditedState(updated),
    });
    return updated;
  });
  return { status: 200, body: accountView(account) };
};

export const handleDeleteServiceAccount: Handler<typeof deleteServiceAccount> = async (call, context) => {
  const { org, caller, params } = call;
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const { now } = requestContext;
    const account = await accountToManage(db, { org, caller, name: params.name });
    if (account.role === "admin") await accounts.requireAnotherAdmin(db, org.id, account, now);
    const revoked = await accounts.deleteServiceAccount(db, account.id, now);
    await recordAct(db, requestContext, {
      act: "service_account.deleted",
      resource: account,
      details: { privilege: account.role, revoked_api_keys: revoked },
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

/**
 * The account of that name, if the caller may see it and its keys.
 *
 * @throws NotFound or Forbidden
 */
export async function accountToSee(
  db: Database,
  { org, caller, name }: AccountRequest,
): Promise<accounts.ServiceAccount> {
  const account = await accounts.requireServiceAccount(db, org, name);
  if (!maySee(caller, account)) throw new Forbidden();
  return account;
}

/**
 * The account of that name, if the caller may change it and its keys. One of a trust policy nobody changes: who may do
 * that with a policy may do it there.
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
    throw new Invalid(`The account '${name}' belongs to a trust policy: change or delete that`);
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
