import type { GitCommitInfo } from "../../api/resources/provenance.ts";

/** Facts of a commit from one source. Unknown facts are absent. */
export interface CommitFacts {
  readonly message?: string | undefined;
  /** `Name <email>` */
  readonly author?: string | undefined;
  /** The author's account at GitHub. */
  readonly authorUsername?: string | undefined;
  /** Author time in Unix seconds. */
  readonly timestamp?: number | undefined;
  /** Empty for a first commit; absent when not known. */
  readonly parents?: string[] | undefined;
  /** Whether GitHub has verified the signature. */
  readonly verified?: boolean | undefined;
  /** GitHub's enum names: `VALID`, `UNSIGNED`, `UNKNOWN_KEY` … */
  readonly signatureState?: string | undefined;
}

/**
 * The full commit SHA of a text, in lower case. Undefined for anything else, and for all zeros, GitHub's "no commit".
 */
export function asCommitSha(value: string | undefined): string | undefined {
  const sha = value?.trim().toLowerCase() ?? "";
  return /^[0-9a-f]{40}$/.test(sha) && !/^0+$/.test(sha) ? sha : undefined;
}

/** `Name <email>`, or the known part of it. */
export function signature(name: string | undefined, email: string | undefined): string | undefined {
  const parts = [name?.trim(), email?.trim() && `<${email.trim()}>`].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** Unix seconds of an ISO 8601 time. */
export function unixSeconds(time: string | undefined): number | undefined {
  const milliseconds = Date.parse(time ?? "");
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

/** A commit without the facts that are not known. */
export function onlyKnown(info: GitCommitInfo): GitCommitInfo {
  for (const [name, value] of Object.entries(info)) if (value === undefined) delete info[name];
  return info;
}
