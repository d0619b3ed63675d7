/** The server that mails are handed to. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte, as port 465 has it. */
  secure: boolean;
  /** Send neither login nor mail before STARTTLS. */
  requireTLS: boolean;
  auth?: { user: string; pass: string };
}

const EXAMPLE = "Write smtps://user:password@mail.example.com, or smtp:// for STARTTLS";

/**
 * Reads what `--smtp-url` says: `smtps://user:password@mail.example.com`, or `smtp://mail.internal:25?requireTLS=false`.
 * A login is sent over TLS only, unless the host is this machine or `allowPlainLogin=true` is given.
 *
 * @throws {TypeError} what is wrong with it. The address is not repeated, for it may hold a password.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text.trim());
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new TypeError(`--smtp-url is no address of a mail server. ${EXAMPLE}`);
  }
  if (!/^\/?$/.test(url.pathname) || url.hash !== "") {
    throw new TypeError(
      "--smtp-url goes on after the host and the port. Leave that out; in a password, write / as %2F, # as %23 and ? as %3F",
    );
  }
  if (url.port === "0")
    throw new TypeError("--smtp-url names port 0. Write the port of the mail server, such as 587");
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

/** Hosts that are this machine, so that no network carries the login. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/i;

function parametersIn(parameters: URLSearchParams): { requireTLS: boolean; allowPlainLogin: boolean } {
  const found = { requireTLS: true, allowPlainLogin: false };
  for (const [name, value] of parameters) {
    if ((name !== "requireTLS" && name !== "allowPlainLogin") || !/^(true|false)$/.test(value)) {
      throw new TypeError(
        "--smtp-url takes two parameters, requireTLS and allowPlainLogin, each true or false: write ?requireTLS=false, or nothing",
      );
    }
    found[name] = value === "true";
  }
  return found;
}

function loginOf({ username, password }: URL): SmtpServer["auth"] {
  if (username === "" && password === "") return undefined;
  if (username === "" || password === "") {
    throw new TypeError(`--smtp-url has half a login. ${EXAMPLE}`);
  }
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    throw new TypeError("--smtp-url has a % in its login that encodes nothing. Write it as %25");
  }
}
