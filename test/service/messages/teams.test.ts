import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { NotificationPayload } from "../../../src/api/notification-payload.ts";
import { teamsMessage } from "../../../src/service/messages/teams.ts";
import { fullPayloads, hostilePayload } from "./hostile-payloads.ts";
import { environmentPayload, flowPayload, groupPayload } from "./payloads.ts";

const textBlock = z.looseObject({ type: z.literal("TextBlock"), text: z.string(), wrap: z.literal(true) });
const factSet = z.strictObject({
  type: z.literal("FactSet"),
  facts: z.array(z.strictObject({ title: z.string(), value: z.string() })),
});
const action = z.strictObject({
  type: z.literal("Action.OpenUrl"),
  title: z.string(),
  url: z.string().check(z.regex(/^https?:\/\//)),
});
/** What Teams takes of an Adaptive Card 1.4, as far as it is used. */
const message = z.strictObject({
  type: z.literal("message"),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal("application/vnd.microsoft.card.adaptive"),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
        type: z.literal("AdaptiveCard"),
        version: z.literal("1.4"),
        msteams: z.strictObject({ width: z.literal("Full") }),
        body: z.array(z.union([textBlock, factSet])),
        actions: z.array(action),
      }),
    }),
  ]),
});

function expectFit(payload: NotificationPayload) {
  const sent = teamsMessage(payload);
  expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(21_000);
  const { body } = message.parse(sent).attachments[0].content;
  const texts = body.flatMap((each) =>
    each.type === "TextBlock" ? [each.text] : each.facts.map(({ value }) => value),
  );
  for (const text of texts) {
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(text.replace(/\\[\\*_[\]`<>~#|]/g, "")).not.toMatch(/[*_[\]`<>\\]/);
  }
}

describe("a message to Teams", () => {
  test.each([
    ["a flow", flowPayload],
    ["an environment", environmentPayload],
    ["many artifacts at once", groupPayload],
  ])("of %s reads as it was agreed", (_, payload) => {
    expect(teamsMessage(payload)).toMatchSnapshot();
  });

  test("keeps the limit of bytes and lets no Markdown through, whatever users wrote", () => {
    fc.assert(fc.property(hostilePayload, expectFit), { numRuns: 200 });
  });

  test.each(fullPayloads)("keeps the limit when every text is long", expectFit);
});
