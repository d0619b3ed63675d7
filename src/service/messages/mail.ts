import { createHash } from "node:crypto";
import type { NotificationPayload } from "../../api/notification-payload.ts";
import { isHostName, isMailAddress } from "./mail-address.ts";
import { mailHtml, mailText } from "./mail-body.ts";
import { noticeOf } from "./notice.ts";

/** An e-mail to one recipient, as nodemailer takes it. */
export interface Mail {
  readonly envelope: { readonly from: string; readonly to: string };
  readonly from: { readonly name: string; readonly address: string };
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly inReplyTo: string;
  readonly references: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface MailOptions {
  /** Does not change from one attempt to the next: a recipient knows a repeat by it. */
  readonly deliveryId: string;
  /** The host name of the service. */
  readonly host: string;
  readonly from: string;
  readonly to: string;
  /** Where a recipient ends the mails by one click, if there is such a place. */
  readonly unsubscribeUrl?: string | undefined;
}

/**
 * The e-mail that tells one recipient of an event. Mails about one environment, or one trail, are one thread.
 *
 * @throws {TypeError} an address, the host or the id is none
 */
export function mailOf(payload: NotificationPayload, options: MailOptions): Mail {
  const { deliveryId, host, from, to } = options;
  for (const address of [from, to]) {
    if (!isMailAddress(address)) throw new TypeError(`Not an e-mail address: ${JSON.stringify(address)}`);
  }
  if (!isHostName(host)) throw new TypeError(`Not the name of a host: ${JSON.stringify(host)}`);
  if (!/^[\w-]{1,100}$/.test(deliveryId)) throw new TypeError("The id of the delivery has other characters");
  const notice = noticeOf(payload);
  const thread = `<${threadOf(payload)}@${host}>`;
  return {
    envelope: { from, to },
    from: { name: "", address: from },
    to: { name: "", address: to },
    subject: `${notice.verdict}: ${notice.subject}`,
    text: mailText(notice),
    html: mailHtml(notice),
    messageId: `<${deliveryId}@${host}>`,
    inReplyTo: thread,
    references: thread,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "List-Id": `<notifications.${host}>`,
      ...unsubscribeHeaders(options),
    },
  };
}

/** What the mails of a thread refer to. Names are hashed: they may hold whatever a header must not. */
function threadOf(payload: NotificationPayload): string {
  const isOfEnvironment = "environment" in payload;
  const about = isOfEnvironment
    ? [payload.org, payload.environment]
    : [payload.org, payload.flow.name, payload.trail?.name ?? ""];
  const hash = createHash("sha256").update(JSON.stringify(about)).digest("hex");
  return `${isOfEnvironment ? "environment" : "trail"}-${hash.slice(0, 32)}`;
}

function unsubscribeHeaders({ from, unsubscribeUrl }: MailOptions): Record<string, string> {
  const url = unsubscribeUrl === undefined ? null : URL.parse(unsubscribeUrl);
  if (url?.protocol !== "https:")
    return { "List-Unsubscribe": `<mailto:${encodeURIComponent(from)}?subject=unsubscribe>` };
  return {
    "List-Unsubscribe": `<${url.href}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
