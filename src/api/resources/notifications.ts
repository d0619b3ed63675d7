import * as z from "zod/mini";
import { actionName, environmentName, flowName, webAddress } from "../names.ts";
import { defineOperation, grantsOrganization, readsOrganization } from "../operation.ts";
import { shortText } from "../texts.ts";
import { unixTime } from "../times.ts";
import type { Camel } from "../wire-names.ts";

// Set by the service. Values in requests are not stored.
const deliveryTimes = { last_success_at: z.nullish(z.number()), last_failure_at: z.nullish(z.number()) };

/** Email address. Mail servers accept at most 320 characters (RFC 5321). */
const emailAddress = z.email().check(z.maxLength(320));

const slackTarget = z.strictObject({
  type: z.literal("SLACK"),
  webhook: webAddress,
  /** Channel of the webhook, if a Slack app created it. */
  context: z.nullish(z.strictObject({ channel_id: shortText, channel_name: shortText, team_id: shortText })),
  ...deliveryTimes,
});

const webhookTarget = z.strictObject({
  type: z.literal("WEBHOOK"),
  webhook: webAddress,
  payload_version: z._default(z.literal("1.0"), "1.0"),
  ...deliveryTimes,
});

const emailTarget = z.strictObject({
  type: z.literal("EMAIL"),
  emails: z.array(emailAddress).check(z.minLength(1)),
  ...deliveryTimes,
});

/**
 * Target of notifications. The addresses of Slack and webhook targets are secrets. A target without `type` gets the first
 * type with its fields.
 */
export const notificationTarget = z.union([
  z.discriminatedUnion("type", [slackTarget, webhookTarget, emailTarget]),
  z.extend(slackTarget, { type: z._default(z.literal("SLACK"), "SLACK") }),
  z.extend(webhookTarget, { type: z._default(z.literal("WEBHOOK"), "WEBHOOK") }),
  z.extend(emailTarget, { type: z._default(z.literal("EMAIL"), "EMAIL") }),
]);
export type NotificationTarget = Camel<z.input<typeof notificationTarget>>;
/** A target after validation, with all defaults. */
export type ReadTarget = Camel<z.output<typeof notificationTarget>>;

/**
 * Target of notifications. Other services may have further types and fields. Readers see only a part of webhook and email
 * addresses.
 */
export const storedTarget = z.looseObject({
  type: z.string(),
  webhook: z.optional(z.string()),
  emails: z.optional(z.array(z.string())),
  payload_version: z.optional(z.string()),
  context: z.nullish(
    z.looseObject({ channel_id: z.string(), channel_name: z.string(), team_id: z.string() }),
  ),
  ...deliveryTimes,
});

export const FLOW_TRIGGERS = [
  "ON_STARTED_TRAIL",
  "ON_ATTESTED_PROVENANCE",
  "ON_ATTESTATION",
  "ON_APPROVAL",
  "ON_RELEASE",
  // Changes of a result. Only the embedded service has these.
  "ON_COMPLIANT_TRAIL",
  "ON_NON_COMPLIANT_TRAIL",
  "ON_INCOMPLETE_TRAIL",
  "ON_REFUSED_GATE",
  "ON_APPROVAL_NEEDED",
] as const;

export const ENVIRONMENT_TRIGGERS = [
  "ON_STARTED_ARTIFACT",
  "ON_EXITED_ARTIFACT",
  "ON_SCALED_ARTIFACT",
  "ON_ALLOWED_ARTIFACT",
  "ON_NON_COMPLIANT_ENV",
  "ON_COMPLIANT_ENV",
] as const;

/** Triggers of the organization. */
export const ORGANIZATION_TRIGGERS = [
  "ON_EXPIRING_API_KEY",
  "ON_EXPIRING_SCIM_TOKEN",
  "ON_EXPIRING_ADMISSION_WEBHOOK",
] as const;

const name = actionName;
const targets = z.array(notificationTarget).check(z.minLength(1));

/** Until this time, in Unix seconds, deliveries are recorded and not sent; null ends it. Absent: unchanged. */
const mutedUntil = z.optional(z.nullable(unixTime));

const environmentAction = z.strictObject({
  name,
  targets,
  muted_until: mutedUntil,
  type: z._default(z.literal("env"), "env"),
  /** Names of environments; empty for all. */
  environments: z.array(environmentName),
  /** Triggering events; empty for all. */
  triggers: z.array(z.enum(ENVIRONMENT_TRIGGERS)),
});
export type EnvironmentAction = Camel<z.infer<typeof environmentAction>>;

const storedFields = {
  name: z.string(),
  /** `flow`, `env` or `org`. */
  type: z.string(),
  /** Number of the rule in the organization. Numbers of deleted rules are not reused. */
  number: z.int(),
  targets: z.array(storedTarget),
  triggers: z.array(z.string()),
  /** Until this time, in Unix seconds, deliveries are recorded and not sent. */
  muted_until: z.nullish(z.number()),
  created_by: z.string(),
  is_created_from_slack_app: z.boolean(),
  /** Whether the latest delivery failed; null before the first. */
  is_failing: z.nullish(z.boolean()),
  /** Time of the last successful delivery, in Unix seconds; null before the first. */
  last_success_timestamp: z.nullish(z.number()),
  last_failure_timestamp: z.nullish(z.number()),
  created_at: z.nullish(z.number()),
  last_modified_at: z.number(),
};

/** A notification rule for flows, environments or the organization, depending on its type. */
const action = z.looseObject({
  ...storedFields,
  flows: z.nullish(z.array(z.string())),
  environments: z.nullish(z.array(z.string())),
});
export type Action = Camel<z.infer<typeof action>>;

const environmentNotification = z.looseObject({
  ...storedFields,
  environments: z.array(z.string()),
});

const NO_ACTION = { 404: "No such notification rule" };

/** Creates or replaces the rule that sends events of flows. The name identifies the rule. */
export const putFlowAction = defineOperation({
  ...grantsOrganization,
  name: "putFlowAction",
  summary: "Create or update a flow rule",
  route: "PUT /actions/{org}/flows",
  body: {
    kind: "json",
    schema: z.strictObject({
      name,
      targets,
      muted_until: mutedUntil,
      type: z._default(z.literal("flow"), "flow"),
      /** Names of flows; empty for all. */
      flows: z._default(z.array(flowName), []),
      /** Triggering events; empty for all. */
      triggers: z._default(z.array(z.enum(FLOW_TRIGGERS)), []),
    }),
  },
  responses: { 200: z.string(), 201: z.string() },
});

/** Creates or replaces the rule that sends events of environments. The name identifies the rule. */
export const putEnvironmentAction = defineOperation({
  ...grantsOrganization,
  name: "putEnvironmentAction",
  summary: "Create or update an environment rule",
  route: "PUT /actions/{org}/environments",
  body: { kind: "json", schema: environmentAction },
  responses: { 200: z.string(), 201: z.string() },
});

/** Creates or replaces the rule that warns before API keys expire. Only the embedded service has this operation. */
export const putOrganizationAction = defineOperation({
  ...grantsOrganization,
  name: "putOrganizationAction",
  summary: "Create or update an organization rule",
  route: "PUT /actions/{org}/organization",
  body: {
    kind: "json",
    schema: z.strictObject({
      name,
      targets,
      muted_until: mutedUntil,
      type: z._default(z.literal("org"), "org"),
      /** Triggering events; empty for all. */
      triggers: z._default(z.array(z.enum(ORGANIZATION_TRIGGERS)), []),
    }),
  },
  responses: { 200: z.string(), 201: z.string() },
});

/** Lists the rules for flows, environments and the organization, sorted by number. */
export const listActions = defineOperation({
  ...readsOrganization,
  name: "listActions",
  summary: "List notification rules",
  route: "GET /actions/{org}",
  responses: { 200: z.array(action) },
});

const actionNumber = z.object({ action_number: z.int() });

/** Returns the rule with its targets. */
export const getAction = defineOperation({
  ...readsOrganization,
  name: "getAction",
  summary: "Get a notification rule",
  route: "GET /actions/{org}/{action_number}",
  params: actionNumber,
  responses: { 200: action },
  errors: NO_ACTION,
});

/** Deletes the rule and its targets. */
export const deleteAction = defineOperation({
  ...grantsOrganization,
  name: "deleteAction",
  summary: "Delete a notification rule",
  route: "DELETE /actions/{org}/{action_number}",
  params: actionNumber,
  responses: { 200: z.string() },
  errors: NO_ACTION,
});

/** Message for any invalid field of an environment notification. */
const invalidBodyMessage = "Invalid notification payload";

/** Lists the environment notifications, sorted by number. */
export const listEnvironmentNotifications = defineOperation({
  ...readsOrganization,
  name: "listEnvironmentNotifications",
  summary: "List environment notifications",
  route: "GET /organizations/{org}/environments_notifications",
  responses: { 200: z.array(environmentNotification) },
});

/** Creates the environment notification, or replaces the one with the same name. */
export const putEnvironmentNotification = defineOperation({
  ...grantsOrganization,
  name: "putEnvironmentNotification",
  summary: "Create or update an environment notification",
  route: "PUT /organizations/{org}/environments_notifications",
  body: { kind: "json", schema: environmentAction },
  invalidBodyMessage,
  responses: { 200: z.string(), 201: z.string() },
});

const notificationNumber = z.object({ notification_number: z.int() });

/** Returns the environment notification with this number. */
export const getEnvironmentNotification = defineOperation({
  ...readsOrganization,
  name: "getEnvironmentNotification",
  summary: "Get an environment notification",
  route: "GET /organizations/{org}/environments_notifications/{notification_number}",
  params: notificationNumber,
  responses: { 200: environmentNotification },
  errors: NO_ACTION,
});

/** Replaces all fields of the environment notification, including its name. */
export const updateEnvironmentNotification = defineOperation({
  ...grantsOrganization,
  name: "updateEnvironmentNotification",
  summary: "Update an environment notification",
  route: "PUT /organizations/{org}/environments_notifications/{notification_number}",
  params: notificationNumber,
  body: { kind: "json", schema: environmentAction },
  invalidBodyMessage,
  responses: { 200: z.string() },
  errors: NO_ACTION,
});

/** Deletes the environment notification with this number. */
export const deleteEnvironmentNotification = defineOperation({
  ...grantsOrganization,
  name: "deleteEnvironmentNotification",
  summary: "Delete an environment notification",
  route: "DELETE /organizations/{org}/environments_notifications/{notification_number}",
  params: notificationNumber,
  responses: { 200: z.string() },
  errors: NO_ACTION,
});
