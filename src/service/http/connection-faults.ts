import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Invalid } from "../kernel/errors.ts";
import { sizeText } from "../kernel/sizes.ts";
import { closeSoon, closeWith } from "./closing-answer.ts";
import { type RefusalLog, refuseEarly } from "./early-refusal.ts";
import { HttpError } from "./http-error.ts";

/** A request that was read to the end of its headers, and what answers it. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The answer before this one on the same connection. */
  readonly before: ServerResponse | undefined;
}

/** What Node's parser, or its clock, found wrong with a connection. */
interface ConnectionFault extends Error {
  code?: string;
  /** The parser's own words, which repeat nothing of what was sent. */
  reason?: unknown;
}

/**
 * Answers on connections that no request can be read from any more, and ends them. Returns what must be told of
 * each request that is read, since the answer depends on what the fault is in.
 */
export function answerFaults(server: Server, refusals: RefusalLog) {
  const last = new WeakMap<Duplex, Exchange>();
  const given = new WeakSet<Duplex>();
  server.on("clientError", (fault: ConnectionFault, socket) => {
    // The parser complains again about each piece that still arrives.
    if (given.has(socket)) return;
    given.add(socket);
    if (!socket.writable || fault.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const { broken, after } = placeOf(last.get(socket));
    whenOut(after, () => {
      if (broken?.outgoing.headersSent) whenOut(broken.outgoing, () => closeSoon(socket));
      // The application waits for the rest of what is broken, and writes it down when that never comes.
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

interface FaultPlace {
  /** The request whose body is broken; none when the fault is ahead of the next request. */
  broken?: Exchange;
  /** The answer that must be out first. */
  after: ServerResponse | undefined;
}

/** A fault is in the body of the last request as long as that is not complete. */
function placeOf(last: Exchange | undefined): FaultPlace {
  if (last === undefined || last.incoming.complete) return { after: last?.outgoing };
  return { broken: last, after: last.before };
}

/** Answers go out in the order of their requests. */
function whenOut(answer: ServerResponse | undefined, act: () => void): void {
  if (answer === undefined || answer.writableFinished || answer.destroyed) act();
  else answer.once("close", act);
}

function refusalOf({ code, reason }: ConnectionFault): HttpError | Invalid {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HttpError(
        431,
        `The address and the headers of the request are larger than the limit of ${sizeText(maxHeaderSize)}`,
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new HttpError(408, "The request did not arrive in time");
    default: {
      const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
      return new Invalid(`The request is not valid HTTP${why}`);
    }
  }
}
