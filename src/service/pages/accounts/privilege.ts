import { Invalid } from "../../kernel/errors.ts";
import { isRole, type Role } from "../../kernel/roles.ts";

/** The role that a form names. */
export function privilegeOf(sent: string | null): Role {
  if (sent !== null && isRole(sent)) return sent;
  throw new Invalid(`'${sent ?? ""}' is not a role`);
}
