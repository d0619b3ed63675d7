import {
  FLOW_TRIGGERS,
  listActions,
  type NotificationTarget,
  putFlowAction,
} from "../api/resources/notifications.ts";
import { type ActionContext, type Checked, defineAction, type Outcome } from "../github/step/action.ts";
import type { FieldInputs } from "../github/step/field-inputs.ts";
import { choices, flag, lines, list, required, token, type ValuesOf } from "../github/step/input.ts";

const inputs = {
  name: required({ description: "Name of the notification rule. A rule of the same name is replaced." }),
  flows: list({ description: "Flows to report. Default: every flow." }),
  triggers: choices({ choices: FLOW_TRIGGERS, description: "Events to report. Default: all." }),
  "slack-webhooks": {
    ...lines({ description: "Addresses of Slack incoming webhooks, one per line." }),
    secret: true,
  },
  webhooks: { ...lines({ description: "Addresses of webhooks, one per line." }), secret: true },
  emails: list({ description: "Email addresses. Together they are one target." }),
  "github-token": token({
    description:
      "Token that starts workflows, for webhooks to `https://api.github.com/repos/OWNER/REPO/dispatches`. The service stores it.",
  }),
  test: flag({
    default: "false",
    description: "Whether to send an example to each target. The step fails if a target does not accept it.",
  }),
} as const;

type Values = ValuesOf<typeof inputs>;

const outputs = {
  created: "`true` if the rule is new, `false` if it was replaced; empty in a dry run.",
  number: "Number of the rule, for other operations on it; empty in a dry run.",
  secret:
    "Signing secrets of new webhooks (`whsec_…`), one per line; empty if all were shown before. Masked in the log.",
};

type Result = Outcome<keyof typeof outputs>;

export const setFlowAction = defineAction({
  name: "set-flow-action",
  title: "Set a flow action",
  description: "Sets a notification rule that sends flow events to Slack, webhooks or email.",
  inputs,
  outputs,
  fields: {},
  check,
  run,
});

function check(values: Values, given: ReadonlySet<string>): Checked<Values> {
  const targets = ["slack-webhooks", "webhooks", "emails"];
  if (targets.some((input) => given.has(input))) return { values };
  const problem = "is required, or set webhooks or emails instead";
  return { problems: [{ input: "slack-webhooks", problem, missing: true }] };
}

async function run(values: Values, context: ActionContext): Promise<Result> {
  const targets = targetsOf(values);
  const reply = await context.call(
    putFlowAction,
    { body: { name: values.name, targets, flows: values.flows, triggers: values.triggers, type: "flow" } },
    { fields: fieldsOf(values) },
  );
  const created = reply === undefined ? "" : String(reply.status === 201);
  if (reply)
    context.info(`${reply.status === 201 ? "Created" : "Replaced"} notification rule '${values.name}'.`);
  const actionNumber = reply === undefined ? undefined : await numberOf(values.name, context);
  const { setUpTargets } = await import("./flow-action-targets.ts");
  const { secrets, failure } =
    actionNumber === undefined
      ? { secrets: [] }
      : await setUpTargets({ ...values, actionNumber, isSigned: values.webhooks.length > 0 }, context);
  return {
    outputs: { created, number: String(actionNumber ?? ""), secret: secrets.join("\n") },
    ...(failure === undefined ? {} : { failure }),
    summary: {
      heading: `Notification rule ${values.name}`,
      rows: [
        ["Flows", values.flows.join(", ") || "all"],
        ["Triggers", values.triggers.join(", ") || "all"],
        ["Targets", targets.map(({ type }) => type).join(", ")],
      ],
    },
  };
}

/** The service's number of the flow action. */
async function numberOf(name: string, context: ActionContext): Promise<number | undefined> {
  const reply = await context.call(listActions, {});
  return reply?.body.find((action) => action.type === "flow" && action.name === name)?.number;
}

/** The input of each target, in the order of `targetsOf`. */
function fieldsOf({ slackWebhooks, webhooks }: Values): FieldInputs {
  const items = [
    ...slackWebhooks.map((_, index) => `slack-webhooks, item ${index + 1}`),
    ...webhooks.map((_, index) => `webhooks, item ${index + 1}`),
  ];
  const fields = items.map((input, index) => [`targets[${index}].webhook`, input]);
  return { ...Object.fromEntries(fields), [`targets[${items.length}].emails`]: "emails" };
}

function targetsOf({ slackWebhooks, webhooks, emails }: Values): NotificationTarget[] {
  return [
    ...slackWebhooks.map((webhook) => ({ type: "SLACK" as const, webhook })),
    ...webhooks.map((webhook) => ({ type: "WEBHOOK" as const, webhook })),
    ...(emails.length > 0 ? [{ type: "EMAIL" as const, emails }] : []),
  ];
}
