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
import { flushFile, flushFolder, makeFolder } from "../local-files.ts";
import { leaseFiles } from "./file-leases.ts";
import {
  Altered,
  isKeptName,
  NotKept,
  OWNER_FILE,
  type Owner,
  type OwnerMark,
  ownerContent,
  type Place,
  parseOwner,
  parseSweepState,
  requireKeptName,
  SWEEP_FILE,
  type SweepMark,
  type SweepState,
  sweepContent,
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
  return {
    name: folder,
    addressOf: pathOf,
    put: ({ path, sha256 }) => moveIntoPlace(path, pathOf(sha256), folder),
    async *read(sha256) {
      requireKeptName(sha256);
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
        yield rests.map((rest) => start + rest).filter(isKeptName);
      }
    },
    async checkWritable() {
      const path = join(folder, temporaryName());
      try {
        await writeFile(path, "x", { flag: "wx", mode: 0o600, flush: true });
      } finally {
        await rm(path, { force: true });
      }
    },
    owner: ownerFile(folder),
    sweeps: sweepFile(folder),
    ...(alone && { lease: leases.take }),
    close: async () => {},
  };
}

/** No name of this form is that of a file that is kept, or of a folder of such. */
function temporaryName(): string {
  return `.${randomUUID()}`;
}

async function moveIntoPlace(from: string, to: string, root: string): Promise<void> {
  const folder = dirname(to);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  await flushFile(from);
  // Equal content has an equal name, so replacing a file that is there already changes nothing.
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    await copyIntoPlace(from, to, root);
  });
  await flushFolder(folder);
  if (made !== undefined) await flushFolder(root);
}

/** A file of another disk is copied beside its place first, so that half of it is never found there. */
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

/** Opens a file that may have been put there by others: a link is not followed, and a pipe is not waited for. */
async function openRegular(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  // Windows has neither.
  const flags = O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
  const file = await open(path, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw new NotKept(`${path} is not there`, { cause });
    if (cause.code === "ELOOP") throw new Altered(`${path} is a symbolic link`, { cause });
    throw cause;
  });
  const about = await file.stat();
  if (about.isFile() && about.size <= MAX_FILE_BYTES) return file;
  await file.close();
  throw new Altered(`${path} is not a file of at most ${MAX_FILE_BYTES} bytes`);
}

function ownerFile(folder: string): OwnerMark {
  const path = join(folder, OWNER_FILE);

  async function read(): Promise<Owner | undefined> {
    const text = await orMissing(readFile(path, "utf8"));
    return text === undefined ? undefined : parseOwner(text);
  }

  return {
    read,
    async take(owner) {
      await writeAside(folder, ownerContent(owner), async (written) => {
        // Of several that do this at once, one succeeds.
        await link(written, path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error;
        });
      });
      return (await read()) ?? owner;
    },
    replace: (owner) => writeAside(folder, ownerContent(owner), (written) => rename(written, path)),
  };
}

const LOCK_FILE = "sweep.lock";
/** The lock is held for milliseconds. */
const LOCK_ATTEMPTS = 50;
const LOCK_PAUSE_MS = 100;

function sweepFile(folder: string): SweepMark {
  const path = join(folder, SWEEP_FILE);
  const lock = join(folder, LOCK_FILE);

  async function read(): Promise<SweepState | undefined> {
    const text = await orMissing(readFile(path, "utf8"));
    return text === undefined ? undefined : parseSweepState(text);
  }
  const write = (state: SweepState) =>
    writeAside(folder, sweepContent(state), (written) => rename(written, path));

  async function takeLock(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await writeFile(lock, "", { flag: "wx", mode: 0o600 });
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
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
      // An operator's word ends what an interrupted sweep left.
      if (!state.contested) await rm(lock, { force: true });
    },
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
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
