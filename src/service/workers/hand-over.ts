import { type Agent, type IncomingMessage, request } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { ClientAddresses } from "../http/client-address.ts";
import type { Answer } from "../http/error-answer.ts";
import { requestIdOf } from "../http/request-id.ts";
import { Busy } from "../kernel/errors.ts";

/** In it the thread that took a request from outside tells the worker where it came from. */
const CLIENT_HEADER = "x-evidence-client";

/** Workers listen to nobody else, so that this header is never anybody else's. */
export const handedOver: ClientAddresses = {
  clientOf({ headers }) {
    const client = headers[CLIENT_HEADER];
    return typeof client === "string" ? client : undefined;
  },
};

/** Headers that are about one connection, or that are given anew. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  ...["connection", "expect", "keep-alive", "upgrade", "x-request-id", CLIENT_HEADER],
]);

interface Way {
  /** Where the worker listens. */
  readonly socket: string;
  readonly agent: Agent;
  /** Where the request came from. */
  readonly client: string | undefined;
}

/**
 * Has a worker answer a request. Its body goes there as it comes, and the answer comes back as it is made, each no
 * faster than the other side takes it.
 *
 * @throws Busy when the worker does not answer
 */
export function handOver(incoming: IncomingMessage, { socket, agent, client }: Way): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = passedHeaders(incoming);
    headers.push("x-request-id", requestIdOf(incoming));
    if (client !== undefined) headers.push(CLIENT_HEADER, client);
    const asked = request({
      socketPath: socket,
      agent,
      method: incoming.method,
      path: incoming.url,
      headers,
    });
    asked.once("response", (response) => resolve(answerOf(response)));
    // Once there is an answer, what the worker did not read of the body matters to nobody.
    pipeline(incoming, asked, (error) => {
      if (error) reject(new Busy("The worker for large requests does not answer: try again", 1));
    });
  });
}

function passedHeaders({ rawHeaders }: IncomingMessage): string[] {
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!NOT_PASSED.has(name.toLowerCase())) passed.push(name, value);
  }
  return passed;
}

/** Headers that the connection to the sender has of its own. */
const NOT_RETURNED: ReadonlySet<string> = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

function answerOf(response: IncomingMessage): Answer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined && !NOT_RETURNED.has(name)) headers[name] = String(value);
  }
  const body: ReadableStream<Uint8Array> = Readable.toWeb(response);
  return { status: response.statusCode ?? 502, headers, body };
}
