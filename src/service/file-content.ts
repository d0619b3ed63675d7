import { createReadStream } from "node:fs";

const CHUNK_BYTES = 256 * 1024;

/**
 * What a file holds. It is opened when it is first read, and then stays open: an equal file that takes its place
 * meanwhile does not disturb. That it is not there shows only when it is read.
 */
export function contentOf(path: string): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunksOf(path));
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
}
