import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { verifyWebhook } from "../../src/api/resources/verify-webhook.ts";

/** A received delivery. */
interface Delivered {
  readonly headers: IncomingHttpHeaders;
  /** The original text, because the signature covers these bytes. */
  readonly body: string;
}

interface Verified {
  readonly id: string;
  readonly event: unknown;
}

/** A webhook receiver, like one that a team runs. */
export interface Receiver extends AsyncDisposable {
  readonly address: string;
  /**
   * The next event.
   *
   * @param secret to verify its signature
   * @throws Error when nothing arrives in time, or the signature does not match
   */
  next(secret: string): Promise<Verified>;
}

const PATIENCE_SECONDS = 10;

/** Starts a receiver on this machine that accepts every delivery. */
export async function startReceiver(patienceSeconds = PATIENCE_SECONDS): Promise<Receiver> {
  const delivered: Delivered[] = [];
  const server = createServer(async (request, answer) => {
    delivered.push({ headers: request.headers, body: await text(request) });
    answer.writeHead(204).end();
    server.emit("delivered");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/events`;
  return {
    address,
    async next(secret) {
      const signal = AbortSignal.timeout(patienceSeconds * 1000);
      for (;;) {
        const [first] = delivered.splice(0, 1);
        if (first !== undefined) return verified(address, first, secret);
        await once(server, "delivered", { signal }).catch((cause: unknown) => {
          throw new Error(`Nothing was delivered to ${address} within ${patienceSeconds} s`, { cause });
        });
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

function verified(address: string, { headers, body }: Delivered, secret: string): Verified {
  try {
    return { id: String(headers["webhook-id"]), event: verifyWebhook(headers, body, secret) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The delivery to ${address} could not be verified: ${reason}`, { cause });
  }
}
