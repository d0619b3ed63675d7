import { createServer, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { listening } from "./local-server.ts";

/** One request to a proxy. */
interface ProxyRequest {
  /** `CONNECT host:port` or `GET http://…` */
  readonly line: string;
  readonly authorization: string | undefined;
}

export interface ForwardProxy {
  readonly port: number;
  readonly asked: readonly ProxyRequest[];
}

/**
 * A real forward proxy: it tunnels by CONNECT and forwards plain requests. All hosts lead to one port of this machine.
 * With `authorization` it requires exactly that; `status` refuses everything.
 */
export async function forwardProxy(
  toPort: number,
  { authorization, status }: { authorization?: string; status?: number } = {},
): Promise<ForwardProxy> {
  const asked: ProxyRequest[] = [];
  const refusal = (method: string, target: string, given: string | undefined): number | undefined => {
    asked.push({ line: `${method} ${target}`, authorization: given });
    return status ?? (authorization !== undefined && given !== authorization ? 407 : undefined);
  };
  const proxy = createServer((request, response) => {
    const refused = refusal(request.method ?? "", request.url ?? "", request.headers["proxy-authorization"]);
    if (refused !== undefined) {
      request.resume();
      response.writeHead(refused, { "content-type": "text/html" });
      response.end("<html>the proxy says no</html>");
      return;
    }
    const { pathname, search } = new URL(request.url ?? "");
    const { "proxy-authorization": _, ...headers } = request.headers;
    const passed = httpRequest(
      { port: toPort, path: pathname + search, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(passed);
  });
  proxy.on("connect", (request, client) => {
    client.on("error", () => {});
    const refused = refusal("CONNECT", request.url ?? "", request.headers["proxy-authorization"]);
    if (refused !== undefined) {
      client.end(`HTTP/1.1 ${refused} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(toPort, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
  });
  return { port: await listening(proxy), asked };
}
