import * as z from "zod/mini";
import { reference } from "../names.ts";
import { defineOperation, grantsOrganization, readsOrganization } from "../operation.ts";
import { cursorLinks, cursorPaging } from "../paging.ts";
import { addressText } from "../texts.ts";
import { unixTime } from "../times.ts";
import type { Camel } from "../wire-names.ts";
import { ENVIRONMENT_TRIGGERS, FLOW_TRIGGERS, ORGANIZATION_TRIGGERS } from "./notifications.ts";

/*
 * Deliveries to the targets of a notification rule. Only the embedded service has these operations.
 */

export const DELIVERY_STATES = ["pending", "delivered", "failed", "cancelled", "muted"] as const;
const TRIGGERS = [...FLOW_TRIGGERS, ...ENVIRONMENT_TRIGGERS, ...ORGANIZATION_TRIGGERS] as const;

/** Maximum time that a rotated secret keeps signing, in hours. */
const MAX_GRACE_HOURS = 168;
const DEFAULT_GRACE_HOURS = 24;

const actionParam = { action_number: z.int() };
const actionNumber = z.object(actionParam);
const grantsAction = { ...grantsOrganization, params: actionNumber };
const NO_ACTION = { 404: "No such notification rule" };
const NO_ACTION_OR_TARGET = { 404: "No such notification rule or target" };

/** Number of the target, counted from 1. Each email address is a target. */
const targetNumber = z.int().check(z.minimum(1));
/** Number of the target; all targets by default. */
const oneTarget = z.optional(targetNumber);

const targetPlace = {
  /** Number of the target; null if the rule no longer has it. */
  number: z.nullish(z.int()),
  /** `webhook`, `slack`, `teams`, `github` or `email`, as implied by the address. */
  kind: z.string(),
  /** Email address, or host and end of a web address. Null for a Reader. */
  address: z.nullish(z.string()),
};
/** The target of the delivery. */
const place = z.looseObject(targetPlace);

const delivery = z.looseObject({
  id: z.string(),
  /** Value of `webhook-id`: the same for each target and attempt. */
  event_id: z.string(),
  /** Trigger, such as `ON_ATTESTATION`. */
  trigger: z.string(),
  /** Event type, such as `attestation.recorded`. */
  type: z.string(),
  target: place,
  /** `pending`, `delivered`, `failed`, `muted`, or `cancelled` if the rule no longer has the target. */
  state: z.string(),
  /** Id of the delivery whose message contains this event too. Null if it has its own message. */
  merged_into: z.nullish(z.string()),
  /** Number of attempts. */
  attempts: z.int(),
  /** Time of creation, in Unix seconds. */
  created_at: z.number(),
  /** Time of the next attempt, in Unix seconds. Null if there is none. */
  due_at: z.nullish(z.number()),
  /** Outcome of the latest attempt, such as `delivered`, `timeout` or `status_503`. Null before the first. */
  outcome: z.nullish(z.string()),
  ended_at: z.nullish(z.number()),
});
export type DeliveryRecord = Camel<z.infer<typeof delivery>>;

const attempt = z.looseObject({
  /** Number of the attempt, counted from 1. */
  number: z.int(),
  started_at: z.number(),
  /** Duration in seconds. */
  duration: z.number(),
  outcome: z.string(),
  /** HTTP status of the response, if any. */
  status: z.nullish(z.int()),
  /** Headers of the request without signatures and tokens. Null for a Reader. */
  request_headers: z.nullish(z.record(z.string(), z.string())),
  /** First 4 KB of the response. Only for an Admin. */
  answer: z.nullish(z.string()),
  /** Whether a person requested the attempt. */
  manual: z.boolean(),
});
export type DeliveryAttempt = Camel<z.infer<typeof attempt>>;

const target = z.looseObject({
  ...targetPlace,
  /** `ok`, `failing`, or `ended` for a disabled target, which gets nothing until it is enabled. */
  state: z.string(),
  /** Start of the current failures, in Unix seconds: all attempts since then failed, with gaps of at most two days. */
  failing_since: z.nullish(z.number()),
  last_success_at: z.nullish(z.number()),
  last_failure_at: z.nullish(z.number()),
  /** Outcome of the latest failed attempt. */
  last_failure: z.nullish(z.string()),
  ended_at: z.nullish(z.number()),
  ended_because: z.nullish(z.string()),
  /** Number of pending deliveries, at most 1,000. */
  waiting: z.int(),
  /** Time of the next delivery, in Unix seconds. */
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
    /** Earliest time of the event, in Unix seconds, inclusive. */
    from_timestamp: z.optional(z.number()),
    /** Latest time of the event, in Unix seconds, exclusive. */
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
const NO_DELIVERY = { 404: "No such notification rule or delivery" };

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
      /** Body of the webhook, as text: the exact signed bytes. Null for a Reader. */
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
  errors: { ...NO_DELIVERY, 409: "The rule no longer has the target" },
  conflictIsFinal: true,
});

/**
 * Retries, once, every delivery that failed since a time, up to 10,000 per call. If `more` is true, call it again.
 * Disabled targets are skipped.
 */
export const recoverDeliveries = defineOperation({
  ...grantsAction,
  name: "recoverDeliveries",
  summary: "Retry failed deliveries",
  route: "POST /actions/{org}/{action_number}/recover",
  body: {
    kind: "json",
    schema: z.object({
      /** Earliest time of the event, in Unix seconds, inclusive. */
      since: unixTime,
      /** Latest time of the event, in Unix seconds, exclusive. */
      until: z.optional(unixTime),
      target: oneTarget,
    }),
  },
  responses: {
    200: z.looseObject({
      /** Number of deliveries that are due again: at most 10,000. */
      recovered: z.int(),
      /** Whether there are more, which another request retries. */
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
          /** Outcome of the attempt. Null if it was not tried. */
          outcome: z.nullish(z.string()),
          status: z.nullish(z.int()),
          /** First 4 KB of the response. Only for an Admin. */
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

/** Reason why the service cannot store or read secrets. */
const NO_KEY = "The service has no encryption key, or not the one that the secrets were encrypted with";

const shownSecret = z.looseObject({
  target: place,
  /** Signing secret, `whsec_…`. Only this response contains it. */
  secret: z.string(),
});

/**
 * Returns the signing keys of the webhooks: each secret once, the public key always.
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
      /** Secrets that were not shown before. */
      secrets: z.array(shownSecret),
      /** Public key of the organization, `whpk_…`. */
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
      /** Hours for which the old secret keeps signing; 0 ends it at once, for example after a leak. */
      grace_period_hours: z._default(
        z.int().check(z.minimum(0), z.maximum(MAX_GRACE_HOURS)),
        DEFAULT_GRACE_HOURS,
      ),
      /** Rotates even while an earlier secret still signs, which ends that one. */
      force: z._default(z.boolean(), false),
    }),
  },
  responses: {
    201: z.looseObject({
      secrets: z.array(
        z.looseObject({
          ...shownSecret.shape,
          /** Time at which the old secret stops signing, in Unix seconds. Null if there was none. */
          grace_period_expires_at: z.nullish(z.number()),
        }),
      ),
      /** Public key of the organization, `whpk_…`. It is new only if the service lost the key that encrypted it. */
      public_key: z.string(),
    }),
  },
  errors: { ...NO_ACTION_OR_TARGET, 409: `An earlier secret still signs; or: ${NO_KEY}` },
  conflictIsFinal: true,
});

/**
 * Stores the GitHub token that starts workflows. The token is never shown; the response contains its host.
 */
export const setTargetToken = defineOperation({
  ...grantsAction,
  name: "setTargetToken",
  summary: "Store the GitHub token of a target",
  route: "PUT /actions/{org}/{action_number}/token",
  body: {
    kind: "json",
    schema: z.object({
      target: oneTarget,
      /** GitHub token. */
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
      /** Number of targets that were disabled. */
      enabled: z.int(),
    }),
  },
  errors: NO_ACTION_OR_TARGET,
});
