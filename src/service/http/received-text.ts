import { type FileHandle, open } from "node:fs/promises";
import { BASE_BYTES, type BodyRoom, noDisk } from "./body-memory.ts";

/** A larger text waits on the disk until it is complete. */
export const MOST_IN_MEMORY = 1024 * 1024;
const FIRST_BYTES = 4 * 1024;

/** Where the body of a request goes while it comes. */
export interface BodyStorage {
  readonly room: BodyRoom;
  /** Does what takes long with a large body when it is its turn. */
  inTurn<T>(work: () => T): Promise<T>;
  /** A path for one more file, which is removed when the request has been answered. */
  newPath(): string;
}

/**
 * The bytes of a text as they come, in one buffer, as many small pieces would take much more memory than they hold.
 * When there is no memory for them they go to a file.
 */
export class ReceivedText {
  readonly #storage: BodyStorage;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  /** How many bytes of the buffer are filled. */
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

  /** All of it. A text that is on the disk is read back when it is its turn. */
  async bytes(): Promise<Uint8Array> {
    if (!this.#file) return this.#buffer.subarray(0, this.#used);
    await this.#flush();
    await this.#storage.room.load(this.#written);
    const content = Buffer.allocUnsafeSlow(this.#written);
    for (let at = 0; at < content.length; ) {
      const { bytesRead } = await this.#file.read(content, at, content.length - at, at);
      if (bytesRead === 0) throw new Error("A body that was set aside on the disk has become shorter");
      at += bytesRead;
    }
    return content;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** Makes the buffer hold this many bytes, while the text is in memory and there is some left. */
  #grow(bytes: number): boolean {
    if (this.#file || bytes > MOST_IN_MEMORY) return false;
    const size = Math.min(MOST_IN_MEMORY, Math.max(bytes, 2 * this.#buffer.length));
    if (!this.#storage.room.take(beyondBase(size) - beyondBase(this.#buffer.length))) return false;
    this.#replaceBuffer(size);
    return true;
  }

  /** Empties the buffer into the file. From then on it only collects what is worth a write. */
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

/** What a buffer takes beyond what every body has. */
function beyondBase(bytes: number): number {
  return Math.max(0, bytes - BASE_BYTES);
}
