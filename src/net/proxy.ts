import { InputError } from "../api/client/errors.ts";

/** The variables that a runner's administrator sets, by their usual names. */
export type ProxyVariables = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for an address by the usual variables, lower case before upper case, or undefined for none.
 *
 * `NO_PROXY` entries are host names (they cover their subdomains), `.suffix`, `host:port`, IP addresses, or `*`;
 * address ranges such as `10.0.0.0/8` are not understood by any of the clients around us, nor here. This machine is
 * never asked through a proxy: what is http:// to it would leave it in clear.
 *
 * @throws {InputError} for a proxy that is not an http or https address. Going direct instead could leak what the
 * proxy is there to hold.
 */
export function proxyFor(target: URL, variables: ProxyVariables): URL | undefined {
  const name = `${target.protocol.slice(0, -1)}_proxy`;
  const [source, value] = firstSet(variables, [name, "all_proxy"]);
  if (value === "" || isLoopback(target.hostname) || isExempt(target, firstSet(variables, ["no_proxy"])[1]))
    return undefined;
  const address = value.includes("://") ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol !== "http:" && proxy?.protocol !== "https:") {
    throw new InputError([{ input: source, problem: "must be an http:// or https:// address of a proxy" }]);
  }
  if (!isDecodable(proxy.username + proxy.password)) {
    throw new InputError([
      { input: source, problem: "holds a user or password with a % of its own; write it as %25" },
    ]);
  }
  return proxy;
}

/** Whether a host, as `URL` writes it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function isDecodable(text: string): boolean {
  try {
    // What comes of it is looked at, or the bundler would leave the call out as one that does nothing.
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

function firstSet(variables: ProxyVariables, names: readonly string[]): [name: string, value: string] {
  for (const name of names.flatMap((n) => [n, n.toUpperCase()])) {
    const value = variables[name]?.trim();
    if (value) return [name, value];
  }
  return [names[0] ?? "", ""];
}

function isExempt(target: URL, noProxy: string): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === "*") return true;
      const { name, port: wanted } = splitEntry(entry);
      if (wanted !== undefined && wanted !== port) return false;
      const suffix = name.replace(/^\*?\./, "");
      return host === suffix || host.endsWith(`.${suffix}`);
    });
}

/** `host:port`, `[::1]:port`, or a bare name or IPv6 address. */
function splitEntry(entry: string): { name: string; port?: string } {
  const parts = /^(?:\[(?<v6>.+)\]|(?<name>[^:]+))(?::(?<port>\d+))?$/.exec(entry)?.groups;
  if (!parts) return { name: entry };
  const name = parts["v6"] ?? parts["name"] ?? entry;
  return parts["port"] === undefined ? { name } : { name, port: parts["port"] };
}
