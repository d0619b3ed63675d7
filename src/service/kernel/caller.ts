import type { Role } from "./roles.ts";
import type { Scope } from "./scope.ts";

/** The account that a request comes from. */
export interface Caller {
  /** The key; of a workflow the one that all its tokens have in common. */
  keyId: string;
  accountId: string;
  accountName: string;
  orgId: string;
  role: Role;
  scope: Scope;
  /** What was proven of the workflow that it is. */
  workflow?: { readonly originId: string };
}
