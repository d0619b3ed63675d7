import {
  type EnvironmentAction,
  notificationTarget,
  type ReadTarget,
} from "../../../api/resources/notifications.ts";
import { toWire } from "../../../api/wire-names.ts";
import type { ActionType } from "../../events/projections/rules.ts";
import type { Organization } from "../../kernel/caller.ts";
import { absent, invalidInput } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Handler, requestContextOf, type Sender } from "../../operation/handler.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { addressesOf, type NamedTarget } from "../../store/target-addresses.ts";
import { isMailAddress } from "../messages/mail-address.ts";
import { checkTarget } from "../outgoing/target-address.ts";
import * as records from "./records.ts";
import { recordDeletedRule, recordWrittenRule } from "./rule-events.ts";
import { makeFirstSecrets } from "./secrets.ts";
import { targetsByAction, targetsOf } from "./targets.ts";
import { actionView, environmentNotificationView } from "./view.ts";

export const putFlowAction: Handler<"putFlowAction"> = async (call, context) => {
  const { name, targets, flows, triggers, mutedUntil } = call.body;
  return putAction(call, context, { type: "flow", name, targets, watched: flows, triggers, mutedUntil });
};

/** This operation has two paths. The path of the notifications is the older one. */
export const putEnvironmentAction: Handler<"putEnvironmentAction"> = (call, context) =>
  putAction(call, context, environmentFields(call.body));
export const putEnvironmentNotification: Handler<"putEnvironmentNotification"> = (call, context) =>
  putEnvironmentAction(call, context);

export const putOrganizationAction: Handler<"putOrganizationAction"> = async (call, context) => {
  const { name, targets, triggers, mutedUntil } = call.body;
  return putAction(call, context, { type: "org", name, targets, watched: [], triggers, mutedUntil });
};

type GivenFields = Omit<records.ActionFields, "targets"> & { readonly targets: readonly ReadTarget[] };

async function putAction(call: Sender, context: ServiceContext, given: GivenFields) {
  const fields = { ...given, targets: checkedTargets(given.targets, context) };
  const { before } = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const { type, watched: names } = given;
    const watched = type === "flow" ? await presentNames(db, call.org, names) : names;
    const written = await records.putAction(db, { ...fields, watched }, requestContext, context);
    await makeFirstSecrets(db, written.after, context.secrets);
    await recordWrittenRule(db, requestContext, written);
    return written;
  });
  return { status: before ? 200 : 201, body: "OK" } as const;
}

/** The current names of flows. @throws Invalid if a flow does not exist */
async function presentNames(
  db: Database,
  org: Organization,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return names;
  const renamed = await db
    .selectFrom("former_flow_names as former")
    .innerJoin("flows", "flows.id", "former.flow_id")
    .select(["former.name as former", "flows.name"])
    .where("former.org_id", "=", org.id)
    .where("former.name", "in", listed(names))
    .execute();
  const current = await db
    .selectFrom("flows")
    .select("name")
    .where("org_id", "=", org.id)
    .where("name", "in", listed(names))
    .execute();
  const present = new Map(renamed.map(({ former, name }) => [former, name]));
  for (const { name } of current) present.set(name, name);
  const unknown = names.flatMap((name, index) =>
    present.has(name)
      ? []
      : [[`flows[${index}]`, `${absent("flow", "not_found", name, org.name).message} [input: ${name}]`]],
  );
  if (unknown.length > 0) throw invalidInput(Object.fromEntries(unknown), { code: "flow.not_found" });
  return [...new Set(names.map((name) => present.get(name) ?? name))];
}

type View<Shown> = (...shown: Parameters<typeof actionView>) => Shown;

/** The actions of an organization with their targets, as `view` shows them. */
async function shownActions<Shown>(
  { org, caller }: Sender,
  { store, secrets }: ServiceContext,
  view: View<Shown>,
  type?: ActionType,
) {
  const body = await store.readTogether(async (db) => {
    const actions = await records.listActions(db, { orgId: org.id, ...(type && { type }) });
    const targets = await targetsByAction(db, org.id);
    return actions.map((action) => view(action, targets.get(action.id) ?? [], { caller, secrets }));
  });
  return { status: 200, body } as const;
}

async function shownAction<Shown>(
  { caller }: Sender,
  { store, secrets }: ServiceContext,
  view: View<Shown>,
  key: records.ActionKey,
) {
  const body = await store.readTogether(async (db) => {
    const action = await records.requireAction(db, key);
    return view(action, await targetsOf(db, action.id), { caller, secrets });
  });
  return { status: 200, body } as const;
}

export const listActions: Handler<"listActions"> = (call, context) => shownActions(call, context, actionView);

export const getAction: Handler<"getAction"> = (call, context) =>
  shownAction(call, context, actionView, { orgId: call.org.id, number: call.params.actionNumber });

export const deleteAction: Handler<"deleteAction"> = (call, context) =>
  removeAction(call, context, { orgId: call.org.id, number: call.params.actionNumber });

async function removeAction(call: Sender, context: ServiceContext, key: records.ActionKey) {
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    await recordDeletedRule(db, requestContext, await records.deleteAction(db, key, requestContext.now));
  });
  return { status: 200, body: "OK" } as const;
}

export const listEnvironmentNotifications: Handler<"listEnvironmentNotifications"> = (call, context) =>
  shownActions(call, context, environmentNotificationView, "env");

export const getEnvironmentNotification: Handler<"getEnvironmentNotification"> = (call, context) => {
  const key = { orgId: call.org.id, number: call.params.notificationNumber, type: "env" } as const;
  return shownAction(call, context, environmentNotificationView, key);
};

export const updateEnvironmentNotification: Handler<"updateEnvironmentNotification"> = async (
  call,
  context,
) => {
  const { org, params, body } = call;
  const key = { orgId: org.id, number: params.notificationNumber };
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const given = environmentFields(body);
    const fields = { ...given, targets: checkedTargets(given.targets, context) };
    const parts = { now: requestContext.now, secrets: context.secrets };
    const written = await records.updateAction(db, key, fields, parts);
    await makeFirstSecrets(db, written.after, context.secrets);
    await recordWrittenRule(db, requestContext, written);
  });
  return { status: 200, body: "OK" };
};

export const deleteEnvironmentNotification: Handler<"deleteEnvironmentNotification"> = (call, context) =>
  removeAction(call, context, { orgId: call.org.id, number: call.params.notificationNumber, type: "env" });

function environmentFields({
  environments: watched,
  name,
  targets,
  triggers,
  mutedUntil,
}: EnvironmentAction) {
  return { type: "env", name, targets, watched, triggers, mutedUntil } as const;
}

const MAIL_ADDRESS = "Input should be a valid email address";

function unmailable(emails: readonly string[], field: string): string[][] {
  return emails.flatMap((email, index) =>
    isMailAddress(email) ? [] : [[`${field}.emails[${index}]`, `${MAIL_ADDRESS} [input: ${email}]`]],
  );
}

/** Maximum number of targets. The request that causes an event waits until it is stored for all of them. */
const MOST_TARGETS = 100;

/**
 * Checks targets, without the times that only the service sets. Host names are resolved when a delivery is sent.
 * @throws Invalid for a forbidden address, and for too many targets
 */
function checkedTargets(targets: readonly ReadTarget[], { targetRules }: ServiceContext): NamedTarget[] {
  const problems = targets.flatMap((target, index) => {
    if ("emails" in target) return unmailable(target.emails, `targets[${index}]`);
    const problem = "webhook" in target ? checkTarget(target.webhook, targetRules) : undefined;
    return problem === undefined ? [] : [[`targets[${index}].webhook`, problem.message]];
  });
  if (problems.length > 0)
    throw invalidInput(Object.fromEntries(problems), { code: "notification_rule.target_invalid" });
  const count = addressesOf(targets).length;
  if (count > MOST_TARGETS) {
    const most = `A rule can have at most ${MOST_TARGETS} targets, got ${count}. Each email address counts as one`;
    throw invalidInput(
      { targets: `${most}: use a mailing list` },
      { code: "notification_rule.target_invalid" },
    );
  }
  return targets.map(({ lastSuccessAt, lastFailureAt, ...target }) => ({
    type: target.type,
    ...Object(toWire(notificationTarget, target)),
  }));
}
