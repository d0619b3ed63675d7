import { type Copied, copyAll } from "../ops/backup/copy-all.ts";
import { beginFolder } from "../ops/backup/new-folder.ts";
import type { InBucket } from "../ops/backup/open-backup.ts";
import { type Original, openOriginal, type Whereabouts } from "../ops/backup/original.ts";
import type { Listener } from "./listener.ts";

/** A copy that was made: what was copied, from where, and what it is called. */
export interface MadeCopy {
  readonly from: string;
  readonly name: string;
  readonly copied: Copied;
}

/**
 * Makes a backup, also while services work on what is copied: a data folder of its own, or in a bucket the objects of
 * one, beside those of earlier backups.
 */
export async function makeBackup(
  where: Whereabouts,
  to: string | InBucket,
  listener: Listener,
): Promise<MadeCopy> {
  await using original = await openOriginal(where, listener.log);
  // An older service may be at work on older records; they are not brought up to date behind its back.
  original.records();
  await using copy = await (typeof to === "string"
    ? beginFolder(to, undefined, listener.log)
    : beginInBucket(to, original, listener));
  return { from: original.name, name: copy.name, copied: await copyAll(original, copy, listener) };
}

async function beginInBucket(to: InBucket, { identity }: Original, { onProgress, log }: Listener) {
  const { beginInBucket: begin } = await import("../ops/backup/new-in-bucket.ts");
  return begin({ address: to.bucket, environment: to.environment, log }, identity, onProgress);
}
