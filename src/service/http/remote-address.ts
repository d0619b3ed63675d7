import type { IncomingMessage } from "node:http";

/**
 * The address that a request came from: of a proxy, where one stands in between. Undefined when its sender has hung
 * up already.
 */
export function remoteAddress({ socket }: Pick<IncomingMessage, "socket">): string | undefined {
  // A server on `::` sees IPv4 addresses in the form of IPv6.
  return socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, "");
}
