import { createHash } from "node:crypto";
import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import { mailHtml, mailText } from "../../messages/mail-body.ts";
import { isHostName, type Mailbox } from "./mail-address.ts";
import { noticeOf, titleOf } from "./notice.ts";

/** A mail to one recipient, in the words of nodemailer. */
export interface Mail {
  envelope: { from: string; to: string };
  from: Mailbox;
  to: Mailbox;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  inReplyTo: string;
  references: string;
  headers: Record<string, string>;
}

interface MailOptions {
  /** Kept when the mail is sent again, so that a mailbox can tell that it has it already. */
  deliveryId: string;
  /** The name of the host that the service is reached at. */
  host: string;
  from: Mailbox;
  to: string;
  /** Where the recipient unsubscribes by https, if that is possible. */
  unsubscribe?: string | undefined;
}

/** The mail that tells one recipient of an event. Mails about one environment, one trail or one API key are one thread. */
export function mailOf(
  payload: NotificationPayload,
  { deliveryId, host, from, to, unsubscribe }: MailOptions,
): Mail {
  const notice = noticeOf(payload);
  // An address of numbers has characters that an identifier of a mail cannot have.
  const domain = isHostName(host) ? host : "evidence.invalid";
  const byMail = `<mailto:${encodeURIComponent(from.address).replace("%40", "@")}?subject=unsubscribe>`;
  const thread = `<${threadOf(payload)}@${domain}>`;
  return {
    envelope: { from: from.address, to },
    from,
    to: { address: to },
    // What looks like an encoded word would be decoded, to whatever a user put into it.
    subject: titleOf(notice).replaceAll("=?", "= ?"),
    text: mailText(notice),
    html: mailHtml(notice),
    messageId: `<${deliveryId}@${domain}>`,
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

/** Hashed, as names may hold what a header cannot. */
function threadOf(payload: NotificationPayload): string {
  const [kind, ...names] = subjectOf(payload);
  const hash = createHash("sha256").update(JSON.stringify([payload.org, ...names]));
  return `${kind}-${hash.digest("hex").slice(0, 32)}`;
}

/** What it is about: its kind, and what tells it from others of the kind. */
function subjectOf(payload: NotificationPayload): readonly [string, ...string[]] {
  if ("flow" in payload) return ["trail", payload.flow.name, payload.trail?.name ?? ""];
  if ("environment" in payload) return ["environment", payload.environment];
  return ["api-key", payload.api_key.id];
}
