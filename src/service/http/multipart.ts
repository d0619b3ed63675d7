import { createHash } from "node:crypto";
import type { EventEmitter } from "node:events";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import {
  type FilePartRule,
  MAX_ATTACHMENTS,
  MAX_FILE_BYTES,
  MAX_JSON_PART_BYTES,
  type MultipartBody,
} from "../../api/operation.ts";
import { Invalid, invalidInput, Refusal } from "../kernel/errors.ts";
import { decodeUtf8 } from "../kernel/json-text.ts";
import { tooLarge, tooLargeSoFar } from "../kernel/sizes.ts";
import { valuesByKey } from "../kernel/values-by-key.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";
import { noDisk } from "./body-memory.ts";
import { isSystemError } from "./error-answer.ts";
import { type BodyStorage, ReceivedText } from "./received-text.ts";

/** Maximum size of a request, including multipart framing. */
const MAX_REQUEST_BYTES = MAX_ATTACHMENTS * MAX_FILE_BYTES + MAX_JSON_PART_BYTES + 1024 * 1024;
const MAX_PARTS = MAX_ATTACHMENTS + 1;

/**
 * Reads a multipart request. An invalid one is read to its end, so that its sender gets the
 * response. @throws Invalid, TooLarge or Busy
 */
export async function readMultipart(
  request: IncomingMessage,
  body: MultipartBody,
  storage: BodyStorage,
): Promise<ReceivedParts> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > MAX_REQUEST_BYTES) throw tooLarge("the request", announced, MAX_REQUEST_BYTES);
  const parser = newParser(request, body);
  storage.room.enter(announced);
  const parts = new PartCollector(body, storage, (error) => parser.destroy(error));
  parser.on("file", (name, stream, fileName, _encoding, mediaType) =>
    parts.add({ name, stream, fileName, mediaType }),
  );
  parser.on("filesLimit", () =>
    parts.refuse(new Invalid("request.too_large", `The request has more than ${MAX_ATTACHMENTS} files`)),
  );
  const breakOff = (error: Error) => parts.breakOff(error);
  parser.on("error", breakOff);
  const finished = firstOf(parser, "finish");
  const broken = new Promise<never>((_resolve, reject) => parser.once("error", reject));
  const read = writeTo(parser, request).then(() => finished);
  await Promise.race([read, broken]).catch(breakOff);
  return parts.collected();
}

/** Not a pipeline, because a failed one cuts the connection before the response is sent. */
async function writeTo(parser: BusboyInstance, request: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    // A body with a smaller announced size, or none, can still turn out too large.
    if (size > MAX_REQUEST_BYTES) throw tooLargeSoFar("the request", MAX_REQUEST_BYTES);
    if (!parser.write(chunk)) await firstOf(parser, "drain");
  }
  parser.end();
}

function firstOf(stream: EventEmitter, event: string): Promise<void> {
  return new Promise((resolve) => stream.once(event, () => resolve()));
}

function newParser(request: IncomingMessage, body: MultipartBody): BusboyInstance {
  const contentType = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw invalidInput({ [body.part]: "Field required [input: None]" });
  }
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      // Every part is handled as a stream: bytes are counted and text is checked here, not by the parser.
      isPartAFile: () => true,
      limits: { files: MAX_PARTS, headerPairs: 20, headerSize: 16 * 1024 },
    });
  } catch {
    throw new Invalid("request.body_truncated", "The multipart body has no boundary in its Content-Type");
  }
}

interface ReceivedParts {
  /** The JSON part as text; absent if it was not sent. */
  readonly text: string | undefined;
  readonly files: ReadonlyMap<string, readonly ReceivedFile[]>;
}

interface IncomingPart {
  name: string | undefined;
  stream: Readable;
  fileName: string | undefined;
  mediaType: string;
}

class PartCollector {
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

  refuse(error: Error): void {
    this.#failure ??= error;
  }

  /** Ends the parts that are being read, because no more bytes will arrive. */
  breakOff(error: Error): void {
    this.refuse(error instanceof Refusal ? error : this.#malformed());
    for (const stream of this.#streams) stream.destroy(error);
  }

  add(part: IncomingPart): void {
    this.#streams.push(part.stream);
    // The content of a refused part is not read. Its error must not end the process.
    part.stream.on("error", () => {});
    this.#taken.push(
      this.#take(part).catch((error: Error) => {
        this.refuse(error instanceof Refusal || isSystemError(error) ? error : this.#malformed());
        // The parser waits until each part is read to its end, and would wait forever for a broken stream.
        if (part.stream.destroyed) this.#stopParser(error);
        else part.stream.resume();
      }),
    );
  }

  async collected(): Promise<ReceivedParts> {
    await Promise.all(this.#taken);
    if (this.#failure) throw this.#failure;
    const inOrder = this.#files.toSorted((a, b) => a.index - b.index);
    const files = valuesByKey(inOrder, ({ part, file }) => [part, file]);
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
    return invalidInput(
      { [this.#body.part]: "The multipart body is truncated or malformed" },
      { code: "request.body_truncated" },
    );
  }
}

interface FilePart {
  stream: Readable;
  fileName: string;
  mediaType: string;
  storage: BodyStorage;
}

/** Writes a file part to a path of the storage while hashing it. An oversized one is still counted, for the message. */
export async function storeFilePart({
  stream,
  fileName,
  mediaType,
  storage,
}: FilePart): Promise<ReceivedFile> {
  const path = storage.newPath();
  const hash = createHash("sha256");
  let size = 0;
  const measured = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > MAX_FILE_BYTES) continue;
      if (!storage.room.store(chunk.length)) throw noDisk();
      hash.update(chunk);
      yield chunk;
    }
  };
  const writer = createWriteStream(path, { flags: "wx", mode: 0o600 });
  try {
    await pipeline(stream, measured, writer);
  } catch (error) {
    // A file that is still being opened would appear after its removal.
    if (!writer.closed) await new Promise<void>((resolve) => writer.once("close", resolve));
    throw error;
  }
  const name = storedName(fileName);
  if (size > MAX_FILE_BYTES) throw tooLarge(`attachment '${name}'`, size, MAX_FILE_BYTES);
  return { path, name, mediaType: storedMediaType(mediaType), size, sha256: hash.digest("hex") };
}

async function readTextPart(stream: Readable, part: string, storage: BodyStorage): Promise<string> {
  const text = new ReceivedText(storage);
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size <= MAX_JSON_PART_BYTES) await text.append(chunk);
    }
    if (size > MAX_JSON_PART_BYTES) throw tooLarge(`part '${part}'`, size, MAX_JSON_PART_BYTES);
    return decodeUtf8(await text.bytes(), part);
  } finally {
    await text.close();
  }
}

/** A base name that is safe in headers, pages and archives. */
function storedName(fileName: string): string {
  const name = fileName.replace(/[\p{Cc}/\\]/gu, "_").slice(0, 255);
  return name === "" || name === "." || name === ".." ? "attachment" : name;
}

function storedMediaType(mediaType: string): string {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType) ? mediaType : "application/octet-stream";
}

interface PartPlace {
  part: string;
  index: number;
}

/** `attachment_file` is the part itself; `attachment_file.0`, `attachment_file.1` … are several of them. */
function placeOf(name: string, rules: Readonly<Record<string, FilePartRule>>): PartPlace | undefined {
  if (Object.hasOwn(rules, name)) return { part: name, index: -1 };
  const [, part, index] = /^(.+)\.(0|[1-9]\d{0,5})$/.exec(name) ?? [];
  if (part === undefined || !Object.hasOwn(rules, part) || rules[part]?.count !== "many") return undefined;
  return { part, index: Number(index) };
}
