import { createHash } from "node:crypto";
import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { html } from "../../kernel/html.ts";
import { oneLine } from "../../kernel/one-line.ts";
import { isHostName, type Mailbox } from "./mail-address.ts";
import { COLORS, listed, type Notice, noticeOf } from "./notice.ts";

const MOST_SUBJECT = 150;

/** An email to one recipient, in nodemailer's format. */
export type Mail = ReturnType<typeof mailOf>;

interface MailOptions {
  /** Equal for all attempts, so that a mailbox can drop duplicates. */
  deliveryId: string;
  host: string;
  from: Mailbox;
  to: string;
  unsubscribe?: string | undefined;
}

/** Builds an email. Emails about the same environment, trail or API key form a thread. */
export function mailOf(
  payloads: readonly [NotificationPayload, ...NotificationPayload[]],
  { deliveryId, host, from, to, unsubscribe }: MailOptions,
) {
  const notice = noticeOf(payloads);
  // An IP address has characters that a message id cannot have.
  const domain = isHostName(host) ? host : "evidence.invalid";
  const byMail = `<mailto:${encodeURIComponent(from.address).replace("%40", "@")}?subject=unsubscribe>`;
  const thread = `<${threadOf(payloads[0])}@${domain}>`;
  return {
    envelope: { from: from.address, to },
    from,
    to: { address: to },
    // Email clients would decode an encoded word that a user wrote.
    subject: oneLine(notice.title.replaceAll("=?", "= ?"), MOST_SUBJECT),
    text: mailText(notice),
    html: mailHtml(notice),
    // A mailbox may drop an email with a known id, so one with further events has another id.
    messageId: `<${deliveryId}${payloads.length > 1 ? `.${payloads.length}` : ""}@${domain}>`,
    inReplyTo: thread,
    references: thread,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "List-Id": `<notifications.${domain}>`,
      "List-Unsubscribe": unsubscribe === undefined ? byMail : `<${unsubscribe}>, ${byMail}`,
      ...(unsubscribe === undefined ? {} : { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
    },
  };
}

/** Hashed, because names may have characters that a header cannot. */
function threadOf(payload: NotificationPayload): string {
  const [kind, ...names] = subjectOf(payload);
  const hash = createHash("sha256").update(JSON.stringify([payload.org, ...names]));
  return `${kind}-${hash.digest("hex").slice(0, 32)}`;
}

function subjectOf(payload: NotificationPayload): readonly [string, ...string[]] {
  if ("flow" in payload) return ["trail", payload.flow.name, payload.trail?.name ?? ""];
  if ("environment" in payload) return ["environment", payload.environment];
  if (payload.type === "scim_token.expiring") return ["scim-token", payload.scim_token.id];
  if (payload.type === "admission_webhook.expiring")
    return ["admission-webhook", payload.admission_webhook.id];
  return ["api-key", payload.api_key.id];
}

function mailText(notice: Notice): string {
  return [
    [notice.title],
    [...(notice.status === undefined ? [] : [notice.status]), ...notice.lines],
    listed(notice.reasons),
    notice.facts.map(({ label, value }) => `${label}: ${value}`),
    notice.link === undefined ? [] : [`${notice.link.label}: ${notice.link.url}`],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

/** HTML at most 600 pixels wide, with inline styles and without external resources. */
function mailHtml(notice: Notice): string {
  const { tone, title, status, lines, reasons, facts, link } = notice;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
</head>
<body style="margin:0;padding:16px;font:14px/1.5 sans-serif;color-scheme:light dark">
<div style="max-width:600px;margin:0 auto;overflow-wrap:anywhere">
<h1 style="margin:0 0 8px;font-size:18px">${title}</h1>
${
  status &&
  html`<p style="margin:0 0 8px;color:${COLORS[tone]}">${status}</p>
`
}${lines.map(
  (each) => html`<p style="margin:0 0 4px">${each}</p>
`,
)}${list(reasons)}<table role="presentation" style="border-collapse:collapse">
${facts.map(
  ({ label, value }) => html`<tr>
<td style="padding:0 12px 0 0;vertical-align:top;font-weight:bold">${label}</td>
<td style="padding:0">${value}</td>
</tr>
`,
)}</table>
${
  link &&
  html`<p style="margin:8px 0 0"><a href="${link.url}">${link.label}</a></p>
`
}</div>
</body>
</html>
`.toString();
}

function list(lines: readonly string[]) {
  if (lines.length === 0) return "";
  return html`<ul style="margin:0 0 12px;padding-left:20px">
${lines.map(
  (each) => html`<li>${each}</li>
`,
)}</ul>
`;
}
