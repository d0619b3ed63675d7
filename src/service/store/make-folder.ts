import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it, unless it is there. Nobody but its owner may enter it.
 *
 * @throws Error when there is none and none can be made
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeWithParents(resolve(folder));
  } catch (cause) {
    throw new Error(`The folder ${folder} cannot be made`, { cause });
  }
  if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
}

/** Node's own way to make the folders above as well never ends in `/proc`, where none can be made. */
async function makeWithParents(path: string): Promise<void> {
  const made = await mkdir(path, { mode: 0o700 }).then(() => true, whyNot);
  if (made || path === dirname(path)) return;
  await makeWithParents(dirname(path));
  await mkdir(path, { mode: 0o700 });
}

/** Whether a folder was there already; false when the one above it is missing. */
function whyNot(error: NodeJS.ErrnoException): boolean {
  if (error.code === "EEXIST") return true;
  if (error.code === "ENOENT") return false;
  throw error;
}
