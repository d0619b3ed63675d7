import type { Opened } from "../ops/backup/opened.ts";
import { makeTemporaryFolder } from "../store/temporary-folder.ts";

/** Makes a folder on the local disk, which is removed when what was opened is closed. */
export async function scratchFolder(opened: Opened): Promise<string> {
  const { path, remove } = await makeTemporaryFolder("evidence-copy");
  opened.add(remove);
  return path;
}
