import * as z from "zod/mini";
import { defineOperation, readsOrganization } from "../operation.ts";
import { cursorLinks, cursorPaging } from "../paging.ts";
import { shortText } from "../texts.ts";
import type { Camel } from "../wire-names.ts";

/** What is audited, by the kind of thing that it is done to. An action tells somebody what happens. */
const ACTS = [
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
  "organization.created",
  "policy.created",
  "policy.changed",
  "repo.tagged",
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

/** A kind of act: `api_key.created`. */
export type Act = (typeof ACTS)[number];

type ResourceType = Act extends `${infer Type}.${string}` ? Type : never;

/** Type of the record that an act changes, such as `api_key`. */
export function resourceTypeOf(act: Act): ResourceType {
  // Each act begins with the type.
  return act.slice(0, act.indexOf(".")) as ResourceType;
}

/** The account of what is done on the command line of the service. No account can have this name. */
export const COMMAND_LINE = "command line";
/** The account of what the service does by itself. No account can have this name. */
export const SERVICE_ITSELF = "the service";

const auditLogEntry = z.looseObject({
  id: z.string(),
  /** Unix seconds. */
  created_at: z.number(),
  /** `api_key.created` */
  act: z.string(),
  /**
   * The name that the account had then; `command line` for what was done there, `the service` for what it did by
   * itself.
   */
  account: z.string(),
  /** The key that the request was sent with. Null for the command line, as are address and request id. */
  api_key_id: z.nullish(z.string()),
  /** Where the request came from. */
  address: z.nullish(z.string()),
  /** The service's own id of the request, as in its log. A caller cannot choose it. */
  request_id: z.nullish(z.string()),
  resource: z.looseObject({
    type: z.string(),
    /** The name that it had before the act. A key goes by its account, a repository tagged by its own name. */
    name: z.string(),
    /** Stays when the name changes. Of an artifact it is the fingerprint, of an action the number. */
    id: z.nullish(z.string()),
  }),
  /** What else is to be known: the flow of an attestation, the reason of an override. */
  details: z.record(z.string(), z.unknown()),
  /** What was changed, by field. Long texts and lists are cut off; of a template it is the sha256 of its file. */
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
    /** By the name that it had then, or `command line`. */
    account: z.optional(shortText),
    api_key_id: z.optional(shortText),
    act: z.optional(z.enum(ACTS)),
    resource_type: z.optional(z.enum([...new Set(ACTS.map(resourceTypeOf))])),
    /** By the name that it had then. */
    resource_name: z.optional(shortText),
    resource_id: z.optional(shortText),
    /** Unix seconds; done then or later. */
    from_timestamp: z.optional(z.number()),
    /** Unix seconds; done before then. */
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
