import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { oneLine } from "../../kernel/one-line.ts";
import { COLORS, type Link, listed, type Notice, noticeOf } from "./notice.ts";

/** Limit of `text`, in which escaping can turn one character into five. A notice fits Slack's other limits. */
const MAX_TEXT = 300;

interface PlainText {
  type: "plain_text";
  text: string;
  emoji: false;
}

interface Markdown {
  type: "mrkdwn";
  text: string;
  /** Disables links for names and addresses in the text. */
  verbatim: true;
}

type Section =
  | { type: "section"; text: PlainText | Markdown }
  | { type: "section"; fields: readonly PlainText[] };

/** A message with a bar in the color of the result. User texts are plain text, or escaped in `text`. */
export function slackMessage(payloads: readonly [NotificationPayload, ...NotificationPayload[]]) {
  const notice = noticeOf(payloads);
  return {
    // The title, also for push notifications and screen readers.
    text: escaped(oneLine(notice.title, MAX_TEXT)),
    mrkdwn: false,
    // Disables links for names and addresses in `text`.
    parse: "none",
    unfurl_links: false,
    unfurl_media: false,
    attachments: [{ color: COLORS[notice.tone], blocks: sections(notice) }] as const,
  };
}

function sections({ status, lines, reasons, facts, link }: Notice): Section[] {
  const fields = facts.map(({ label, value }) => plain(`${label}\n${value}`));
  return [
    ...paragraph([...(status === undefined ? [] : [status]), ...lines]),
    ...paragraph(listed(reasons)),
    ...(fields.length === 0 ? [] : [{ type: "section" as const, fields }]),
    ...(link === undefined ? [] : [linkSection(link)]),
  ];
}

function paragraph(lines: readonly string[]): Section[] {
  const text = lines.join("\n");
  return text === "" ? [] : [{ type: "section", text: plain(text) }];
}

/** The link is text, because Slack buttons require an app that responds. */
function linkSection({ label, url }: Link): Section {
  return {
    type: "section",
    text: { type: "mrkdwn", text: `<${escaped(url)}|${escaped(label)}>`, verbatim: true },
  };
}

function plain(text: string): PlainText {
  return { type: "plain_text", text, emoji: false };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

interface SlackVerdict {
  /** `ended`: the webhook is gone. `failed`: this message is invalid. */
  outcome: "delivered" | "ended" | "failed" | "retry";
  /** The error of Slack, such as `no_service`, or the status. */
  word: string;
}

const ENDED: readonly number[] = [403, 404, 410];

/** @param bodyText the start of the body, which is one word if it is from Slack */
export function slackVerdict(status: number, bodyText: string): SlackVerdict {
  const word = /^[a-z_]{2,60}$/.exec(bodyText.trim())?.[0] ?? `status_${status}`;
  if (status >= 200 && status < 300) return { outcome: "delivered", word };
  if (ENDED.includes(status)) return { outcome: "ended", word };
  const later = status === 408 || status === 429 || status < 400 || status >= 500;
  return { outcome: later ? "retry" : "failed", word };
}
