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
import { closeWith } from "./closing-answer.ts";
import { answerFaults } from "./connection-faults.ts";
import { limitPipelining } from "./connection-limits.ts";
import { type RefusalLog, refuseEarly } from "./early-refusal.ts";
import { HttpError } from "./http-error.ts";
import type { OpenAnswers } from "./open-answers.ts";
import { endSlowBodies, hasBody } from "./slow-bodies.ts";

interface ServerParts extends RefusalLog {
  /** Answers every request that can be read. */
  fetch: Parameters<typeof getRequestListener>[0];
  openAnswers: OpenAnswers;
  options?: ServerOptions;
  /** How long a body may arrive slowly, in seconds. Without it, for as long as a request may take. */
  bodyGrace?: number;
}

/**
 * The HTTP server of the service. What Node or its adapter would refuse with nothing in the body is answered here
 * as the interface answers everything else: with an error body, a request id and a line in the log.
 */
export function makeServer({
  fetch,
  openAnswers,
  options = {},
  bodyGrace,
  ...refusals
}: ServerParts): Server {
  // Node would answer requests without a host itself; the adapter finds them too, and says so.
  const server = createServer({ ...options, requireHostHeader: false });
  const faults = answerFaults(server, refusals);
  const watchBody = bodyGrace === undefined ? undefined : endSlowBodies(server, bodyGrace);
  server.on("request", faults.note);
  const start = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    openAnswers.note(outgoing);
    watchBody?.(incoming, outgoing);
    outgoing.once("close", () => readInTurns(incoming));
    // Otherwise Node drops the body of a refused request as fast as it arrives.
    if (hasBody(incoming)) incoming.read(0);
    const listener = getRequestListener(fetch, {
      overrideGlobalObjects: false,
      // HTTP/1.0 has no host header, and health checks of old load balancers speak it.
      ...(incoming.httpVersion === "1.0" ? { hostname: "localhost" } : {}),
      errorHandler: (error) => {
        const { body, ...rest } = refuseEarly(asRefusal(error), incoming, refusals);
        return new Response(body, rest);
      },
    });
    void listener(incoming, outgoing);
  };
  limitPipelining(server, start, (incoming) => {
    const refusal = new HttpError(429, "Too many requests wait for an answer on this connection");
    refuseEarly(refusal, incoming, refusals);
  });
  server.on("checkExpectation", (incoming, outgoing) => {
    faults.note(incoming, outgoing);
    const refusal = new HttpError(417, `Expect: ${incoming.headers.expect} is not supported`);
    const { status, headers, body } = refuseEarly(refusal, incoming, refusals);
    // Whether the body of the request follows is for its sender to know.
    outgoing.writeHead(status, { ...headers, connection: "close" }).end(body);
  });
  server.on("connect", (incoming: IncomingMessage, socket: Duplex) => {
    // Node no longer listens to this connection, and an error that nobody hears would end the process.
    socket.on("error", () => socket.destroy());
    const refusal = new HttpError(405, `Method not allowed: CONNECT ${incoming.url}`, {
      allow: "DELETE, GET, HEAD, PATCH, POST, PUT",
    });
    closeWith(socket, refuseEarly(refusal, incoming, refusals));
  });
  return server;
}

/** Discards the rest of a body piece by piece, so that other connections have their turn. */
function readInTurns(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.on("data", () => {
    incoming.pause();
    setImmediate(() => incoming.resume());
  });
}

/** What the adapter could not make a request of is its sender's fault. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  return new Invalid(`The request is not valid HTTP: ${error.message}`);
}
