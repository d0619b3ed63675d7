import * as z from "zod/mini";
import { webAddress } from "./names.ts";
import { shortText } from "./texts.ts";
import type { Camel } from "./wire-names.ts";

/** Unix seconds. The service says when it last reached a target; what a request says of that is not stored. */
const deliveryTimes = { last_success_at: z.nullish(z.number()), last_failure_at: z.nullish(z.number()) };

/** No mail server takes a longer one (RFC 5321). */
const emailAddress = z.email().check(z.maxLength(320));

const slackTarget = z.strictObject({
  type: z.literal("SLACK"),
  webhook: webAddress,
  /** The channel, for a webhook that a Slack app was given. */
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
 * Where a notification goes. The addresses of Slack and webhook targets are secrets. A target without `type` is the
 * first of these that has its fields.
 */
export const notificationTarget = z.union([
  z.discriminatedUnion("type", [slackTarget, webhookTarget, emailTarget]),
  z.extend(slackTarget, { type: z._default(z.literal("SLACK"), "SLACK") }),
  z.extend(webhookTarget, { type: z._default(z.literal("WEBHOOK"), "WEBHOOK") }),
  z.extend(emailTarget, { type: z._default(z.literal("EMAIL"), "EMAIL") }),
]);
export type NotificationTarget = Camel<z.input<typeof notificationTarget>>;
/** A target as the service reads it: every default is filled in. */
export type ReadTarget = Camel<z.output<typeof notificationTarget>>;

/**
 * A target as it is answered: another service may know more kinds, and say more of each. Readers are shown less of the
 * address of a webhook, and of mail addresses.
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
