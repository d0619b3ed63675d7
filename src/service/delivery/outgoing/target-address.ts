import { isIP } from "node:net";
import { isGitHubCloudHost } from "../../kernel/github-names.ts";
import { AddressRules } from "./address-rules.ts";

export interface TargetOptions {
  /** Networks and addresses that are always allowed: `10.0.0.0/8`. */
  readonly allowTargets: readonly string[];
  /** Whether addresses without TLS are allowed. */
  readonly allowHttpTargets?: boolean;
  /** GitHub Enterprise Servers that tokens may be sent to: `github.example.com`, or with a port. */
  readonly githubHosts?: readonly string[];
}

export interface TargetRules {
  readonly addresses: AddressRules;
  readonly allowsHttp: boolean;
  readonly githubHosts: ReadonlySet<string>;
}

/** @throws Error naming an invalid entry */
export function targetRules({
  allowTargets,
  allowHttpTargets = false,
  githubHosts = [],
}: TargetOptions): TargetRules {
  return {
    addresses: new AddressRules(allowTargets),
    allowsHttp: allowHttpTargets,
    githubHosts: new Set(githubHosts),
  };
}

export interface TargetProblem {
  readonly reason: "not_a_url" | "scheme" | "credentials" | "port" | "host" | "address";
  /** A sentence without a full stop: the problem, then the fix. */
  readonly message: string;
}

/** Metadata hosts of clouds, which may also have other addresses. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "instance-data",
]);
/** Names that only resolve on this machine or network. */
const INNER_NAME = /^[^.]+$|\.(?:local|localhost|internal)$/;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;
/** System ports, such as those of mail and SSH, are below. */
const FIRST_USER_PORT = 1024;

/** The problem of a URL, undefined if it is fine. The guarded agent checks the addresses of its name when it sends. */
export function checkTarget(url: string, rules: TargetRules): TargetProblem | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) {
    return { reason: "not_a_url", message: "This is not a URL: use one such as https://example.com/hooks" };
  }
  return (
    schemeProblem(parsed, rules) ??
    credentialsProblem(parsed) ??
    portProblem(parsed) ??
    hostProblem(parsed, rules)
  );
}

export function githubTokenProblem(
  url: string,
  { githubHosts }: Pick<TargetRules, "githubHosts">,
): string | undefined {
  const { protocol, hostname, host } = new URL(url);
  if (githubHosts.has(host)) return undefined;
  if (isGitHubCloudHost(hostname)) {
    return protocol === "https:" ? undefined : `GitHub tokens are not sent without TLS: use https://${host}`;
  }
  return `GitHub tokens are not sent to '${host}': use api.github.com, or ask the operator to allow the host with --github-hosts`;
}

function schemeProblem({ protocol }: URL, { allowsHttp }: TargetRules): TargetProblem | undefined {
  if (protocol === "https:" || (protocol === "http:" && allowsHttp)) return undefined;
  const message =
    protocol === "http:"
      ? "http:// is not encrypted: use https://, or ask the operator to set --allow-http-targets"
      : `${protocol} addresses are not supported: use https://`;
  return { reason: "scheme", message };
}

function credentialsProblem({ username, password }: URL): TargetProblem | undefined {
  if (username === "" && password === "") return undefined;
  return {
    reason: "credentials",
    message: "The URL has a user or a password: remove them, because each delivery is signed instead",
  };
}

function portProblem({ protocol, port }: URL): TargetProblem | undefined {
  const usual = protocol === "https:" ? HTTPS_PORT : HTTP_PORT;
  const number = port === "" ? usual : Number(port);
  if (number === usual || number >= FIRST_USER_PORT) return undefined;
  return {
    reason: "port",
    message: `Port ${number} is reserved for other services: use ${usual}, or a port from ${FIRST_USER_PORT}`,
  };
}

function hostProblem({ hostname }: URL, { addresses }: TargetRules): TargetProblem | undefined {
  const address = addressIn(hostname);
  if (address !== undefined) {
    const problem = addresses.problemOf(address);
    return problem === undefined ? undefined : { reason: "address", message: `${problem}: ${ADVICE}` };
  }
  const name = hostname.replace(/\.+$/, "");
  // If the operator allows networks, inner names are checked by their addresses.
  if (METADATA_NAMES.has(name)) {
    return { reason: "host", message: `'${name}' is a cloud metadata host: use another host` };
  }
  if (addresses.allowsNetworks || !INNER_NAME.test(name)) return undefined;
  return {
    reason: "host",
    message: `'${name}' is not a public host name: use a public one, or ask the operator to allow the host's address with --allow-targets`,
  };
}

const ADVICE = "use a public address, or ask the operator to allow it with --allow-targets";

/** The IP address of a host, with or without brackets. `URL` has normalized it. */
export function addressIn(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return isIP(bare) === 0 ? undefined : bare;
}
