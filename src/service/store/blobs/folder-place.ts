import { randomUUID } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MAX_FILE_BYTES } from "../../../api/operation.ts";
import { hasCode } from "../../kernel/error-codes.ts";
import { checkWritable, flushFile, flushFolder, makeFolder } from "../local-files.ts";
import { leaseFiles } from "./file-leases.ts";
import {
  Altered,
  type CheckpointMark,
  checkpointName,
  isSha256,
  type MarkFile,
  NotStored,
  OWNER,
  type OwnerMark,
  type Place,
  requireSha256,
  SWEEP,
  type SweepMark,
} from "./place.ts";

const CHUNK_BYTES = 256 * 1024;

export interface FolderOptions {
  readonly folder: string;
  readonly alone: boolean;
}

export async function openFolder({ folder, alone }: FolderOptions): Promise<Place> {
  await makeFolder(folder);
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2));
  const leases = leaseFiles(pathOf);
  const owner = ownerFile(folder);
  return {
    name: folder,
    addressOf: pathOf,
    put: ({ path, sha256 }) => moveIntoPlace(path, pathOf(sha256), folder),
    async *read(sha256) {
      requireSha256(sha256);
      yield* chunksOf(pathOf(sha256));
    },
    writtenAt: async (sha256) => {
      const { mtimeMs } = (await orMissing(stat(pathOf(sha256)))) ?? {};
      return mtimeMs === undefined ? undefined : mtimeMs / 1000;
    },
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
    async *list() {
      for (const start of await readdir(folder)) {
        const rests = /^[0-9a-f]{2}$/.test(start) ? await readdir(join(folder, start)) : [];
        yield rests.map((rest) => start + rest).filter(isSha256);
      }
    },
    checkWritable: () => checkWritable(join(folder, temporaryName())),
    async checkPresent() {
      if ((await owner.read()) !== undefined) return;
      throw new Error(`${folder} has no ${OWNER.name}: the folder was removed, or its share is not mounted`);
    },
    owner,
    sweeps: sweepFile(folder),
    checkpoints: checkpointFiles(folder),
    ...(alone && { lease: leases.take }),
    close: async () => {},
  };
}

/** No stored file or folder has a name of this form. */
function temporaryName(): string {
  return `.${randomUUID()}`;
}

async function moveIntoPlace(from: string, to: string, root: string): Promise<void> {
  const folder = dirname(to);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  await flushFile(from);
  // Equal content has an equal name, so replacing an existing file changes nothing.
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    await copyIntoPlace(from, to, root);
  });
  await flushFolder(folder);
  if (made !== undefined) await flushFolder(root);
}

/** A file from another disk is copied next to its destination first, so that a partial file is never found there. */
async function copyIntoPlace(from: string, to: string, root: string): Promise<void> {
  const beside = join(root, temporaryName());
  try {
    await writeFile(beside, createReadStream(from), { flag: "wx", mode: 0o600, flush: true });
    await rename(beside, to);
  } finally {
    await rm(beside, { force: true });
  }
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await openRegular(path);
  try {
    yield* file.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false });
  } finally {
    await file.close();
  }
}

/** Opens a file that others may have put there, without following a link or waiting for a pipe. */
async function openRegular(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Windows has neither flag.
  const flags = O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
  const file = await open(path, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw new NotStored(`${path} was not found`, { cause });
    if (cause.code === "ELOOP") throw new Altered(`${path} is a symbolic link`, { cause });
    throw cause;
  });
  const about = await file.stat();
  if (about.isFile() && about.size <= MAX_FILE_BYTES) return file;
  await file.close();
  throw new Altered(`${path} is not a file of at most ${MAX_FILE_BYTES} bytes`);
}

function ownerFile(folder: string): OwnerMark {
  const { path, read, replace } = markIn(folder, OWNER);
  return {
    read,
    async take(owner) {
      await writeAside(folder, OWNER.text(owner), async (written) => {
        // If several processes do this at once, one succeeds.
        await link(written, path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error;
        });
      });
      return (await read()) ?? owner;
    },
    replace,
  };
}

function checkpointFiles(folder: string): CheckpointMark {
  const markOf = (orgId: string) =>
    markIn(folder, { name: checkpointName(orgId), parse: String, text: String });
  return {
    read: (orgId) => markOf(orgId).read(),
    replace: (orgId, checkpoint) => markOf(orgId).replace(checkpoint),
  };
}

const LOCK_FILE = "sweep.lock";
/** The lock is kept for milliseconds. */
const LOCK_ATTEMPTS = 50;
const LOCK_PAUSE_MS = 100;

function sweepFile(folder: string): SweepMark {
  const { read, replace: write } = markIn(folder, SWEEP);
  const lock = join(folder, LOCK_FILE);

  async function takeLock(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await writeFile(lock, "", { flag: "wx", mode: 0o600 });
      } catch (error) {
        if (!hasCode(error, "EEXIST")) throw error;
        if (attempt === LOCK_ATTEMPTS) {
          const advice = "A sweep is running, or was interrupted: if none runs, run delivery-evidence adopt";
          throw new Error(`${lock} exists. ${advice}`, { cause: error });
        }
      }
      await delay(LOCK_PAUSE_MS);
    }
  }

  return {
    read,
    async move(from, to) {
      await takeLock();
      try {
        const found = await read();
        if (found?.generation !== from?.generation || found?.contested) return false;
        await write(to);
        return true;
      } finally {
        await rm(lock, { force: true });
      }
    },
    async replace(state) {
      await write(state);
      // The operator's command also ends an interrupted sweep.
      if (!state.contested) await rm(lock, { force: true });
    },
  };
}

function markIn<Content>(folder: string, { name, parse, text }: MarkFile<Content>) {
  const path = join(folder, name);
  return {
    path,
    async read() {
      const written = await orMissing(readFile(path, "utf8"));
      return written === undefined ? undefined : parse(written);
    },
    replace: (content: Content) => writeAside(folder, text(content), (aside) => rename(aside, path)),
  };
}

async function writeAside(
  folder: string,
  content: string,
  putInPlace: (written: string) => Promise<void>,
): Promise<void> {
  const aside = join(folder, temporaryName());
  try {
    await writeFile(aside, content, { flag: "wx", mode: 0o600, flush: true });
    await putInPlace(aside);
    await flushFolder(folder);
  } finally {
    await rm(aside, { force: true });
  }
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
