import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import type { NamedObjects } from "../../store/blobs/bucket/bucket-place.ts";
import { NotKept } from "../../store/blobs/place.ts";

/*
 * Backups in a bucket: `records/TIME/0001.gz` and so on hold the SQLite file of the records of one backup, beside the
 * attachments of all of them. `records/TIME/backup.json` comes last: without it there is no backup. What is under
 * `records/` can be removed by age, attachments cannot.
 */

const ROOT = "records/";
const LIST = "backup.json";
const FORMAT = 1;

const backup = z.object({
  format: z.literal(FORMAT),
  /** The version of the service that made it. */
  version: z.string(),
  parts: z.array(z.object({ key: z.string(), sha256: z.string() })),
});

/** What the last object of a backup says: the parts of the file, compressed, in their order. */
export type Backup = z.infer<typeof backup>;
export type Part = Backup["parts"][number];

/** The name of a backup that is made now: `2026-11-22T21-04-05.678Z`. */
export function newBackupName(): string {
  return new Date().toISOString().replaceAll(":", "-");
}

export function partKey(name: string, number: number): string {
  return `${ROOT}${name}/${String(number).padStart(4, "0")}.gz`;
}

export async function writeBackup(
  objects: NamedObjects,
  name: string,
  backup: Omit<Backup, "format">,
): Promise<void> {
  const json = `${JSON.stringify({ format: FORMAT, ...backup }, null, 2)}\n`;
  await objects.put(`${ROOT}${name}/${LIST}`, Buffer.from(json));
}

/** The names of the backups that came to their end, the oldest first. */
export async function backupNames({ list }: NamedObjects): Promise<string[]> {
  const names: string[] = [];
  for await (const keys of list(ROOT)) {
    for (const key of keys) {
      const [, name, last] = key.split("/");
      if (name !== undefined && last === LIST) names.push(name);
    }
  }
  return names.sort();
}

/** @throws Error when there is none of the name, or it is not one that this version can read */
export async function readBackup({ read }: NamedObjects, name: string): Promise<Backup> {
  const list = await text(read(`${ROOT}${name}/${LIST}`)).catch((error) => {
    throw error instanceof NotKept ? new Error(`There is no backup ${name}`) : error;
  });
  const parsed = backup.safeParse(JSON.parse(list));
  if (!parsed.success) throw new Error(`The backup ${name} is damaged, or was made by a newer version`);
  return parsed.data;
}
