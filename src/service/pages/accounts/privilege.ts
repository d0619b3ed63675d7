import { covers } from "../../kernel/access.ts";
import { Invalid } from "../../kernel/errors.ts";
import { isRole, ROLES, type Role } from "../../kernel/roles.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { choice } from "../parts/field.ts";

/** The role that a form names. */
export function privilegeOf(sent: string | null): Role {
  if (sent !== null && isRole(sent)) return sent;
  throw new Invalid(`'${sent ?? ""}' is not a role`);
}

type Viewing = Pick<PageRequest, "viewer">;

/** Whether somebody who sees an account may change it: nobody manages more rights than his own. */
export function mayManage(account: { readonly privilege: string }, { viewer }: Viewing): boolean {
  return isRole(account.privilege) && covers(viewer.caller.role, account.privilege);
}

/** The field for a role, of those that the viewer may give. */
export function roleField(chosen: string, { viewer }: Viewing): Html {
  const { role } = viewer.caller;
  const options = ROLES.filter((each) => covers(role, each)).map((each) => [each, each] as const);
  const value = options.some(([each]) => each === chosen) ? chosen : role;
  return choice({ name: "privilege", label: "Role", value, options });
}
