import { createHash } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a new file for its owner only, and syncs it to the disk. */
export async function writeDurably(path: string, content: AsyncIterable<Uint8Array> | readonly Uint8Array[]) {
  const hash = createHash("sha256");
  let size = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      size += chunk.byteLength;
      await file.appendFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest("hex") };
}

/** Moves atomically: readers see all of it or nothing. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Writes a small file atomically, even with concurrent writers. */
export async function putDurably(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.writing-${crypto.randomUUID()}`);
  await writeDurably(draft, [Buffer.from(text)]);
  await moveDurably(draft, path);
}

/** Syncs a folder's entries. Windows cannot, and need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
