import type { Role } from "./roles.ts";

/** The account that a request comes from. */
export interface Caller {
  keyId: string;
  accountId: string;
  accountName: string;
  orgId: string;
  role: Role;
}
