import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file that came with a request, set aside until the request is accepted. */
export interface ReceivedFile {
  /** Where its bytes are for now. */
  readonly path: string;
  /** Base name, as its sender called it. */
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/** The files of one request on their way in. */
export interface Reception {
  /** A path for one more file. */
  newPath(): string;
  /** Removes what was received and not kept. */
  discard(): Promise<void>;
}

/** The files that came with attestations, each stored once under what it holds: `files/ab/cdef…`. */
export interface Attachments {
  receive(): Reception;
  /** Keeps files for good. When it resolves they are safe on the disk, so that a record may name them. */
  keep(files: readonly ReceivedFile[]): Promise<void>;
  pathOf(sha256: string): string;
}

/** Opens the attachments of a data folder. What an interrupted run left half received is removed. */
export async function openAttachments(dataFolder: string): Promise<Attachments> {
  const kept = join(dataFolder, "files");
  const incoming = join(dataFolder, "incoming");
  await rm(incoming, { recursive: true, force: true });
  for (const folder of [kept, incoming]) await mkdir(folder, { recursive: true, mode: 0o700 });

  const pathOf = (sha256: string) => join(kept, sha256.slice(0, 2), sha256.slice(2));
  return {
    pathOf,
    receive() {
      const paths: string[] = [];
      return {
        newPath() {
          const path = join(incoming, randomUUID());
          paths.push(path);
          return path;
        },
        async discard() {
          for (const path of paths) await rm(path, { force: true });
        },
      };
    },
    async keep(files) {
      for (const { path, sha256 } of files) await moveIntoPlace(path, pathOf(sha256));
    },
  };
}

async function moveIntoPlace(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  await flush(from);
  // Equal content has an equal name, so replacing a file that is there already changes nothing.
  await rename(from, to);
  await flushFolder(folder);
  if (made !== undefined) await flushFolder(dirname(folder));
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, "r+");
  await handle.sync().finally(() => handle.close());
}

/** Makes new names in a folder outlive a power failure. Windows cannot open a folder, and does not need it. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}
