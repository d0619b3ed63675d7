/** One step of a `Forwarded` header: a parameter, with a quoted or a plain value, and the sign that ends it. */
const PARAMETER = /[ \t]*(?:([^\s=,;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*))[ \t]*)?([,;]|$)/y;

/**
 * Whom each proxy was asked by, the nearest last, by a `Forwarded` header (RFC 7239). A proxy that does not say it, or
 * says a made-up name such as `_hidden`, has an entry all the same: what stands before it is not known to be true.
 *
 * @returns nothing at all when the header is malformed: a quote that a client left open would swallow what the proxies
 *   after it have added
 */
export function forwardedFor(header: string): string[] {
  const hops: string[] = [];
  let hop = "";
  PARAMETER.lastIndex = 0;
  for (;;) {
    const found = PARAMETER.exec(header);
    if (found === null) return [];
    const [, name, quoted, plain, end] = found;
    if (name?.toLowerCase() === "for") hop = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    if (end === ";") continue;
    hops.push(hop);
    if (end === "") return hops;
    hop = "";
  }
}
