import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type Part, partKey } from "../../ops/backup/backups.ts";
import type { NamedObjects } from "../../store/blobs/bucket/bucket-place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";

/** Small enough that a slow line takes one in a minute, and that it may be held in memory. */
const PART_BYTES = 16 * 1024 * 1024;
/** Most of the gain for the least time. */
const LEVEL = 1;

interface Parts {
  objects: NamedObjects;
  onProgress: OnProgress;
}

/** Brings a file to a bucket in parts. */
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
      parts.push({ key, sha256: sha256Of(bytes) });
      onProgress({ step: "uploading records", done: parts.length, of });
    }
  } finally {
    await file.close();
  }
}

/** Makes a file of its parts. @throws Error when one of them is not what was brought */
export async function downloadParts(
  path: string,
  parts: readonly Part[],
  { objects, onProgress }: Parts,
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (const [index, { key, sha256 }] of parts.entries()) {
      const bytes = await buffer(objects.read(key));
      if (sha256Of(bytes) !== sha256) throw new Error(`The backup is damaged: ${key} was changed`);
      await file.writeFile(await promisify(gunzip)(bytes));
      onProgress({ step: "downloading records", done: index + 1, of: parts.length });
    }
  } finally {
    await file.close();
  }
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
