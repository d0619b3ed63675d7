import type {
  EnvironmentNotification,
  FlowNotification,
  NotificationPayload,
  NotificationType,
  OrganizationNotification,
} from "../../../api/resources/notification-payload.ts";
import { oneLine } from "../../kernel/one-line.ts";
import { type EnvironmentWords, environmentWords } from "./environment-words.ts";
import { flowWords, isResult } from "./flow-words.ts";

/** The text of a message about one or more events. Texts are single lines. Each format must escape them. */
export interface Notice {
  /** `COMPLIANT`, `NON-COMPLIANT` or `INCOMPLETE`; without a result, the event. */
  verdict: string;
  tone: Tone;
  /** The change, its place and its reason. It is the subject of an email. */
  title: string;
  /** The present state: `Trail: non-compliant`. Absent without a result. */
  status?: string;
  /** One line for each event. */
  lines: string[];
  /** At most five. */
  reasons: string[];
  facts: Fact[];
  /** The page of the service that has the rest. The label is a fixed text. */
  link?: Link;
}

export type Tone = "good" | "bad" | "neutral";

/** Colors that are legible on light and dark backgrounds. */
export const COLORS: Readonly<Record<Tone, string>> = { good: "#2e8540", bad: "#d13438", neutral: "#6e7781" };

interface Fact {
  label: string;
  value: string;
}

export interface Link {
  label: string;
  url: string;
}

/** Maximum lengths, in UTF-16 units. All together fit into every kind of message. */
const MOST = { title: 150, line: 250, merged: 100, fact: 150, reason: 200, url: 800 };
const MAX_REASONS = 5;
const MAX_LINES = 20;

/** The event in one word, where the payload has no compliance. */
const HAPPENED: Readonly<Record<NotificationType, string>> = {
  "trail.started": "STARTED",
  "artifact.reported": "REPORTED",
  "attestation.recorded": "RECORDED",
  "approval.recorded": "RECORDED",
  "approval.approved": "APPROVED",
  "trail.compliant": "COMPLIANT",
  "trail.non_compliant": "NON-COMPLIANT",
  "trail.incomplete": "INCOMPLETE",
  "gate.refused": "REFUSED",
  "approval.needed": "NEEDED",
  "artifact.started": "STARTED",
  "artifact.exited": "EXITED",
  "artifact.scaled": "SCALED",
  "artifact.allowed": "ALLOWED",
  "environment.non_compliant": "NON-COMPLIANT",
  "environment.compliant": "COMPLIANT",
  "api_key.expiring": "EXPIRING",
  "scim_token.expiring": "EXPIRING",
  "admission_webhook.expiring": "EXPIRING",
};

/** @param payloads events of one message, oldest first */
export function noticeOf(payloads: readonly [NotificationPayload, ...NotificationPayload[]]): Notice {
  const main = payloads.findLast(({ type }) => isResult(type)) ?? payloads.at(-1) ?? payloads[0];
  const state = complianceStateOf(main);
  const status = state === undefined ? undefined : statusOf(main, state);
  const { title, lines } = wordsOf(payloads, main);
  const link = linkTo(main);
  const verdict = state ?? HAPPENED[main.type];
  return {
    verdict,
    tone: main.type === "gate.refused" ? "bad" : toneOf(state),
    title: oneLine(main.test ? `Test: ${title}` : title, MOST.title) || verdict,
    ...(status !== undefined && { status }),
    lines: shownLines(lines),
    reasons: main.reasons.slice(0, MAX_REASONS).map((reason) => oneLine(reason, MOST.reason)),
    facts: factsOf(payloads, main).flatMap(([label, value]) =>
      value === undefined ? [] : [{ label, value: oneLine(value, MOST.fact) }],
    ),
    ...(link && { link }),
  };
}

export function listed(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`);
}

function wordsOf(payloads: readonly NotificationPayload[], main: NotificationPayload): EnvironmentWords {
  if (isEnvironment(main)) return environmentWords(payloads.filter(isEnvironment), main);
  if (isFlow(main)) return flowWords(payloads.filter(isFlow), main);
  const { what, days_left } = expiringIn(main);
  const days = days_left === 1 ? "a day" : `${days_left} days`;
  return { title: `${what} expires in ${days}`, lines: [main.description] };
}

function shownLines(lines: readonly string[]): string[] {
  const most = lines.length === 1 ? MOST.line : MOST.merged;
  const shown = lines.slice(0, MAX_LINES).map((line) => oneLine(line, most));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function isFlow(payload: NotificationPayload): payload is FlowNotification {
  return "flow" in payload;
}

function isEnvironment(payload: NotificationPayload): payload is EnvironmentNotification {
  return "environment" in payload;
}

function complianceStateOf(payload: NotificationPayload): string | undefined {
  if (isFlow(payload)) return payload.trail?.compliance_state;
  if (!isEnvironment(payload)) return undefined;
  // The event has the new state of the environment, which may differ from the snapshot's.
  if (payload.type === "environment.compliant" || payload.type === "environment.non_compliant") {
    return HAPPENED[payload.type];
  }
  const status = payload.snapshot?.status;
  return status === undefined || status === "unknown" ? undefined : status.toUpperCase();
}

function statusOf(payload: NotificationPayload, state: string): string {
  return `${isFlow(payload) ? "Trail" : "Environment"}: ${state.toLowerCase()}`;
}

function toneOf(verdict: string | undefined): Tone {
  if (verdict === "COMPLIANT") return "good";
  return verdict === "NON-COMPLIANT" ? "bad" : "neutral";
}

type Facts = (readonly [label: string, value: string | undefined])[];

function factsOf(payloads: readonly NotificationPayload[], main: NotificationPayload): Facts {
  if (!isFlow(main) && !isEnvironment(main)) return [["Expires", timeOf(expiringIn(main).expires_at)]];
  const { commit } = payloads.findLast((payload) => payload.commit !== undefined) ?? {};
  return [
    ["Commit", commit && commitText(commit)],
    ["Author", commit?.author ?? undefined],
  ];
}

function expiringIn(payload: OrganizationNotification) {
  switch (payload.type) {
    case "api_key.expiring": {
      const { description, service_account } = payload.api_key;
      const what = `API key '${description}' of '${service_account}'`;
      return { ...payload.api_key, what, label: "Open the account" };
    }
    case "scim_token.expiring": {
      const what = `SCIM token '${payload.scim_token.description}'`;
      return { ...payload.scim_token, what, label: "Open the SCIM tokens" };
    }
    case "admission_webhook.expiring": {
      const what = `Admission webhook '${payload.admission_webhook.name}'`;
      return { ...payload.admission_webhook, what, label: "Open the admission webhooks" };
    }
  }
}

function commitText({ sha, message }: NonNullable<NotificationPayload["commit"]>): string {
  const [title = ""] = (message ?? "").slice(0, MOST.fact).split("\n", 1);
  return title.trim() === "" ? sha.slice(0, 10) : `${sha.slice(0, 10)} ${title}`;
}

function timeOf(seconds: number): string | undefined {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime())
    ? undefined
    : `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function linkTo(payload: NotificationPayload): Link | undefined {
  const { label, url } = pageOf(payload);
  const safe = webLink(url, MOST.url);
  return safe === undefined ? undefined : { label, url: safe };
}

function pageOf(payload: NotificationPayload): Link {
  if (isEnvironment(payload)) {
    const { snapshot, html_url } = payload;
    return snapshot
      ? { label: "Open the snapshot", url: snapshot.html_url }
      : { label: "Open the environment", url: html_url };
  }
  if (!isFlow(payload)) {
    const { label, html_url } = expiringIn(payload);
    return { label, url: html_url };
  }
  const { trail, artifact, attestation, flow, gate } = payload;
  if (artifact !== undefined && (gate !== undefined || trail === undefined)) {
    return { label: "Open the artifact", url: artifact.html_url };
  }
  if (attestation !== undefined) return { label: "Open the attestation", url: attestation.html_url };
  if (trail !== undefined) return { label: "Open the trail", url: trail.html_url };
  return { label: "Open the flow", url: flow.html_url };
}

/** An address that is safe to link. Undefined if it is not http(s), has a user, or is longer than `most` characters. */
function webLink(address: string, most: number): string | undefined {
  // Checked before parsing, because the text may be very long.
  if (address.length > most) return undefined;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    return undefined;
  }
  // The parser encoded quotes and angle brackets. In Slack, a bar ends the address.
  const href = url.href.replaceAll("|", "%7C");
  return href.length > most ? undefined : href;
}
