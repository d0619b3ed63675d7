import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { listed, noticeOf, type Tone } from "./notice.ts";

/** A text that Teams does not parse for Markdown, links or dates. */
interface TextRun {
  type: "TextRun";
  text: string;
  weight?: "Bolder";
  size?: "Large";
  color?: "Good" | "Attention" | "Default";
}

interface RichTextBlock {
  type: "RichTextBlock";
  inlines: TextRun[];
  spacing?: "None";
}

const COLORS = { good: "Good", bad: "Attention", neutral: "Default" } as const satisfies Record<Tone, string>;

/** Power Automate drops messages above about 21,000 bytes. A notice is smaller, even with three bytes per character. */
export function teamsMessage(payloads: readonly [NotificationPayload, ...NotificationPayload[]]) {
  const notice = noticeOf(payloads);
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          msteams: { width: "Full" },
          body: [
            paragraph({
              ...run(notice.title),
              weight: "Bolder",
              size: "Large",
              color: COLORS[notice.tone],
            }),
            ...[...(notice.status === undefined ? [] : [notice.status]), ...notice.lines].map(
              (text, place) => (place === 0 ? paragraph(run(text)) : line(run(text))),
            ),
            ...listed(notice.reasons).map((reason) => line(run(reason))),
            ...notice.facts.map(({ label, value }, place) => {
              const runs = [{ ...run(`${label}: `), weight: "Bolder" as const }, run(value)];
              return place === 0 ? paragraph(...runs) : line(...runs);
            }),
          ],
          actions: notice.link
            ? [{ type: "Action.OpenUrl", title: notice.link.label, url: notice.link.url }]
            : [],
        },
      },
    ] as const,
  };
}

function run(text: string): TextRun {
  return { type: "TextRun", text };
}

function paragraph(...inlines: TextRun[]): RichTextBlock {
  return { type: "RichTextBlock", inlines };
}

function line(...inlines: TextRun[]): RichTextBlock {
  return { ...paragraph(...inlines), spacing: "None" };
}
