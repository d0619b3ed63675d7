import { ROLES, type Role } from "../../../api/resources/service-accounts.ts";
import { covers } from "../../kernel/access.ts";
import { isRole } from "../../kernel/caller.ts";
import type { PageRequest } from "../page.ts";
import { choice } from "../parts/form.ts";
import type { Html } from "../parts/html.ts";
import { invalidField } from "../refused-form.ts";

/** @throws Invalid */
export function roleIn(sent: URLSearchParams): Role {
  const role = sent.get("privilege") ?? "";
  if (isRole(role)) return role;
  throw invalidField("privilege", `'${role}' is not a role`);
}

/** The roles that the viewer may give. */
export function roleField(before: string, request: PageRequest): Html {
  const { role } = request.viewer.caller;
  const options = ROLES.filter((each) => covers(role, each));
  const value = options.find((each) => each === before) ?? role;
  return choice({ name: "privilege", label: "Role", value, options }, request);
}
