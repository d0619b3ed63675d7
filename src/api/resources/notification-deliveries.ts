import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, grantsOrganization, readsOrganization } from "../operation.ts";
import { cursorLinks, cursorPaging } from "../paging.ts";
import { addressText } from "../texts.ts";
import { unixTime } from "../times.ts";
import type { Camel } from "../wire-names.ts";
import { ENVIRONMENT_TRIGGERS, FLOW_TRIGGERS, ORGANIZATION_TRIGGERS } from "./notifications.ts";

/*
 * What was sent to the targets of an action, and how that went. The embedded service alone has these operations; they
 * are no part of the interface that others share.
 */

const DELIVERY_STATES = ["pending", "delivered", "failed", "cancelled"] as const;
const TRIGGERS = [...FLOW_TRIGGERS, ...ENVIRONMENT_TRIGGERS, ...ORGANIZATION_TRIGGERS] as const;

/** How long a secret goes on signing after it was rotated, in hours. */
const MAX_GRACE_HOURS = 168;
const DEFAULT_GRACE_HOURS = 24;

const actionParam = { action_number: z.int() };
const actionNumber = z.object(actionParam);
const grantsAction = { ...grantsOrganization, params: actionNumber };
const NO_ACTION = { 404: "No such action" };
const NO_ACTION_OR_TARGET = { 404: "No such action, or it has no such target" };

/** Counts the targets of an action from 1. Each mail address counts by itself. */
const targetNumber = z.int().check(z.minimum(1));
/** Without it, all targets of the action. */
const oneTarget = z.optional(targetNumber);

const targetPlace = {
  /** Null for one that the action names no more. */
  number: z.nullish(z.int()),
  /** `webhook`, `slack`, `teams`, `github` or `email`, as its address says. */
  kind: z.string(),
  /** A mail address, or the host of a web address and its end. Null for a Reader. */
  address: z.nullish(z.string()),
};
const place = z.looseObject(targetPlace);

const delivery = z.looseObject({
  id: z.string(),
  /** What a webhook gets as `webhook-id`: the same for each target and each attempt. */
  event_id: z.string(),
  /** `ON_ATTESTATION` */
  trigger: z.string(),
  /** `attestation.recorded` */
  type: z.string(),
  target: place,
  /** `pending`, `delivered`, `failed` or `cancelled`: the action names the target no more. */
  state: z.string(),
  attempts: z.int(),
  /** Unix seconds, like all times here. */
  created_at: z.number(),
  /** When it is next tried. Null when it is not. */
  due_at: z.nullish(z.number()),
  /** How the latest attempt ended: `delivered`, `timeout`, `status_503`. Null before the first. */
  outcome: z.nullish(z.string()),
  ended_at: z.nullish(z.number()),
});
export type DeliveryRecord = Camel<z.infer<typeof delivery>>;

const attempt = z.looseObject({
  /** From 1. */
  number: z.int(),
  started_at: z.number(),
  /** In seconds. */
  duration: z.number(),
  outcome: z.string(),
  /** Of the answer, if one came. */
  status: z.nullish(z.int()),
  /** Without signatures and tokens. Null for a Reader. */
  request_headers: z.nullish(z.record(z.string(), z.string())),
  /** Its first 4 KB. For an Admin alone. */
  answer: z.nullish(z.string()),
  /** Whether somebody asked for it. */
  manual: z.boolean(),
});
export type DeliveryAttempt = Camel<z.infer<typeof attempt>>;

const target = z.looseObject({
  ...targetPlace,
  /** `ok`, `failing` or `ended`: nothing is sent to it until it is enabled. */
  state: z.string(),
  /** Since when all attempts have failed, with no more than two days in between. */
  failing_since: z.nullish(z.number()),
  last_success_at: z.nullish(z.number()),
  last_failure_at: z.nullish(z.number()),
  /** How the latest attempt that failed ended. */
  last_failure: z.nullish(z.string()),
  ended_at: z.nullish(z.number()),
  ended_because: z.nullish(z.string()),
  /** How many deliveries wait for it. It counts up to 1,000. */
  waiting: z.int(),
  /** When the first of them is due. */
  due_at: z.nullish(z.number()),
});
export type TargetRecord = Camel<z.infer<typeof target>>;

/**
 * Lists the sent and pending deliveries of the rule, newest first.
 *
 * @example
 * for await (const { id, outcome } of items(client, "listDeliveries", { actionNumber: 3, state: "failed" })) {
 *   show(id, outcome);
 * }
 */
export const listDeliveries = defineOperation({
  ...readsOrganization,
  name: "listDeliveries",
  summary: "List deliveries",
  route: "GET /actions/{org}/{action_number}/deliveries",
  params: actionNumber,
  query: z.object({
    state: z.optional(z.enum(DELIVERY_STATES)),
    trigger: z.optional(z.enum(TRIGGERS)),
    target: oneTarget,
    /** Unix seconds; of what happened then or later. */
    from_timestamp: z.optional(z.number()),
    /** Unix seconds; of what happened before then. */
    to_timestamp: z.optional(z.number()),
    ...cursorPaging,
  }),
  responses: {
    200: z.looseObject({
      data: z.array(delivery),
      _links: cursorLinks,
    }),
  },
  errors: NO_ACTION_OR_TARGET,
});

const deliveryParams = z.object({ ...actionParam, delivery_id: reference });
const NO_DELIVERY = { 404: "No such action or delivery" };

/** Returns the delivery with its attempts and its payload. */
export const getDelivery = defineOperation({
  ...readsOrganization,
  name: "getDelivery",
  summary: "Get a delivery",
  route: "GET /actions/{org}/{action_number}/deliveries/{delivery_id}",
  params: deliveryParams,
  responses: {
    200: z.looseObject({
      ...delivery.shape,
      /** What a webhook is sent, as text: a signature is about these bytes. Null for a Reader. */
      body: z.nullish(z.string()),
      log: z.array(attempt),
    }),
  },
  errors: NO_DELIVERY,
});

/** Sends the delivery again at once. A disabled target stays disabled. */
export const redeliver = defineOperation({
  ...grantsOrganization,
  name: "redeliver",
  summary: "Retry a delivery",
  route: "POST /actions/{org}/{action_number}/deliveries/{delivery_id}/redeliver",
  params: deliveryParams,
  responses: { 200: delivery },
  errors: { ...NO_DELIVERY, 409: "The action names the target no more" },
  conflictIsFinal: true,
});

/**
 * Retries, once, every delivery that failed since a time, up to 10,000 per call. If `more` is true, call it again.
 * Disabled targets are skipped.
 */
export const recoverDeliveries = defineOperation({
  ...grantsAction,
  name: "recoverDeliveries",
  summary:
    "Try once more all that failed of what happened since a time; targets that are switched off are left out",
  route: "POST /actions/{org}/{action_number}/recover",
  body: {
    kind: "json",
    schema: z.object({
      /** Unix seconds; of what happened then or later. */
      since: unixTime,
      /** Unix seconds; of what happened before then. */
      until: z.optional(unixTime),
      target: oneTarget,
    }),
  },
  responses: {
    200: z.looseObject({
      /** How many are due again: 10,000 at most. */
      recovered: z.int(),
      /** Whether there are more, for another request. */
      more: z.boolean(),
    }),
  },
  errors: NO_ACTION_OR_TARGET,
});

/** Sends an example to each target and returns the responses. */
export const testAction = defineOperation({
  ...grantsAction,
  name: "testAction",
  summary: "Test a notification rule",
  route: "POST /actions/{org}/{action_number}/test",
  body: { kind: "json", schema: z.object({ target: oneTarget }) },
  responses: {
    200: z.looseObject({
      results: z.array(
        z.looseObject({
          delivery_id: z.string(),
          target: place,
          delivered: z.boolean(),
          /** As of an attempt. Null when it was not tried. */
          outcome: z.nullish(z.string()),
          status: z.nullish(z.int()),
          /** Its first 4 KB. For an Admin alone. */
          answer: z.nullish(z.string()),
        }),
      ),
    }),
  },
  errors: NO_ACTION_OR_TARGET,
});

/** Lists the targets of the rule with their latest results. */
export const listTargets = defineOperation({
  ...readsOrganization,
  name: "listTargets",
  summary: "List the targets of a notification rule",
  route: "GET /actions/{org}/{action_number}/targets",
  params: actionNumber,
  responses: { 200: z.array(target) },
  errors: NO_ACTION,
});

/** What the service cannot do without a key to keep secrets with. */
const NO_KEY = "The service has no key to keep secrets with, or another one than they were kept with";

const shownSecret = z.looseObject({
  target: place,
  /** `whsec_…` It is answered this once. */
  secret: z.string(),
});

/**
 * Returns what signs the deliveries of each webhook: the secret once, the public key always.
 *
 * @example
 * const { body } = await client.showSecrets({ actionNumber: 3 });
 * for (const { secret } of body.secrets) keep(secret);
 */
export const showSecrets = defineOperation({
  ...grantsAction,
  name: "showSecrets",
  summary: "Show signing keys",
  route: "POST /actions/{org}/{action_number}/secret",
  responses: {
    200: z.looseObject({
      /** Those that nobody was shown yet. */
      secrets: z.array(shownSecret),
      /** `whpk_…`, of the organization. */
      public_key: z.string(),
    }),
  },
  errors: { ...NO_ACTION, 409: NO_KEY },
  conflictIsFinal: true,
});

/** Replaces the signing secrets of webhooks. The former secrets also sign for a while. */
export const rotateSecrets = defineOperation({
  ...grantsAction,
  name: "rotateSecrets",
  summary: "Rotate signing secrets",
  route: "POST /actions/{org}/{action_number}/secret/rotate",
  body: {
    kind: "json",
    schema: z.object({
      target: oneTarget,
      /** 0 is at once, after a leak. */
      grace_period_hours: z._default(
        z.int().check(z.minimum(0), z.maximum(MAX_GRACE_HOURS)),
        DEFAULT_GRACE_HOURS,
      ),
      /** Also while an earlier one still signs, which then ends. */
      force: z._default(z.boolean(), false),
    }),
  },
  responses: {
    201: z.looseObject({
      secrets: z.array(
        z.looseObject({
          ...shownSecret.shape,
          /** When the one before stops signing. Null when there was none. */
          grace_period_expires_at: z.nullish(z.number()),
        }),
      ),
      /** `whpk_…`, of the organization: a new one only when the service has lost the key that it was kept with. */
      public_key: z.string(),
    }),
  },
  errors: { ...NO_ACTION_OR_TARGET, 409: `An earlier secret still signs. Or: ${NO_KEY}` },
  conflictIsFinal: true,
});

/**
 * Stores the token with which workflows are started at GitHub. The token is never shown; the response names its
 * host.
 */
export const setTargetToken = defineOperation({
  ...grantsAction,
  name: "setTargetToken",
  summary:
    "Keep the token that GitHub is asked with to start workflows; it is never shown, and the answer names its host",
  route: "PUT /actions/{org}/{action_number}/token",
  body: {
    kind: "json",
    schema: z.object({
      target: oneTarget,
      token: addressText.check(z.minLength(1), z.regex(/^[\x21-\x7e]+$/)),
    }),
  },
  responses: { 200: z.string() },
  errors: { ...NO_ACTION_OR_TARGET, 409: NO_KEY },
  conflictIsFinal: true,
});

/** Enables targets of the rule that were disabled after failing for days. */
export const enableTargets = defineOperation({
  ...grantsAction,
  name: "enableTargets",
  summary: "Enable targets",
  route: "POST /actions/{org}/{action_number}/enable",
  body: { kind: "json", schema: z.object({ target: oneTarget }) },
  responses: {
    200: z.looseObject({
      /** How many were off. */
      enabled: z.int(),
    }),
  },
  errors: NO_ACTION_OR_TARGET,
});
