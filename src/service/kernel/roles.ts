import { ROLES, type Role } from "../../api/roles.ts";

export { ROLES, type Role };

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
