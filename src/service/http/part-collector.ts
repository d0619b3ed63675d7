import type { Readable } from "node:stream";
import type { MultipartBody } from "../../api/operation.ts";
import { type Invalid, invalidInput, Refusal } from "../kernel/errors.ts";
import { valuesByKey } from "../kernel/values-by-key.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";
import { readTextPart, storeFilePart } from "./part-content.ts";
import { type PartPlace, placeOf } from "./part-names.ts";
import type { BodyStorage } from "./received-text.ts";
import { isSystemError } from "./system-error.ts";

/** A request of several parts. */
export interface ReceivedParts {
  /** The JSON part as text; absent when it was not sent. */
  readonly text: string | undefined;
  /** The files by the name of their part, in the order of their indices. */
  readonly files: ReadonlyMap<string, readonly ReceivedFile[]>;
}

/** One part as the parser announces it; its content follows in the stream. */
export interface IncomingPart {
  name: string | undefined;
  stream: Readable;
  fileName: string | undefined;
  mediaType: string;
}

/** Takes in the parts of one request and remembers the first thing that went wrong. */
export class PartCollector {
  readonly #body: MultipartBody;
  readonly #storage: BodyStorage;
  readonly #stopParser: (error: Error) => void;
  readonly #seen = new Set<string>();
  readonly #streams: Readable[] = [];
  readonly #taken: Promise<void>[] = [];
  readonly #files: (PartPlace & { file: ReceivedFile })[] = [];
  #text: string | undefined;
  #failure: Error | undefined;

  constructor(body: MultipartBody, storage: BodyStorage, stopParser: (error: Error) => void) {
    this.#body = body;
    this.#storage = storage;
    this.#stopParser = stopParser;
  }

  /** Notes what is wrong with the request. The rest of it is read and dropped. */
  refuse(error: Error): void {
    this.#failure ??= error;
  }

  /** Ends the parts that are being read: no more bytes will come. */
  breakOff(error: Error): void {
    this.refuse(error instanceof Refusal ? error : this.#malformed());
    for (const stream of this.#streams) stream.destroy(error);
  }

  add(part: IncomingPart): void {
    this.#streams.push(part.stream);
    // Nobody reads the content of a refused part; that it breaks off must not end the process.
    part.stream.on("error", () => {});
    this.#taken.push(
      this.#take(part).catch((error: Error) => {
        this.refuse(error instanceof Refusal || isSystemError(error) ? error : this.#malformed());
        // The parser waits for each part to be read to its end, and would wait for ever for a broken stream.
        if (part.stream.destroyed) this.#stopParser(error);
        else part.stream.resume();
      }),
    );
  }

  async collected(): Promise<ReceivedParts> {
    await Promise.all(this.#taken);
    if (this.#failure) throw this.#failure;
    const inOrder = this.#files.toSorted((a, b) => a.index - b.index);
    const files = valuesByKey(
      inOrder,
      ({ part }) => part,
      ({ file }) => file,
    );
    return { text: this.#text, files };
  }

  async #take({ name = "", stream, fileName, mediaType }: IncomingPart): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#seen.has(name)) throw invalidInput({ [name]: "Sent more than once" });
    this.#seen.add(name);
    if (name === this.#body.part) {
      if (fileName !== undefined)
        throw invalidInput({ [name]: "Input should be a valid string, not a file" });
      this.#text = await readTextPart(stream, name, this.#storage);
      return;
    }
    const place = placeOf(name, this.#body.files);
    if (!place) throw invalidInput({ [name]: "Extra inputs are not permitted" });
    if (fileName === undefined) throw invalidInput({ [name]: "Input should be a file with a file name" });
    const file = await storeFilePart({ stream, fileName, mediaType, storage: this.#storage });
    this.#files.push({ ...place, file });
  }

  #malformed(): Invalid {
    return invalidInput({ [this.#body.part]: "The multipart body is truncated or malformed" });
  }
}
