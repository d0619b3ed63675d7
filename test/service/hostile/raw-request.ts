import { connect } from "node:net";

/** A raw request on the wire: nothing is escaped, checked or completed. */
export interface RawRequest {
  method: string;
  /** The text between the method and the protocol. */
  target: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

export interface RawAnswer {
  status: number;
  head: string;
  text: string;
}

/** Longer than any response takes on the slowest machine. */
const PATIENCE_MS = 20_000;

/** Sends one request on a separate connection. Fails when the connection ends without a response. */
export function sendRaw(
  address: string,
  { method, target, headers = {}, body = "" }: RawRequest,
): Promise<RawAnswer> {
  const content = Buffer.from(body);
  const lines = Object.entries({
    host: "service.example",
    connection: "close",
    "content-length": String(content.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return exchange(address, [Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`), content]);
}

/** Sends raw bytes and reads the response to its end. */
async function exchange(address: string, chunks: readonly Uint8Array[]): Promise<RawAnswer> {
  const answer = parseAnswer(await sendBytes(address, chunks));
  if (answer === undefined) throw new Error("The service ended the connection without an answer");
  return answer;
}

/** Sends raw bytes, and returns everything received until the connection ends. */
export function sendBytes(address: string, chunks: readonly (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("The service did not answer")));
    socket.on("data", (chunk) => received.push(chunk));
    let failure: Error | undefined;
    // A refusal may arrive before the whole request was sent: only the response matters.
    socket.on("error", (error) => {
      failure = error;
    });
    socket.on("close", () => {
      if (failure && received.length === 0) reject(failure);
      else resolve(Buffer.concat(received).toString("utf8"));
    });
    for (const chunk of chunks) socket.write(chunk);
  });
}

export function parseAnswer(text: string): RawAnswer | undefined {
  const [, status, head, body] = /^HTTP\/1\.1 (\d{3}) (.*?)\r\n\r\n(.*)$/s.exec(text) ?? [];
  return status === undefined || head === undefined || body === undefined
    ? undefined
    : { status: Number(status), head, text: body };
}
