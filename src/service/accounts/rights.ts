import type { Caller } from "../kernel/caller.ts";
import { ROLES } from "../kernel/roles.ts";
import type { ServiceAccount } from "./records.ts";

/** Whether a role has all the rights of another. Nobody hands out rights that they do not have. */
export function covers(role: string, other: string): boolean {
  const fromMostToLeast: readonly string[] = ROLES;
  const rank = fromMostToLeast.indexOf(role);
  return rank !== -1 && rank <= fromMostToLeast.indexOf(other);
}

type Rights = Pick<Caller, "accountId" | "role">;
type Managed = Pick<ServiceAccount, "role" | "creator">;

/** Whether somebody may see an account and its keys: a snapshotter those of the accounts that it created. */
export function maySee({ accountId, role }: Rights, { creator }: Managed): boolean {
  return role !== "snapshotter" || creator?.id === accountId;
}

/** Whether somebody may change an account and its keys: those it may see, up to its own rights. */
export function mayManage(caller: Rights, account: Managed): boolean {
  return maySee(caller, account) && covers(caller.role, account.role);
}
