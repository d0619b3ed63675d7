import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { Invalid } from "../kernel/errors.ts";
import type { RequestSummary } from "../kernel/log.ts";
import { sizeText } from "../kernel/sizes.ts";
import type { ClientAddresses } from "./client-address.ts";
import { errorAnswer, HttpError, headersOf } from "./error-answer.ts";
import {
  clientRequestIdOf,
  loggedPath,
  newRequestId,
  requestIdOf,
  shownRequestIdOf,
  targetOf,
} from "./request-head.ts";

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The previous response on the same connection. */
  readonly before: ServerResponse | undefined;
}

interface ConnectionFault extends Error {
  code?: string;
  /** The parser's message, which repeats nothing of the request. */
  reason?: unknown;
}

/** Answers connections from which no request can be read, and closes them. */
export function answerFaults(server: Server, refusals: RefusalLog) {
  const last = new WeakMap<Duplex, Exchange>();
  const given = new WeakSet<Duplex>();
  server.on("clientError", (fault: ConnectionFault, socket) => {
    // The parser reports each further piece again.
    if (given.has(socket)) return;
    given.add(socket);
    if (!socket.writable || fault.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const { broken, after } = placeOf(last.get(socket));
    whenOut(after, () => {
      if (broken?.outgoing.headersSent) whenOut(broken.outgoing, () => closeSoon(socket));
      // The application awaits the rest of the broken body, and logs the request when it never arrives.
      else {
        const noted = broken ? { ...refusals, record: () => {} } : refusals;
        closeWith(socket, refuseEarly(refusalOf(fault), broken?.incoming, noted));
      }
    });
  });
  return {
    note(incoming: IncomingMessage, outgoing: ServerResponse): void {
      const { socket } = incoming;
      last.set(socket, { incoming, outgoing, before: last.get(socket)?.outgoing });
    },
  };
}

/**
 * The request with the broken body, and the response to send first. The fault is in the body of the
 * last request if that is incomplete, and otherwise before the next request.
 */
function placeOf(last: Exchange | undefined) {
  const broken = last?.incoming.complete ? undefined : last;
  return { broken, after: broken ? broken.before : last?.outgoing };
}

/** Responses are sent in the order of their requests. */
function whenOut(answer: ServerResponse | undefined, act: () => void): void {
  if (answer === undefined || answer.writableFinished || answer.destroyed) act();
  else answer.once("close", act);
}

function refusalOf({ code, reason }: ConnectionFault): HttpError | Invalid {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HttpError(
        431,
        "request.headers_too_large",
        `The address and the headers of the request are larger than the limit of ${sizeText(maxHeaderSize)}`,
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new HttpError(408, "request.timeout", "The request did not arrive in time");
    default: {
      const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
      return new Invalid("request.http_invalid", `The request is not valid HTTP${why}`);
    }
  }
}

/** Time for the client to read the last response before the connection is closed. */
const LINGER_MS = 1_000;

/** Writes the last response of a connection that cannot be read any more, and closes it. */
export function closeWith(socket: Duplex, { status, headers, body }: ReturnType<typeof refuseEarly>): void {
  if (!socket.writable) return;
  const lines = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
  closeSoon(socket);
}

/** Discards further input for a moment, because unread bytes would reset the connection and lose the response. */
function closeSoon(socket: Duplex): void {
  if (socket.destroyed) return;
  if (!socket.writableEnded) socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}

export interface RefusalLog {
  readonly record: (request: RequestSummary) => void;
  readonly proxies: ClientAddresses;
}

/** Refuses and logs a request that does not reach the application. */
export function refuseEarly(
  error: unknown,
  request: IncomingMessage | undefined,
  { record, proxies }: RefusalLog,
) {
  const requestId = request ? requestIdOf(request) : newRequestId();
  const answer = errorAnswer(error, requestId);
  const { status } = answer;
  record({
    method: request?.method ?? "-",
    path: request ? loggedPath(targetOf(request)) : "-",
    status,
    milliseconds: 0,
    requestId,
    clientRequestId: request && clientRequestIdOf(request),
    from: request && proxies.clientOf(request),
    ...(status >= 500 ? { error } : {}),
  });
  const body = String(answer.body);
  const headers = headersOf(answer, request ? shownRequestIdOf(request) : requestId);
  return { status, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }, body };
}
