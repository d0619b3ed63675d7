import type { Tables } from "../store/tables.ts";

/** What a webhook is sent of an event: `NotificationPayload` as JSON. Equal for each delivery and each repeat. */
export function bodyOf({
  number,
  payload,
}: Pick<Tables["notification_events"], "number" | "payload">): string {
  return `{"sequence":${number},${payload.slice(1)}`;
}
