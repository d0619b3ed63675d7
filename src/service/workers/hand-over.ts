import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import { type BodyRoom, noDisk } from "../http/body-memory.ts";
import type { ClientAddresses } from "../http/client-address.ts";
import type { Answer } from "../http/error-answer.ts";
import { endedTooEarly } from "../http/json-body.ts";
import { requestIdOf, setRequestId } from "../http/request-id.ts";
import { Busy, Refusal } from "../kernel/errors.ts";

/** In it the thread that took a request from outside tells the worker where it came from. */
const CLIENT_HEADER = "x-evidence-client";
/** The id that the thread gave the request. */
const REQUEST_HEADER = "x-evidence-request";

/** Workers listen to nobody else, so that this header is never anybody else's. */
export const handedOver: ClientAddresses = {
  clientOf({ headers }) {
    const client = headers[CLIENT_HEADER];
    return typeof client === "string" ? client : undefined;
  },
};

/** Gives a request in a worker the id that it has in the thread that handed it over. */
export function keepRequestId(incoming: IncomingMessage): void {
  const id = incoming.headers[REQUEST_HEADER];
  if (typeof id === "string") setRequestId(incoming, id);
}

/** Headers that are about one connection, or that are given anew. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  ...["connection", "expect", "keep-alive", "transfer-encoding", "upgrade", CLIENT_HEADER, REQUEST_HEADER],
]);

/** Headers that the connection to the sender has of its own. */
const NOT_RETURNED: ReadonlySet<string> = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

/**
 * Has a worker answer a request. Its body goes there as it comes, and the answer comes back as it is made, each no
 * faster than the other side takes it.
 *
 * @param worker sends requests to the worker
 * @param client where the request came from
 * @param room takes the body, which the worker keeps
 * @throws Busy when the worker does not answer, Invalid when the body ends too early
 */
export async function handOver(
  incoming: IncomingMessage,
  { worker, client, room }: { worker: Dispatcher; client: string | undefined; room: BodyRoom },
): Promise<Answer> {
  const headers = passedHeaders(incoming);
  headers.push(REQUEST_HEADER, requestIdOf(incoming));
  if (client !== undefined) headers.push(CLIENT_HEADER, client);
  const answered = request.call(worker, {
    method: incoming.method as Dispatcher.HttpMethod,
    path: incoming.url ?? "/",
    headers,
    ...(incoming.method === "GET" ? {} : { body: counted(incoming, room) }),
  });
  const answer = await answered.catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    if (incoming.method !== "GET" && !incoming.complete) throw endedTooEarly();
    throw new Busy("The worker for large requests does not answer: try again", 1);
  });
  const returned = Object.entries(answer.headers).filter(([name]) => !NOT_RETURNED.has(name));
  const body: ReadableStream<Uint8Array> = Readable.toWeb(answer.body);
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(returned.map(([name, value]) => [name, String(value)])),
    body,
  };
}

/** A request's body, which takes its share of the disk as it comes. */
async function* counted(incoming: IncomingMessage, room: BodyRoom): AsyncGenerator<Buffer> {
  room.enter(Number(incoming.headers["content-length"] ?? 0));
  // The connection stays open, so that the sender gets to see a refusal.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (!room.store(chunk.length)) throw noDisk();
    yield chunk;
  }
}

function passedHeaders({ rawHeaders }: IncomingMessage): string[] {
  const passed: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!NOT_PASSED.has(name.toLowerCase())) passed.push(name, value);
  }
  return passed;
}
