import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../kernel/errors.ts";
import { inParallel } from "../../kernel/in-parallel.ts";
import type { Log } from "../../kernel/log.ts";
import { checkWritable } from "../local-files.ts";
import type { Store } from "../store.ts";
import { type CheckedFiles, checkFiles } from "./checked-files.ts";
import { longMarked, markOrphans, removeOrphan, unmarking } from "./orphans.ts";
import { type LocalFile, type Place, unavailablePlace } from "./place.ts";
import { moveGeneration, Overtaken, requireGeneration } from "./sweep-fence.ts";

export interface ReceivedFile extends LocalFile {
  /** The base name that the sender gave it. */
  readonly name: string;
  readonly mediaType: string;
}

interface Reception {
  newPath(): string;
  /** Removes received files that were not kept. */
  discard(): Promise<void>;
}

export interface Attachments extends CheckedFiles {
  receive(): Reception;
  /**
   * Stores the files before `record` begins, so that no record names a missing file. If the record is refused, unnamed
   * files are removed: at once if only this process uses the place, otherwise by a sweep.
   */
  keepFor<T>(files: readonly ReceivedFile[], record: () => Promise<T>): Promise<T>;
  /** @throws Error when no file can be received or stored */
  checkWritable(): Promise<void>;
  /** Marks unreferenced files, and removes those marked for a day. @throws Error when a copy uses the place */
  sweep(stop: AbortSignal): Promise<void>;
}

interface AttachmentsOptions {
  place: Place;
  /** A local folder for files while they arrive, used by this process only. It is emptied at the start. */
  incoming: string;
  store: Store;
  /** The time, in Unix seconds with a fraction. */
  now: () => number;
  log?: Log;
  /** Timeout for storing the files of one request, in ms. */
  uploadTimeoutMs?: number;
}

const UPLOADS_AT_ONCE = 4;
const MARKS_AT_ONCE = 1_000;
/** Half of the time that the actions wait for a response. */
const UPLOAD_TIMEOUT_MS = 60_000;

/** Removes partly received files that an interrupted run left. */
export async function openAttachments(options: AttachmentsOptions): Promise<Attachments> {
  const { place, incoming, store, now, log = () => {}, uploadTimeoutMs = UPLOAD_TIMEOUT_MS } = options;
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const unmark = unmarking(store);
  await unmark([], now());
  return {
    ...checkFiles(place, log),
    async checkWritable() {
      await checkWritable(join(incoming, randomUUID()));
      await place.checkPresent?.();
      await place.checkWritable();
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
      if (files.length === 0) return record();
      const sha256s = files.map(({ sha256 }) => sha256);
      const lease = place.lease?.(sha256s);
      try {
        const wereMarked = await unmark(sha256s, now());
        const signal = AbortSignal.timeout(uploadTimeoutMs);
        await orBusy(async () => {
          await place.checkPresent?.();
          await inParallel(files, UPLOADS_AT_ONCE, (file) =>
            place.put(file, { rewrite: wereMarked.has(file.sha256), signal }),
          );
        });
        const recorded = await record();
        lease?.settle("recorded");
        return recorded;
      } catch (error) {
        // After any other failure it is unknown whether the record exists.
        lease?.settle(error instanceof Refusal ? "refused" : "unknown");
        throw error;
      }
    },
    async sweep(stop) {
      try {
        await sweepOnce(stop);
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
      }
    },
  };

  /** A failure to store is not the caller's and may pass. */
  async function orBusy(storing: () => Promise<void>): Promise<void> {
    try {
      await storing();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      log({ level: "error", message: `No file can be stored in ${place.name}`, error });
      throw unavailablePlace();
    }
  }

  async function sweepOnce(stop: AbortSignal): Promise<void> {
    const generation = await moveGeneration({ store, place });
    for await (const sha256s of place.list()) {
      if (stop.aborted) return;
      if (sha256s.length > 0) await markOrphans(store, sha256s, now());
    }
    // In a store without conditional writes, two databases may have moved it at once.
    await requireGeneration({ store, place }, generation);
    for await (const sha256 of allLongMarked(store, now())) {
      if (stop.aborted) return;
      await removeOrphan(store, { sha256, now: now(), place });
    }
  }
}

async function* allLongMarked(store: Store, now: number): AsyncGenerator<string> {
  let after = "";
  for (;;) {
    const found = await longMarked(store.read, { after, limit: MARKS_AT_ONCE, now });
    yield* found;
    if (found.length < MARKS_AT_ONCE) return;
    after = found.at(-1) ?? "";
  }
}
