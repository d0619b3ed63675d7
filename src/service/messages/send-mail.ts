import type { createTransport } from "nodemailer";
import type { Mail } from "./mail.ts";
import { isMailAddress } from "./mail-address.ts";
import { oneLine } from "./one-line.ts";
import { parseSmtpUrl, type SmtpServer } from "./smtp-server-address.ts";

/**
 * What became of a mail: `retry` it later; it `failed` for this recipient for good; or it is for the `operator` to mend
 * the login, the encryption or the sender's address, and no other mail will fare better before.
 */
type MailOutcome =
  | { readonly outcome: "delivered" }
  | { readonly outcome: "retry" | "failed" | "operator"; readonly reason: string };

interface Mailer {
  send(mail: Mail): Promise<MailOutcome>;
  /** Ends the connections that wait for the next mail. */
  close(): void;
}

interface MailerOptions {
  readonly smtpUrl: string;
  readonly from: string;
}

/**
 * Hands mails to the operator's server. Nothing is loaded or connected before the first one.
 *
 * @throws {TypeError} `smtpUrl` or `from` cannot be used; the message has no password
 */
export function mailer({ smtpUrl, from }: MailerOptions): Mailer {
  const server = parseSmtpUrl(smtpUrl);
  if (!isMailAddress(from)) {
    throw new TypeError("--mail-from is no e-mail address. Write one without a name: evidence@example.com.");
  }
  let transport: Promise<ReturnType<typeof transportTo>> | undefined;
  return {
    async send(mail) {
      transport ??= import("nodemailer").then((nodemailer) =>
        transportTo(server, nodemailer.createTransport),
      );
      const opened = await transport;
      try {
        await opened.sendMail({ ...mail, envelope: { ...mail.envelope, from } });
        return { outcome: "delivered" };
      } catch (error) {
        return { outcome: outcomeOf(error), reason: reasonOf(error, server) };
      }
    },
    close() {
      void transport?.then((opened) => opened.close());
    },
  };
}

function transportTo(server: SmtpServer, create: typeof createTransport) {
  return create({
    ...server,
    pool: true,
    maxConnections: 3,
    maxMessages: 100,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { minVersion: "TLSv1.2" },
  });
}

const OPERATORS = ["EAUTH", "ENOAUTH", "EOAUTH2", "ETLS", "EREQUIRETLS", "ECONFIG"];
// Node's names for a certificate that does not hold.
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|altnames|certificate/;

function outcomeOf(error: unknown): "retry" | "failed" | "operator" {
  const { code, command, message, status } = errorOf(error);
  if (status >= 400 && status < 500) return "retry";
  if (OPERATORS.includes(code) || CERTIFICATE.test(`${code} ${message}`)) return "operator";
  if (status < 500) return code === "EENVELOPE" || code === "EMESSAGE" ? "failed" : "retry";
  // A sender that is refused, or one who must log in first (530), is refused for every recipient.
  if (command === "MAIL FROM" || status === 530 || status === 535) return "operator";
  return ["RCPT TO", "DATA"].includes(command) ? "failed" : "retry";
}

/** What an error says, in one line without the password, also where the server repeats what it was sent. */
function reasonOf(error: unknown, { auth }: SmtpServer): string {
  const { message } = errorOf(error);
  const secrets = auth === undefined ? [] : formsOf(auth);
  return oneLine(
    secrets.reduce((text, secret) => text.replaceAll(secret, "***"), message),
    500,
  );
}

function formsOf({ user, pass }: NonNullable<SmtpServer["auth"]>): string[] {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [base64(`\0${user}\0${pass}`), base64(pass), encodeURIComponent(pass), pass];
}

function errorOf(error: unknown) {
  const field = (name: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  return {
    code: String(field("code") ?? ""),
    command: String(field("command") ?? ""),
    message: String(field("message") ?? error),
    status: Number(field("responseCode") ?? 0),
  };
}
