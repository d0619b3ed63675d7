import { isRole } from "../../kernel/caller.ts";
import type { Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { scopeIn } from "../accounts/keys.ts";

export const getCurrentUser: Handler<"getCurrentUser"> = async ({ org, caller }, { store }) => {
  const { accountId, accountName, role, scope, workflow } = caller;
  const person = await store.read
    .selectFrom("service_accounts as account")
    .innerJoin("people", "people.id", "account.person_id")
    .select(["people.id", "people.name"])
    .where("account.id", "=", accountId)
    .executeTakeFirst();
  if (person !== undefined) {
    const organizations = await membershipsOf(store.read, person.id);
    return { status: 200, body: { name: person.name, kind: "person", organizations } };
  }
  const own = { name: org.name, account: accountName, role, ...scope };
  const kind = workflow === undefined ? "service_account" : "workflow";
  return { status: 200, body: { name: accountName, kind, organizations: [own] } };
};

async function membershipsOf(db: Database, personId: string) {
  const rows = await db
    .selectFrom("service_accounts as account")
    .innerJoin("organizations as org", "org.id", "account.org_id")
    .innerJoin("api_keys as key", "key.service_account_id", "account.id")
    .select(["org.name", "account.name as account", "account.role", "key.scope"])
    .where("account.person_id", "=", personId)
    .where("account.deleted_at", "is", null)
    .orderBy("org.name")
    .execute();
  return rows.flatMap(({ role, scope, ...names }) =>
    isRole(role) ? [{ ...names, role, ...scopeIn(scope) }] : [],
  );
}
