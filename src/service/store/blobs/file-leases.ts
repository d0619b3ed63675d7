import { existsSync, rmSync } from "node:fs";

export type Outcome = "recorded" | "refused" | "unknown";

export interface FileLease {
  settle(outcome: Outcome): void;
}

interface LeasedFile {
  holders: number;
  /** It was new, and no lease on it may have been recorded, so that no record names it. */
  unnamed: boolean;
}

/** Decides which files are removed when a submission is refused. Synchronous, so that no other call interleaves. */
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
    /** Call this before putting any of the files in place. */
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
