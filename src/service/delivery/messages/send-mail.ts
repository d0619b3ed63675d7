import type { createTransport, NodemailerError } from "nodemailer";
import { Deadline, unlessEnded } from "../../../net/deadline.ts";
import { oneLine } from "../../kernel/one-line.ts";
import type { Mail } from "./mail.ts";
import { isMailAddress, type Mailbox, parseMailFrom } from "./mail-address.ts";

/** `retry`: unreachable or busy. `failed`: this mail or recipient is refused. `operator`: the settings are refused. */
type MailOutcome = { outcome: "delivered" } | { outcome: "retry" | "failed" | "operator"; reason: string };

interface Mailer {
  readonly from: Mailbox;
  send(mail: Mail): Promise<MailOutcome>;
  /** Closes the connections. An email that is being sent must be sent again. */
  close(): Promise<void>;
}

/** Maximum number of parallel emails. Further ones wait. */
export const MAILS_AT_ONCE = 3;
/** Deadline of an email. */
export const LONGEST_MAIL_SECONDS = 30;
const MAX_REASON = 300;

interface MailerOptions {
  readonly smtpUrl: string;
  readonly from: string;
  readonly deadlineSeconds?: number;
}

/** Keeps a few connections to the server open, from the first mail on. @throws {TypeError} on invalid options */
export function mailer({ smtpUrl, from, deadlineSeconds = LONGEST_MAIL_SECONDS }: MailerOptions): Mailer {
  const server = parseSmtpUrl(smtpUrl);
  let opened: Promise<ReturnType<typeof openPool>> | undefined;
  return {
    from: parseMailFrom(from),
    async send(mail) {
      const wrong = [mail.envelope.from, mail.envelope.to].find((address) => !isMailAddress(address));
      if (wrong !== undefined) {
        return { outcome: "failed", reason: `${oneLine(wrong, 100)} is not a valid email address` };
      }
      // Loaded here because most services send no email.
      opened ??= import("nodemailer").then((nodemailer) => openPool(server, nodemailer.createTransport));
      const used = opened;
      const pool = await used;
      using deadline = new Deadline(deadlineSeconds);
      try {
        await unlessEnded(pool.sendMail(mail), deadline.signal);
        return { outcome: "delivered" };
      } catch (error) {
        if (deadline.signal.aborted) {
          // The server does not respond, so the next email opens new connections.
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
    // The schedule retries an email whose connection broke.
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
/** Error codes of Node and OpenSSL for TLS. */
const TLS_FAULT = /CERT|ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO|SELF_SIGNED/;
/** Commands that concern one email. A refusal of any other command concerns all emails. */
const OF_ONE_MAIL = ["RCPT TO", "DATA"];

function outcomeOf(error: unknown): "retry" | "failed" | "operator" {
  const { code = "", originalCode = "", command = "", responseCode = 0 } = faultOf(error);
  // 503 is a wrong sequence of commands, which a retry may fix.
  if ((responseCode >= 400 && responseCode < 500) || responseCode === 503) return "retry";
  if (OPERATOR_CODES.includes(code) || TLS_FAULT.test(originalCode)) return "operator";
  if (responseCode >= 500) {
    const wantsLogin = responseCode === 530 || responseCode === 535;
    return OF_ONE_MAIL.includes(command) && !wantsLogin ? "failed" : "operator";
  }
  // Without a response, the email or the connection failed.
  return code === "EENVELOPE" || code === "EMESSAGE" ? "failed" : "retry";
}

/** The message of an error, without the password, which servers may repeat. */
function reasonOf(error: unknown, { auth }: SmtpServer): string {
  const { message } = faultOf(error);
  return oneLine(auth === undefined ? message : hidePassword(message, auth), MAX_REASON);
}

function faultOf(error: unknown): NodemailerError {
  return error instanceof Error ? error : new Error(String(error));
}

interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte, as on port 465. */
  secure: boolean;
  /** Whether to require STARTTLS before login and email. */
  requireTLS: boolean;
  auth?: { user: string; pass: string };
}

const EXAMPLE = "Write smtps://user:password@mail.example.com, or smtp:// for STARTTLS";

/**
 * Parses `--smtp-url`: `smtps://user:password@mail.example.com`, or `smtp://mail.internal:25?requireTLS=false`. A login
 * requires TLS, except on this machine or with `allowPlainLogin=true`. @throws {TypeError} whose message omits the URL, which may contain a password
 */
function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text.trim());
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new TypeError(`--smtp-url is not a valid mail server URL. ${EXAMPLE}`);
  }
  if (!/^\/?$/.test(url.pathname) || url.hash !== "") {
    throw new TypeError(
      "--smtp-url must not contain a path or fragment. In a password, write / as %2F, # as %23 and ? as %3F",
    );
  }
  if (url.port === "0")
    throw new TypeError("--smtp-url has port 0. Use the port of the mail server, such as 587");
  const port = Number(url.port) || (url.protocol === "smtps:" ? 465 : 587);
  const secure = url.protocol === "smtps:" || port === 465;
  const auth = loginOf(url);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const { requireTLS, allowPlainLogin } = parametersIn(url.searchParams);
  const mayBePlain = auth === undefined || allowPlainLogin || LOOPBACK.test(host);
  return {
    host,
    port,
    secure,
    requireTLS: !secure && (requireTLS || !mayBePlain),
    ...(auth === undefined ? {} : { auth }),
  };
}

/** Hosts of this machine, where the login does not cross a network. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/i;

function parametersIn(parameters: URLSearchParams): { requireTLS: boolean; allowPlainLogin: boolean } {
  const found = { requireTLS: true, allowPlainLogin: false };
  for (const [name, value] of parameters) {
    if ((name !== "requireTLS" && name !== "allowPlainLogin") || !/^(true|false)$/.test(value)) {
      throw new TypeError(
        "--smtp-url accepts only the parameters requireTLS and allowPlainLogin with the value true or false, such as ?requireTLS=false",
      );
    }
    found[name] = value === "true";
  }
  return found;
}

function loginOf({ username, password }: URL): SmtpServer["auth"] {
  if (username === "" && password === "") return undefined;
  if (username === "" || password === "") {
    throw new TypeError(`--smtp-url must have both a user and a password, or neither. ${EXAMPLE}`);
  }
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    throw new TypeError("--smtp-url has an invalid % in its login. Write % as %25");
  }
}

/** Removes a password from a text, in any encoding. */
function hidePassword(text: string, { user, pass }: { user: string; pass: string }): string {
  const forms = [
    ...base64Forms(Buffer.from(`\0${user}\0${pass}`)),
    ...base64Forms(Buffer.from(pass)),
    hexDigits(Buffer.from(pass)).join("[ :]?"),
    escapedForm(pass),
  ];
  return forms.reduce((shown, form) => shown.replace(new RegExp(form, "gu"), "***"), text);
}

/** Patterns for bytes anywhere in a base64 text, without the characters that depend on the bytes around them. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const inner = text.slice(first, end);
    if (inner === "") return [];
    const before = offset === 0 ? "" : "[\\w+/-]?";
    return [`${before}${inner.replace(/[+/]/g, (sign) => (sign === "+" ? "[+-]" : "[/_]"))}[\\w+/-]?=*`];
  });
}

/** A pattern in which each character may be escaped: `p%40ss`, `p=40ss`, `p\x40ss`, `p&#64;ss`. */
function escapedForm(pass: string): string {
  return [...pass]
    .map((character) => {
      const bytes = hexDigits(Buffer.from(character));
      const code = character.codePointAt(0) ?? 0;
      const named = NAMED[character];
      return `(?:${[
        `\\u{${code.toString(16)}}`,
        ...["%", "=", "\\\\x"].map((sign) => bytes.map((byte) => sign + byte).join("")),
        `\\\\u0*${anyCase(code.toString(16))}`,
        `&#0*${code};`,
        `&#[xX]0*${anyCase(code.toString(16))};`,
        ...(named === undefined ? [] : [named]),
      ].join("|")})`;
    })
    .join("");
}

const NAMED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': '(?:&quot;|\\\\")',
  "'": "&apos;",
  "\\": "\\\\\\\\",
  " ": "\\+",
};

function hexDigits(bytes: Buffer): string[] {
  return [...bytes].map((byte) => anyCase(byte.toString(16).padStart(2, "0")));
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
