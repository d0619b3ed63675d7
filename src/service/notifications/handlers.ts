import { type NotificationTarget, notificationTarget } from "../../api/notification-targets.ts";
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
  updateEnvironmentNotification,
} from "../../api/notifications.ts";
import { toWire } from "../../api/wire-names.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Handler, Sender } from "../operation/handler.ts";
import { requestContextOf } from "../operation/request-context.ts";
import { recordActionChange, recordActionDeletion } from "./audited.ts";
import * as records from "./records.ts";
import { actionView, environmentNotificationView } from "./view.ts";

export const handlePutFlowAction: Handler<typeof putFlowAction> = async (call, context) => {
  const { name, targets, flows, triggers } = call.body;
  const fields = { type: "flow", name, targets: targetsColumn(targets), watched: flows, triggers } as const;
  return putAction(call, context, fields);
};

/** Two paths lead here: that of the actions, and the older one of the notifications. */
export const handlePutEnvironmentAction: Handler<
  typeof putEnvironmentAction | typeof putEnvironmentNotification
> = (call, context) => putAction(call, context, environmentFields(call.body));

async function putAction(call: Sender, context: ServiceContext, fields: records.ActionFields) {
  const { before } = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const written = await records.putAction(db, fields, requestContext);
    await recordActionChange(db, requestContext, written);
    return written;
  });
  return { status: before ? 200 : 201, body: "OK" } as const;
}

export const handleListActions: Handler<typeof listActions> = async ({ org, caller }, { store }) => {
  const actions = await records.listActions(store.read, { orgId: org.id });
  return { status: 200, body: actions.map((each) => actionView(each, caller)) };
};

export const handleGetAction: Handler<typeof getAction> = async ({ org, caller, params }, { store }) => {
  const found = await records.requireAction(store.read, { orgId: org.id, number: params.actionNumber });
  return { status: 200, body: actionView(found, caller) };
};

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
  { store },
) => {
  const actions = await records.listActions(store.read, { orgId: org.id, type: "env" });
  return { status: 200, body: actions.map((each) => environmentNotificationView(each, caller)) };
};

export const handleGetEnvironmentNotification: Handler<typeof getEnvironmentNotification> = async (
  { org, caller, params },
  { store },
) => {
  const key = { orgId: org.id, number: params.notificationNumber, type: "env" } as const;
  const found = await records.requireAction(store.read, key);
  return { status: 200, body: environmentNotificationView(found, caller) };
};

export const handleUpdateEnvironmentNotification: Handler<typeof updateEnvironmentNotification> = async (
  call,
  context,
) => {
  const { org, params, body } = call;
  const key = { orgId: org.id, number: params.notificationNumber };
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const written = await records.updateAction(db, key, environmentFields(body), requestContext.now);
    await recordActionChange(db, requestContext, written);
  });
  return { status: 200, body: "OK" };
};

export const handleDeleteEnvironmentNotification: Handler<typeof deleteEnvironmentNotification> = (
  call,
  context,
) => removeAction(call, context, { orgId: call.org.id, number: call.params.notificationNumber, type: "env" });

function environmentFields({ name, targets, environments, triggers }: EnvironmentAction) {
  return {
    type: "env",
    name,
    targets: targetsColumn(targets),
    watched: environments,
    triggers,
  } as const;
}

/** Targets as they are stored. When one was reached is for the service to say, not for the request. */
function targetsColumn(targets: readonly NotificationTarget[]): string {
  return JSON.stringify(
    targets.map(({ lastSuccessAt, lastFailureAt, ...target }) => toWire(notificationTarget, target)),
  );
}
