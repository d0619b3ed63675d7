import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MAX_FILE_BYTES, MAX_JSON_PART_BYTES } from "../../api/operation.ts";
import { decodeUtf8 } from "../kernel/json-text.ts";
import { tooLarge } from "../kernel/sizes.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";
import { noDisk } from "./body-memory.ts";
import { type BodyStorage, ReceivedText } from "./received-text.ts";

/** A file part whose content has yet to come. */
interface FilePart {
  stream: Readable;
  fileName: string;
  mediaType: string;
  storage: BodyStorage;
}

/** Writes a file part to a path of the storage while hashing it. An oversized one is counted to its end, for the message. */
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
    // One that is still being opened would be there after it was removed.
    if (!writer.closed) await new Promise<void>((resolve) => writer.once("close", resolve));
    throw error;
  }
  const name = storedName(fileName);
  if (size > MAX_FILE_BYTES) throw tooLarge(`attachment '${name}'`, size, MAX_FILE_BYTES);
  return { path, name, mediaType: storedMediaType(mediaType), size, sha256: hash.digest("hex") };
}

/** Reads a part that is not a file as text. */
export async function readTextPart(stream: Readable, part: string, storage: BodyStorage): Promise<string> {
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

/** A base name that can stand in a header, a page and an archive. */
function storedName(fileName: string): string {
  const name = fileName.replace(/[\p{Cc}/\\]/gu, "_").slice(0, 255);
  return name === "" || name === "." || name === ".." ? "attachment" : name;
}

function storedMediaType(mediaType: string): string {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType) ? mediaType : "application/octet-stream";
}
