import { randomUUID } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Refusal } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { flushFile, flushFolder } from "../flush.ts";
import { type CheckedFiles, checkFiles } from "./checked-files.ts";
import { leaseFiles } from "./file-leases.ts";

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
interface Reception {
  /** A path for one more file. */
  newPath(): string;
  /** Removes what was received and not kept. */
  discard(): Promise<void>;
}

/** The files that came with attestations, each stored once under what it holds: `files/ab/cdef…`. */
export interface Attachments extends CheckedFiles {
  receive(): Reception;
  /**
   * Keeps files for a record that names them. They are safe on the disk before `record` begins, so that no record
   * ever names a file that is not there. When the record is refused, those that no other names are removed again.
   */
  keepFor<T>(files: readonly ReceivedFile[], record: () => Promise<T>): Promise<T>;
  /** @throws Error when no file can be received */
  checkWritable(): Promise<void>;
  /** The names of the files that are kept, folder by folder. */
  kept(): AsyncGenerator<string[]>;
  /** Removes a file, unless a submission has brought it since a time (in ms) or is just bringing it. */
  removeIfOlder(sha256: string, time: number): boolean;
}

/**
 * Opens the attachments of a data folder. What an interrupted run left half received is removed.
 *
 * @param log takes an entry for each file that is found damaged
 */
export async function openAttachments(dataFolder: string, log: Log = () => {}): Promise<Attachments> {
  const kept = join(dataFolder, "files");
  const incoming = join(dataFolder, "incoming");
  await rm(incoming, { recursive: true, force: true });
  for (const folder of [kept, incoming]) await mkdir(folder, { recursive: true, mode: 0o700 });

  const pathOf = (sha256: string) => join(kept, sha256.slice(0, 2), sha256.slice(2));
  const leases = leaseFiles(pathOf);
  return {
    ...checkFiles(pathOf, log),
    async checkWritable() {
      const path = join(incoming, randomUUID());
      try {
        await writeFile(path, "x", { flag: "wx", mode: 0o600, flush: true });
      } finally {
        await rm(path, { force: true });
      }
    },
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
    async keepFor(files, record) {
      const lease = leases.take(files.map(({ sha256 }) => sha256));
      try {
        for (const { path, sha256 } of files) await moveIntoPlace(path, pathOf(sha256));
        const recorded = await record();
        lease.settle("recorded");
        return recorded;
      } catch (error) {
        // Any other failure leaves open whether there is a record now.
        lease.settle(error instanceof Refusal ? "refused" : "unknown");
        throw error;
      }
    },
    async *kept() {
      for (const start of await readdir(kept)) {
        const names = /^[0-9a-f]{2}$/.test(start) ? await readdir(join(kept, start)) : [];
        yield names.map((rest) => start + rest).filter((name) => /^[0-9a-f]{64}$/.test(name));
      }
    },
    removeIfOlder(sha256, time) {
      const path = pathOf(sha256);
      const found = statSync(path, { throwIfNoEntry: false });
      if (leases.has(sha256) || found === undefined || found.mtimeMs >= time) return false;
      rmSync(path, { force: true });
      return true;
    },
  };
}

async function moveIntoPlace(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  await flushFile(from);
  // Equal content has an equal name, so replacing a file that is there already changes nothing but its age.
  await rename(from, to);
  await flushFolder(folder);
  if (made !== undefined) await flushFolder(dirname(folder));
}
