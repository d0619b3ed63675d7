import fc from "fast-check";
import type { NotificationPayload } from "../../../../src/api/resources/notification-payload.ts";
import { codePoint } from "../../../code-point.ts";

/** Part of every hostile link, so that a link made by a user is recognized anywhere. */
export const TRAP = "trap.example";

/** Characters that no message may show: line ends, cursor moves, and changes of text direction. */
export const UNSEEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const RTL = "\u202e\u2066\u200f";

const pieces = fc.constantFrom(
  "<!channel>",
  "<!here>",
  "<@U012AB3CD>",
  "<!subteam^S1>",
  "<#C012AB3CD>",
  `<https://${TRAP}|click>`,
  `[click](https://${TRAP})`,
  `![x](https://${TRAP}/x.png)`,
  `<a href="https://${TRAP}">x</a>`,
  `<img src=https://${TRAP}>`,
  "<script>alert(1)</script>",
  "</style><style>*{display:none}",
  '"><b onclick="x">',
  "<at>everyone</at>",
  `\r\nBcc: victim@${TRAP}\r\n`,
  "\nSubject: other",
  "\r\n\r\n<html>",
  "\r\n.\r\nMAIL FROM:<x@y.example>\r\n",
  "=?utf-8?q?=0D=0ABcc:_a=40b.example?=",
  "```",
  "`code`",
  "*bold* _it_ ~no~ \\",
  ":fire:",
  "{{DATE(2026-11-22T00:00:00Z)}}",
  "${x} @{body()}",
  "&amp; &lt;",
  RTL,
  "\ud83d",
  "\udc4d",
  "👩‍👩‍👧",
  "\u0000\u0007\u001b[31m",
  "\u2028\u2029\u0085",
  "｡中文字符",
  "é".repeat(40),
  "&".repeat(300),
  '"'.repeat(300),
  "\\".repeat(300),
  "\uffff".repeat(300),
  "<!channel>".repeat(10_000),
  "a".repeat(100_000),
  "\ud800".repeat(1_000),
);

/** Text that a user may have written anywhere. */
const hostileText = fc
  .array(fc.oneof(pieces, fc.string({ unit: codePoint, maxLength: 40 })), { maxLength: 5 })
  .map((parts) => parts.join(""));

/** A user's possible address of a run or a commit. */
const hostileUrl = fc.oneof(
  fc.constantFrom(
    "javascript:alert(1)",
    "data:text/html,<script>",
    `https://user:pass@${TRAP}/`,
    "https://github.com/a|b>c",
    `https://github.com/"><b>`,
    `https://github.com/${"&".repeat(700)}`,
    `https://github.com/${"a".repeat(100_000)}`,
    "https://github.com/\r\nBcc:x",
    "https://[::1]/x",
    "",
  ),
  hostileText,
  hostileText.map((text) => `https://github.com/${text}`),
);

const page = fc.oneof(
  hostileText.map((text) => `https://evidence.example.com/${encodeURIComponent(text.toWellFormed())}`),
  fc.constant("https://evidence.example.com/acme"),
);

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const event = {
  version: fc.constant("1.0"),
  event_type: hostileText,
  timestamp: fc.oneof(fc.constant("1795391488"), hostileText),
  sequence: fc.nat(),
  org: hostileText,
  description: hostileText,
  reasons: fc.array(hostileText, { maxLength: 8 }),
  commit: maybe(
    fc.record({
      sha: hostileText,
      author: fc.option(hostileText),
      message: fc.option(hostileText),
      html_url: fc.option(hostileUrl),
    }),
  ),
  run_url: maybe(hostileUrl),
};

const flow = fc.record({
  ...event,
  type: fc.constantFrom("trail.started", "attestation.recorded", "approval.approved"),
  flow: fc.record({ name: hostileText, html_url: page }),
  trail: maybe(
    fc.record({
      name: hostileText,
      compliance_state: fc.constantFrom("COMPLIANT", "NON-COMPLIANT", "INCOMPLETE"),
      html_url: page,
    }),
  ),
  artifact: maybe(fc.record({ name: hostileText, fingerprint: hostileText, html_url: page })),
  attestation: maybe(
    fc.record({
      attestation_id: hostileText,
      name: hostileText,
      type: hostileText,
      is_compliant: fc.boolean(),
      html_url: page,
    }),
  ),
  approval: maybe(fc.record({ number: fc.nat(), state: fc.constantFrom("PENDING", "APPROVED") })),
});

const running = fc.record({
  name: hostileText,
  fingerprint: hostileText,
  provenance: maybe(
    fc.record({
      flow: hostileText,
      status: fc.constantFrom("compliant", "non-compliant"),
      commit: fc.option(hostileText),
      commit_url: fc.option(hostileUrl),
      html_url: page,
      api_url: page,
      build_url: fc.option(hostileUrl),
    }),
  ),
});

const environment = fc.record({
  ...event,
  type: fc.constantFrom("artifact.started", "environment.non_compliant", "environment.compliant"),
  environment: hostileText,
  html_url: page,
  snapshot: maybe(
    fc.record({
      index: hostileText,
      status: fc.constantFrom("compliant", "non-compliant", "unknown"),
      html_url: page,
      api_url: page,
    }),
  ),
  artifact: maybe(running),
  artifacts: maybe(fc.record({ count: fc.nat(), first: fc.array(running, { maxLength: 25 }) })),
});

const organization = fc.record({
  ...event,
  type: fc.constant("api_key.expiring"),
  api_key: fc.record({
    id: hostileText,
    description: hostileText,
    service_account: hostileText,
    expires_at: fc.double({ noNaN: false }),
    days_left: fc.nat(),
    html_url: page,
  }),
});

const scimToken = fc.record({
  ...event,
  type: fc.constant("scim_token.expiring"),
  scim_token: fc.record({
    id: hostileText,
    description: hostileText,
    provider: hostileText,
    expires_at: fc.double({ noNaN: false }),
    days_left: fc.nat(),
    html_url: page,
  }),
});

const admissionWebhook = fc.record({
  ...event,
  type: fc.constant("admission_webhook.expiring"),
  admission_webhook: fc.record({
    id: hostileText,
    name: hostileText,
    environment: hostileText,
    expires_at: fc.double({ noNaN: false }),
    days_left: fc.nat(),
    html_url: page,
  }),
});

/** Payloads with hostile text in every field that users can write. */
export const hostilePayload = fc.oneof(flow, environment, organization, scimToken, admissionWebhook).map(
  (value): NotificationPayload =>
    // Absent fields are omitted.
    JSON.parse(JSON.stringify(value)),
);

/** Every text at its maximum length, in characters that take the most room in every format. */
export const fullPayloads: readonly NotificationPayload[] = ["\uffff", '"', "&", "<", "\\", "*", "é"].map(
  (each) => filledWith(each.repeat(5_000)),
);

function filledWith(text: string): NotificationPayload {
  const url = `https://evidence.example.com/${"a".repeat(730)}`;
  const artifact = {
    name: text,
    fingerprint: text,
    provenance: {
      flow: text,
      status: "non-compliant" as const,
      commit: text,
      commit_url: url,
      html_url: url,
      api_url: url,
      build_url: url,
    },
  };
  return {
    version: "1.0",
    type: "artifact.started",
    event_type: text,
    timestamp: "1795391488",
    sequence: 1,
    org: text,
    description: text,
    reasons: Array.from({ length: 8 }, () => text),
    commit: { sha: text, author: text, message: text, html_url: url },
    run_url: url,
    environment: text,
    html_url: url,
    snapshot: { index: text, status: "non-compliant", html_url: url, api_url: url },
    artifact,
    artifacts: { count: 5_000, first: Array.from({ length: 25 }, () => artifact) },
  };
}
