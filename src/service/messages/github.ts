import type { NotificationPayload } from "../../api/notification-payload.ts";
import { noticeOf } from "./notice.ts";
import { oneLine } from "./one-line.ts";

/** GitHub takes less than 64 KB. */
const MAX_BYTES = 60_000;

interface GithubDispatch {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly event_type: string; readonly client_payload: Readonly<Record<string, unknown>> };
}

/**
 * The `repository_dispatch` by which an event starts workflows. The event stands whole under `event`, for GitHub takes
 * ten properties of a payload and no more; beside it stands what most workflows ask for.
 */
export function githubDispatch(payload: NotificationPayload): GithubDispatch {
  const { verdict, subject, change, reasons, links } = noticeOf(payload);
  const [page] = links;
  const told = {
    type: payload.type,
    org: oneLine(payload.org, 1_000),
    ...("environment" in payload
      ? { environment: oneLine(payload.environment, 1_000) }
      : { flow: oneLine(payload.flow.name, 1_000) }),
    verdict,
    title: `${verdict}: ${subject}`,
    description: change,
    reasons,
    ...(page === undefined ? {} : { url: page.url }),
  };
  return {
    headers: {
      accept: "application/vnd.github+json",
      "content-type": "application/json",
      "user-agent": "delivery-evidence",
      "x-github-api-version": "2022-11-28",
    },
    body: { event_type: `evidence.${payload.type}`, client_payload: withEvent(told, payload) },
  };
}

/** With the event, its longest texts cut until all of it fits; without it when nothing helps. */
function withEvent(told: Readonly<Record<string, unknown>>, payload: NotificationPayload) {
  for (const max of [10_000, 1_000, 100]) {
    const whole = { ...told, event: cut(payload, max) };
    if (Buffer.byteLength(JSON.stringify(whole)) < MAX_BYTES) return whole;
  }
  return told;
}

function cut(value: unknown, max: number): unknown {
  if (typeof value === "string") return value.length <= max ? value.toWellFormed() : oneLine(value, max);
  if (Array.isArray(value)) return value.map((one) => cut(one, max));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, max)]));
}
