/** Where mails are handed in, as the operator says by `--smtp-url`. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, as port 465 has it. */
  readonly secure: boolean;
  /** Send nothing before STARTTLS. */
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

/**
 * Reads `smtps://user:password@host:465` or `smtp://host:587?requireTLS=false`.
 *
 * @throws {TypeError} what is wrong, without the address: it has a password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") {
    throw new TypeError("--smtp-url is no address of an SMTP server. Write smtps://user:password@host:465.");
  }
  if (!["", "/"].includes(url.pathname) || url.hash !== "") {
    throw new TypeError("--smtp-url has more than a host and a port. Encode / ? # and @ of the password.");
  }
  const unknown = [...url.searchParams.keys()].filter((name) => name !== "requireTLS");
  const requireTLS = url.searchParams.get("requireTLS") ?? "true";
  if (unknown.length > 0 || !["true", "false"].includes(requireTLS)) {
    throw new TypeError("--smtp-url takes one parameter: requireTLS, which is true or false.");
  }
  const port = url.port === "" ? (url.protocol === "smtps:" ? 465 : 587) : Number(url.port);
  const secure = url.protocol === "smtps:" || port === 465;
  const auth = credentialsOf(url);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    secure,
    requireTLS: !secure && requireTLS === "true",
    ...(auth ? { auth } : {}),
  };
}

function credentialsOf({ username, password }: URL): SmtpServer["auth"] {
  if (username === "" && password === "") return undefined;
  if (username === "" || password === "") {
    throw new TypeError("--smtp-url has a user without a password, or a password without a user. Give both.");
  }
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    throw new TypeError("--smtp-url has a % in user or password that encodes nothing. Write it as %25.");
  }
}
