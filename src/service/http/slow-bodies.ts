import type { IncomingMessage, Server, ServerResponse } from "node:http";

const LEAST_BYTES_A_SECOND = 50_000;
const CHECK_MS = 1_000;

/** A body that is being received. */
interface BodyOnTheWay {
  readonly incoming: IncomingMessage;
  readonly startedAt: number;
  /** The bytes that the connection had received before. */
  readonly bytesBefore: number;
}

/**
 * Ends requests whose body arrives too slowly, as Node ends those that take longer than its own timeout. Returns a
 * function that takes each request as soon as its body is read.
 *
 * @param graceSeconds a body may be slower for this long
 */
export function endSlowBodies(server: Server, graceSeconds: number) {
  const bodies = new Set<BodyOnTheWay>();
  const timer = setInterval(() => {
    for (const body of bodies) if (isTooSlow(body, graceSeconds)) end(body);
  }, CHECK_MS);
  timer.unref();
  server.once("close", () => clearInterval(timer));

  function end(body: BodyOnTheWay): void {
    bodies.delete(body);
    const fault = Object.assign(new Error("The body arrives too slowly"), {
      code: "ERR_HTTP_REQUEST_TIMEOUT",
    });
    server.emit("clientError", fault, body.incoming.socket);
  }

  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!hasBody(incoming)) return;
    const body = { incoming, startedAt: performance.now(), bytesBefore: incoming.socket.bytesRead };
    bodies.add(body);
    outgoing.once("close", () => bodies.delete(body));
  };
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function isTooSlow({ incoming, startedAt, bytesBefore }: BodyOnTheWay, graceSeconds: number): boolean {
  // Otherwise the service is the slower one.
  const isAwaited = !incoming.complete && incoming.readableLength === 0;
  const seconds = (performance.now() - startedAt) / 1000;
  const bytes = incoming.socket.bytesRead - bytesBefore;
  return isAwaited && seconds > graceSeconds && bytes < seconds * LEAST_BYTES_A_SECOND;
}
