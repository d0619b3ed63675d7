import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { mkdir, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

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

const OWNER_ONLY = 0o600;

/** Writes a new file to the disk, and removes it. @throws Error when it cannot be written */
export async function checkWritable(path: string): Promise<void> {
  try {
    await writeFile(path, "x", { flag: "wx", mode: OWNER_ONLY, flush: true });
  } finally {
    await rm(path, { force: true });
  }
}

/** Only its owner can read it. SQLite gives the log beside a database the same permissions. */
export function makePrivateFile(path: string): void {
  // One that is there is never opened: to close it would let go of the locks that this process has on it.
  if (!existsSync(path)) closeSync(openSync(path, "a", OWNER_ONLY));
  chmodSync(path, OWNER_ONLY);
}

/** Makes those of some files that are there readable for their owner alone. */
export function makePrivate(paths: readonly string[]): void {
  for (const path of paths) if (existsSync(path)) chmodSync(path, OWNER_ONLY);
}

/** Only the owner may enter it. @throws Error when it cannot be made */
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

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Only the owner may enter it. @throws Error that says how to name another folder */
export async function makeTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const parent = tmpdir();
  const path = await mkdtemp(join(parent, `${purpose}-`)).catch((cause: unknown) => {
    throw new Error(
      `The folder for temporary files, ${parent}, cannot be written: make it writable, or name another one in TMPDIR`,
      { cause },
    );
  });
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
