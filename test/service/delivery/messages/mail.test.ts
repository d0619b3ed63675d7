import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotificationPayload } from "../../../../src/api/resources/notification-payload.ts";
import { mailOf } from "../../../../src/service/delivery/messages/mail.ts";
import { fullPayloads, hostilePayload, UNSEEN } from "./hostile-payloads.ts";
import { environmentPayload, flowPayload, groupPayload, keyPayload } from "./payloads.ts";

const options = {
  deliveryId: "01998f3e-7b1c-7000-8000-1a2b3c4d5e6f",
  host: "evidence.example.com",
  from: { name: "Evidence", address: "evidence@example.com" },
  to: "team@example.com",
};

/** Every tag that a mail may have: no attributes from users except the address of a link. */
const OWN_TAGS =
  /<(!doctype html|html lang="en"|meta( [a-z-]+="[\w ,=-]+")+|\/?(head|title|body|div|h1|p|table|tr|td|ul|li|span|html|a)( role="presentation")?( style="[\w\s#:;,.%/()-]+")?|a href="https?:\/\/[^"<>\s]+")>/g;

function expectFit(payload: NotificationPayload) {
  const { subject, text, html, ...rest } = mailOf([payload], options);
  expect(subject.length).toBeLessThanOrEqual(150);
  for (const line of [subject, ...text.split("\n"), ...html.split("\n")]) {
    expect(line).not.toMatch(UNSEEN);
    expect(line.isWellFormed()).toBe(true);
  }
  expect(html.replace(OWN_TAGS, "")).not.toMatch(/[<>]/);
  expect(Buffer.byteLength(text + html)).toBeLessThan(100_000);
  // Only the subject header has text of users.
  expect({ ...rest, inReplyTo: "", references: "" }).toEqual({
    envelope: { from: "evidence@example.com", to: "team@example.com" },
    from: options.from,
    to: { address: "team@example.com" },
    messageId: "<01998f3e-7b1c-7000-8000-1a2b3c4d5e6f@evidence.example.com>",
    inReplyTo: "",
    references: "",
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "List-Id": "<notifications.evidence.example.com>",
      "List-Unsubscribe": "<mailto:evidence@example.com?subject=unsubscribe>",
    },
  });
  expect(rest.references).toMatch(
    /^<(environment|trail|api-key|scim-token|admission-webhook)-[0-9a-f]{32}@evidence\.example\.com>$/,
  );
}

describe("a mail", () => {
  test.each([
    ["a flow", flowPayload],
    ["an environment", environmentPayload],
    ["many artifacts at once", groupPayload],
    ["a key that is about to expire", keyPayload],
  ])("about %s matches its snapshot", (_, payload) => {
    const { text, html, ...rest } = mailOf([payload], options);
    expect(rest).toMatchSnapshot();
    expect(text).toMatchSnapshot();
    expect(html).toMatchSnapshot();
  });

  test("has no tag, link or header from a user, whatever users wrote", () => {
    fc.assert(fc.property(hostilePayload, expectFit), { numRuns: 300 });
  });

  test.each(fullPayloads)("stays small when every text is long", expectFit);

  test("shares a thread with the others about its environment or its trail", () => {
    const thread = (payload: NotificationPayload) => mailOf([payload], options).references;
    expect(thread({ ...environmentPayload, type: "environment.compliant", reasons: [] })).toBe(
      thread(environmentPayload),
    );
    expect(thread({ ...environmentPayload, environment: "staging" })).not.toBe(thread(environmentPayload));
    expect(thread({ ...environmentPayload, org: "other" })).not.toBe(thread(environmentPayload));
    expect(thread(flowPayload)).not.toBe(thread(environmentPayload));
    expect(thread({ ...flowPayload, type: "approval.approved" })).toBe(thread(flowPayload));
  });

  test("has an identifier that mail servers accept, also for a service address without a name", () => {
    expect(mailOf([flowPayload], { ...options, host: "[::1]" }).messageId).toBe(
      `<${options.deliveryId}@evidence.invalid>`,
    );
  });

  test("is unsubscribed from at its own address, with every character encoded", () => {
    const from = { address: "a&b?c%d+e@example.com" };
    expect(mailOf([flowPayload], { ...options, from }).headers["List-Unsubscribe"]).toBe(
      "<mailto:a%26b%3Fc%25d%2Be@example.com?subject=unsubscribe>",
    );
  });
});
