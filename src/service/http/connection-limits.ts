import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Maximum number of requests of one connection that run at a time. */
const MAX_AT_ONCE = 8;
/** Maximum number of waiting requests of one connection. Node reads 64 KB at once, enough for a few thousand small requests. */
const MAX_WAITING = 100;

interface Connection {
  readonly open: Set<ServerResponse>;
  readonly waiting: (() => void)[];
}

/** Limits the requests of a connection that run at once, and pauses reading at the limit. */
export function limitPipelining(
  server: Server,
  start: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  refuse: (incoming: IncomingMessage) => void,
): void {
  const connections = new WeakMap<IncomingMessage["socket"], Connection>();
  server.on("connection", (socket) => {
    const connection: Connection = { open: new Set(), waiting: [] };
    connections.set(socket, connection);
    // Node resumes a socket when a request was read or a response was written.
    socket.on("resume", () => {
      if (isFull(connection)) socket.pause();
    });
    socket.on("close", () => {
      connection.waiting.length = 0;
      // Node emits `close` only for the response that is being sent.
      for (const answer of connection.open) if (answer.socket === null) answer.emit("close");
    });
  });

  server.on("request", (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = connections.get(socket);
    if (connection === undefined || socket.destroyed) return;
    const { open, waiting } = connection;
    const begin = () => {
      open.add(outgoing);
      outgoing.once("close", () => {
        open.delete(outgoing);
        if (!isFull(connection)) socket.resume();
        // Deferred, so that other connections get their turn.
        if (waiting.length > 0) setImmediate(beginNext, connection);
      });
      start(incoming, outgoing);
    };
    if (open.size < MAX_AT_ONCE && waiting.length === 0) begin();
    else waiting.push(begin);
    if (isFull(connection)) socket.pause();
    if (waiting.length <= MAX_WAITING) return;
    refuse(incoming);
    socket.destroy();
  });
}

function beginNext({ open, waiting }: Connection): void {
  if (open.size < MAX_AT_ONCE) waiting.shift()?.();
}

function isFull({ open, waiting }: Connection): boolean {
  return open.size + waiting.length >= MAX_AT_ONCE;
}

const LEAST_BYTES_A_SECOND = 50_000;
const CHECK_MS = 1_000;

interface IncomingBody {
  readonly incoming: IncomingMessage;
  readonly startedAt: number;
  /** Bytes that the connection received before the body. */
  readonly bytesBefore: number;
}

/** Returns a function that takes each request once its body is read, and ends those whose body is slow. */
export function endSlowBodies(server: Server, graceSeconds: number) {
  const bodies = new Set<IncomingBody>();
  const timer = setInterval(() => {
    for (const body of bodies) if (isTooSlow(body, graceSeconds)) end(body);
  }, CHECK_MS);
  timer.unref();
  server.once("close", () => clearInterval(timer));

  function end(body: IncomingBody): void {
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

function isTooSlow({ incoming, startedAt, bytesBefore }: IncomingBody, graceSeconds: number): boolean {
  // If unread bytes are waiting, the service is slow, not the client.
  const isAwaited = !incoming.complete && incoming.readableLength === 0;
  const seconds = (performance.now() - startedAt) / 1000;
  const bytes = incoming.socket.bytesRead - bytesBefore;
  return isAwaited && seconds > graceSeconds && bytes < seconds * LEAST_BYTES_A_SECOND;
}
