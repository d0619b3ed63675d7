import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotificationPayload } from "../../../../src/api/resources/notification-payload.ts";
import { slackMessage, slackVerdict } from "../../../../src/service/delivery/messages/slack.ts";
import { fullPayloads, hostilePayload, TRAP, UNSEEN } from "./hostile-payloads.ts";
import { environmentPayload, flowPayload, groupPayload, keyPayload } from "./payloads.ts";

/** A link in Slack's syntax that the service may create: to a web page, with a label that is not parsed. */
const LINK = /<https?:\/\/[^\s<>|]+\|[^<>|]+>/g;

function textsOf({ blocks }: ReturnType<typeof slackMessage>) {
  return blocks.flatMap((block) => ("text" in block ? [block.text] : [...block.fields]));
}

/** Checks every limit of Slack, and that no text of users is read as a mention or a link. */
function expectFit(payload: NotificationPayload) {
  const message = slackMessage(payload);
  const { blocks, text } = message;
  const texts = textsOf(message);
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) {
    if (block.type === "header") expect(block.text.text.length).toBeLessThanOrEqual(150);
    else if ("text" in block) expect(block.text.text.length).toBeLessThanOrEqual(3_000);
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
  for (const each of texts) {
    if (each.type === "plain_text") expect(each.emoji).toBe(false);
    else {
      expect(each.verbatim).toBe(true);
      expect(each.text.replace(LINK, "")).toMatch(/^( · )*$/);
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
    expect(slackMessage(payload)).toMatchSnapshot();
  });

  test("keeps Slack's limits, with no mentions and no links of users, whatever they wrote", () => {
    fc.assert(fc.property(hostilePayload, expectFit), { numRuns: 300 });
  });

  test.each(fullPayloads)("keeps Slack's limits when every text is long", expectFit);

  test("puts the result first as a word, or the event if it has no result", () => {
    const { trail, ...withoutTrail } = flowPayload;
    const { snapshot, ...withoutSnapshot } = environmentPayload;
    const first = (payload: NotificationPayload) => slackMessage(payload).blocks[0].text.text.split(":")[0];
    expect(first(flowPayload)).toBe("NON-COMPLIANT");
    expect(
      first({ ...flowPayload, trail: { name: "t", html_url: "", compliance_state: "INCOMPLETE" } }),
    ).toBe("INCOMPLETE");
    expect(first({ ...withoutTrail, type: "approval.approved" })).toBe("APPROVED");
    expect(first({ ...withoutSnapshot, type: "artifact.scaled" })).toBe("SCALED");
    expect(first({ ...withoutSnapshot, type: "environment.compliant" })).toBe("COMPLIANT");
  });

  test("links a run only if it is a web page, and names the host", () => {
    const links = (run_url: string) =>
      textsOf(slackMessage({ ...flowPayload, run_url })).find(({ type }) => type === "mrkdwn")?.text;
    expect(links(`https://${TRAP}/a|b`)).toContain(`<https://${TRAP}/a%7Cb|Run on ${TRAP}>`);
    expect(links("javascript:alert(1)")).not.toContain("Run");
    expect(links(`https://github.com@${TRAP}/`)).not.toContain("Run");
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
