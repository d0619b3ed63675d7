/** Variables such as `HTTPS_PROXY` and `NO_PROXY`, in upper or lower case. */
export type ProxyVariables = Readonly<Record<string, string | undefined>>;

/** An invalid proxy variable. A direct connection instead could bypass a required proxy. */
export class UnusableProxy extends Error {
  override readonly name = "UnusableProxy";
  readonly variable: string;
  readonly problem: string;

  constructor(variable: string, problem: string) {
    super(`${variable}: ${problem}`);
    this.variable = variable;
    this.problem = problem;
  }
}

/**
 * Returns the proxy for an address. Lower-case variables override upper-case ones. `NO_PROXY` lists host names with their
 * subdomains, `.suffix`, `host:port`, IP addresses or `*`, but no address ranges. Loopback never uses a proxy.
 *
 * @throws {UnusableProxy}
 */
export function proxyFor(target: URL, variables: ProxyVariables): URL | undefined {
  const name = `${target.protocol.slice(0, -1)}_proxy`;
  const [source, value] = firstSet(variables, [name, "all_proxy"]);
  if (value === "" || isLoopback(target.hostname) || isExempt(target, firstSet(variables, ["no_proxy"])[1]))
    return undefined;
  const address = value.includes("://") ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol !== "http:" && proxy?.protocol !== "https:") {
    throw new UnusableProxy(source, "must be an http:// or https:// address of a proxy");
  }
  if (!isDecodable(proxy.username + proxy.password)) {
    throw new UnusableProxy(source, "contains a user or password with a %; write it as %25");
  }
  return proxy;
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function isDecodable(text: string): boolean {
  try {
    // Uses the result, or the bundler would remove the call.
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
