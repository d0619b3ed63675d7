import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotificationPayload } from "../../../../src/api/resources/notification-payload.ts";
import { teamsMessage } from "../../../../src/service/delivery/messages/teams.ts";
import { fullPayloads, hostilePayload, UNSEEN } from "./hostile-payloads.ts";
import { environmentPayload, flowPayload, groupPayload, keyPayload } from "./payloads.ts";

const OWN_WORDS =
  /^Open the (snapshot|environment|trail|attestation|artifact|account|flow|SCIM tokens|admission webhooks)$/;

function cardOf(payload: NotificationPayload) {
  return teamsMessage([payload]).attachments[0].content;
}

/** Checks the limit of Teams, and that text of users is only where no Markdown is parsed. */
function expectFit(payload: NotificationPayload) {
  expect(Buffer.byteLength(JSON.stringify(teamsMessage([payload])))).toBeLessThan(21_000);
  const { body, actions } = cardOf(payload);
  for (const block of body) {
    expect(block.type).toBe("RichTextBlock");
    for (const { type, text } of block.inlines) {
      expect(type).toBe("TextRun");
      expect(text).not.toMatch(UNSEEN);
      expect(text.isWellFormed()).toBe(true);
    }
  }
  for (const { title, url } of actions) {
    expect(title).toMatch(OWN_WORDS);
    expect(url).toMatch(/^https?:\/\/[^\s<>|"@/]+(\/[^\s<>|"]*)?$/);
  }
}

describe("a message to Teams", () => {
  test.each([
    ["a flow", flowPayload],
    ["an environment", environmentPayload],
    ["many artifacts at once", groupPayload],
    ["a key that is about to expire", keyPayload],
  ])("about %s matches its snapshot", (_, payload) => {
    expect(teamsMessage([payload])).toMatchSnapshot();
  });

  test("keeps the limit of Teams and has no Markdown, whatever users wrote", () => {
    fc.assert(fc.property(hostilePayload, expectFit), { numRuns: 300 });
  });

  test.each(fullPayloads)("keeps the limit of Teams when every text is long", expectFit);

  test("colors the result, which is a word as well", () => {
    const head = (payload: NotificationPayload) => cardOf(payload).body[0]?.inlines[0];
    expect(head(environmentPayload)).toMatchObject({ color: "Attention" });
    const { artifact: _, ...turned } = environmentPayload;
    const compliant = { ...turned, type: "environment.compliant" as const };
    expect(head(compliant)).toMatchObject({ text: "production snapshot 12: compliant", color: "Good" });
    expect(cardOf(compliant).body[1]?.inlines[0]?.text).toBe("Environment: compliant");
  });
});
