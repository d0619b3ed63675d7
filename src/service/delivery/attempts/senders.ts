import type { SecretBox } from "../../operation/context.ts";
import type { TargetKind } from "../../store/notification-tables.ts";
import { mailer } from "../messages/send-mail.ts";
import type { TargetOptions } from "../outgoing/target-address.ts";
import type { Send, Senders } from "./attempt.ts";

export interface MailOptions {
  /** `smtps://user:password@mail.example.com`. It is a secret. */
  readonly url: string;
  /** The sender: `evidence@example.com`, or `Evidence <evidence@example.com>`. */
  readonly from: string;
}

interface SenderParts {
  readonly outgoing: TargetOptions;
  readonly mail: MailOptions | undefined;
  /** Maximum emails per hour to the recipients of one organization; 0 means no limit. */
  readonly mailRate: number;
  readonly unsubscribeAt?: (targetId: string) => string | undefined;
  readonly secrets: SecretBox;
  /** Returns the time in Unix seconds, to check whether a former secret still signs. */
  readonly now: () => number;
}

interface OpenSenders {
  /** Without a mail server there is no sender for email. */
  readonly senders: Senders & Required<Omit<Senders, "email">>;
  close(): Promise<void>;
}

/**
 * The senders are loaded with the first delivery, because most services have none.
 * @throws {TypeError} for invalid mail settings; the message has no password
 */
export function openSenders({
  outgoing,
  mail,
  mailRate,
  unsubscribeAt = () => undefined,
  secrets,
  now,
}: SenderParts): OpenSenders {
  const openWeb = async () => (await import("./web-senders.ts")).openWebSenders({ outgoing, secrets, now });
  let opened: ReturnType<typeof openWeb> | undefined;
  const byWeb =
    (kind: Exclude<TargetKind, "email">): Send =>
    async (delivery) => {
      opened ??= openWeb();
      return (await opened)[kind](delivery);
    };
  const mails = mail && mailer({ smtpUrl: mail.url, from: mail.from });
  let openedMail: Promise<Send> | undefined;
  return {
    senders: {
      ...{ webhook: byWeb("webhook"), slack: byWeb("slack"), teams: byWeb("teams"), github: byWeb("github") },
      ...(mails && {
        async email(delivery) {
          openedMail ??= import("./mail-sender.ts").then(({ mailSender }) =>
            mailSender({ mails, mailRate, unsubscribeAt, now }),
          );
          return (await openedMail)(delivery);
        },
      }),
    },
    async close() {
      await mails?.close();
      await (await opened)?.close();
    },
  };
}
