import { createHash, randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { inParallel } from "../../kernel/in-parallel.ts";
import type { Damage } from "../../store/blobs/checked-files.ts";
import { namedFiles, numberOfNamedFiles } from "../../store/blobs/named-files.ts";
import { Altered, NotStored, type Place } from "../../store/blobs/place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";
import type { Database } from "../../store/tables.ts";

export interface CopiedFiles {
  copied: number;
  bytes: number;
  /** Files that the place already had. */
  there: number;
  damaged: { sha256: string; damage: Damage }[];
}

interface Parts {
  from: Place;
  to: Place;
  /** A folder for temporary files. */
  scratch: string;
  onProgress: OnProgress;
}

const COPIED_AT_ONCE = 4;

/** Compares each file with its sha256. Altered and missing ones are not copied. */
export async function copyFiles(
  db: Database,
  { from, to, scratch, onProgress }: Parts,
): Promise<CopiedFiles> {
  const there = await namesAt(to);
  const files: CopiedFiles = { copied: 0, bytes: 0, there: 0, damaged: [] };
  const of = await numberOfNamedFiles(db);
  let done = 0;
  for await (const sha256s of namedFiles(db)) {
    await inParallel(sha256s, COPIED_AT_ONCE, async (sha256) => {
      if (there.has(sha256)) files.there++;
      else {
        const bytes = await copyFile(sha256, { from, to, scratch });
        if (typeof bytes !== "number") files.damaged.push({ sha256, damage: bytes });
        else {
          files.copied++;
          files.bytes += bytes;
        }
      }
      done++;
      onProgress({ step: "copying attachments", done, of });
    });
  }
  return files;
}

async function namesAt({ list }: Place): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const some of list()) for (const name of some) names.add(name);
  return names;
}

/** @returns the file's size in bytes, or why it is not copied */
async function copyFile(
  sha256: string,
  { from, to, scratch }: Omit<Parts, "onProgress">,
): Promise<number | Damage> {
  const path = join(scratch, randomUUID());
  const hash = createHash("sha256");
  let size = 0;
  try {
    const file = await open(path, "wx", 0o600);
    try {
      for await (const chunk of from.read(sha256)) {
        hash.update(chunk);
        size += chunk.length;
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    if (hash.digest("hex") !== sha256) return "changed";
    await to.put({ path, size, sha256 });
    return size;
  } catch (error) {
    if (error instanceof NotStored) return "missing";
    if (error instanceof Altered) return "changed";
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}
