import * as z from "zod/mini";
import { reference, webAddress } from "../names.ts";
import { administersOrganization, defineOperation } from "../operation.ts";
import { indexedText, shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { ROLES, scopeAnswer, scopeFields } from "./service-accounts.ts";

/* Login providers: how the people of an organization sign in to its pages. */

/** Maximum number of lines in a role map. */
export const MOST_LINES = 1_000;

/** One line of a role map. */
export const mappedRole = {
  /** Name of a group; `*` matches any characters. Absent: everybody whom the provider signs in. */
  group: z.optional(indexedText.check(z.minLength(1))),
  /** Role of the group's people. */
  role: z.enum(ROLES),
  ...scopeFields,
};

const mappedRoleOf = {
  /** Organization of the role. Only the organization that operates the service may name others. Default: its own. */
  org: z.optional(reference),
  ...mappedRole,
};

const texts = z.array(shortText.check(z.minLength(1))).check(z.maxLength(100));

const OIDC_SCOPES = ["openid", "profile", "email"];

export const providerFields = {
  /** Kind of the provider: OpenID Connect, or GitHub. */
  kind: z._default(z.enum(["oidc", "github"]), "oidc"),
  /** Name on the button of the sign-in page. Default: the name of the provider. */
  label: z.optional(shortText.check(z.minLength(1), z.maxLength(100))),
  /** Address of the provider, as in the `iss` claim of its tokens. */
  issuer: webAddress,
  /** Id of this service at the provider. */
  client_id: shortText.check(z.minLength(1)),
  /** Scopes to request. */
  scopes: z._default(texts, OIDC_SCOPES),
  /** Claim that lists the groups, or a JSON pointer to it: `/realm_access/roles`. */
  groups_claim: z._default(shortText.check(z.minLength(1)), "groups"),
  /** Claim with the `externalId` that the provider sends by SCIM, such as `oid`. Email addresses and names are refused. */
  scim_claim: z._default(shortText.check(z.regex(/^(?!.*(mail|name$|upn)).+$/i)), "sub"),
  /** Domains of verified email addresses that may sign in. Empty for all. */
  allowed_domains: z._default(texts, []),
  /** Whether only people with a role may sign in. */
  strict: z._default(z.boolean(), true),
  /** Whether each sign-in also changes and removes roles. Otherwise, groups only give the first role. */
  sync: z._default(z.boolean(), true),
};

const provider = z.looseObject({
  name: z.string(),
  kind: z.string(),
  /** Name on the button of the sign-in page. */
  label: z.string(),
  issuer: z.string(),
  /** Id of this service at the provider. */
  client_id: z.string(),
  /** Scopes to request. */
  scopes: z.array(z.string()),
  /** Claim that lists the groups, or a JSON pointer to it. */
  groups_claim: z.string(),
  /** Claim by which SCIM users are recognized. */
  scim_claim: z.string(),
  /** Domains of verified email addresses that may sign in. Empty for all. */
  allowed_domains: z.array(z.string()),
  /** Whether only people with a role may sign in. */
  strict: z.boolean(),
  /** Whether each sign-in also changes and removes roles. */
  sync: z.boolean(),
  /** Roles by group. The first line that fits counts. */
  role_map: z.array(
    z.looseObject({
      /** Organization of the role. Null or absent: that of the provider. */
      org: z.nullish(z.string()),
      /** Name of a group. Null or absent: everybody whom the provider signs in. */
      group: z.nullish(z.string()),
      role: z.string(),
      ...scopeAnswer,
    }),
  ),
  /** Whether a client secret is stored. It is never returned. */
  has_secret: z.boolean(),
  /** Address to allow at the provider as the redirect URI. */
  redirect_uri: z.string(),
  /** Address that shows what the provider sends, without signing in. */
  test_url: z.string(),
  /** Name of the account at that time. */
  created_by: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
});
export type LoginProviderRecord = Camel<z.infer<typeof provider>>;

const named = z.object({
  /** Name of the login provider. */
  provider_name: reference,
});
const providerName = /^[a-z0-9][a-z0-9-]*$/;

/**
 * Creates or replaces a login provider of the organization. It gives rights in this organization only, except for the
 * organization that operates the service.
 */
export const putLoginProvider = defineOperation({
  ...administersOrganization,
  name: "putLoginProvider",
  summary: "Create or replace a login provider",
  route: "PUT /login-providers/{org}",
  body: {
    kind: "json",
    schema: z.strictObject({
      /** Name in addresses, in lower case. */
      name: z.string().check(z.regex(providerName), z.maxLength(64)),
      ...providerFields,
      /** Client secret from the provider. Absent: the stored one stays. Null: a public client. */
      client_secret: z.nullish(shortText.check(z.minLength(1))),
      /** Roles by group. The first line that fits counts. */
      role_map: z._default(z.array(z.strictObject(mappedRoleOf)).check(z.maxLength(MOST_LINES)), []),
    }),
  },
  example: {
    name: "company",
    label: "Acme",
    issuer: "https://login.example.com",
    client_id: "evidence",
    client_secret: "from-the-provider",
    role_map: [{ group: "platform", role: "admin" }, { role: "reader" }],
  },
  responses: { 200: provider },
  errors: { 409: "The service has no key for secrets" },
  conflictIsFinal: true,
});

/** Lists the login providers of the organization, sorted by name, without their secrets. */
export const listLoginProviders = defineOperation({
  ...administersOrganization,
  name: "listLoginProviders",
  summary: "List login providers",
  route: "GET /login-providers/{org}",
  responses: { 200: z.array(provider) },
});

/** Deletes a login provider. The roles that it gave end, and so do the sessions that it began. */
export const deleteLoginProvider = defineOperation({
  ...administersOrganization,
  name: "deleteLoginProvider",
  summary: "Delete a login provider",
  route: "DELETE /login-providers/{org}/{provider_name}",
  params: named,
  responses: { 200: z.string() },
  errors: { 404: "No such login provider" },
});
