import { hash } from "node:crypto";
import { open } from "node:fs/promises";
import { buffer, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import * as z from "zod/mini";
import type { NamedObjects } from "../../store/blobs/bucket/bucket-place.ts";
import { NotStored } from "../../store/blobs/place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";

// Layout: the parts `records/TIME/0001.gz` and so on form the SQLite file, and `records/TIME/backup.json` completes a
// backup. `records/` may be expired by age, attachments may not.

const ROOT = "records/";
const LIST = "backup.json";
const FORMAT = 1;

const backup = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  parts: z.array(z.object({ key: z.string(), sha256: z.string() })),
});

export type Backup = z.infer<typeof backup>;
export type Part = Backup["parts"][number];

/** The name of a backup made now: `2026-11-22T21-04-05.678Z`. */
export function newBackupName(): string {
  return new Date().toISOString().replaceAll(":", "-");
}

function partKey(name: string, number: number): string {
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

/** The names of the completed backups, oldest first. */
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

/** @throws Error when there is no backup of that name, or this version cannot read it */
export async function readBackup({ read }: NamedObjects, name: string): Promise<Backup> {
  const list = await text(read(`${ROOT}${name}/${LIST}`)).catch((error) => {
    throw error instanceof NotStored ? new Error(`Backup ${name} does not exist`) : error;
  });
  const parsed = backup.safeParse(JSON.parse(list));
  if (!parsed.success) throw new Error(`The backup ${name} is damaged, or was written by a newer version`);
  return parsed.data;
}

/** Small enough to upload in a minute on a slow line, and to keep in memory. */
const PART_BYTES = 16 * 1024 * 1024;
/** The fastest level, which already gives most of the compression. */
const LEVEL = 1;

interface Parts {
  objects: NamedObjects;
  onProgress: OnProgress;
}

export async function uploadParts(
  path: string,
  name: string,
  { objects, onProgress }: Parts,
): Promise<Part[]> {
  const parts: Part[] = [];
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const of = Math.ceil(size / PART_BYTES);
    const part = Buffer.alloc(PART_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(part, 0, PART_BYTES, parts.length * PART_BYTES);
      if (bytesRead === 0) return parts;
      const bytes = await promisify(gzip)(part.subarray(0, bytesRead), { level: LEVEL });
      const key = partKey(name, parts.length + 1);
      await objects.put(key, bytes);
      parts.push({ key, sha256: hash("sha256", bytes) });
      onProgress({ step: "uploading records", done: parts.length, of });
    }
  } finally {
    await file.close();
  }
}

/** Assembles a file from its parts. @throws Error when a part is not what was uploaded */
export async function downloadParts(
  path: string,
  parts: readonly Part[],
  { objects, onProgress }: Parts,
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (const [index, { key, sha256 }] of parts.entries()) {
      const bytes = await buffer(objects.read(key));
      if (hash("sha256", bytes) !== sha256) throw new Error(`The backup is damaged: ${key} was changed`);
      await file.writeFile(await promisify(gunzip)(bytes));
      onProgress({ step: "downloading records", done: index + 1, of: parts.length });
    }
  } finally {
    await file.close();
  }
}
