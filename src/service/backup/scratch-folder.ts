import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Opened } from "./opened.ts";

/** Makes a folder on the local disk, which is removed when what was opened is closed. */
export async function scratchFolder(opened: Opened): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "delivery-evidence-"));
  opened.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
