import { notificationTarget, type putFlowAction } from "../../api/flow-actions.ts";
import { toWire } from "../../api/wire-names.ts";
import type { Handler } from "../http/handler.ts";
import { putFlowAction as storeFlowAction } from "../records/flow-actions.ts";
import { occasionOf } from "./occasion.ts";

export const handlePutFlowAction: Handler<typeof putFlowAction> = async (call, context) => {
  const { name, targets, flows, triggers } = call.body;
  const fields = {
    name,
    targets: JSON.stringify(targets.map((target) => toWire(notificationTarget, target))),
    flows,
    triggers,
  };
  const occasion = occasionOf(call, context);
  const { created } = await context.store.write((db) => storeFlowAction(db, fields, occasion));
  return { status: created ? 201 : 200, body: "OK" };
};
