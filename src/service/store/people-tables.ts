import { flag, index, integer, json, primaryKey, table, text, time, unique } from "./schema.ts";

/** Origin of a membership. Each source changes and ends only its own memberships. */
export type MembershipSource = "groups" | "scim" | "invitation" | "manual";

/** Tables that accounts refer to. */
export const PERSON_TABLES = {
  people: table({
    id: text.key,
    /** The organization whose provider signs the person in. Null for a provider of the service. */
    org_id: text.nullable.references("organizations"),
    name: text,
    /** An address that the provider has verified. It is shown, and never identifies the person. */
    email: text.nullable,
    created_at: time,
    last_seen_at: time,
    /** Time from which the person may not sign in. */
    ended_at: time.nullable,
  }),

  /** The accounts of people at their providers. */
  identities: table(
    {
      /** Id of the organization of the provider; empty for a provider of the service. */
      realm: text,
      issuer: text,
      subject: text,
      /** The person's `externalId` in SCIM, as a claim of the last sign-in names it. */
      external_id: text.nullable,
      person_id: text.references("people"),
    },
    primaryKey("realm", "issuer", "subject"),
    index("identities_external", ["external_id"]),
    index("identities_person", ["person_id"]),
  ),
};

export const MEMBER_TABLES = {
  /** The strongest membership decides the role of the account. */
  memberships: table(
    {
      account_id: text.references("service_accounts"),
      source: text.of<MembershipSource>(),
      /** Address name of the provider of the groups; empty for other sources. */
      provider: text,
      role: text,
      /** JSON: names of flows and environments. Null for all. */
      scope: json.nullable,
      /** Name of the account at that time, or of the provider. */
      given_by: text,
      created_at: time,
    },
    primaryKey("account_id", "source", "provider"),
  ),

  invitations: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      /** sha256 of the token in the link, in hex. */
      token_hash: text.unique,
      email: text,
      role: text,
      scope: json.nullable,
      created_by: text,
      /** The account must still have the right to give the role when the invitation is accepted. */
      created_by_id: text.references("service_accounts"),
      created_at: time,
      expires_at: time,
      revoked_at: time.nullable,
      accepted_at: time.nullable,
      /** Name of the account of the person who accepted. */
      accepted_by: text.nullable,
    },
    index("invitations_organization", ["org_id", "created_at"]),
  ),

  /** Providers of one organization, or of the service if that organization operates it. Others are in its configuration. */
  login_providers: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      name: text,
      settings: json,
      /** The sealed client secret. Null for a public client. */
      client_secret: text.nullable,
      created_by: text,
      created_at: time,
    },
    unique("org_id", "name"),
  ),

  scim_tokens: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      /** sha256 of the token, in hex. */
      token_hash: text.unique,
      description: text,
      /** Address name of the provider whose people it provisions, and whose role map it follows. */
      provider: text,
      created_by: text,
      created_at: time,
      expires_at: time.nullable,
      /** Days of the last warning before the expiry. */
      expiry_told_days: integer.nullable,
      last_used_at: time.nullable,
      revoked_at: time.nullable,
    },
    index("scim_tokens_organization", ["org_id", "created_at"]),
  ),

  /** Users and groups that an identity provider sends. */
  scim_resources: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      provider: text,
      kind: text.of<"User" | "Group">(),
      /** The user name, or the display name of a group. */
      name: text,
      /** The form in which names are compared. */
      folded_name: text,
      external_id: text.nullable,
      active: flag,
      /** JSON: the resource as sent, without the members of a group. */
      resource: json,
      /** Further values that filters compare: lines of an attribute, a tab and the value. */
      searched: text,
      /** Null until the person is known. */
      person_id: text.nullable.references("people"),
      /** Whether the roles of the person have yet to follow a change. Until then, the person is refused. */
      pending: flag,
      /** Number of the last change. */
      version: integer,
      created_at: time,
      changed_at: time,
      /** Set for the deleted user of a person, who stays without access. */
      deleted_at: time.nullable,
    },
    unique("org_id", "provider", "kind", "folded_name"),
    unique("org_id", "provider", "kind", "external_id"),
    index("scim_resources_external", ["provider", "external_id"]),
    index("scim_resources_person", ["person_id"]),
    index("scim_resources_pending", ["org_id", "provider", "pending"]),
  ),

  scim_group_members: table(
    {
      group_id: text.references("scim_resources"),
      user_id: text.references("scim_resources"),
    },
    primaryKey("group_id", "user_id"),
    index("scim_group_members_user", ["user_id"]),
  ),
};
