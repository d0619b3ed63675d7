import * as z from "zod/mini";
import { act, count, flag, text, texts, time } from "./act.ts";

const rule = {
  name: text,
  triggers: texts,
  muted_until: z.optional(z.nullable(time)),
  /** Without secrets. */
  targets: z.array(z.looseObject({ type: text })),
};
const places = { flows: texts, environments: texts };
const type = z.enum(["flow", "env", "org"]);
const written = act({ details: { type }, changes: { ...rule, ...places } });
const ofTargets = { type, targets: z.array(count) };

/** The interface calls notification rules actions. */
export const deliveryEvents = {
  "action.created": written,
  "action.changed": written,
  "action.deleted": act({
    details: { type, ...rule, flows: z.optional(texts), environments: z.optional(texts) },
  }),
  "action.enabled": act({ details: ofTargets }),
  "action.recovered": act({ details: { type, since: time, until: z.optional(time), recovered: count } }),
  "action.redelivered": act({ details: { type, delivery_id: text, target: count } }),
  "action.secret_rotated": act({
    details: { ...ofTargets, grace_period_hours: count, force: z.optional(flag) },
  }),
  "action.secret_shown": act({ details: ofTargets }),
  "action.target_ended": act({ details: { target: count, kind: text, reason: z.nullable(text) } }),
  "action.tested": act({ details: ofTargets }),
  "action.token_set": act({ details: { ...ofTargets, host: text } }),
};
