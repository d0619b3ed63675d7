import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { listed, type Notice, noticeOf, type Tone, titleOf } from "./notice.ts";

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
export function teamsMessage(payload: NotificationPayload) {
  const notice = noticeOf(payload);
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
              ...run(titleOf(notice)),
              weight: "Bolder",
              size: "Large",
              color: COLORS[notice.tone],
            }),
            paragraph(run(notice.change)),
            ...listed(notice.reasons).map((reason) => line(run(reason))),
            ...notice.facts.map(({ label, value }, place) => {
              const runs = [{ ...run(`${label}: `), weight: "Bolder" as const }, run(value)];
              return place === 0 ? paragraph(...runs) : line(...runs);
            }),
            ...artifactBlocks(notice),
          ],
          actions: notice.links.map(({ label, url }) => ({ type: "Action.OpenUrl", title: label, url })),
        },
      },
    ] as const,
  };
}

function artifactBlocks({ artifacts }: Notice): RichTextBlock[] {
  if (artifacts === undefined) return [];
  const { heading, first } = artifacts;
  return [paragraph(run(heading)), ...listed(first).map((artifact) => line(run(artifact)))];
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
