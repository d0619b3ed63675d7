import * as z from "zod/mini";
import { defineOperation, readsOrganization } from "../operation.ts";
import { cursorLinks, cursorPaging, itemsPerPage, pageFields, pageOf } from "../paging.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/** Audited acts, by type of record. An `action` is a notification rule. */
export const ACTS = [
  "action.created",
  "action.changed",
  "action.deleted",
  "action.enabled",
  "action.recovered",
  "action.redelivered",
  "action.secret_rotated",
  "action.secret_shown",
  "action.target_ended",
  "action.tested",
  "action.token_set",
  "admission_webhook.created",
  "admission_webhook.deleted",
  "admission_webhook.expiring",
  "api_key.created",
  "api_key.expiring",
  "api_key.rotated",
  "api_key.revoked",
  "approval.recorded",
  "artifact.allowed",
  "attestation.overridden",
  "control.created",
  "control.changed",
  "control.archived",
  "control.unarchived",
  "control.tagged",
  "custom_attestation_type.created",
  "custom_attestation_type.changed",
  "custom_attestation_type.archived",
  "custom_attestation_type.unarchived",
  "decision_policy.created",
  "decision_policy.changed",
  "decision_policy.archived",
  "environment.created",
  "environment.changed",
  "environment.policies_changed",
  "environment.renamed",
  "environment.archived",
  "environment.unarchived",
  "environment.tagged",
  "flow.created",
  "flow.changed",
  "flow.template_changed",
  "flow.renamed",
  "flow.archived",
  "flow.unarchived",
  "flow.tagged",
  "hook.created",
  "hook.deleted",
  "invitation.accepted",
  "invitation.created",
  "invitation.revoked",
  "log.replaced",
  "log_key.created",
  "log_key.retired",
  "login_provider.changed",
  "login_provider.created",
  "login_provider.deleted",
  "member.added",
  "member.changed",
  "member.identity_linked",
  "member.identity_removed",
  "member.removed",
  "member.sessions_ended",
  "member.signed_in",
  "organization.created",
  "organization.statement_key_retired",
  "policy.created",
  "policy.changed",
  "repo.tagged",
  "scim_token.created",
  "scim_token.expiring",
  "scim_token.revoked",
  "service_account.created",
  "service_account.changed",
  "service_account.privilege_changed",
  "service_account.deleted",
  "share_link.created",
  "share_link.revoked",
  "trail.template_changed",
  "trust_policy.created",
  "trust_policy.changed",
  "trust_policy.pinned",
  "trust_policy.deleted",
] as const;

/** Type of an act, such as `api_key.created`. */
export type Act = (typeof ACTS)[number];

type ResourceType = Act extends `${infer Type}.${string}` ? Type : never;

/** Type of the record that an act changes, such as `api_key`. */
export function resourceTypeOf(act: Act): ResourceType {
  // Each act begins with the type.
  return act.slice(0, act.indexOf(".")) as ResourceType;
}

/** Account name recorded for acts on the service's command line. No account can have this name. */
export const COMMAND_LINE = "command line";
/** Account name recorded for the service's automatic acts. No account can have this name. */
export const SERVICE_ITSELF = "the service";

const auditLogEntry = z.looseObject({
  id: z.string(),
  /** Time of the act, in Unix seconds. */
  created_at: z.number(),
  /** Type of the act, such as `api_key.created`. */
  act: z.string(),
  /**
   * Name of the account at that time; `command line` for acts there, `the service` for automatic acts.
   */
  account: z.string(),
  /** ID of the API key of the request. Null for the command line, as are address and request ID. */
  api_key_id: z.nullish(z.string()),
  /** IP address of the caller. */
  address: z.nullish(z.string()),
  /** ID of the request in the service's log. The service assigns it, not the caller. */
  request_id: z.nullish(z.string()),
  resource: z.looseObject({
    type: z.string(),
    /** Name before the act. For a key, the name of its account; for a tagged repository, its own name. */
    name: z.string(),
    /** Permanent ID. For an artifact, the fingerprint; for a notification rule, the number. */
    id: z.nullish(z.string()),
  }),
  /** Further facts, such as the flow of an attestation or the reason of an override. */
  details: z.record(z.string(), z.unknown()),
  /** Changes by field. Long texts and lists are truncated. For a template, the sha256 of its file. */
  changes: z.record(z.string(), z.looseObject({ from: z.unknown(), to: z.unknown() })),
});
export type AuditLogEntry = Camel<z.infer<typeof auditLogEntry>>;

/**
 * Lists who changed keys, accounts, policies, templates, allowlists and similar records, newest first. Only the
 * embedded service has this operation.
 *
 * @example
 * for await (const { account, createdAt } of items(client, "listAuditLog", { act: "api_key.created" })) {
 *   show(account, createdAt);
 * }
 */
export const listAuditLog = defineOperation({
  ...readsOrganization,
  name: "listAuditLog",
  summary: "List the audit log",
  route: "GET /audit-log/{org}",
  access: "audit",
  query: z.object({
    /** Name of the account at that time, or `command line`. */
    account: z.optional(shortText),
    /** ID of the API key of the request. */
    api_key_id: z.optional(shortText),
    act: z.optional(z.enum(ACTS)),
    resource_type: z.optional(z.enum([...new Set(ACTS.map(resourceTypeOf))])),
    /** Name of the record at that time. */
    resource_name: z.optional(shortText),
    /** Permanent ID of the record. */
    resource_id: z.optional(shortText),
    /** Start, in Unix seconds, inclusive. */
    from_timestamp: z.optional(z.number()),
    /** End, in Unix seconds, exclusive. */
    to_timestamp: z.optional(z.number()),
    ...cursorPaging,
  }),
  responses: {
    200: z.looseObject({
      data: z.array(auditLogEntry),
      _links: cursorLinks,
    }),
  },
});

const membershipEvent = z.looseObject({
  id: z.string(),
  /** Time of the change, in Unix seconds. */
  timestamp: z.number(),
  /** Kind of the change. */
  event_type: z.enum(["added", "changed", "removed"]),
  /** Name of the account that was added, changed or removed. */
  user: z.string(),
  /** Null if it was added. */
  old_role: z.nullable(z.string()),
  /** Null if it was removed. */
  new_role: z.nullable(z.string()),
  /** Name of the account that made the change, or `command line`. */
  changed_by: z.string(),
  /**
   * `app` for the interface and the pages, `script` for the command line, `sso` for the groups of a provider, `scim`, or
   * `invitation`.
   */
  source: z.string(),
});
export type MembershipEvent = Camel<z.infer<typeof membershipEvent>>;

const someTexts = z.optional(z.array(shortText).check(z.maxLength(100)));

/** Lists who added, removed or changed the role of an account, newest first. */
export const listMembershipAuditLog = defineOperation({
  ...readsOrganization,
  name: "listMembershipAuditLog",
  summary: "List changes of members",
  route: "GET /membership-audit-log/{org}",
  access: "audit",
  query: z.object({
    ...pageOf(itemsPerPage, 15),
    /** Part of the name of the changed account or of the one that changed it, in any letter case. */
    search: z.optional(shortText),
    /** Kind of the change. */
    event_type: z.optional(z.enum(["added", "changed", "removed"])),
    /** Roles after the change. Repeat it to allow alternatives. */
    role: someTexts,
    /** Sources: `app`, `script`, `sso`, `scim` or `invitation`. Repeat it to allow alternatives. */
    source: someTexts,
    /** Start, in Unix seconds, inclusive. */
    from_timestamp: z.optional(z.number()),
    /** End, in Unix seconds, inclusive. */
    to_timestamp: z.optional(z.number()),
    /** Field to sort by. */
    sort_by: z._default(z.enum(["when", "user", "role", "changed_by", "source"]), "when"),
    /** Order of the sorted field. */
    sort_dir: z._default(z.enum(["asc", "desc"]), "desc"),
  }),
  responses: {
    200: z.looseObject({
      ...pageFields,
      /** Changes of the page. */
      events: z.array(membershipEvent),
    }),
  },
});
