import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WholeAnswer } from "./early-refusal.ts";

/** The other side has this long to read the last answer before the connection is cut. */
const LINGER_MS = 1_000;

/** Writes the last answer of a connection, on which nothing can be read any more, and ends it. */
export function closeWith(socket: Duplex, { status, headers, body }: WholeAnswer): void {
  if (!socket.writable) return;
  const lines = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
  closeSoon(socket);
}

/**
 * Ends a connection on which everything was said. What still arrives is dropped for a moment: where bytes that
 * nobody reads are left, cutting the connection takes the answer back.
 */
export function closeSoon(socket: Duplex): void {
  if (socket.destroyed) return;
  if (!socket.writableEnded) socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}
