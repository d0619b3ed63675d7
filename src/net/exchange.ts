import type { Dispatcher } from "undici";
import { onAbort } from "./abort-listeners.ts";
import type { Headers } from "./headers.ts";

export interface Outgoing {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

export interface Connections {
  /** Sends a request. Unlike in undici's types, the body may be an iterable. */
  dispatch(
    options: Omit<Dispatcher.DispatchOptions, "body"> & {
      body?: Dispatcher.DispatchOptions["body"] | AsyncIterable<Uint8Array>;
    },
    handler: Dispatcher.DispatchHandler,
  ): boolean;
  destroy(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export interface Reading {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Whether a longer or interrupted response is truncated instead of rejected. */
  readonly mayBeCut?: boolean;
  /**
   * Receives the body of a success in chunks, or of any response that may be cut. By default, and for the start of other
   * bodies, the response has the bytes.
   */
  readonly take?: ((chunk: Buffer) => void) | undefined;
}

/** Maximum size of a refusal if `take` receives the successes. The rest is not read. */
const REFUSAL_BYTES = 64 * 1024;

export class Incomplete extends Error {
  override readonly name = "Incomplete";
  /** Status of the response, if its headers arrived before the fault. */
  readonly status: number | undefined;
  readonly isTooLarge: boolean;

  constructor(status: number | undefined, cause?: unknown) {
    super(cause === undefined ? "the response is too long" : "the response is incomplete", { cause });
    this.status = status;
    this.isTooLarge = cause === undefined;
  }
}

/**
 * Sends one request and reads its response, whatever its status. Reads only the headers of a redirect, unless
 * `mayBeCut` is set. Creates no stream, because a stream object is larger than most responses.
 * @throws {Incomplete}, or the signal's reason when it aborts
 */
export function exchange(
  connections: Connections,
  { method, url, headers, body }: Outgoing,
  reading: Reading,
): Promise<Answer> {
  const receiver = new Receiver(reading);
  const target = { origin: url.origin, path: url.pathname + url.search };
  try {
    connections.dispatch({ ...target, method, headers: { ...headers }, body: body ?? null }, receiver);
  } catch (error) {
    receiver.onResponseError(undefined, error);
  }
  return receiver.answer;
}

export interface Opened extends Pick<Answer, "status" | "headers"> {
  readonly body: AsyncIterable<Buffer>;
  /** Discards an unread body, which closes the connection. */
  cancel(): void;
}

/** Resolves with the headers. An interrupted body fails where it is read. @throws {Incomplete} */
export function openAnswer(
  connections: Connections,
  { method, url, headers }: Omit<Outgoing, "body">,
): Promise<Opened> {
  const opening = new Opening();
  const target = { origin: url.origin, path: url.pathname + url.search };
  connections.dispatch({ ...target, method, headers: { ...headers } }, opening);
  return opening.answer;
}

class Opening implements Dispatcher.DispatchHandler {
  readonly #head = Promise.withResolvers<Opened>();
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #ended: { readonly error?: Incomplete } | undefined;
  #more = () => {};

  get answer(): Promise<Opened> {
    return this.#head.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(_: unknown, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#head.resolve({ status, headers, body: this.#read(), cancel: () => this.#cancel() });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A resumed parser sends an empty chunk first. Pausing on it would block all later chunks.
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    controller.pause();
    this.#more();
  }

  onResponseEnd(): void {
    this.#ended ??= {};
    this.#more();
  }

  onResponseError(_: unknown, cause: unknown): void {
    const error = new Incomplete(this.#status, cause);
    this.#ended ??= { error };
    this.#head.reject(error);
    this.#more();
  }

  async *#read(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk) yield chunk;
        else if (this.#ended?.error) throw this.#ended.error;
        else if (this.#ended) return;
        else await this.#next();
      }
    } finally {
      this.#cancel();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#more = resolve;
      this.#controller?.resume();
    });
  }

  #cancel(): void {
    if (!this.#ended) this.#controller?.abort(new Error("the rest of the response is not read"));
  }
}

class Receiver implements Dispatcher.DispatchHandler {
  readonly #reading: Reading;
  readonly #end = Promise.withResolvers<Answer>();
  readonly #ignoreAbort: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #head: Pick<Answer, "status" | "headers"> | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
    const { signal } = reading;
    this.#ignoreAbort = onAbort(signal, () => this.#stop(signal.reason));
    if (signal.aborted) this.#stop(signal.reason);
  }

  get answer(): Promise<Answer> {
    return this.#end.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request ended before it was connected.
    if (this.#isOver) this.#abort();
  }

  onResponseStart(_: unknown, status: number, headers: Headers): void {
    // Skips interim responses.
    if (status < 200) return;
    this.#head = { status, headers };
    if (status >= 300 && status < 400 && !this.#reading.mayBeCut) this.#finish();
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#isOver) return;
    const { take } = this.#reading;
    const mayBeCut = this.#mayBeCut;
    const maxBytes = this.#isRefusal ? REFUSAL_BYTES : this.#reading.maxBytes;
    this.#size += chunk.length;
    if (this.#size > maxBytes && !mayBeCut) {
      this.#stop(new Incomplete(this.#head?.status));
      return;
    }
    if (take && !this.#isRefusal) take(chunk);
    else this.#chunks.push(chunk);
    if (this.#size >= maxBytes && mayBeCut) this.#finish();
  }

  /** Whether the response is one that `take` does not receive. */
  get #isRefusal(): boolean {
    const { take, mayBeCut } = this.#reading;
    return take !== undefined && !mayBeCut && this.#head !== undefined && this.#head.status >= 300;
  }

  get #mayBeCut(): boolean {
    return this.#isRefusal || this.#reading.mayBeCut === true;
  }

  onResponseEnd(): void {
    this.#over();
    this.#succeed();
  }

  onResponseError(_: unknown, error: unknown): void {
    if (!this.#isOver) this.#stop(new Incomplete(this.#head?.status, error));
  }

  #finish(): void {
    this.#over();
    this.#succeed();
    this.#abort();
  }

  #stop(reason: unknown): void {
    if (this.#head && this.#mayBeCut) {
      this.#finish();
      return;
    }
    this.#over();
    this.#end.reject(reason);
    this.#abort();
  }

  #succeed(): void {
    if (this.#head) this.#end.resolve({ ...this.#head, bytes: Buffer.concat(this.#chunks) });
  }

  #abort(): void {
    this.#controller?.abort(new Error("the rest of the response is not read"));
  }

  #over(): void {
    this.#isOver = true;
    this.#ignoreAbort();
  }
}
