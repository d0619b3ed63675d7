import * as z from "zod/mini";
import type { KeyContent, ScimTokenContent } from "../projections/raise.ts";
import { act, count, flag, text, texts, time } from "./act.ts";

const scope = { flows: texts, environments: texts };
const account = act({ changes: { privilege: text, description: text } });
const memberDetails = {
  source: text,
  /** The role that the source gives, if another one is stronger. */
  given: z.optional(text),
};
const member = act({ details: memberDetails, changes: { ...scope, privilege: text } });
const identity = act({ details: { issuer: text, subject: text } });
const invitation = { email: text, privilege: text };
const trustPolicy = act({
  changes: {
    ...scope,
    issuer: text,
    repository: text,
    repository_id: text,
    repository_owner_id: text,
    service_account: text,
    service_account_uid: text,
    project: text,
    project_ids: z.record(z.string(), text),
    jwks_sha256: text,
    claims: z.record(z.string(), z.union([text, texts])),
    privilege: text,
    expires_at: time,
    enabled: flag,
  },
});
const loginProvider = act({
  changes: {
    ...{ kind: text, label: text, issuer: text, client_id: text, groups_claim: text, scim_claim: text },
    ...{ scopes: texts, allowed_domains: texts, strict: flag, sync: flag },
    role_map: z.array(z.record(z.string(), z.unknown())),
    /** Digest of the sealed secret. */
    client_secret: text,
  },
});
const shared = { kind: text, place: text };

export const peopleEvents = {
  "api_key.created": act({
    changes: { ...scope, description: text, expires_at: time, may_rotate_itself: flag },
  }),
  "api_key.expiring": act({ details: { description: text, expires_at: time } }),
  "api_key.rotated": act({
    details: { description: text, grace_period_expires_at: time, new_api_key_id: text, new_expires_at: time },
  }),
  "api_key.revoked": act({ details: { description: text } }),
  "hook.created": act({ changes: { kind: text, flow_name: text } }),
  "hook.deleted": act({ details: { kind: text } }),
  "invitation.accepted": act({ details: { ...invitation, invited_by: text } }),
  "invitation.created": act({ changes: { ...scope, ...invitation, expires_at: time } }),
  "invitation.revoked": act({ details: invitation }),
  "login_provider.created": loginProvider,
  "login_provider.changed": loginProvider,
  "login_provider.deleted": act(),
  "log.replaced": act({ details: { former: text, size: count, root: text } }),
  "log_key.created": act({ details: { key: text } }),
  "log_key.retired": act({ details: { key: text } }),
  "member.added": member,
  "member.changed": member,
  "member.identity_linked": identity,
  "member.identity_removed": identity,
  "member.removed": act({ details: { privilege: text, source: text } }),
  "member.sessions_ended": act({ details: { sessions: count } }),
  "member.signed_in": act({ details: { provider: text, session: z.optional(text) } }),
  "organization.created": act({ changes: { name: text } }),
  "organization.statement_key_retired": act({ details: { key_id: text } }),
  "scim_token.created": act({ changes: { provider: text, expires_at: time } }),
  "scim_token.expiring": act({ details: { provider: text, expires_at: time } }),
  "scim_token.revoked": act({ details: { provider: text } }),
  "service_account.created": account,
  "service_account.changed": account,
  "service_account.privilege_changed": account,
  "service_account.deleted": act({ details: { privilege: text, revoked_api_keys: texts } }),
  "share_link.created": act({ details: shared, changes: { description: text, expires_at: time } }),
  "share_link.revoked": act({ details: { ...shared, description: text } }),
  "trust_policy.created": trustPolicy,
  "trust_policy.changed": trustPolicy,
  "trust_policy.pinned": trustPolicy,
  "trust_policy.deleted": act(),
};

export interface PeopleSeen {
  "api_key.expiring": { readonly content: KeyContent };
  "scim_token.expiring": { readonly content: ScimTokenContent };
}
