import type { NotificationPayload } from "../../api/notification-payload.ts";
import { artifactCount, type Notice, noticeOf, type Tone } from "./notice.ts";

/** Teams says 28 KB; flows refuse less than that. */
const MAX_BYTES = 21_000;

/** A message for a workflow of Teams: an Adaptive Card, in which what users wrote is escaped. */
export function teamsMessage(payload: NotificationPayload): object {
  const notice = noticeOf(payload);
  const whole = messageOf(notice);
  // Letters of three bytes and escaped marks can treble a text: the list of artifacts is what can go.
  return sizeOf(whole) < MAX_BYTES ? whole : messageOf(withoutNames(notice));
}

function sizeOf(message: object): number {
  return Buffer.byteLength(JSON.stringify(message));
}

function withoutNames(notice: Notice): Notice {
  return notice.artifacts === undefined
    ? notice
    : { ...notice, artifacts: { ...notice.artifacts, first: [] } };
}

function messageOf(notice: Notice): object {
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content: cardOf(notice) }] };
}

function cardOf({ verdict, tone, subject, change, facts, reasons, artifacts, links }: Notice): object {
  return {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      {
        ...textBlock(`${verdict}: ${escaped(subject)}`),
        weight: "Bolder",
        size: "Large",
        color: COLORS[tone],
      },
      ...(change === "" ? [] : [textBlock(escaped(change))]),
      { type: "FactSet", facts: facts.map(({ label, value }) => ({ title: label, value: escaped(value) })) },
      ...listBlocks("Reasons:", reasons),
      ...(artifacts === undefined ? [] : listBlocks(artifactCount(artifacts), artifacts.first)),
    ],
    actions: links.map(({ label, url }) => ({ type: "Action.OpenUrl", title: label, url })),
  };
}

const COLORS: Readonly<Record<Tone, string>> = { good: "Good", bad: "Attention", neutral: "Default" };

function textBlock(text: string) {
  return { type: "TextBlock", text, wrap: true };
}

/** A block for each line: none begins with a user's text, where its marks would be read as a list or a heading. */
function listBlocks(title: string, lines: readonly string[]) {
  if (lines.length === 0 && title === "Reasons:") return [];
  return [
    { ...textBlock(title), weight: "Bolder" },
    ...lines.map((line) => ({ ...textBlock(`• ${escaped(line)}`), spacing: "None" })),
  ];
}

/** Without what Teams reads as Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[\\*_[\]`<>~#|]/g, "\\$&");
}
