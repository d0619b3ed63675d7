import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, grantsOrganization } from "../operation.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";
import { ROLES, scopeAnswer, scopeFields } from "./service-accounts.ts";

/* Members: the people of an organization, and the invitations to become one. */

/** Lifetime of an invitation, in seconds. */
export const INVITATION_SECONDS = 7 * 24 * 60 * 60;

const membership = z.looseObject({
  /** Source: `groups` of a provider, `scim`, `invitation`, or `manual`. */
  source: z.string(),
  /** Provider of the groups. Null for other sources. */
  provider: z.nullable(z.string()),
  /** Role that it gives. */
  privilege: z.string(),
  ...scopeAnswer,
  /** Name of the account or provider that gave it. */
  given_by: z.string(),
  /** Time since which it exists, in Unix seconds. */
  created_at: z.number(),
});

const member = z.looseObject({
  /** ID of the person's account in the organization. */
  id: z.string(),
  /** Name of that account, as records and the audit log show it. */
  name: z.string(),
  /** Email address that the provider verified. It does not identify the person. */
  email: z.nullable(z.string()),
  /** Role: the strongest of the memberships. */
  privilege: z.string(),
  ...scopeAnswer,
  /** Memberships by source. Each source changes and ends only its own. */
  memberships: z.array(membership),
  /** Time of the last visit, in Unix seconds, accurate to about a minute. */
  last_seen_at: z.number(),
  /** Number of active sessions, in all organizations of the person. */
  session_count: z.number(),
});
export type MemberRecord = Camel<z.infer<typeof member>>;

const session = z.looseObject({
  /** Kind: `browser` or `command line`. */
  kind: z.string(),
  /** Time of the sign-in, in Unix seconds. */
  created_at: z.number(),
  /** Time of the last request, in Unix seconds, accurate to about a minute. */
  last_seen_at: z.number(),
  /** Latest end, in Unix seconds. */
  expires_at: z.number(),
  /** IP address of the sign-in. */
  address: z.nullable(z.string()),
  /** Name of the browser. */
  client: z.nullable(z.string()),
});

const memberParam = {
  /** ID of the member, from `listMembers`. */
  member_id: reference,
};
const NO_MEMBER = { 404: "No such member" };
const LAST_ADMIN = "The last admin, or access that is given elsewhere";
const given = { privilege: z.enum(ROLES), ...scopeFields };

/** Lists the people of the organization by name. */
export const listMembers = defineOperation({
  ...grantsOrganization,
  name: "listMembers",
  summary: "List members",
  route: "GET /members/{org}",
  responses: { 200: z.array(member) },
});

const provisionedUser = z.looseObject({
  /** ID of the user in SCIM. */
  id: z.string(),
  /** Display name, or the user name if the identity provider sent none. */
  name: z.string(),
  /** User name in SCIM. */
  user_name: z.string(),
  /** Primary email address in SCIM. Null if there is none. */
  email: z.nullable(z.string()),
  /** Login provider of the user. */
  provider: z.string(),
  /** Groups in SCIM, which give the role at the first sign-in. */
  groups: z.array(z.string()),
  /** Time at which the identity provider sent the user, in Unix seconds. */
  created_at: z.number(),
});
export type ProvisionedUserRecord = Camel<z.infer<typeof provisionedUser>>;

/**
 * Lists the active users that SCIM sent and who are not signed in yet, by name. A user becomes a member at a sign-in
 * that matches the `externalId`.
 */
export const listProvisionedUsers = defineOperation({
  ...grantsOrganization,
  name: "listProvisionedUsers",
  summary: "List users who are not signed in yet",
  route: "GET /provisioned-users/{org}",
  responses: { 200: z.array(provisionedUser) },
});

/** Returns a person of the organization with their active sessions. */
export const getMember = defineOperation({
  ...grantsOrganization,
  name: "getMember",
  summary: "Get a member",
  route: "GET /members/{org}/{member_id}",
  params: z.object(memberParam),
  responses: {
    200: z.looseObject({
      ...member.def.shape,
      /** Active sessions, newest first. */
      sessions: z.array(session),
    }),
  },
  errors: NO_MEMBER,
});

/**
 * Gives a person a role, with at most the rights of the caller. It replaces an invitation and an earlier manual
 * membership. If groups or SCIM give a stronger role, that one stays.
 */
export const putMember = defineOperation({
  ...grantsOrganization,
  name: "putMember",
  summary: "Change the role of a member",
  route: "PUT /members/{org}/{member_id}",
  params: z.object(memberParam),
  body: { kind: "json", schema: z.strictObject(given) },
  example: { privilege: "member" },
  responses: { 200: member },
  errors: { ...NO_MEMBER, 409: LAST_ADMIN },
  conflictIsFinal: true,
});

/**
 * Ends what the organization gave to a person by hand or by invitation. Groups and SCIM keep what they give. With
 * `all`, it ends all memberships and the person's sessions at once, until groups or SCIM give access again.
 */
export const removeMember = defineOperation({
  ...grantsOrganization,
  name: "removeMember",
  summary: "End the access of a member",
  route: "DELETE /members/{org}/{member_id}",
  params: z.object(memberParam),
  query: z.object({
    /** Whether to end the memberships of groups and SCIM as well, and all sessions. */
    all: z._default(z.boolean(), false),
  }),
  responses: {
    200: z.looseObject({
      /** Memberships that remain. Empty if the access has ended. */
      memberships: z.array(membership),
    }),
  },
  errors: { ...NO_MEMBER, 409: LAST_ADMIN },
  conflictIsFinal: true,
});

/** Ends all sessions of a person, of browsers and command lines, in all organizations. They can sign in again. */
export const endMemberSessions = defineOperation({
  ...grantsOrganization,
  name: "endMemberSessions",
  summary: "End the sessions of a member",
  route: "DELETE /members/{org}/{member_id}/sessions",
  params: z.object(memberParam),
  responses: { 200: z.string() },
  errors: NO_MEMBER,
});

const invitation = z.looseObject({
  id: z.string(),
  /** Address that the person's provider must have verified. */
  email: z.string(),
  privilege: z.string(),
  ...scopeAnswer,
  /** Name of the account at that time. */
  created_by: z.string(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  /** Last time to accept it, in Unix seconds. */
  expires_at: z.number(),
});
export type InvitationRecord = Camel<z.infer<typeof invitation>>;

/**
 * Invites a person, with at most the rights of the caller. Only this response contains the link. It works once, within
 * seven days, for a sign-in whose verified email address is the invited one. It ends when the caller may not give the
 * role any more.
 */
export const createInvitation = defineOperation({
  ...grantsOrganization,
  name: "createInvitation",
  summary: "Invite a person",
  route: "POST /invitations/{org}",
  body: {
    kind: "json",
    schema: z.strictObject({
      /** Email address of the person. */
      email: shortText.check(z.minLength(1), z.maxLength(254)),
      ...given,
    }),
  },
  example: { email: "zoe@example.com", privilege: "member" },
  responses: {
    201: z.looseObject({
      ...invitation.def.shape,
      /** Address that accepts the invitation. Only this response contains it. */
      url: z.string(),
    }),
  },
});

/** Lists the invitations that can still be accepted, newest first. */
export const listInvitations = defineOperation({
  ...grantsOrganization,
  name: "listInvitations",
  summary: "List invitations",
  route: "GET /invitations/{org}",
  responses: { 200: z.array(invitation) },
});

/** Revokes an invitation. Its link stops working at once. */
export const revokeInvitation = defineOperation({
  ...grantsOrganization,
  name: "revokeInvitation",
  summary: "Revoke an invitation",
  route: "DELETE /invitations/{org}/{invitation_id}",
  params: z.object({
    /** ID of the invitation. */
    invitation_id: reference,
  }),
  responses: { 200: z.string() },
  errors: { 404: "No such invitation, or it was revoked, accepted or has expired" },
});
