import { createHash, hash } from "node:crypto";
import { closeSync, fstatSync, openSync, type PathLike, readSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { InputError } from "../api/client/errors.ts";
import { adviceOnMissing, kindOf, READ_ONLY, shortened, unusableFile, whyUnusable } from "./unusable-path.ts";

/** Size of each of two buffers, so that reading and hashing overlap. */
const READ_BYTES = 4 * 1024 * 1024;
/**
 * Up to this size, a blocking read takes well under a millisecond. Asynchronous reads with their four round trips would
 * be seven times slower for many small files.
 */
const SMALL_FILE_BYTES = 256 * 1024;
/** Shared, since small files are read in sequence. */
const smallFile = Buffer.allocUnsafe(SMALL_FILE_BYTES);

/**
 * The lower-case sha256 of a file or a link's target.
 *
 * @throws InputError (`artifact`) for a missing or unreadable path, or no regular file; a FIFO or device is never
 * opened
 */
export async function fingerprintFile(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (stats.isFile()) return await digestOfFile(path);
    throw unusableFile("artifact", `'${path}' is ${kindOf(stats)}, not a file`, {
      advice: stats.isDirectory() ? "Set artifact-type: dir to fingerprint a directory." : "",
    });
  } catch (error) {
    throw error instanceof InputError ? error : unreadableArtifact(path, error);
  }
}

export function unreadableArtifact(path: string, cause: unknown): InputError {
  const advice = adviceOnMissing(path, cause);
  return unusableFile("artifact", `'${path}' ${whyUnusable(cause)}`, { advice, cause });
}

export async function digestOfFile(path: PathLike): Promise<string> {
  return digestOfSmallFile(path) ?? (await digestOfLargeFile(path));
}

function digestOfSmallFile(path: PathLike): string | undefined {
  const file = openSync(path, READ_ONLY);
  try {
    for (let length = 0; length < smallFile.length; ) {
      const bytesRead = readSync(file, smallFile, length, smallFile.length - length, null);
      if (bytesRead === 0) {
        if (length === 0) requireFile(file);
        return hash("sha256", smallFile.subarray(0, length));
      }
      length += bytesRead;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** A FIFO without a writer reads like an empty file. */
function requireFile(file: number): void {
  const stats = fstatSync(file);
  if (!stats.isFile()) throw new Error(`it has become ${kindOf(stats)}`);
}

async function digestOfLargeFile(path: PathLike): Promise<string> {
  const sum = createHash("sha256");
  await using file = await open(path, "r");
  let filled = Buffer.allocUnsafe(READ_BYTES);
  let spare = Buffer.allocUnsafe(READ_BYTES);
  let { bytesRead } = await file.read(filled);
  while (bytesRead > 0) {
    const next = file.read(spare);
    sum.update(filled.subarray(0, bytesRead));
    ({ bytesRead } = await next);
    [filled, spare] = [spare, filled];
  }
  return sum.digest("hex");
}

/**
 * Normalizes a fingerprint (`sha256:…`, `name@sha256:…`, upper case) to 64 lower-case hex digits.
 *
 * @throws InputError for `input`, for anything else
 */
export function normalizeFingerprint(text: string, input = "fingerprint"): string {
  const given = text.trim();
  const digits = /^(?:(?:[^\s@]+@)?sha256:)?([0-9a-f]{64})$/i.exec(given)?.[1];
  if (digits !== undefined) return digits.toLowerCase();
  const problem = `must be a sha256 of 64 hex digits, not '${shortened(given)}'`;
  throw new InputError([{ input, code: "fingerprint.invalid", problem }]);
}
