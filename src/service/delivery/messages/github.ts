import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { noticeOf } from "./notice.ts";

/** What GitHub wants besides the token and the type of the body. */
export const GITHUB_HEADERS = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
  "user-agent": "delivery-evidence",
} as const;

/** GitHub takes less than 64 KB of a `client_payload`. */
const MAX_BYTES = 60_000;
/** How long a text of the event may be, from the kindest: mostly the first one holds. */
const MAX_TEXTS = [4_000, 1_000, 250] as const;

interface GithubDispatch {
  /** What `on.repository_dispatch.types` names: `environment.non_compliant`. */
  event_type: string;
  /** GitHub takes ten properties at most, so that the event is one of them. */
  client_payload: { verdict: string; url: string | null; event: NotificationPayload };
}

/** The body by which `repository_dispatch` starts the workflows that wait for this type of event. */
export function githubDispatch(payload: NotificationPayload): GithubDispatch {
  const { verdict, links } = noticeOf(payload);
  const told = { verdict, url: links[0]?.url ?? null };
  for (const most of MAX_TEXTS) {
    const client_payload = { ...told, event: withShortTexts(payload, most) };
    if (Buffer.byteLength(JSON.stringify(client_payload)) <= MAX_BYTES) {
      return { event_type: payload.type, client_payload };
    }
  }
  const shortest = withShortTexts(withoutList(payload), 250);
  return { event_type: payload.type, client_payload: { ...told, event: shortest } };
}

/** A payload that counts many artifacts and names none of them. */
function withoutList(payload: NotificationPayload): NotificationPayload {
  if (!("artifacts" in payload) || payload.artifacts === undefined) return payload;
  return { ...payload, artifacts: { count: payload.artifacts.count, first: [] } };
}

/** A copy in which each text has at most so many UTF-16 units, and is well formed. */
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
