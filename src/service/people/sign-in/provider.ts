import type { Role } from "../../kernel/caller.ts";

/** A line of a role map. */
export interface MappedRole {
  /** Name of a group; `*` matches any characters. Undefined for everybody whom the provider signs in. */
  readonly group?: string | undefined;
  /** Name of the organization. */
  readonly org: string;
  readonly role: Role;
  readonly flows?: readonly string[] | null | undefined;
  readonly environments?: readonly string[] | null | undefined;
}

/** A provider that signs people in. */
export interface LoginProvider {
  /** Name in addresses: `company`, or `acme.company` for a provider of the organization `acme`. */
  readonly name: string;
  /** The organization whose provider it is. Undefined for a provider of the service, also for one that its operators added. */
  readonly org?: { readonly id: string; readonly name: string } | undefined;
  readonly kind: "oidc" | "github";
  /** Name on the button: "Sign in with Acme". */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret?: string | undefined;
  readonly scopes: readonly string[];
  /** Name of the claim that lists the groups, or a JSON pointer to it: `/realm_access/roles`. */
  readonly groupsClaim: string;
  /** Claim with the person's `externalId` in SCIM. */
  readonly scimClaim: string;
  /** Domains of verified email addresses that may sign in. Empty for all. */
  readonly allowedDomains: readonly string[];
  /** Whether only people with a role may sign in. */
  readonly strict: boolean;
  /** Whether each sign-in also changes and removes roles. Otherwise, it only gives the first one. */
  readonly sync: boolean;
  readonly roleMap: readonly MappedRole[];
}
