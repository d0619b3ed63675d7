import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { type Invalid, invalidInput, Refusal, TooLarge } from "../kernel/errors.ts";
import { decodeUtf8 } from "../kernel/json-text.ts";
import { sizeText, tooLarge } from "../kernel/sizes.ts";
import { BASE_BYTES, type BodyRoom, noDisk } from "./body-memory.ts";
import { HttpError, isSystemError } from "./error-answer.ts";

export async function readText(
  request: IncomingMessage,
  maxBytes: number,
  storage: BodyStorage,
): Promise<string> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) throw tooLarge("the request body", announced, maxBytes);
  storage.room.enter(announced > MAX_IN_MEMORY ? announced : 0);
  const text = new ReceivedText(storage);
  let size = 0;
  try {
    // The connection stays open, so that the client receives the error.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBytes) {
        const limit = sizeText(maxBytes);
        throw new TooLarge("request.too_large", `the request body is larger than the limit of ${limit}`);
      }
      await text.append(chunk);
    }
    return decodeUtf8(await text.bytes(), "body");
  } catch (error) {
    if (request.complete || error instanceof Refusal || isSystemError(error)) throw error;
    // A client that disconnects is not a failure of the service.
    throw endedTooEarly();
  } finally {
    await text.close();
  }
}

export function endedTooEarly(): Invalid {
  return invalidInput({ body: "The request body ended too early" }, { code: "request.body_truncated" });
}

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

/** @throws HttpError 415 for a declared type other than JSON; a missing type is accepted */
export function refuseOtherTypes({ headers: { "content-type": type = "" } }: IncomingMessage): void {
  if (type === "" || JSON_TYPE.test(type)) return;
  throw unsupported(`Content-Type '${type}' is not supported: send the body as application/json`);
}

/** @throws HttpError 415 when a body is compressed */
export function refuseEncodedBody(incoming: IncomingMessage): void {
  const encoding = incoming.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw unsupported(`Content-Encoding '${encoding}' is not supported`);
}

function unsupported(problem: string): HttpError {
  return new HttpError(415, "request.content_unsupported", problem);
}

/** A larger text is stored on disk until it is complete. */
const MAX_IN_MEMORY = 1024 * 1024;
const FIRST_BYTES = 4 * 1024;

export interface BodyStorage {
  readonly room: BodyRoom;
  /** Queues expensive work on a large body. */
  inTurn<T>(work: () => T): Promise<T>;
  newPath(): string;
}

/** One growing buffer, because small pieces take much more memory. It moves to a file if memory is short. */
export class ReceivedText {
  readonly #storage: BodyStorage;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;
  #file: FileHandle | undefined;
  #written = 0;

  constructor(storage: BodyStorage) {
    this.#storage = storage;
  }

  async append(chunk: Uint8Array): Promise<void> {
    if (this.#used + chunk.length > this.#buffer.length && !this.#grow(this.#used + chunk.length)) {
      await this.#flush();
    }
    if (chunk.length > this.#buffer.length) await this.#write(chunk);
    else {
      this.#buffer.set(chunk, this.#used);
      this.#used += chunk.length;
    }
  }

  async bytes(): Promise<Uint8Array> {
    if (!this.#file) return this.#buffer.subarray(0, this.#used);
    await this.#flush();
    await this.#storage.room.load(this.#written);
    const content = Buffer.allocUnsafeSlow(this.#written);
    for (let at = 0; at < content.length; ) {
      const { bytesRead } = await this.#file.read(content, at, content.length - at, at);
      if (bytesRead === 0) throw new Error("A body stored on disk has become shorter");
      at += bytesRead;
    }
    return content;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  #grow(bytes: number): boolean {
    if (this.#file || bytes > MAX_IN_MEMORY) return false;
    const size = Math.min(MAX_IN_MEMORY, Math.max(bytes, 2 * this.#buffer.length));
    if (!this.#storage.room.take(beyondBase(size) - beyondBase(this.#buffer.length))) return false;
    this.#replaceBuffer(size);
    return true;
  }

  /** Writes the buffer to the file. From then on, it only collects enough for one write. */
  async #flush(): Promise<void> {
    await this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
    if (this.#buffer.length === BASE_BYTES) return;
    this.#storage.room.give(beyondBase(this.#buffer.length));
    this.#replaceBuffer(BASE_BYTES);
  }

  #replaceBuffer(size: number): void {
    const larger = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(larger, 0, 0, this.#used);
    this.#buffer = larger;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (!this.#storage.room.store(bytes.length)) throw noDisk();
    this.#file ??= await open(this.#storage.newPath(), "wx+", 0o600);
    for (let rest = bytes; rest.length > 0; ) {
      const { bytesWritten } = await this.#file.write(rest);
      rest = rest.subarray(bytesWritten);
    }
    this.#written += bytes.length;
  }
}

function beyondBase(bytes: number): number {
  return Math.max(0, bytes - BASE_BYTES);
}
