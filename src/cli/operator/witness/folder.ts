import { hash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "../../../service/kernel/error-codes.ts";
import { flushFolder } from "../../../service/store/local-files.ts";

/*
 * The folder of a witness. It has one checkpoint for each log, at the path that C2SP's tlog-witness gives it, and is
 * meant for a Git repository, which has the earlier ones.
 *
 *   policy.txt                         keys that are trusted
 *   <sha256 of the origin>/checkpoint  the last one, cosigned
 *   refused/<start of its sha256>      a checkpoint that was not cosigned
 */

export const POLICY = "policy.txt";
export const LOCK = "witness.lock";

/** Path of the last checkpoint of a log. */
export function checkpointPath(folder: string, origin: string): string {
  return join(folder, sha256(origin), "checkpoint");
}

/** Keeps a refused checkpoint as it was received. @returns its path */
export async function keepRefused(folder: string, note: string): Promise<string> {
  const path = join(folder, "refused", sha256(note).slice(0, 16));
  await putFile(path, note);
  return path;
}

/** Writes a file so that readers find the former one or all of the new one, also after a crash. */
export async function putFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(draft, text, { flag: "wx", flush: true });
    await rename(draft, path);
    await flushFolder(folder);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Undefined if there is no such file. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
