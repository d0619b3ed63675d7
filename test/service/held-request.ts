import { connect } from "node:net";
import { parseAnswer, type RawAnswer } from "./hostile/raw-request.ts";

interface RequestToHold {
  readonly address: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A request that stops in the middle of its body. */
export interface HeldRequest extends Disposable {
  /** Sends the rest and returns the response. */
  finish(): Promise<RawAnswer | undefined>;
  /** The response, once the service closes the connection. */
  readonly ended: Promise<RawAnswer | undefined>;
}

/** Sends a request without the last bytes of its body. */
export async function hold({ address, method, target, headers, body }: RequestToHold): Promise<HeldRequest> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  // A connection that is cut off shows in the response.
  socket.on("error", () => {});
  const received: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => received.push(chunk));
  const all = {
    host: "service.example",
    connection: "close",
    "content-length": String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  await new Promise<void>((resolve) => socket.write(body.subarray(0, -1), () => resolve()));
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  socket.once("close", () => close());
  const ended = closed.then(() => parseAnswer(Buffer.concat(received).toString("utf8")));
  return {
    ended,
    finish() {
      socket.write(body.subarray(-1));
      return ended;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
