import { existsSync, rmSync } from "node:fs";

/** What became of a submission that brought files. */
export type Outcome = "recorded" | "refused" | "unknown";

export interface FileLease {
  /** Lets go of the files, once. Those that nothing can name any more are removed. */
  settle(outcome: Outcome): void;
}

interface LeasedFile {
  /** Submissions under way that bring the file. */
  holders: number;
  /** It was not there before them, and none of them may have been recorded: then no record names it. */
  unnamed: boolean;
}

/**
 * Tells which files may be removed again when a submission is refused. A file is named by what it holds, so that
 * several submissions under way may bring the same one, and earlier records may name it.
 *
 * Whatever is looked at and done here is done at one stroke, so that no other submission comes between.
 */
export function leaseFiles(pathOf: (sha256: string) => string) {
  const leased = new Map<string, LeasedFile>();

  function take(sha256: string): void {
    const lease = leased.get(sha256) ?? { holders: 0, unnamed: !existsSync(pathOf(sha256)) };
    lease.holders++;
    leased.set(sha256, lease);
  }

  function letGo(sha256: string, outcome: Outcome): void {
    const lease = leased.get(sha256);
    if (!lease) return;
    if (outcome !== "refused") lease.unnamed = false;
    lease.holders--;
    if (lease.holders > 0) return;
    leased.delete(sha256);
    if (lease.unnamed) rmSync(pathOf(sha256), { force: true });
  }

  return {
    /** To be called before any of the files is put in its place. */
    take(sha256s: readonly string[]): FileLease {
      const files = new Set(sha256s);
      for (const sha256 of files) take(sha256);
      return {
        settle(outcome) {
          for (const sha256 of files) letGo(sha256, outcome);
        },
      };
    },
    has: (sha256: string) => leased.has(sha256),
  };
}
