import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { listed, type Notice, noticeOf, type Tone, titleOf } from "./notice.ts";

/** A run of a rich text: Teams reads no Markdown in it, makes no link of it, and fills in no date. */
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

interface TeamsMessage {
  type: "message";
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive";
      contentUrl: null;
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json";
        type: "AdaptiveCard";
        version: "1.4";
        msteams: { width: "Full" };
        body: RichTextBlock[];
        actions: { type: "Action.OpenUrl"; title: string; url: string }[];
      };
    },
  ];
}

const COLORS = { good: "Good", bad: "Attention", neutral: "Default" } as const satisfies Record<Tone, string>;

/**
 * An Adaptive Card for a workflow of Teams. Flows drop messages above some 21,000 bytes; the parts of a notice are short
 * enough that none gets there, also in a script of three bytes a letter.
 */
export function teamsMessage(payload: NotificationPayload): TeamsMessage {
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
    ],
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

/** A paragraph that stands right below the one before it. */
function line(...inlines: TextRun[]): RichTextBlock {
  return { ...paragraph(...inlines), spacing: "None" };
}
