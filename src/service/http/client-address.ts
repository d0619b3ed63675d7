import type { IncomingMessage } from "node:http";
import { BlockList, isIP, SocketAddress } from "node:net";
import { familyOf, readNetwork } from "../kernel/networks.ts";

export interface ClientAddresses {
  /** The client's address; undefined if the client has disconnected. */
  clientOf(request: Pick<IncomingMessage, "socket" | "headers">): string | undefined;
}

/** Proxies whose headers about clients are trusted: addresses, and networks such as `10.0.0.0/8`. */
export class TrustedProxies implements ClientAddresses {
  readonly #proxies = new BlockList();

  /** @throws Error for an entry that is neither an address nor a network */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const { address, bits, family } = readNetwork(entry);
      this.#proxies.addSubnet(address, bits, family);
    }
  }

  /**
   * Address of the client: the last entry of `X-Forwarded-For` or `Forwarded` that no trusted proxy
   * added. Undefined if the client has disconnected. If both headers are sent, they are followed
   * only as far as they agree, because one may come from the client.
   */
  clientOf({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): string | undefined {
    if (socket.remoteAddress === undefined) return undefined;
    let client = plain(socket.remoteAddress);
    if (!this.#trusts(client)) return client;
    const ways = [
      ...all(headers["x-forwarded-for"]).map((header) => header.split(",")),
      ...all(headers.forwarded).map(forwardedFor),
    ];
    while (this.#trusts(client)) {
      const [hop, ...others] = new Set(ways.map((way) => addressIn(way.pop() ?? "")));
      if (hop === undefined || others.length > 0) break;
      client = hop;
    }
    return client;
  }

  #trusts(address: string): boolean {
    const family = familyOf(address);
    return family !== undefined && this.#proxies.check(address, family);
  }
}

/** The unit that limits apply to. An IPv6 network counts as one, because one customer may have 2^80 addresses. */
export function addressGroupOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [start = "", end] = address.split("::");
  const groups = start === "" ? [] : start.split(":");
  const rest = end === undefined || end === "" ? [] : end.split(":");
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill("0");
  return `${[...groups, ...zeros, ...rest].slice(0, 3).join(":")}::/48`;
}

/** A header sent several times is one list, which Node has joined. */
function all(header: string | readonly string[] | undefined): string[] {
  return header === undefined ? [] : [String(header)];
}

/**
 * The address of a hop in its shortest form, from `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`.
 */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const [, address = text] = /^\[(.*)\](?::\w+)?$/.exec(text) ?? /^([\d.]+):\w+$/.exec(text) ?? [];
  const family = familyOf(address);
  // A zone, as in `fe80::1%eth0`, has meaning only on the sender's machine.
  if (family === undefined || address.includes("%")) return undefined;
  return plain(new SocketAddress({ address, family }).address);
}

/** A dual-stack socket reports IPv4 addresses as `::ffff:192.0.2.1`. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** One step of a `Forwarded` header: a parameter, with a quoted or a plain value, and its delimiter. */
const PARAMETER = /[ \t]*(?:([^\s=,;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*))[ \t]*)?([,;]|$)/y;

/**
 * Clients that each proxy saw, the nearest last, by a `Forwarded` header (RFC 7239). A hidden or missing name has an
 * entry too. Empty when the header is malformed: an open quote would swallow later entries.
 */
function forwardedFor(header: string): string[] {
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
