import type { Access } from "../../api/operation.ts";
import { Forbidden } from "./errors.ts";
import type { Role } from "./roles.ts";

const ALLOWED: Readonly<Record<Access, readonly Role[]>> = {
  read: ["admin", "member", "snapshotter", "reader"],
  write: ["admin", "member"],
  report: ["admin", "member", "snapshotter"],
  "manage accounts": ["admin", "member", "snapshotter"],
  administer: ["admin"],
};

export function isAllowed(role: Role, access: Access): boolean {
  return ALLOWED[access].includes(role);
}

/** @throws Forbidden when the role may not do what the operation does */
export function requireAccess(role: Role, access: Access): void {
  if (!isAllowed(role, access)) throw new Forbidden();
}
