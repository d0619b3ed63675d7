import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotificationPayload } from "../../../../src/api/resources/notification-payload.ts";
import { slackMessage, slackVerdict } from "../../../../src/service/delivery/messages/slack.ts";
import { fullPayloads, hostilePayload, TRAP, UNSEEN } from "./hostile-payloads.ts";
import { environmentPayload, flowPayload, groupPayload, keyPayload } from "./payloads.ts";

/** A link in Slack's syntax that the service may create: to a web page, with a label that is not parsed. */
const LINK = /<https?:\/\/[^\s<>|]+\|[^<>|]+>/g;

function textsOf({ attachments: [{ blocks }] }: ReturnType<typeof slackMessage>) {
  return blocks.flatMap((block) => ("text" in block ? [block.text] : [...block.fields]));
}

/** Checks every limit of Slack, and that no text of users is read as a mention or a link. */
function expectFit(payload: NotificationPayload) {
  const message = slackMessage([payload]);
  const { attachments, text } = message;
  const [{ blocks }] = attachments;
  const texts = textsOf(message);
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) {
    if ("text" in block) expect(block.text.text.length).toBeLessThanOrEqual(3_000);
    else {
      expect(block.fields.length).toBeLessThanOrEqual(10);
      for (const field of block.fields) expect(field.text.length).toBeLessThanOrEqual(2_000);
    }
  }
  expect(text.length).toBeLessThanOrEqual(4_000);
  expect(texts.reduce((sum, each) => sum + each.text.length, text.length)).toBeLessThan(9_000);
  for (const each of [text, ...texts.map((each) => each.text)]) {
    expect(each.length).toBeGreaterThan(0);
    expect(each.isWellFormed()).toBe(true);
    expect(each.replaceAll("\n", "")).not.toMatch(UNSEEN);
  }
  expect(text).not.toMatch(/[<>]/);
  expect(text.replace(/&(amp|lt|gt);/g, "")).not.toContain("&");
  expect(texts.filter(({ type }) => type === "mrkdwn").length).toBeLessThanOrEqual(1);
  for (const each of texts) {
    if (each.type === "plain_text") expect(each.emoji).toBe(false);
    else {
      expect(each.verbatim).toBe(true);
      expect(each.text.replace(LINK, "")).toBe("");
    }
  }
}

describe("a message to Slack", () => {
  test.each([
    ["a flow", flowPayload],
    ["an environment", environmentPayload],
    ["many artifacts at once", groupPayload],
    ["a key that is about to expire", keyPayload],
  ])("about %s matches its snapshot", (_, payload) => {
    expect(slackMessage([payload])).toMatchSnapshot();
  });

  test("keeps Slack's limits, with no mentions and no links of users, whatever they wrote", () => {
    fc.assert(fc.property(hostilePayload, expectFit), { numRuns: 300 });
  });

  test.each(fullPayloads)("keeps Slack's limits when every text is long", expectFit);

  test("has the color of the result and exactly one link", () => {
    for (const [payload, color] of [
      [flowPayload, "#d13438"],
      [{ ...environmentPayload, type: "environment.compliant" as const }, "#2e8540"],
      [keyPayload, "#6e7781"],
    ] as const) {
      const message = slackMessage([payload]);
      expect(message.attachments[0].color).toBe(color);
      expect(JSON.stringify(message).match(/https:/g)).toHaveLength(1);
    }
  });

  test("does not link an address of the service that is not a web page", () => {
    const flow = { name: "shop", html_url: `https://github.com@${TRAP}/` };
    const { trail: _, attestation: _1, artifact: _2, ...payload } = flowPayload;
    expect(textsOf(slackMessage([{ ...payload, flow }])).map(({ type }) => type)).not.toContain("mrkdwn");
  });
});

describe("an answer of Slack", () => {
  test.each([
    [200, "ok", "delivered", "ok"],
    [400, "invalid_blocks", "failed", "invalid_blocks"],
    [403, "action_prohibited", "ended", "action_prohibited"],
    [404, "no_service\n", "ended", "no_service"],
    [410, "channel_is_archived", "ended", "channel_is_archived"],
    [429, "", "retry", "status_429"],
    [500, "rollup_error", "retry", "rollup_error"],
    [503, "<html>oh no</html>", "retry", "status_503"],
    [302, "", "retry", "status_302"],
    [413, "x".repeat(100), "failed", "status_413"],
  ])("%i %s", (status, body, outcome, word) => {
    expect(slackVerdict(status, body)).toEqual({ outcome, word });
  });
});
