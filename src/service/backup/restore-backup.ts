import { copyAll } from "../ops/backup/copy-all.ts";
import { type BackupAt, openBackup } from "../ops/backup/open-backup.ts";
import type { Whereabouts } from "../ops/backup/original.ts";
import { beginServable } from "./begin-servable.ts";
import type { Listener } from "./listener.ts";
import type { MadeCopy } from "./make-backup.ts";

/** Brings a backup to an empty place, with an identity of its own: the backup, and what it was made of, stay as they are. */
export async function restoreBackup(
  backup: BackupAt,
  to: Whereabouts,
  listener: Listener,
): Promise<MadeCopy> {
  await using original = await openBackup(backup, listener);
  await using copy = await beginServable(to, listener);
  return { from: original.name, name: copy.name, copied: await copyAll(original, copy, listener) };
}
