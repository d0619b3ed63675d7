import type { SecretBox } from "../../operation/context.ts";
import { mailer } from "../messages/send-mail.ts";
import type { TargetOptions } from "../outgoing/target-address.ts";
import type { Senders } from "./attempt.ts";

export interface MailOptions {
  /** `smtps://user:password@mail.example.com`. It is a secret. */
  readonly url: string;
  /** The sender: `evidence@example.com`, or `Evidence <evidence@example.com>`. */
  readonly from: string;
}

interface SenderParts {
  readonly outgoing: TargetOptions;
  readonly mail: MailOptions | undefined;
  /** Mails an hour to the recipients of one organization; 0 is no limit. */
  readonly mailRate: number;
  readonly unsubscribeAt?: (targetId: string) => string | undefined;
  readonly secrets: SecretBox;
  /** The time, in Unix seconds: until when a former secret signs. */
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
  const web = once(async () => (await import("./web-senders.ts")).openWebSenders({ outgoing, secrets, now }));
  const mails = mail && mailer({ smtpUrl: mail.url, from: mail.from });
  const email =
    mails &&
    once(async () => (await import("./mail-sender.ts")).mailSender({ mails, mailRate, unsubscribeAt, now }));
  return {
    senders: {
      webhook: async (delivery) => (await web.use()).webhook(delivery),
      slack: async (delivery) => (await web.use()).slack(delivery),
      teams: async (delivery) => (await web.use()).teams(delivery),
      github: async (delivery) => (await web.use()).github(delivery),
      ...(email && { email: async (delivery) => (await email.use())(delivery) }),
    },
    async close() {
      await mails?.close();
      await (await web.used())?.close();
    },
  };
}

function once<T>(make: () => Promise<T>): { use(): Promise<T>; used(): Promise<T | undefined> } {
  let made: Promise<T> | undefined;
  return {
    use() {
      made ??= make();
      return made;
    },
    used: async () => await made,
  };
}
