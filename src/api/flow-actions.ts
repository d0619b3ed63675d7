import * as z from "zod/mini";
import { actionName, flowName, webAddress } from "./names.ts";
import { defineOperation } from "./operation.ts";
import type { Camel } from "./wire-names.ts";

export const FLOW_TRIGGERS = [
  "ON_STARTED_TRAIL",
  "ON_ATTESTED_PROVENANCE",
  "ON_ATTESTATION",
  "ON_APPROVAL",
  "ON_RELEASE",
] as const;

const delivery = { last_success_at: z.nullish(z.number()), last_failure_at: z.nullish(z.number()) };

const slackTarget = z.strictObject({
  type: z.literal("SLACK"),
  webhook: webAddress,
  context: z.nullish(
    z.strictObject({ channel_id: z.string(), channel_name: z.string(), team_id: z.string() }),
  ),
  ...delivery,
});

const webhookTarget = z.strictObject({
  type: z.literal("WEBHOOK"),
  webhook: webAddress,
  payload_version: z._default(z.literal("1.0"), "1.0"),
  ...delivery,
});

const emailTarget = z.strictObject({
  type: z.literal("EMAIL"),
  emails: z.array(z.email()).check(z.minLength(1)),
  ...delivery,
});

/** Where a notification goes. The addresses of Slack and webhook targets are secrets. */
export const notificationTarget = z.discriminatedUnion("type", [slackTarget, webhookTarget, emailTarget]);
export type NotificationTarget = Camel<z.input<typeof notificationTarget>>;

export const putFlowAction = defineOperation({
  name: "putFlowAction",
  summary: "Create or update a flow action: who is told of what happens in which flows",
  method: "PUT",
  path: "/actions/{org}/flows",
  access: "write",
  body: {
    kind: "json",
    schema: z.strictObject({
      name: actionName,
      targets: z.array(notificationTarget).check(z.minLength(1)),
      type: z._default(z.literal("flow"), "flow"),
      /** None means every flow. */
      flows: z._default(z.array(flowName), []),
      /** None means every trigger. */
      triggers: z._default(z.array(z.enum(FLOW_TRIGGERS)), []),
    }),
  },
  responses: { 200: z.string(), 201: z.string() },
});
