import { MessageChannel, parentPort, type Transferable, workerData } from "node:worker_threads";
import * as handlers from "./handlers.ts";
import { BodyMemory } from "./http/body-memory.ts";
import { type Answer, errorAnswer } from "./http/error-answer.ts";
import { NO_LIMITS } from "./http/limits.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { type Served, serveOperation } from "./http/serve-operation.ts";
import type { LoggedEvent } from "./kernel/log.ts";
import { sendChunks } from "./kernel/threads/chunks.ts";
import { continueTrace, type Span } from "./kernel/tracing.ts";
import { compose, type Settings } from "./ops/compose.ts";
import {
  type HandedRequest,
  ReceivedRequest,
  type WorkerMessage,
  type WorkerTask,
} from "./ops/worker-pool.ts";

/** Settings that a worker needs from its service. */
export interface WorkerSettings extends Settings {
  /** The service's URL. */
  readonly address: string;
}

/*
 * A thread that answers requests for the main thread, on records that the main thread has opened already. The main
 * thread admits requests and limits their rate; this thread checks the caller's rights again.
 */

const { incoming, settings }: WorkerTask<WorkerSettings> = workerData;
const { limits } = settings;
const tell = (message: WorkerMessage, own: readonly Transferable[] = []) =>
  parentPort?.postMessage(message, own);
const log = (logged: LoggedEvent) => tell({ logged });

const composed = await compose(settings, {
  id: "",
  incoming,
  address: () => settings.address,
  log: (entry) => "request" in entry || log(entry),
  observer: {
    committed: (committed) => tell({ committed }),
    failed: () => tell({ failed: true }),
    retried: (retried) => tell({ retried }),
    connected: (connected) => tell({ connected }),
    faulted: (faulted) => tell({ faulted }),
  },
  observePlace: (stored) => tell({ stored }),
  wakeOther: () => tell({ due: true }),
});
const served: Served = {
  ...{ handlers, context: composed.context },
  admission: {
    rateLimits: new RateLimits({ ...limits, ...NO_LIMITS }, { clientOf: () => undefined }),
    // The main thread counts the bytes on disk.
    bodyMemory: new BodyMemory({ ...limits, bodyDisk: Number.POSITIVE_INFINITY }),
    keyUse: { note() {}, noteWebhook() {} },
  },
};
const underWay = new Set<Promise<void>>();

async function serve(handed: HandedRequest): Promise<void> {
  const { id, operation, source, target, pathParams } = handed;
  const request = { incoming: new ReceivedRequest(handed), source, target, pathParams, identified() {} };
  const { body, ...answer } = await serveOperation(operation, request, served).catch((error: unknown) =>
    failed(error, source.requestId ?? ""),
  );
  handed.body?.close();
  if (body instanceof ReadableStream) {
    const { port1, port2 } = new MessageChannel();
    tell({ answered: id, answer: { ...answer, body: port2 } }, [port2]);
    // The main thread receives the error and logs it.
    await sendChunks(port1, body).catch(() => {});
  } else {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
    tell({ answered: id, answer: { ...answer, body: bytes } }, [bytes.buffer]);
  }
}

/** Requests are logged where they arrived, but only this thread knows the failure. */
function failed(error: unknown, requestId: string): Answer {
  const answer = errorAnswer(error, requestId);
  const message = `The request ${requestId} was answered with ${answer.status}`;
  if (answer.status >= 500) log({ level: "error", message, error });
  return answer;
}

parentPort?.on("message", async (message: HandedRequest | "close") => {
  if (message !== "close") {
    const span = message.trace && { ...message.trace, sink: (ended: Span) => tell({ span: ended }) };
    const serving = continueTrace(span, () => serve(message)).finally(() => underWay.delete(serving));
    underWay.add(serving);
    return;
  }
  await Promise.all(underWay);
  await composed[Symbol.asyncDispose]();
  parentPort?.close();
});
tell({ ready: true });
