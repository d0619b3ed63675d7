import type { Access } from "../../api/operation.ts";
import { HttpError } from "../http-error.ts";
import type { Role } from "../roles.ts";

const ALLOWED: Readonly<Record<Access, readonly Role[]>> = {
  read: ["admin", "member", "snapshotter", "reader"],
  write: ["admin", "member"],
  report: ["admin", "member", "snapshotter"],
  administer: ["admin"],
};

/** @throws HttpError 403 when the role may not do what the operation does */
export function requireAccess(role: Role, access: Access): void {
  if (!ALLOWED[access].includes(role)) {
    throw new HttpError(403, "You don't have permission to access this resource");
  }
}
