import type { OrganizationContent, Telling } from "../projections/raise.ts";
import { act } from "./act.ts";

export const peopleEvents = {
  "api_key.created": act,
  "api_key.expiring": act,
  "api_key.rotated": act,
  "api_key.revoked": act,
  "organization.created": act,
  "service_account.created": act,
  "service_account.changed": act,
  "service_account.privilege_changed": act,
  "service_account.deleted": act,
  "share_link.created": act,
  "share_link.revoked": act,
  "trust_policy.created": act,
  "trust_policy.changed": act,
  "trust_policy.deleted": act,
};

export interface PeopleSeen {
  "api_key.expiring": { readonly place: Telling; readonly content: OrganizationContent };
}
