import type { NotificationPayload } from "../../api/notification-payload.ts";
import { artifactCount, type Link, noticeOf } from "./notice.ts";

interface PlainText {
  type: "plain_text";
  text: string;
  emoji: false;
}

interface Mrkdwn {
  type: "mrkdwn";
  text: string;
  verbatim: true;
}

type Block =
  | { type: "header"; text: PlainText }
  | { type: "section"; text: PlainText | Mrkdwn }
  | { type: "section"; fields: PlainText[] };

interface SlackMessage {
  text: string;
  blocks: [Extract<Block, { type: "header" }>, ...Block[]];
  unfurl_links: false;
  unfurl_media: false;
}

/**
 * A message for Slack in Block Kit. What users wrote stands in `plain_text`, where nothing is parsed, and escaped in
 * the line that notifications show: it mentions nobody and makes no link.
 */
export function slackMessage(payload: NotificationPayload): SlackMessage {
  const { verdict, subject, change, facts, reasons, artifacts, links } = noticeOf(payload);
  const headline = `${verdict}: ${subject}`;
  return {
    text: escaped(change === "" ? headline : `${headline}. ${change}`),
    blocks: [
      { type: "header", text: plain(headline) },
      ...(change === "" ? [] : [section(change)]),
      { type: "section", fields: facts.map(({ label, value }) => plain(`${label}: ${value}`)) },
      ...(reasons.length === 0 ? [] : [section(list("Reasons:", reasons))]),
      ...(artifacts === undefined ? [] : [section(list(artifactCount(artifacts), artifacts.first))]),
      ...linkSection(links),
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function plain(text: string): PlainText {
  return { type: "plain_text", text, emoji: false };
}

function section(text: string): Block {
  return { type: "section", text: plain(text) };
}

function list(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `• ${line}`)].join("\n");
}

/** `&` makes five characters of one: what grows too long by it is left out. */
const MAX_LINK = 900;

/** Links, not buttons: Slack warns at a button whose app takes no answers. */
function linkSection(links: readonly Link[]): Block[] {
  const written = links
    .map(({ label, url }) => `<${escaped(url)}|${escaped(label)}>`)
    .filter((link) => link.length <= MAX_LINK);
  if (written.length === 0) return [];
  return [{ type: "section", text: { type: "mrkdwn", text: written.join(" · "), verbatim: true } }];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** What an answer of Slack means for the target. */
interface SlackVerdict {
  /** `ended`: the target will never take a message again. `failed`: this message is wrong, and would be again. */
  outcome: "delivered" | "ended" | "failed" | "retry";
  /** Slack's own word for it, such as `no_service`, or the status. */
  word: string;
}

const ENDED: readonly number[] = [403, 404, 410];

/** @param bodyText the start of the answer's body, which is a word of Slack when Slack itself answers */
export function slackVerdict(status: number, bodyText: string): SlackVerdict {
  const word = /^[a-z_]{2,60}$/.exec(bodyText.trim())?.[0] ?? `status_${status}`;
  if (status >= 200 && status < 300) return { outcome: "delivered", word };
  if (ENDED.includes(status)) return { outcome: "ended", word };
  const later = status === 408 || status === 429 || status < 400 || status >= 500;
  return { outcome: later ? "retry" : "failed", word };
}
