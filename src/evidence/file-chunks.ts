import { open } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;

/** The bytes of a regular file. One buffer serves for all of it: a chunk is gone when the next one is asked for. */
export async function* chunksOfFile(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path, "r");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
