import { fitsGlob } from "../../kernel/fits-glob.ts";
import { scopeOf } from "../../kernel/scope.ts";
import type { Grant } from "../members/memberships.ts";
import type { LoginProvider } from "./provider.ts";

/** The roles that groups give, by the name of the organization. The first fitting line of an organization counts. */
export function rolesFor(
  { roleMap, org }: Pick<LoginProvider, "roleMap" | "org">,
  groups: readonly string[],
): ReadonlyMap<string, Grant> {
  const found = new Map<string, Grant>();
  for (const { group, role, flows, environments, org: name } of roleMap) {
    // An organization's provider gives rights nowhere else.
    if (found.has(name) || (org !== undefined && org.name !== name)) continue;
    if (group === undefined || groups.some((each) => fitsGlob(group, each)))
      found.set(name, { role, scope: scopeOf({ flows, environments }) });
  }
  return found;
}
