import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Senders } from "../../../../src/service/delivery/attempts/attempt.ts";
import { openSenders } from "../../../../src/service/delivery/attempts/senders.ts";

/** A request that a receiver got. */
interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Target named by the path. */
  readonly path: string;
}

export interface Receiver extends AsyncDisposable {
  readonly address: string;
  readonly received: Received[];
  /** Sets how each request is answered from now on. */
  answer: (request: IncomingMessage, answer: ServerResponse) => void;
}

/** A real server that accepts every request, and answers 200 by default. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, answer) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const { headers } = request;
    received.push({ id: String(headers["webhook-id"]), headers, body, path: request.url ?? "" });
    receiver.answer(request, answer);
  });
  const received: Received[] = [];
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    address: `http://127.0.0.1:${port}`,
    received,
    answer: (_, answer) => answer.end("thank you"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
  return receiver;
}

/** Sender options that allow loopback and leave secrets unencrypted. */
const { senders } = openSenders({
  outgoing: { allowTargets: ["127.0.0.1"], allowHttpTargets: true },
  mail: undefined,
  mailRate: 0,
  secrets: { seal: (_, text) => text, open: (_, sealed) => sealed, hash: (text) => text },
  now: () => Date.now() / 1000,
});

/** Every kind is sent the webhook format: these tests are about when and how often. */
export const SENDERS: Senders = { webhook: senders.webhook, slack: senders.webhook };
