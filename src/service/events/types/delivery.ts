import { act } from "./act.ts";

/** The interface calls notification rules actions. */
export const deliveryEvents = {
  "action.created": act,
  "action.changed": act,
  "action.deleted": act,
  "action.enabled": act,
  "action.recovered": act,
  "action.redelivered": act,
  "action.secret_rotated": act,
  "action.secret_shown": act,
  "action.target_ended": act,
  "action.tested": act,
  "action.token_set": act,
};
