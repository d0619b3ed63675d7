import { open } from "node:fs/promises";

/** Waits until what was written to a file is on the disk. */
export async function flushFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  await handle.sync().finally(() => handle.close());
}

/** Makes new names in a folder outlive a power failure. Windows cannot open a folder, and does not need it. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}
