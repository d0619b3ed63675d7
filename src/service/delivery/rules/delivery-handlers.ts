import { cursorPage } from "../../kernel/cursor.ts";
import { Conflict } from "../../kernel/errors.ts";
import type { Query } from "../../kernel/links.ts";
import { type Call, type Handler, requestContextOf } from "../../operation/handler.ts";
import {
  answerView,
  attemptsOf,
  attemptView,
  bodyOf,
  deliveryView,
  eventOf,
  newestDeliveries,
  placeView,
  readDeliveryCursor,
  recover,
  requireDelivery,
  seesContent,
  targetView,
  writeDeliveryCursor,
} from "./deliveries.ts";
import { raiseExample } from "./example.ts";
import { requireAction } from "./records.ts";
import { recordOfRule } from "./rule-events.ts";
import { chosenTargets, numberOf, queueOf, switchOn, targetsOf } from "./targets.ts";

export const listDeliveries: Handler<"listDeliveries"> = async (
  { org, caller, params },
  { store, links },
) => {
  const { actionNumber, state, trigger, perPage } = params;
  const after = params.after === undefined ? undefined : readDeliveryCursor(params.after);
  const found = await store.readTogether(async (db) => {
    const action = await requireAction(db, { orgId: org.id, number: actionNumber });
    const [target] = params.target === undefined ? [] : await chosenTargets(db, action.id, params.target);
    const { fromTimestamp: from, toTimestamp: to } = params;
    const filter = { state, trigger, targetId: target?.id, from, to, after };
    // One more than fits, to know whether there is a next page.
    return newestDeliveries(db, action.id, filter, perPage + 1);
  });
  const path = ["actions", org.name, String(actionNumber), "deliveries"];
  const { page, _links } = cursorPage(found, params, {
    cursorOf: ({ created_at, id }) => writeDeliveryCursor({ createdAt: created_at, id }),
    address: (asked) => links.api(path, queryOf(asked)),
  });
  return { status: 200, body: { data: page.map((row) => deliveryView(row, caller)), _links } };
};

function queryOf(params: Call<"listDeliveries">["params"]): Query {
  return {
    state: params.state,
    trigger: params.trigger,
    target: params.target,
    from_timestamp: params.fromTimestamp,
    to_timestamp: params.toTimestamp,
    per_page: params.perPage,
    after: params.after,
  };
}

export const getDelivery: Handler<"getDelivery"> = async ({ org, caller, params }, { store }) => {
  const { delivery, event, attempts } = await store.readTogether(async (db) => {
    const action = await requireAction(db, { orgId: org.id, number: params.actionNumber });
    const delivery = await requireDelivery(db, action.id, params.deliveryId);
    const attempts = await attemptsOf(db, [delivery.id]);
    return { delivery, event: await eventOf(db, delivery), attempts };
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
  const { org, caller, params } = call;
  const { id, actionId } = await context.store.write(async (db) => {
    const action = await requireAction(db, { orgId: org.id, number: params.actionNumber });
    const delivery = await requireDelivery(db, action.id, params.deliveryId);
    if (delivery.removed_at !== null) {
      throw new Conflict(
        "notification_rule.target_not_found",
        "The action names this target no more: put it among its targets again",
      );
    }
    await recordOfRule(db, requestContextOf(call, context), action, {
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
  const { org, params, body } = call;
  const { since, until, target } = body;
  const result = await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const action = await requireAction(db, { orgId: org.id, number: params.actionNumber });
    const chosen = await chosenTargets(db, action.id, target);
    const targetIds = chosen.filter(({ ended_at }) => ended_at === null).map(({ id }) => id);
    const done = await recover(db, action.id, { targetIds, since, until, now: requestContext.now });
    if (done.recovered === 0) return done;
    await recordOfRule(db, requestContext, action, {
      type: "action.recovered",
      details: { since, ...(until === undefined ? {} : { until }), recovered: done.recovered },
    });
    context.deliveries.wake();
    return done;
  });
  return { status: 200, body: result };
};

export const testAction: Handler<"testAction"> = async (call, context) => {
  const { org, caller, params, body } = call;
  const { store, links, deliveries } = context;
  const { targets, ids } = await store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const action = await requireAction(db, { orgId: org.id, number: params.actionNumber });
    const targets = await chosenTargets(db, action.id, body.target);
    const ids = await raiseExample(db, { org, action, targets, links, now: requestContext.now });
    await recordOfRule(db, requestContext, action, {
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
          delivered: attempt?.outcome === DELIVERED,
          outcome: attempt?.outcome ?? null,
          status: attempt?.status ?? null,
          answer: attempt ? answerView(attempt, caller) : null,
        };
      }),
    },
  };
};

const DELIVERED = "delivered";

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
  const { org, params, body } = call;
  const enabled = await context.store.write(async (db) => {
    const action = await requireAction(db, { orgId: org.id, number: params.actionNumber });
    const targets = await chosenTargets(db, action.id, body.target);
    const ended = targets.filter(({ ended_at }) => ended_at !== null);
    if (ended.length === 0) return 0;
    await switchOn(
      db,
      ended.map(({ id }) => id),
    );
    await recordOfRule(db, requestContextOf(call, context), action, {
      type: "action.enabled",
      details: { targets: ended.map(numberOf) },
    });
    context.deliveries.wake();
    return ended.length;
  });
  return { status: 200, body: { enabled } };
};
