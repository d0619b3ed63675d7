import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface GitHubServer {
  readonly url: string;
  readonly server: Server;
  readonly requests: IncomingMessage[];
}

/** A server on this machine that replaces GitHub until the test ends. */
export async function gitHubServer(answer: RequestListener): Promise<GitHubServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, requests };
}

/** A response with a JSON body. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** The pages of a list, for {@link repository}. */
export class Pages {
  readonly pages: readonly unknown[];

  constructor(...pages: readonly unknown[]) {
    this.pages = pages;
  }
}

/**
 * Responses for the repository `acme/web` by the path after its name: a body, the pages of a list, or a handler. All
 * other paths return 404.
 */
export function repository(answers: Readonly<Record<string, unknown>>, name = "acme/web"): RequestListener {
  return (request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const path = decodeURIComponent(url.pathname).replace(`/repos/${name}`, "");
    const answer = answers[path];
    if (answer === undefined) return json(404, { message: "Not Found" })(request, response);
    if (typeof answer === "function") return answer(request, response);
    if (!(answer instanceof Pages)) return json(200, answer)(request, response);
    const page = Number(url.searchParams.get("page") ?? 1);
    const isLast = page >= answer.pages.length;
    url.searchParams.set("page", String(page + 1));
    const link: Record<string, string> = isLast
      ? {}
      : { link: `<https://elsewhere.example${url.pathname}${url.search}>; rel="next"` };
    return json(200, answer.pages[page - 1] ?? [], link)(request, response);
  };
}
