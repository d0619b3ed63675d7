import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { oneLine } from "../../kernel/one-line.ts";
import { type Link, listed, type Notice, noticeOf, titleOf } from "./notice.ts";

/**
 * Limits of Slack. A notice always fits the others: 50 blocks, ten fields of 2,000 characters, sections of 3,000,
 * and under 9,000 in all, beyond which messages were refused.
 */
const MAX_HEADER = 150;
/** Limit of `text`, in which escaping can turn one character into five. */
const MAX_TEXT = 300;
/** Limit of all links together. */
const MAX_LINKS = 2_400;

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

/** A Block Kit message. User texts are plain text, or escaped in `text`. */
export function slackMessage(payload: NotificationPayload) {
  const notice = noticeOf(payload);
  const title = titleOf(notice);
  return {
    // For push notifications and screen readers.
    text: escaped(oneLine(`${title}. ${notice.change}`, MAX_TEXT)),
    mrkdwn: false,
    // Disables links for names and addresses in `text`.
    parse: "none",
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: "header", text: plain(oneLine(title, MAX_HEADER)) }, ...sections(notice)] as const,
  };
}

function sections({ change, reasons, facts, artifacts, links }: Notice): Section[] {
  return [
    ...paragraph([change]),
    ...paragraph(listed(reasons)),
    { type: "section", fields: facts.map(({ label, value }) => plain(`${label}\n${value}`)) },
    ...(artifacts === undefined ? [] : paragraph([artifacts.heading, ...listed(artifacts.first)])),
    ...linkSection(links),
  ];
}

function paragraph(lines: readonly string[]): Section[] {
  const text = lines.join("\n");
  return text === "" ? [] : [{ type: "section", text: plain(text) }];
}

/** Links are text, because Slack buttons require an app that responds. */
function linkSection(links: readonly Link[]): Section[] {
  let text = "";
  for (const { label, url } of links) {
    const link = `<${escaped(url)}|${escaped(label)}>`;
    const longer = text === "" ? link : `${text} · ${link}`;
    if (longer.length <= MAX_LINKS) text = longer;
  }
  return text === "" ? [] : [{ type: "section", text: { type: "mrkdwn", text, verbatim: true } }];
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
