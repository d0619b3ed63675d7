import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Senders } from "../../../src/service/delivery/sent.ts";
import { webhookSender } from "../../../src/service/delivery/webhook.ts";

/** What a receiver was sent. */
interface Received {
  readonly id: string;
  readonly body: string;
  /** The target, as its path says. */
  readonly path: string;
}

export interface Receiver extends AsyncDisposable {
  readonly address: string;
  readonly received: Received[];
  /** Says how each request is answered from now on. */
  answer: (request: IncomingMessage, answer: ServerResponse) => void;
}

/** A real server that takes what it is sent, and answers 200 unless told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, answer) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    received.push({ id: String(request.headers["webhook-id"]), body, path: request.url ?? "" });
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

/** Senders that send over HTTP to wherever they are told, loopback as well. */
export const openSenders: Senders = (() => {
  const webhook = webhookSender({
    bodyOf: ({ number, payload }) => `{"sequence":${number},${payload.slice(1)}`,
    signedHeaders: async ({ event }) => ({ "webhook-id": event.id, "webhook-signature": "v1,secret" }),
    async sendRequest({ url, headers, body }) {
      try {
        const answer = await fetch(url, {
          method: "POST",
          headers,
          body,
          signal: AbortSignal.timeout(15_000),
        });
        const wait = answer.headers.get("retry-after");
        return {
          outcome: answer.ok ? "delivered" : `status_${answer.status}`,
          status: answer.status,
          answer: await answer.text(),
          retryAfterSeconds: wait === null ? undefined : Number(wait),
        };
      } catch {
        return { outcome: "reset", answer: "" };
      }
    },
  });
  return { webhook, slack: webhook };
})();
