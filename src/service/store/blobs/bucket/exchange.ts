import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { backoff, pause } from "../../../../net/retry.ts";
import { RemoteFault } from "./remote-fault.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Uploads and downloads of several requests share these. */
const MOST_CONNECTIONS = 64;
const MOST_ATTEMPTS = 4;

export interface Exchange {
  readonly url: URL;
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

export type Received = Dispatcher.ResponseData;

/** The connections to a store, and to what gives credentials for it. */
export interface Connections {
  /**
   * Asks once.
   *
   * @param who what is asked, as in "the bucket"
   * @throws RemoteFault when there is no answer
   */
  ask(who: string, exchange: Exchange): Promise<Received>;
  close(): Promise<void>;
}

/** @param silenceMs how long the other side may say nothing */
export function openConnections(silenceMs: number): Connections {
  const agent = new Agent({
    connections: MOST_CONNECTIONS,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, silenceMs) },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    allowH2: false,
  });
  return {
    async ask(who, { url, ...exchange }) {
      try {
        return await request.call(agent, {
          ...exchange,
          origin: url.origin,
          path: url.pathname + url.search,
        });
      } catch (cause) {
        throw RemoteFault.unreached(who, cause);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Attempts something again, a few times and after waits, while its fault may pass. */
export async function attemptAgain<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RemoteFault && error.passes) || made === MOST_ATTEMPTS || signal.aborted)
        throw error;
      await pause(backoff(made), signal).catch(() => {
        throw error;
      });
    }
  }
}

/** @throws RemoteFault unless the status is of success */
export async function textOf(who: string, { statusCode, body }: Received): Promise<string> {
  const text = await body.text().catch((cause: unknown) => {
    throw RemoteFault.unreached(who, cause);
  });
  if (statusCode !== 200) throw RemoteFault.answered(who, { status: statusCode, detail: text.slice(0, 500) });
  return text;
}
