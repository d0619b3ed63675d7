import { createServer, type IncomingMessage, type Server } from "node:http";
import { isLoopback } from "../../net/proxy.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Answer } from "./error-answer.ts";

type Metered = Pick<Metrics, "registry">;

interface Sent {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingMessage["headers"];
}

/** Headers that proxies add. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

export async function metricsAnswer({ registry }: Metered): Promise<Answer> {
  return { status: 200, headers: { "content-type": registry.contentType }, body: await registry.metrics() };
}

/**
 * Checks the requested host too: it reveals a proxy that adds no header, or a web page in a browser on this machine.
 */
export function isDirectAndLocal({ socket, headers }: Sent): boolean {
  const from = (socket.remoteAddress ?? "").replace(/^::ffff:/i, "");
  const hostname = URL.parse(`http://${headers.host ?? ""}`)?.hostname ?? "";
  return (
    (from === "::1" || isLoopback(from)) &&
    isLoopback(hostname) &&
    PROXY_HEADERS.every((name) => headers[name] === undefined)
  );
}

export function makeMetricsServer(metered: Metered): Server {
  return createServer(async (incoming, outgoing) => {
    if (incoming.method !== "GET" || incoming.url !== "/metrics") {
      outgoing
        .writeHead(404, { "content-type": "text/plain; charset=utf-8" })
        .end("Only GET /metrics is supported\n");
      return;
    }
    try {
      const { status, headers, body } = await metricsAnswer(metered);
      outgoing.writeHead(status, headers).end(body);
    } catch (error) {
      outgoing.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end(`${error}\n`);
    }
  });
}
