import { covers } from "../kernel/access.ts";
import type { Caller } from "../kernel/caller.ts";
import { isRole } from "../kernel/roles.ts";
import type { ServiceAccount } from "../people/accounts/records.ts";

type Rights = Pick<Caller, "accountId" | "role">;
type Managed = Pick<ServiceAccount, "role" | "creator">;

/** Whether somebody may see an account and its keys: a snapshotter those of the accounts that it created. */
export function maySee({ accountId, role }: Rights, { creator }: Managed): boolean {
  return role !== "snapshotter" || creator?.id === accountId;
}

/** Whether somebody may change an account and its keys: those it may see, up to its own rights. */
export function mayManage(caller: Rights, account: Managed): boolean {
  return maySee(caller, account) && isRole(account.role) && covers(caller.role, account.role);
}
