import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { mkdir, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Waits until a file's content is on the disk. */
export async function flushFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  await handle.sync().finally(() => handle.close());
}

/** Makes new names in a folder survive a power failure. Windows cannot open a folder, and need not. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

const OWNER_ONLY = 0o600;

/** Writes a new file to the disk and removes it. @throws Error when it cannot be written */
export async function checkWritable(path: string): Promise<void> {
  try {
    await writeFile(path, "x", { flag: "wx", mode: OWNER_ONLY, flush: true });
  } finally {
    await rm(path, { force: true });
  }
}

/** Creates a file that only its owner can read. SQLite gives a database's log the same permissions. */
export function makePrivateFile(path: string): void {
  // An existing file is never opened, because closing it would release this process's locks on it.
  if (!existsSync(path)) closeSync(openSync(path, "a", OWNER_ONLY));
  chmodSync(path, OWNER_ONLY);
}

/** Makes those of the files that exist readable for their owner alone. */
export function makePrivate(paths: readonly string[]): void {
  for (const path of paths) if (existsSync(path)) chmodSync(path, OWNER_ONLY);
}

/** Creates a folder that only its owner can enter. @throws Error when it cannot be created */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeWithParents(resolve(folder));
  } catch (cause) {
    throw new Error(`The folder ${folder} cannot be created`, { cause });
  }
  if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
}

/** Replaces Node's recursive mkdir, which never returns in `/proc`, where no folder can be created. */
async function makeWithParents(path: string): Promise<void> {
  const made = await mkdir(path, { mode: 0o700 }).then(() => true, whyNot);
  if (made || path === dirname(path)) return;
  await makeWithParents(dirname(path));
  await mkdir(path, { mode: 0o700 });
}

/** Whether the folder existed already; false if its parent is missing. */
function whyNot(error: NodeJS.ErrnoException): boolean {
  if (error.code === "EEXIST") return true;
  if (error.code === "ENOENT") return false;
  throw error;
}

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a folder that only its owner can enter. @throws Error that says how to choose another folder */
export async function makeTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const parent = tmpdir();
  const path = await mkdtemp(join(parent, `${purpose}-`)).catch((cause: unknown) => {
    throw new Error(
      `The folder for temporary files, ${parent}, is not writable: make it writable, or set TMPDIR to another one`,
      { cause },
    );
  });
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
