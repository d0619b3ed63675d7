import { notificationTarget, type ReadTarget } from "../../../api/notification-targets.ts";
import type {
  deleteAction,
  deleteEnvironmentNotification,
  EnvironmentAction,
  getAction,
  getEnvironmentNotification,
  listActions,
  listEnvironmentNotifications,
  putEnvironmentAction,
  putEnvironmentNotification,
  putFlowAction,
  putOrganizationAction,
  updateEnvironmentNotification,
} from "../../../api/resources/notifications.ts";
import { toWire } from "../../../api/wire-names.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { recordActionChange, recordActionDeletion } from "../../notifications/audited.ts";
import { makeFirstSecrets } from "../../notifications/first-secrets.ts";
import { presentNames } from "../../notifications/renamed.ts";
import { targetsByAction, targetsOf } from "../../notifications/targets-of-action.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Handler, Sender } from "../../operation/handler.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import type { Database } from "../../store/tables.ts";
import { addressesOf, type NamedTarget } from "../../store/target-addresses.ts";
import { isMailAddress } from "../messages/mail-address.ts";
import { checkTarget } from "../outgoing/target-address.ts";
import * as records from "./records.ts";
import { actionView, environmentNotificationView } from "./view.ts";

export const handlePutFlowAction: Handler<typeof putFlowAction> = async (call, context) => {
  const { name, targets, flows, triggers } = call.body;
  const fields = {
    type: "flow",
    name,
    targets: checkedTargets(targets, context),
    watched: flows,
    triggers,
  } as const;
  return putAction(call, context, fields);
};

/** Two paths lead here: that of the actions, and the older one of the notifications. */
export const handlePutEnvironmentAction: Handler<
  typeof putEnvironmentAction | typeof putEnvironmentNotification
> = (call, context) => putAction(call, context, environmentFields(call.body, context));

export const handlePutOrganizationAction: Handler<typeof putOrganizationAction> = async (call, context) => {
  const { name, targets, triggers } = call.body;
  const fields = {
    type: "org",
    name,
    targets: checkedTargets(targets, context),
    watched: [],
    triggers,
  } as const;
  return putAction(call, context, fields);
};

async function putAction(call: Sender, context: ServiceContext, fields: records.ActionFields) {
  const { before } = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const { type, watched: given } = fields;
    const watched = type === "flow" ? await presentNames(db, call.org, given) : given;
    const written = await records.putAction(db, { ...fields, watched }, requestContext, context);
    await makeFirstSecrets(db, written.after, context.secrets);
    await recordActionChange(db, requestContext, written);
    return written;
  });
  return { status: before ? 200 : 201, body: "OK" } as const;
}

export const handleListActions: Handler<typeof listActions> = async ({ org, caller }, { store, secrets }) => {
  const { actions, targets } = await store.readTogether((db) => actionsWithTargets(db, { orgId: org.id }));
  return { status: 200, body: actions.map((each) => actionView(each, targets(each), { caller, secrets })) };
};

export const handleGetAction: Handler<typeof getAction> = async (
  { org, caller, params },
  { store, secrets },
) => {
  const key = { orgId: org.id, number: params.actionNumber };
  const { action, targets } = await store.readTogether((db) => actionWithTargets(db, key));
  return { status: 200, body: actionView(action, targets, { caller, secrets }) };
};

async function actionWithTargets(db: Database, key: records.ActionKey) {
  const action = await records.requireAction(db, key);
  return { action, targets: await targetsOf(db, action.id) };
}

async function actionsWithTargets(db: Database, filter: { orgId: string; type?: records.ActionType }) {
  const actions = await records.listActions(db, filter);
  const byAction = await targetsByAction(db, filter.orgId);
  return { actions, targets: ({ id }: records.StoredAction) => byAction.get(id) ?? [] };
}

export const handleDeleteAction: Handler<typeof deleteAction> = (call, context) =>
  removeAction(call, context, { orgId: call.org.id, number: call.params.actionNumber });

async function removeAction(call: Sender, context: ServiceContext, key: records.ActionKey) {
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    await recordActionDeletion(db, requestContext, await records.deleteAction(db, key, requestContext.now));
  });
  return { status: 200, body: "OK" } as const;
}

export const handleListEnvironmentNotifications: Handler<typeof listEnvironmentNotifications> = async (
  { org, caller },
  { store, secrets },
) => {
  const filter = { orgId: org.id, type: "env" } as const;
  const { actions, targets } = await store.readTogether((db) => actionsWithTargets(db, filter));
  return {
    status: 200,
    body: actions.map((each) => environmentNotificationView(each, targets(each), { caller, secrets })),
  };
};

export const handleGetEnvironmentNotification: Handler<typeof getEnvironmentNotification> = async (
  { org, caller, params },
  { store, secrets },
) => {
  const key = { orgId: org.id, number: params.notificationNumber, type: "env" } as const;
  const { action, targets } = await store.readTogether((db) => actionWithTargets(db, key));
  return { status: 200, body: environmentNotificationView(action, targets, { caller, secrets }) };
};

export const handleUpdateEnvironmentNotification: Handler<typeof updateEnvironmentNotification> = async (
  call,
  context,
) => {
  const { org, params, body } = call;
  const key = { orgId: org.id, number: params.notificationNumber };
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const written = await records.updateAction(db, key, environmentFields(body, context), {
      now: requestContext.now,
      secrets: context.secrets,
    });
    await makeFirstSecrets(db, written.after, context.secrets);
    await recordActionChange(db, requestContext, written);
  });
  return { status: 200, body: "OK" };
};

export const handleDeleteEnvironmentNotification: Handler<typeof deleteEnvironmentNotification> = (
  call,
  context,
) => removeAction(call, context, { orgId: call.org.id, number: call.params.notificationNumber, type: "env" });

function environmentFields({ name, targets, environments, triggers }: EnvironmentAction, context: Reachable) {
  return {
    type: "env",
    name,
    targets: checkedTargets(targets, context),
    watched: environments,
    triggers,
  } as const;
}

const MAIL_ADDRESS = "Input should be an address that mail servers take";

/** Addresses that no mail would ever be sent to. */
function unmailable(emails: readonly string[], field: string): string[][] {
  return emails.flatMap((email, index) =>
    isMailAddress(email) ? [] : [[`${field}.emails[${index}]`, `${MAIL_ADDRESS} [input: ${email}]`]],
  );
}

/** Each event is written down for all of them, while whoever caused it waits. */
const MOST_TARGETS = 100;

type Reachable = Pick<ServiceContext, "targetRules">;

/**
 * Targets as they are on the wire. When one was reached is for the service to say, not for the request. Where the names of
 * their addresses lead is looked at whenever something is sent.
 *
 * @throws Invalid for an address that nothing is ever sent to, and for too many
 */
function checkedTargets(targets: readonly ReadTarget[], { targetRules }: Reachable): NamedTarget[] {
  const problems = targets.flatMap((target, index) => {
    if ("emails" in target) return unmailable(target.emails, `targets[${index}]`);
    const problem = "webhook" in target ? checkTarget(target.webhook, targetRules) : undefined;
    return problem === undefined ? [] : [[`targets[${index}].webhook`, problem.message]];
  });
  if (problems.length > 0) throw invalidInput(Object.fromEntries(problems));
  const count = addressesOf(targets).length;
  if (count > MOST_TARGETS) {
    const most = `An action has at most ${MOST_TARGETS} targets, each mail address counted`;
    throw invalidInput({ targets: `${most}, not ${count}: give a mailing list` });
  }
  return targets.map(({ lastSuccessAt, lastFailureAt, ...target }) => ({
    type: target.type,
    ...Object(toWire(notificationTarget, target)),
  }));
}
