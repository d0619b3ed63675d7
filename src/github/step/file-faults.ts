/** Reasons why a file cannot be written, by the system's error code. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "no space is left on the disk"],
  ["EDQUOT", "the quota of the disk is used up"],
  ["EFBIG", "it would exceed the maximum size"],
  ["EROFS", "the file system is read-only"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ENOENT", "its folder does not exist"],
  ["ENOTDIR", "its folder does not exist"],
  ["EISDIR", "it is a directory"],
]);

export class UnwritableFile extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot be written: ${reasonOf(cause)}`, { cause });
    this.name = "UnwritableFile";
  }
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = REASONS.get(code);
  if (reason !== undefined) return `${reason} (${code})`;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Why a file cannot be read, to follow its name. Distinguishes a missing file from an unreadable one. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
}
