import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { Invalid } from "../kernel/errors.ts";
import { answerFaults, closeWith, type RefusalLog, refuseEarly } from "./connection-faults.ts";
import { endSlowBodies, hasBody, limitPipelining } from "./connection-limits.ts";
import { HttpError } from "./error-answer.ts";
import type { OpenAnswers } from "./open-answers.ts";

interface ServerParts extends RefusalLog {
  fetch: Parameters<typeof getRequestListener>[0];
  openAnswers: OpenAnswers;
  options?: ServerOptions;
  /** Seconds for which a body may arrive slowly. By default, as long as a request may take. */
  bodyGrace?: number;
}

/** Gives errors that Node or its adapter would answer a body, a request id and a log line. */
export function makeServer({
  fetch,
  openAnswers,
  options = {},
  bodyGrace,
  ...refusals
}: ServerParts): Server {
  // Node would answer requests without a host itself. The adapter detects them too, and throws.
  const server = createServer({ ...options, requireHostHeader: false });
  const faults = answerFaults(server, refusals);
  const watchBody = bodyGrace === undefined ? undefined : endSlowBodies(server, bodyGrace);
  server.on("request", faults.note);
  const start = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    openAnswers.note(outgoing);
    watchBody?.(incoming, outgoing);
    outgoing.once("close", () => readInTurns(incoming));
    // Otherwise Node discards the body of a refused request as fast as it arrives.
    if (hasBody(incoming)) incoming.read(0);
    const listener = getRequestListener(fetch, {
      overrideGlobalObjects: false,
      // HTTP/1.0 has no host header, and health checks of old load balancers use it.
      ...(incoming.httpVersion === "1.0" ? { hostname: "localhost" } : {}),
      errorHandler: (error) => {
        const { body, ...rest } = refuseEarly(asRefusal(error), incoming, refusals);
        return new Response(body, rest);
      },
    });
    void listener(incoming, outgoing);
  };
  limitPipelining(server, start, (incoming) => {
    const problem = "Too many requests are waiting on this connection";
    refuseEarly(new HttpError(429, "request.too_many_pipelined", problem), incoming, refusals);
  });
  server.on("checkExpectation", (incoming, outgoing) => {
    faults.note(incoming, outgoing);
    const problem = `Expect: ${incoming.headers.expect} is not supported`;
    const refusal = new HttpError(417, "request.header_invalid", problem);
    const { status, headers, body } = refuseEarly(refusal, incoming, refusals);
    // Only the sender knows whether the request's body follows.
    outgoing.writeHead(status, { ...headers, connection: "close" }).end(body);
  });
  server.on("connect", (incoming: IncomingMessage, socket: Duplex) => {
    // Node no longer listens to this connection, and an unhandled error event would end the process.
    socket.on("error", () => socket.destroy());
    const problem = `Method not allowed: CONNECT ${incoming.url}`;
    const headers = { allow: "DELETE, GET, HEAD, PATCH, POST, PUT" };
    const refusal = new HttpError(405, "request.method_not_allowed", problem, headers);
    closeWith(socket, refuseEarly(refusal, incoming, refusals));
  });
  return server;
}

function readInTurns(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.on("data", () => {
    incoming.pause();
    setImmediate(() => incoming.resume());
  });
}

/** An error of the adapter for a malformed request is the client's fault. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  return new Invalid("request.http_invalid", `The request is not valid HTTP: ${error.message}`);
}

/** Time for requests in progress to end when the service closes. */
const CLOSE_GRACE_MS = 10_000;

/** @returns the server's URL: `http://127.0.0.1:8800` */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new Error(`Cannot listen on ${host} port ${port}: choose another address or port`, { cause }));
    });
    server.listen(port, host, () => {
      const bound = server.address();
      const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`);
    });
  });
}

/** Answers the requests in progress, then closes. */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Busy connections become idle, and would be kept alive for more requests.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const grace = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}
