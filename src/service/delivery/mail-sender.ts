import { mailOf } from "../messages/mail.ts";
import type { mailer } from "../messages/send-mail.ts";
import type { Send } from "./sent.ts";
import { payloadOf } from "./web-senders.ts";

/** How an attempt by mail ended, by what became of the mail. */
const OUTCOMES = {
  delivered: "delivered",
  retry: "mail_later",
  failed: "mail_refused",
  operator: "mail_server",
} as const;

/** Sends each recipient a mail of its own. */
export function mailSender(mails: ReturnType<typeof mailer>): Send {
  const { from } = mails;
  const host = from.address.slice(from.address.lastIndexOf("@") + 1);
  return async ({ id, event, target }) => {
    const mail = mailOf(payloadOf({ event }), { deliveryId: id, host, from, to: target.address });
    const result = await mails.send(mail);
    return {
      delivered: result.outcome === "delivered",
      outcome: OUTCOMES[result.outcome],
      status: null,
      requestHeaders: { ...mail.headers, "Message-ID": mail.messageId },
      answer: "reason" in result ? result.reason : null,
      final: result.outcome === "failed",
    };
  };
}
