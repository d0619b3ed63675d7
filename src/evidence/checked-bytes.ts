import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isSameFile, type UsablePath } from "./workspace.ts";

const CHUNK_BYTES = 64 * 1024;
/** A link or a FIFO that took the place of a checked file is neither followed nor waited for. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file that was checked, all of one state of it.
 *
 * @throws when another file has taken its place, or it was written to since it was checked
 */
export async function* checkedBytes({ realPath, stats }: UsablePath): AsyncGenerator<Uint8Array> {
  await using file = await open(realPath, FLAGS);
  let left = stats.size;
  for (;;) {
    if (!isSameFile(stats, await file.stat())) throw new Error("The file changed");
    if (left === 0) return;
    const chunk = Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES));
    const { bytesRead } = await file.read(chunk, 0, chunk.length);
    if (bytesRead === 0) throw new Error("The file ended early");
    left -= bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
