import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isSameFile, type UsablePath } from "./workspace.ts";

const CHUNK_BYTES = 64 * 1024;
/** How many chunks are read before others get their turn: an interrupt, for example. */
const CHUNKS_AT_ONCE = 16;
/** A link or a FIFO that took the place of a checked file is neither followed nor waited for. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file that was checked, all of one state of it. Reads block, because most files are small, and an archive
 * may have thousands of them.
 *
 * @throws when another file has taken its place, or it was written to since it was checked
 */
export async function* checkedBytes({ realPath, stats }: UsablePath): AsyncGenerator<Uint8Array> {
  const file = openSync(realPath, FLAGS);
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
