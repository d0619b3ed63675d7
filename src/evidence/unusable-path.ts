import { constants, type Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../api/client/errors.ts";
import { MAX_FILE_BYTES } from "../api/operation.ts";

/** Does not wait for a writer if a FIFO has replaced the file. Windows has no such flag. */
export const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** @param input the name of the input that names the file */
export function unusableFile(
  input: string,
  problem: string,
  options: { advice?: string; cause?: unknown } = {},
): InputError {
  return new InputError([{ input, code: "file.unusable", problem }], options);
}

/** Kind of a file for messages: `a FIFO`. */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a FIFO";
  if (stats.isSocket()) return "a socket";
  if (stats.isCharacterDevice()) return "a character device";
  if (stats.isBlockDevice()) return "a block device";
  return stats.isSymbolicLink() ? "a link" : "a file";
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["EACCES", "cannot be read: permission denied"],
  ["EPERM", "cannot be read: permission denied"],
  ["ELOOP", "is a circular link"],
  ["ENAMETOOLONG", "is too long for a path"],
]);

/** A system code such as `ENOENT`; empty if the error has none. */
export function faultCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(faultCode(error));
}

/** False only if nothing exists, not even a broken link. Other faults are reported when the path is read. */
export async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}

/** Advice for a missing artifact; empty for other errors. */
export function adviceOnMissing(path: string, error: unknown): string {
  if (!isMissing(error)) return "";
  const what = /[*?{[]/.test(path)
    ? "Patterns are not expanded here: use the path of one file or directory"
    : "Build or download it in an earlier step of this job";
  return `${what}. Looked for '${resolve(path)}'.`;
}

/** Why a path could not be used, to follow its name: `does not exist`. */
export function whyUnusable(error: unknown): string {
  const code = faultCode(error);
  return REASONS.get(code) ?? `cannot be read (${code === "" ? String(error) : code})`;
}

/** A user's text, cut for messages. */
export function shortened(given: string): string {
  return given.length > 100 ? `${given.slice(0, 100)}…` : given;
}

const MEGABYTE = 1024 * 1024;

/** Message for a file above the limit. Sizes are rounded up, so that none equals the limit. */
export function oversize(what: string, bytes: number, limit: number = MAX_FILE_BYTES): string {
  const megabytes = Math.ceil((bytes / MEGABYTE) * 10) / 10;
  return `${what} is ${megabytes.toFixed(1)} MB; the limit is ${limit / MEGABYTE} MB`;
}
