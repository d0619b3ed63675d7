import { listDeliveries as operation } from "../../../api/resources/notification-deliveries.ts";
import { cursorPage, joinCursor, pageQuery, splitCursor } from "../../kernel/cursor.ts";
import { Conflict } from "../../kernel/errors.ts";
import type { Handler } from "../../operation/handler.ts";
import {
  answerView,
  attemptsOf,
  attemptView,
  bodyOf,
  deliveryView,
  newestDeliveries,
  placeView,
  recover,
  requireDelivery,
  seesContent,
  targetView,
} from "./deliveries.ts";
import { raiseExample } from "./example.ts";
import { requireAction } from "./records.ts";
import { changeRule, recordOfRule } from "./rule-events.ts";
import { chosenTargets, numberOf, queueOf, switchOn, targetsOf } from "./targets.ts";

export const listDeliveries: Handler<"listDeliveries"> = async (
  { org, caller, params },
  { store, links },
) => {
  const { actionNumber, state, trigger, perPage } = params;
  const after = params.after === undefined ? undefined : splitCursor(params.after, DELIVERY_ID);
  const found = await store.readTogether(async (db) => {
    const action = await requireAction(db, { orgId: org.id, number: actionNumber });
    const [target] = params.target === undefined ? [] : await chosenTargets(db, action.id, params.target);
    const { fromTimestamp: from, toTimestamp: to } = params;
    const filter = { state, trigger, targetId: target?.id, from, to, after };
    // Reads one more than fits on the page, to know whether there is a next page.
    return newestDeliveries(db, action.id, filter, perPage + 1);
  });
  const path = ["actions", org.name, String(actionNumber), "deliveries"];
  const { page, _links } = cursorPage(found, params, {
    cursorOf: ({ created_at, id }) => joinCursor(created_at, id),
    address: (pageParams) => links.api(path, pageQuery(operation.query, pageParams)),
  });
  return { status: 200, body: { data: page.map((row) => deliveryView(row, caller)), _links } };
};

const DELIVERY_ID = /^[a-f0-9-]{32}$/;

export const getDelivery: Handler<"getDelivery"> = async ({ org, caller, params }, { store }) => {
  const { delivery, event, attempts } = await store.readTogether(async (db) => {
    const action = await requireAction(db, { orgId: org.id, number: params.actionNumber });
    const delivery = await requireDelivery(db, action.id, params.deliveryId);
    const attempts = await attemptsOf(db, [delivery.id]);
    const event = db.selectFrom("notification_events").select(["number", "payload"]);
    const found = event.where("id", "=", delivery.event_id).executeTakeFirstOrThrow();
    return { delivery, event: await found, attempts };
  });
  return {
    status: 200,
    body: {
      ...deliveryView(delivery, caller),
      body: seesContent(caller) ? bodyOf(event) : null,
      log: attempts.map((row) => attemptView(row, caller)),
    },
  };
};

export const redeliver: Handler<"redeliver"> = async (call, context) => {
  const { caller, params } = call;
  const { id, actionId } = await changeRule(call, context, async (db, action, by) => {
    const delivery = await requireDelivery(db, action.id, params.deliveryId);
    if (delivery.removed_at !== null) {
      const problem = "This target was removed from the rule: add it to the rule's targets again";
      throw new Conflict("notification_rule.target_not_found", problem);
    }
    await recordOfRule(db, by, action, {
      type: "action.redelivered",
      details: { delivery_id: delivery.id, target: numberOf(delivery) },
    });
    return { id: delivery.id, actionId: action.id };
  });
  await context.deliveries.attempt(id);
  const after = await requireDelivery(context.store.read, actionId, id);
  return { status: 200, body: deliveryView(after, caller) };
};

export const recoverDeliveries: Handler<"recoverDeliveries"> = async (call, context) => {
  const { since, until, target } = call.body;
  const result = await changeRule(call, context, async (db, action, by) => {
    const chosen = await chosenTargets(db, action.id, target);
    const targetIds = chosen.filter(({ ended_at }) => ended_at === null).map(({ id }) => id);
    const done = await recover(db, action.id, { targetIds, since, until, now: by.now });
    if (done.recovered === 0) return done;
    await recordOfRule(db, by, action, {
      type: "action.recovered",
      details: { since, ...(until === undefined ? {} : { until }), recovered: done.recovered },
    });
    context.deliveries.wake();
    return done;
  });
  return { status: 200, body: result };
};

export const testAction: Handler<"testAction"> = async (call, context) => {
  const { org, caller, body } = call;
  const { store, links, deliveries } = context;
  const { targets, ids } = await changeRule(call, context, async (db, action, by) => {
    const targets = await chosenTargets(db, action.id, body.target);
    const ids = await raiseExample(db, { org, action, targets, links, now: by.now });
    await recordOfRule(db, by, action, {
      type: "action.tested",
      details: { targets: targets.map(numberOf) },
    });
    return { targets, ids };
  });
  await Promise.all(ids.map((id) => deliveries.attempt(id)));
  const attempts = new Map((await attemptsOf(store.read, ids)).map((row) => [row.delivery_id, row]));
  return {
    status: 200,
    body: {
      results: targets.map((target, index) => {
        const deliveryId = ids[index] ?? "";
        const attempt = attempts.get(deliveryId);
        return {
          deliveryId,
          target: placeView(target, caller),
          delivered: attempt?.outcome === "delivered",
          outcome: attempt?.outcome ?? null,
          status: attempt?.status ?? null,
          answer: attempt ? answerView(attempt, caller) : null,
        };
      }),
    },
  };
};

export const listTargets: Handler<"listTargets"> = async ({ org, caller, params }, { store }) => {
  const listed = await store.readTogether(async (db) => {
    const action = await requireAction(db, { orgId: org.id, number: params.actionNumber });
    const views = [];
    for (const target of await targetsOf(db, action.id)) {
      views.push(targetView(target, await queueOf(db, target.id), caller));
    }
    return views;
  });
  return { status: 200, body: listed };
};

export const enableTargets: Handler<"enableTargets"> = async (call, context) => {
  const enabled = await changeRule(call, context, async (db, action, by) => {
    const targets = await chosenTargets(db, action.id, call.body.target);
    const ended = targets.filter(({ ended_at }) => ended_at !== null);
    if (ended.length === 0) return 0;
    const ids = ended.map(({ id }) => id);
    await switchOn(db, ids);
    await recordOfRule(db, by, action, {
      type: "action.enabled",
      details: { targets: ended.map(numberOf) },
    });
    context.deliveries.wake();
    return ended.length;
  });
  return { status: 200, body: { enabled } };
};
