import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { selfSigned } from "../../api/certificates.ts";
import { forwardProxy } from "../../api/forward-proxy.ts";
import { listening } from "../../api/local-server.ts";

export interface CloudRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface CloudAnswer {
  readonly status?: number;
  /** Sent as JSON, except for bytes and texts. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CloudInternet {
  /** Variables of a step that finds the clouds here, at their real addresses. */
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly CloudRequest[];
  /** Number of connections through the proxy. */
  readonly tunnels: () => number;
}

/** A proxy behind which one server answers for all hosts of a cloud, over TLS, until the test ends. */
export async function cloudInternet(
  names: readonly string[],
  answer: (request: CloudRequest) => CloudAnswer,
): Promise<CloudInternet> {
  const certificate = selfSigned(names);
  const requests: CloudRequest[] = [];
  const server = createServer(certificate, async (incoming, response) => {
    const { method = "", headers, url = "" } = incoming;
    const { host, pathname: path, searchParams: query } = new URL(url, `https://${headers.host}`);
    const request = { method, host, path, query, headers, body: await text(incoming) };
    requests.push(request);
    const { status = 200, body = "", headers: more = {} } = answer(request);
    const isRaw = typeof body === "string" || Buffer.isBuffer(body);
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(isRaw ? body : JSON.stringify(body));
  });
  const { port, asked } = await forwardProxy(await listening(server));
  onTestFinished(() => server.closeAllConnections());
  return {
    env: { HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: certificate.path },
    requests,
    tunnels: () => asked.length,
  };
}
