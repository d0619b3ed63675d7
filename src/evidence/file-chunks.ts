import { closeSync, constants, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

const CHUNK_BYTES = 64 * 1024;
/** How many chunks are read before others get their turn: an interrupt, for example. */
const CHUNKS_AT_ONCE = 16;
/** Does not wait for a writer, if a FIFO has taken the place of the file meanwhile. Windows has no such flag. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a regular file. One buffer serves for all of it: a chunk is gone when the next one is asked for. Reads
 * block, because most files are small, and a step may read thousands of them.
 */
export async function* chunksOfFile(path: string): AsyncGenerator<Buffer> {
  const file = openSync(path, READ_ONLY);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let chunks = 1; ; chunks++) {
      const bytesRead = readSync(file, buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      if (chunks % CHUNKS_AT_ONCE === 0) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}
