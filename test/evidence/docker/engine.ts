import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../temporary-directory.ts";

export interface Engine {
  /** Value for `DOCKER_HOST`. */
  readonly address: string;
  readonly socketPath: string;
  /** Requests, such as `GET /images/nginx/json`. */
  readonly requests: readonly string[];
}

interface OneAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A Docker engine on a unix socket with one response, with none, or with a handler. */
export async function engine(answer?: OneAnswer | RequestListener): Promise<Engine> {
  const socketPath = join(temporaryDirectory(), "docker.sock");
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (typeof answer === "function") answer(request, response);
    if (!answer || typeof answer === "function") return;
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  });
  server.listen(socketPath);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `unix://${socketPath}`, socketPath, requests };
}
