import { mailOf } from "../messages/mail.ts";
import type { mailer } from "../messages/send-mail.ts";
import type { Send, Sent } from "./attempt.ts";
import { payloadsOf } from "./web-senders.ts";

const OUTCOMES = {
  delivered: "delivered",
  retry: "mail_later",
  failed: "mail_refused",
  operator: "mail_server",
} as const;

interface MailSenderParts {
  readonly mails: ReturnType<typeof mailer>;
  /** Maximum emails per hour to the recipients of one organization; 0 means no limit. */
  readonly mailRate: number;
  readonly unsubscribeAt: (targetId: string) => string | undefined;
  /** Unix seconds. */
  readonly now: () => number;
}

export function mailSender({ mails, mailRate, unsubscribeAt, now }: MailSenderParts): Send {
  const { from } = mails;
  const quota = mailQuota(mailRate);
  const host = from.address.slice(from.address.lastIndexOf("@") + 1);
  return async ({ id, event, merged, target }) => {
    const wait = quota(target.org_id, now());
    if (wait !== undefined) return heldBack(mailRate, wait);
    const mail = mailOf(payloadsOf({ event, merged }), {
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
    answer: `Not sent: this organization has reached its limit of ${limit} emails per hour. The email is retried later. The operator sets the limit with --mail-rate`,
    retryAfterSeconds,
  };
}

const HOUR = 60 * 60;

/** Counts the emails of this hour by organization. A limit of 0 means no limit. */
function mailQuota(limit: number) {
  const sentBy = new Map<string, number>();
  let currentHour = 0;
  /** Counts one email. `now` is in Unix seconds. @returns the seconds to wait if the limit is reached */
  return (orgId: string, now: number): number | undefined => {
    if (limit === 0) return undefined;
    const hour = Math.floor(now / HOUR);
    if (hour !== currentHour) sentBy.clear();
    currentHour = hour;
    const sent = sentBy.get(orgId) ?? 0;
    if (sent >= limit) return (hour + 1) * HOUR - now;
    sentBy.set(orgId, sent + 1);
    return undefined;
  };
}
