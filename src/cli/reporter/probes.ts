import { once } from "node:events";
import { createServer } from "node:http";
import type { ReporterMetrics } from "./metrics.ts";

interface ProbeOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: ReporterMetrics;
  /** Why the reporter is not healthy; undefined if it is. */
  readonly problem: () => string | undefined;
}

export interface Probes extends Disposable {
  readonly address: string;
}

/** Answers `/healthz` and `/metrics` until disposed. */
export async function openProbes({ host, port, metrics, problem }: ProbeOptions): Promise<Probes> {
  const server = createServer((request, response) => {
    // Not as a URL, because some paths that a client can send are none.
    const [pathname] = (request.url ?? "/").split("?");
    if (pathname === "/metrics") {
      const { registry } = metrics;
      registry.metrics().then(
        (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    } else if (pathname === "/healthz") {
      const found = problem();
      response.writeHead(found === undefined ? 200 : 503, { "content-type": "text/plain" });
      response.end(`${found ?? "ok"}\n`);
    } else response.writeHead(404).end();
  });
  await once(server.listen(port, host), "listening");
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
