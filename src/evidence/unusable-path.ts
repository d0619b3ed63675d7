import type { Stats } from "node:fs";
import { resolve } from "node:path";

/** What something that is not a regular file is, for messages: `a FIFO`. */
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
  ["ELOOP", "is a link that leads back to itself"],
  ["ENAMETOOLONG", "is too long for a path"],
]);

/** The system's name of a file system fault, such as `ENOENT`; empty when the error carries none. */
export function faultCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(faultCode(error));
}

/** Advice for an artifact that cannot be read. Empty unless it does not exist. */
export function adviceOnMissing(path: string, error: unknown): string {
  if (!isMissing(error)) return "";
  const what = /[*?{[]/.test(path)
    ? "Patterns are not expanded here: give the path of one file or directory"
    : "Build or download it in an earlier step of this job";
  return `${what}. Looked for '${resolve(path)}'.`;
}

/** Why a path could not be used, to stand after its name: `does not exist`. */
export function whyUnusable(error: unknown): string {
  const code = faultCode(error);
  return REASONS.get(code) ?? `cannot be read (${code === "" ? String(error) : code})`;
}
