import type { MailQuota } from "../mail-quota.ts";
import { mailOf } from "../messages/mail.ts";
import type { mailer } from "../messages/send-mail.ts";
import type { Send, Sent } from "../sent.ts";
import { payloadOf } from "./web-senders.ts";

/** How an attempt by mail ended, by what became of the mail. */
const OUTCOMES = {
  delivered: "delivered",
  retry: "mail_later",
  failed: "mail_refused",
  operator: "mail_server",
} as const;

interface MailSenderParts {
  readonly mails: ReturnType<typeof mailer>;
  readonly quota: MailQuota;
  /** Where the recipient that a target is unsubscribes. */
  readonly unsubscribeAt: (targetId: string) => string | undefined;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Sends each recipient a mail of its own. */
export function mailSender({ mails, quota, unsubscribeAt, now }: MailSenderParts): Send {
  const { from } = mails;
  const host = from.address.slice(from.address.lastIndexOf("@") + 1);
  return async ({ id, event, target }) => {
    const wait = quota.take(target.org_id, now());
    if (wait !== undefined) return heldBack(quota.limit, wait);
    const mail = mailOf(payloadOf({ event }), {
      deliveryId: id,
      host,
      from,
      to: target.address,
      unsubscribe: unsubscribeAt(target.id),
    });
    const result = await mails.send(mail);
    // Anyone who has the link can unsubscribe the recipient.
    const { "List-Unsubscribe": _, ...shown } = mail.headers;
    return {
      delivered: result.outcome === "delivered",
      outcome: OUTCOMES[result.outcome],
      status: null,
      requestHeaders: { ...shown, "Message-ID": mail.messageId },
      answer: "reason" in result ? result.reason : null,
      final: result.outcome === "failed",
    };
  };
}

function heldBack(limit: number, retryAfterSeconds: number): Sent {
  return {
    delivered: false,
    isHeldBack: true,
    outcome: "mail_limit",
    status: null,
    requestHeaders: {},
    answer: `Not sent: this organization has reached its limit of ${limit} mails an hour. The mail is tried again later. The operator sets the limit by --mail-rate`,
    retryAfterSeconds,
  };
}
