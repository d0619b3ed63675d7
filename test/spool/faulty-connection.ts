import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Faults between a client and a service. */
export const FAULTS = [
  /** The request never arrives. */
  "drop before",
  /** The request arrives, the response does not. */
  "drop after",
  /** The first half of the request arrives. */
  "half a body",
  /** The request arrives twice, and the second response is returned. */
  "duplicate",
  /** The request arrives after the client has given up, and after later requests. */
  "delay",
  /** The request succeeds, but the response reports a fault. */
  "5xx after commit",
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultyConnection extends AsyncDisposable {
  readonly address: string;
  /** Number of times each fault occurred, and "none". */
  readonly met: Map<Fault | "none", number>;
  /** The `Idempotency-Key` of each request that has one. */
  readonly keys: string[];
  /** Receives each request before it is forwarded. */
  onRequest: (count: number) => void;
}

/**
 * A proxy to a service on which a request may meet a fault.
 *
 * @param choose returns the fault for each request in order, or undefined for none
 */
export async function faultyConnection(
  service: string,
  choose: () => Fault | undefined,
): Promise<FaultyConnection> {
  const met: FaultyConnection["met"] = new Map();
  const delayed: { after: number; carry: () => Promise<unknown> }[] = [];
  let count = 0;
  const way: FaultyConnection = {
    address: "",
    met,
    keys: [],
    onRequest: () => {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const server = createServer(async (incoming, response) => {
    try {
      count++;
      way.onRequest(count);
      const key = incoming.headers["idempotency-key"];
      if (typeof key === "string") way.keys.push(key);
      const body = await buffer(incoming);
      for (const late of delayed.splice(0)) {
        if (late.after <= count) await late.carry().catch(() => {});
        else delayed.push(late);
      }
      const fault = choose();
      met.set(fault ?? "none", (met.get(fault ?? "none") ?? 0) + 1);
      await meet(fault, {
        service,
        incoming,
        response,
        body,
        later: (carry) => delayed.push({ after: count + 2, carry }),
      });
    } catch {
      response.destroy();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(way, { address: `http://127.0.0.1:${port}` });
}

interface Passage {
  readonly service: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly later: (carry: () => Promise<unknown>) => void;
}

async function meet(fault: Fault | undefined, passage: Passage): Promise<void> {
  const { response, later } = passage;
  switch (fault) {
    case "drop before":
      response.destroy();
      return;
    case "drop after":
      await carry(passage);
      response.destroy();
      return;
    case "half a body":
      await carryHalf(passage);
      response.destroy();
      return;
    case "delay":
      later(() => carry(passage));
      response.destroy();
      return;
    case "5xx after commit":
      await carry(passage);
      response.writeHead(503, { "content-type": "application/json" }).end('{"message":"try again"}');
      return;
    case "duplicate":
      await carry(passage);
      break;
    case undefined:
  }
  const { status, headers, content } = await carry(passage);
  response.writeHead(status, headers).end(content);
}

async function carry({ service, incoming, body }: Passage) {
  const { method, url = "", headers } = incoming;
  const onward = request(new URL(url, service), { method, headers, agent: false });
  onward.end(body);
  const [answer] = (await once(onward, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, content: await buffer(answer) };
}

async function carryHalf({ service, incoming, body }: Passage): Promise<void> {
  const { method, url = "", headers } = incoming;
  const onward = request(new URL(url, service), { method, headers, agent: false });
  onward.on("error", () => {});
  await new Promise<void>((resolve) => {
    onward.write(body.subarray(0, body.length >> 1), () => resolve());
    // A request without a body has no half.
    if (body.length === 0) onward.end(resolve);
  });
  onward.destroy();
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Chooses a fault for a share of the requests. */
export function faultsAt(share: number, random: () => number): () => Fault | undefined {
  return () => (random() < share ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined);
}
