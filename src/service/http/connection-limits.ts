import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Requests of one connection that are answered at a time. */
const MOST_AT_ONCE = 8;
/** Requests of one connection that may wait. Node reads 64 KB at once, which hold a few thousand small requests. */
const MOST_WAITING = 100;

/** Requests that a client sent on one connection without waiting for the answers. */
interface Connection {
  readonly open: Set<ServerResponse>;
  readonly waiting: (() => void)[];
}

/**
 * Starts at most {@link MOST_AT_ONCE} requests of a connection at a time, and stops reading from it meanwhile. Closes
 * a connection on which too many requests wait.
 *
 * @param start answers a request
 * @param refuse logs a request that closes its connection
 */
export function limitPipelining(
  server: Server,
  start: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  refuse: (incoming: IncomingMessage) => void,
): void {
  const connections = new WeakMap<IncomingMessage["socket"], Connection>();
  server.on("connection", (socket) => {
    const connection: Connection = { open: new Set(), waiting: [] };
    connections.set(socket, connection);
    // Node resumes a socket when a request was read or an answer was written.
    socket.on("resume", () => {
      if (isFull(connection)) socket.pause();
    });
    socket.on("close", () => {
      connection.waiting.length = 0;
      // Node emits `close` only for the answer that is being sent.
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
        // Later, so that other connections have their turn.
        if (waiting.length > 0) setImmediate(beginNext, connection);
      });
      start(incoming, outgoing);
    };
    if (open.size < MOST_AT_ONCE && waiting.length === 0) begin();
    else waiting.push(begin);
    if (isFull(connection)) socket.pause();
    if (waiting.length <= MOST_WAITING) return;
    refuse(incoming);
    socket.destroy();
  });
}

function beginNext({ open, waiting }: Connection): void {
  if (open.size < MOST_AT_ONCE) waiting.shift()?.();
}

function isFull({ open, waiting }: Connection): boolean {
  return open.size + waiting.length >= MOST_AT_ONCE;
}
