import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFile, flushFolder } from "../../flush.ts";
import { makeFolder } from "../../make-folder.ts";
import {
  isKeptName,
  NotKept,
  OWNER_FILE,
  type Owner,
  type OwnerMark,
  ownerContent,
  type Place,
  parseOwner,
} from "../place.ts";
import { leaseFiles } from "./file-leases.ts";

const CHUNK_BYTES = 256 * 1024;

export interface FolderOptions {
  readonly folder: string;
  /** Whether one process alone uses the folder. */
  readonly alone: boolean;
}

/** Keeps attachments in a folder: `ab/cdef…`. */
export async function openFolder({ folder, alone }: FolderOptions): Promise<Place> {
  await makeFolder(folder);
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2));
  const leases = leaseFiles(pathOf);
  return {
    name: folder,
    addressOf: pathOf,
    put: ({ path, sha256 }) => moveIntoPlace(path, pathOf(sha256), folder),
    read: (sha256) => chunksOf(pathOf(sha256)),
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
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new NotKept(`${path} is not there`, { cause: error });
    }
    throw error;
  }
}

function ownerFile(folder: string): OwnerMark {
  const path = join(folder, OWNER_FILE);

  async function read(): Promise<Owner | undefined> {
    try {
      return parseOwner(await readFile(path, "utf8"));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Written aside first, so that it is never found with half of it. */
  async function write(owner: Owner, putInPlace: (written: string) => Promise<void>): Promise<void> {
    const aside = join(folder, temporaryName());
    try {
      await writeFile(aside, ownerContent(owner), { flag: "wx", mode: 0o600, flush: true });
      await putInPlace(aside);
      await flushFolder(folder);
    } finally {
      await rm(aside, { force: true });
    }
  }

  return {
    read,
    async take(owner) {
      await write(owner, async (written) => {
        // Of several that do this at once, one succeeds.
        await link(written, path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error;
        });
      });
      return (await read()) ?? owner;
    },
    replace: (owner) => write(owner, (written) => rename(written, path)),
  };
}
