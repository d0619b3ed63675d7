import type { Organization } from "./organization.ts";

export function unknownFlowText(org: Organization, name: string): string {
  return `Flow named '${name}' does not exist for organization '${org.name}'`;
}
