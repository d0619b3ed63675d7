import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { READ_ONLY } from "./unusable-path.ts";
import { isSameFile, type UsablePath } from "./workspace.ts";

/* Reads are blocking, because most files are small and a step may read thousands of them. */

const CHUNK_BYTES = 64 * 1024;
/** Chunks read before other work, such as an interrupt, gets a turn. */
const CHUNKS_AT_ONCE = 16;
/** Does not follow a link that has replaced the file either. */
const NO_LINKS = READ_ONLY | (constants.O_NOFOLLOW ?? 0);

/** The bytes of a regular file. All chunks share one buffer, so each is valid only until the next is read. */
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

/**
 * The bytes of a checked file, all from the same state.
 *
 * @throws if the file was replaced or modified since it was checked
 */
export async function* checkedBytes({ realPath, stats }: UsablePath): AsyncGenerator<Uint8Array> {
  const file = openSync(realPath, NO_LINKS);
  try {
    let left = stats.size;
    for (let chunks = 1; ; chunks++) {
      if (!isSameFile(stats, fstatSync(file))) throw new Error("The file changed");
      if (left === 0) return;
      const chunk = Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES));
      const bytesRead = readSync(file, chunk);
      if (bytesRead === 0) throw new Error("The file ended early");
      left -= bytesRead;
      yield chunk.subarray(0, bytesRead);
      if (chunks % CHUNKS_AT_ONCE === 0) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}
