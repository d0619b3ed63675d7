import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import {
  MAX_ATTACHMENTS,
  MAX_FILE_BYTES,
  MAX_JSON_PART_BYTES,
  type MultipartBody,
} from "../../api/operation.ts";
import { Invalid, invalidInput } from "../kernel/errors.ts";
import { tooLarge, tooLargeSoFar } from "../kernel/sizes.ts";
import { PartCollector, type ReceivedParts } from "./part-collector.ts";
import type { BodyStorage } from "./received-text.ts";

/** The most a request may hold in all, its framing included. */
const MAX_REQUEST_BYTES = MAX_ATTACHMENTS * MAX_FILE_BYTES + MAX_JSON_PART_BYTES + 1024 * 1024;
/** Every attachment and the JSON part. */
const MAX_PARTS = MAX_ATTACHMENTS + 1;

/**
 * Reads a `multipart/form-data` request. Files go to paths of the storage, and are never in memory as a whole. A
 * request that breaks a rule is still read to its end, so that its sender gets to see the answer.
 *
 * @throws Invalid, TooLarge or Busy
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
    parts.refuse(new Invalid(`The request has more than ${MAX_ATTACHMENTS} files`)),
  );
  const breakOff = (error: Error) => parts.breakOff(error);
  parser.on("error", breakOff);
  const finished = firstOf(parser, "finish");
  const broken = new Promise<never>((_resolve, reject) => parser.once("error", reject));
  const read = writeTo(parser, request).then(() => finished);
  await Promise.race([read, broken]).catch(breakOff);
  return parts.collected();
}

/** Not a pipeline: one that fails cuts the connection, and with it the way of the answer. */
async function writeTo(parser: BusboyInstance, request: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    // What is said to be smaller, or of which no size is said, can still turn out to be too large.
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
      // Every part comes as a stream: bytes are counted and text is checked here, not by the parser.
      isPartAFile: () => true,
      limits: { files: MAX_PARTS, headerPairs: 20, headerSize: 16 * 1024 },
    });
  } catch {
    throw new Invalid("The multipart body has no boundary in its Content-Type");
  }
}
