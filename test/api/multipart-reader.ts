import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { BodySource } from "../../src/net/body.ts";

export interface PartRead {
  readonly name: string;
  /** Undefined for a part that is not a file. */
  readonly fileName?: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** Reads a multipart body with a third-party parser. */
export async function readParts(contentType: string, body: Uint8Array): Promise<PartRead[]> {
  const parser = new Busboy({
    headers: { "content-type": contentType },
    preservePath: true,
    limits: { fieldSize: 1e8, fieldNameSize: 1e5 },
  });
  const parts: Promise<PartRead>[] = [];
  parser.on("field", (name, value, _nameCut, _valueCut, _encoding, mediaType) => {
    parts.push(Promise.resolve({ name, mediaType, bytes: Buffer.from(value) }));
  });
  parser.on("file", (name, stream, fileName, _encoding, mediaType) => {
    parts.push(
      stream.toArray().then((chunks) => ({ name, fileName, mediaType, bytes: Buffer.concat(chunks) })),
    );
  });
  await pipeline(Readable.from([body]), parser);
  return Promise.all(parts);
}

export async function bytesOf(body: BodySource): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.open()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
