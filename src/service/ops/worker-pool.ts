import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { OperationShape } from "../../api/operation.ts";
import { type MemberOperationName, operations } from "../../api/resources/operations.ts";
import { type BodyRoom, noDisk } from "../http/body-memory.ts";
import type { Answer } from "../http/error-answer.ts";
import { endedTooEarly } from "../http/received-text.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { Busy, Refusal } from "../kernel/errors.ts";
import type { Log, LoggedEvent } from "../kernel/log.ts";
import { chunksFrom, sendChunks } from "../kernel/threads/chunks.ts";
import { currentSpan, type Span, type SpanSink, type TraceContext } from "../kernel/tracing.ts";
import type { PlaceObserver } from "../store/blobs/observed-place.ts";
import type { CommittedBatch, StoreObserver } from "../store/store.ts";

export type WorkerMessage =
  | { readonly ready: true }
  | { readonly answered: number; readonly answer: HandedAnswer }
  | { readonly logged: LoggedEvent }
  | { readonly committed: CommittedBatch }
  | { readonly failed: true }
  | { readonly retried: string }
  | { readonly connected: Parameters<StoreObserver["connected"]>[0] }
  | { readonly faulted: string }
  | { readonly stored: Parameters<PlaceObserver>[0] }
  | { readonly span: Span }
  | { readonly due: true };

export interface WorkerTask<Settings> {
  readonly incoming: string;
  readonly settings: Settings;
}

export type WorkerPool = ReturnType<typeof startWorkers>;

interface PoolOptions<Settings> {
  module: URL;
  size: number;
  /** Must be cloneable to another thread. */
  settings: Settings;
  incoming: string;
  log: Log;
  observer: StoreObserver;
  observePlace?: PlaceObserver;
  traced?: SpanSink | undefined;
  wake(): void;
}

/** Delay before a worker that ended is started again. */
const RESTART_MS = 500;

/**
 * Threads that answer heavy requests, each with its own database connections. Requests of one
 * organization go to one worker. A new organization gets the worker that the fewest others use;
 * while every worker is busy, its reads run here in slices.
 */
export function startWorkers<Settings>(options: PoolOptions<Settings>) {
  const workers = Array.from({ length: options.size }, (_, index) => keepWorker(index, options));
  const enter = choose(workers);
  return {
    /** Lets a worker answer a heavy request. Undefined for requests to be answered here. */
    answer(
      operation: MemberOperationName,
      request: RoutedRequest,
      room: BodyRoom,
    ): Promise<Answer> | undefined {
      if (!isHeavy(operations[operation], request.incoming)) return undefined;
      const isRead = request.incoming.method === "GET";
      const entered = enter(request.pathParams["org"] ?? "", { isRead });
      if (entered === undefined) return undefined;
      const { worker, leave } = entered;
      return worker
        .ready()
        .then(() => worker.handOver(operation, request, room))
        .finally(leave);
    },
    /** Ends the workers. Call it when no request is in progress. */
    async close(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

/** Assigns workers to organizations. A worker is busy until its organization has left as often as it has entered. */
function choose<W>(workers: readonly W[]) {
  const taken = new Map<string, { worker: W; requests: number }>();
  const usersOf = (worker: W) => [...taken.values()].filter((each) => each.worker === worker).length;
  const newPlace = (isRead: boolean) => {
    const [least] = workers.toSorted((a, b) => usersOf(a) - usersOf(b));
    if (least === undefined || (isRead && usersOf(least) > 0)) return undefined;
    return { worker: least, requests: 0 };
  };
  return (organization: string, { isRead }: { isRead: boolean }) => {
    const place = taken.get(organization) ?? newPlace(isRead);
    if (place === undefined) return undefined;
    taken.set(organization, place);
    place.requests++;
    return {
      worker: place.worker,
      leave() {
        place.requests--;
        if (place.requests === 0) taken.delete(organization);
      },
    };
  };
}

function keepWorker<Settings>(
  index: number,
  { module, settings, incoming, log, observer, observePlace, traced, wake }: PoolOptions<Settings>,
) {
  let closing = false;
  let thread: Worker;
  let ready: Promise<void>;
  let ended: Promise<unknown>;
  let isReady: boolean;
  let lastId = 0;
  const underWay = new Map<number, PromiseWithResolvers<HandedAnswer>>();

  function start(): void {
    const task: WorkerTask<Settings> = { incoming: join(incoming, `worker-${index}`), settings };
    const started = new Worker(module, { workerData: task });
    thread = started;
    isReady = false;
    ended = new Promise((resolve) => started.once("exit", resolve));
    ready = new Promise((resolve, reject) => {
      started.on("message", (message: WorkerMessage) => {
        if (!("ready" in message)) return take(message);
        isReady = true;
        resolve();
      });
      started.on("error", (error) =>
        log({ level: "error", message: "A worker for large requests failed", error }),
      );
      started.once("exit", () => {
        const refusal = busy("is being started");
        reject(refusal);
        ready = Promise.reject(refusal);
        ready.catch(() => {});
        for (const { reject: refuse } of underWay.values()) {
          refuse(busy("does not answer"));
        }
        if (!closing) setTimeout(() => closing || start(), RESTART_MS).unref();
      });
    });
    // Callers that await it receive the error.
    ready.catch(() => {});
  }

  function take(message: Exclude<WorkerMessage, { ready: true }>): void {
    if ("answered" in message) underWay.get(message.answered)?.resolve(message.answer);
    if ("logged" in message) log(message.logged);
    if ("committed" in message) observer.committed(message.committed);
    if ("failed" in message) observer.failed();
    if ("retried" in message) observer.retried(message.retried);
    if ("connected" in message) observer.connected(message.connected);
    if ("faulted" in message) observer.faulted(message.faulted);
    if ("stored" in message) observePlace?.(message.stored);
    if ("span" in message) traced?.(message.span);
    if ("due" in message) wake();
  }

  start();
  return {
    ready: () => ready,
    /** Streams both bodies. @throws Busy when the worker does not answer, Invalid when the body ends early */
    async handOver(operation: MemberOperationName, request: RoutedRequest, room: BodyRoom): Promise<Answer> {
      const { method = "GET", headers } = request.incoming;
      const { source, target, pathParams } = request;
      const id = ++lastId;
      const answered = Promise.withResolvers<HandedAnswer>();
      underWay.set(id, answered);
      const { traceId, spanId } = currentSpan() ?? {};
      const trace = traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
      const handed = { id, operation, method, headers, source, target, pathParams, trace };
      try {
        if (method === "GET") thread.postMessage(handed satisfies HandedRequest);
        else {
          const { port1, port2 } = new MessageChannel();
          sendChunks(port1, counted(request.incoming, room)).catch((error: unknown) =>
            answered.reject(error instanceof Refusal ? error : endedTooEarly()),
          );
          thread.postMessage({ ...handed, body: port2 } satisfies HandedRequest, [port2]);
        }
        const { body, ...answer } = await answered.promise;
        if (body instanceof Uint8Array) return { ...answer, body };
        return { ...answer, body: ReadableStream.from(chunksFrom(body)) };
      } finally {
        underWay.delete(id);
      }
    },
    async close() {
      closing = true;
      // A worker that is not ready has no requests in progress.
      if (isReady) thread.postMessage("close");
      else void thread.terminate();
      await ended;
    },
  };
}

function busy(why: string): Busy {
  return new Busy("service.busy", `The worker for large requests ${why}: try again`, 1);
}

async function* counted(incoming: IncomingMessage, room: BodyRoom): AsyncGenerator<Buffer> {
  room.enter(Number(incoming.headers["content-length"] ?? 0));
  // The connection stays open, so that the client receives the error.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (!room.store(chunk.length)) throw noDisk();
    yield chunk;
  }
}

/** A list with more items takes some milliseconds. */
const MANY_ITEMS = 100;

/** A JSON body of this size takes some milliseconds to parse, and its records some hundred to write. */
const LARGE_BODY_BYTES = 256 * 1024;

/** Ignores files, because they are read and written in the background. */
function isHeavy(
  { heavy }: Pick<OperationShape, "heavy">,
  { headers, method, url }: IncomingMessage,
): boolean {
  if (heavy === "never") return false;
  if (heavy === true || requestedItems(heavy, url) > MANY_ITEMS) return true;
  if (method === "GET" || !headers["content-type"]?.includes("json")) return false;
  const length = headers["content-length"];
  // A body of unknown length may be long.
  return length === undefined || Number(length) >= LARGE_BODY_BYTES;
}

/** Maximum items of a list; 0 if neither the request nor the operation gives one. */
function requestedItems(heavy: OperationShape["heavy"], url = ""): number {
  const perPage = URL.parse(url, "http://service")?.searchParams.get("per_page");
  if (perPage !== undefined && perPage !== null) return Number(perPage);
  return typeof heavy === "object" ? heavy.items : 0;
}

export interface HandedRequest extends Pick<RoutedRequest, "source" | "target" | "pathParams"> {
  readonly id: number;
  readonly operation: MemberOperationName;
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  readonly body?: MessagePort;
  /** The span of the request, if it is traced. */
  readonly trace: TraceContext | undefined;
}

interface HandedAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer> | MessagePort;
}

/** A request in a worker, whose body comes from the thread with the connection. */
export class ReceivedRequest extends IncomingMessage {
  readonly #body: MessagePort | undefined;

  constructor({ method, headers, body }: HandedRequest) {
    super(new Socket());
    this.method = method;
    this.headers = headers;
    this.#body = body;
  }

  override async *iterator(): AsyncGenerator<Uint8Array> {
    if (this.#body !== undefined) yield* chunksFrom(this.#body);
    this.complete = true;
  }
}
