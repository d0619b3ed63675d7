export type ProxyVariables = Readonly<Record<string, string | undefined>>;

/** A variable that names no proxy. Going direct instead could leak what the proxy is there to hold. */
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
 * Proxy for an address; lower-case variables come before upper-case ones. `NO_PROXY` holds host
 * names (which cover subdomains), `.suffix`, `host:port`, IP addresses, or `*`, but no address
 * ranges. Loopback never uses a proxy. @throws {UnusableProxy}
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
    throw new UnusableProxy(source, "holds a user or password with a % of its own; write it as %25");
  }
  return proxy;
}

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
