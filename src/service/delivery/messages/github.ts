import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { noticeOf } from "./notice.ts";

export const GITHUB_HEADERS = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
  "user-agent": "delivery-evidence",
} as const;

/** Limit below GitHub's maximum for `client_payload`, which is 64 KB. */
const MAX_BYTES = 60_000;
/** Maximum lengths of the texts of the event. The first that fits is used. */
const MAX_TEXTS = [4_000, 1_000, 250] as const;

export function githubDispatch(payload: NotificationPayload) {
  const { verdict, link } = noticeOf([payload]);
  const summary = { verdict, url: link?.url ?? null };
  for (const most of MAX_TEXTS) {
    // GitHub takes at most ten properties, so the event is one of them.
    const client_payload = { ...summary, event: withShortTexts(payload, most) };
    if (Buffer.byteLength(JSON.stringify(client_payload)) <= MAX_BYTES) {
      return { event_type: payload.type, client_payload };
    }
  }
  const shortest = withShortTexts(withoutList(payload), 250);
  return { event_type: payload.type, client_payload: { ...summary, event: shortest } };
}

function withoutList(payload: NotificationPayload): NotificationPayload {
  if (!("artifacts" in payload) || payload.artifacts === undefined) return payload;
  return { ...payload, artifacts: { count: payload.artifacts.count, first: [] } };
}

/** A copy whose texts are well formed and have at most `most` UTF-16 units. */
function withShortTexts(payload: NotificationPayload, most: number): NotificationPayload {
  return JSON.parse(
    JSON.stringify(payload, (_, value: unknown) =>
      typeof value === "string" ? shortened(value, most).toWellFormed() : value,
    ),
  );
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
