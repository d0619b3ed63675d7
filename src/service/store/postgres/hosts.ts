/** Parts of an address: everything before its hosts, the hosts, and the rest. */
const ADDRESS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/** Splits `postgres://user@a:5432,b:5432/name` into one address for each host, in the same order. */
export function addressesIn(url: string): readonly string[] {
  const [, before = "", hosts, after = ""] = ADDRESS.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(",").map((host) => before + host + after);
}

/** Parses the address of one host. Undefined if it is not the address of a PostgreSQL database. */
export function databaseUrl(url: string): URL | undefined {
  const parsed = URL.parse(url);
  return parsed !== null && /^postgres(?:ql)?:$/.test(parsed.protocol) ? parsed : undefined;
}
