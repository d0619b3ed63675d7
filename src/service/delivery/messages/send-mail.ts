import type { createTransport, NodemailerError } from "nodemailer";
import { Deadline, unlessEnded } from "../../../net/deadline.ts";
import { oneLine } from "../../kernel/one-line.ts";
import { hidePassword } from "../../messages/hide-password.ts";
import { parseSmtpUrl, type SmtpServer } from "../../messages/smtp-url.ts";
import type { Mail } from "./mail.ts";
import { isMailAddress, type Mailbox, parseMailFrom } from "./mail-address.ts";

/**
 * How sending a mail ended. `retry`: the server could not be reached, or asks for later. `failed`: this recipient, or
 * this mail, is refused for good. `operator`: the login, the encryption or the sender is refused, so that no mail goes
 * before somebody mends it.
 */
type MailOutcome = { outcome: "delivered" } | { outcome: "retry" | "failed" | "operator"; reason: string };

interface Mailer {
  /** Whom mails are from. */
  readonly from: Mailbox;
  send(mail: Mail): Promise<MailOutcome>;
  /** Ends the connections to the server. A mail that is being sent is to be sent again. */
  close(): Promise<void>;
}

/** How many mails are on their way to the server at a time. Further ones wait for these to end. */
export const MAILS_AT_ONCE = 3;
/** How long a mail may take, however busy the server seems. */
export const LONGEST_MAIL_SECONDS = 30;
/** What an outcome says of an error at most. */
const MAX_REASON = 300;

interface MailerOptions {
  readonly smtpUrl: string;
  readonly from: string;
  readonly deadlineSeconds?: number;
}

/**
 * Hands mails to a server, over a few connections that are kept open. The first mail opens the first one.
 *
 * @param options what `--smtp-url` and `--mail-from` say
 * @throws {TypeError} when one of them cannot be used
 */
export function mailer({ smtpUrl, from, deadlineSeconds = LONGEST_MAIL_SECONDS }: MailerOptions): Mailer {
  const server = parseSmtpUrl(smtpUrl);
  let opened: Promise<ReturnType<typeof openPool>> | undefined;
  return {
    from: parseMailFrom(from),
    async send(mail) {
      const wrong = [mail.envelope.from, mail.envelope.to].find((address) => !isMailAddress(address));
      if (wrong !== undefined) {
        return { outcome: "failed", reason: `${oneLine(wrong, 100)} is no e-mail address` };
      }
      // Loaded here, as most services send no mail.
      opened ??= import("nodemailer").then((nodemailer) => openPool(server, nodemailer.createTransport));
      const used = opened;
      const pool = await used;
      using deadline = new Deadline(deadlineSeconds);
      try {
        await unlessEnded(pool.sendMail(mail), deadline.signal);
        return { outcome: "delivered" };
      } catch (error) {
        if (deadline.signal.aborted) {
          // All connections lead to this server: the next mail opens new ones.
          if (opened === used) opened = undefined;
          pool.close({ force: true });
          return { outcome: "retry", reason: `The mail server took longer than ${deadlineSeconds} s` };
        }
        return { outcome: outcomeOf(error), reason: reasonOf(error, server) };
      }
    },
    async close() {
      const pool = await opened;
      pool?.close({ force: true });
    },
  };
}

function openPool(server: SmtpServer, create: typeof createTransport) {
  return create({
    ...server,
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    maxMessages: 100,
    // A mail whose connection broke is sent again when its turn comes, not at once.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    tls: { minVersion: "TLSv1.2" },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const OPERATOR_CODES = ["EAUTH", "ENOAUTH", "EOAUTH2", "ETLS", "EREQUIRETLS", "ECONFIG"];
/** What Node and OpenSSL call a certificate or a handshake that does not hold. */
const TLS_FAULT = /CERT|ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO|SELF_SIGNED/;
/** What is asked of the server for one recipient and one mail; all else it refuses for every mail. */
const OF_ONE_MAIL = ["RCPT TO", "DATA"];

function outcomeOf(error: unknown): "retry" | "failed" | "operator" {
  const { code = "", originalCode = "", command = "", responseCode = 0 } = faultOf(error);
  // 503 says that the conversation went wrong, which the next one may not.
  if ((responseCode >= 400 && responseCode < 500) || responseCode === 503) return "retry";
  if (OPERATOR_CODES.includes(code) || TLS_FAULT.test(originalCode)) return "operator";
  if (responseCode >= 500) {
    const wantsLogin = responseCode === 530 || responseCode === 535;
    return OF_ONE_MAIL.includes(command) && !wantsLogin ? "failed" : "operator";
  }
  // Without an answer of the server, the mail itself was at fault, or the connection.
  return code === "EENVELOPE" || code === "EMESSAGE" ? "failed" : "retry";
}

/** What an error says, without the login, also where a server repeats what it was sent. */
function reasonOf(error: unknown, { auth }: SmtpServer): string {
  const { message } = faultOf(error);
  return oneLine(auth === undefined ? message : hidePassword(message, auth), MAX_REASON);
}

function faultOf(error: unknown): NodemailerError {
  return error instanceof Error ? error : new Error(String(error));
}
