import type { NotificationPayload } from "../../api/resources/notification-payload.ts";
import type { GitCommitInfo } from "../../api/resources/provenance.ts";

type Commit = NonNullable<NotificationPayload["commit"]>;

/** A commit as messages have it, by what was said of it. */
export function commitOf(info: Pick<GitCommitInfo, "sha1" | "author" | "message" | "url">): Commit {
  const { sha1: sha, author = null, message, url: html_url = null } = info;
  return { sha, author, message: message ? firstLine(message) : null, html_url };
}

/** What a report of an artifact says of its commit. */
interface ReportedCommit {
  commit_sha: string | null;
  commit_url: string;
  /** JSON that may hold what else is known of it. */
  details: string;
}

/** The commit that an artifact was built from, as far as its report tells. */
export function commitOfReport({ commit_sha, commit_url, details }: ReportedCommit): Commit | undefined {
  const { git_commit_info }: { git_commit_info?: GitCommitInfo | null } = JSON.parse(details);
  const info = git_commit_info ?? (commit_sha === null ? undefined : { sha1: commit_sha });
  return info && commitOf({ ...info, url: info.url || commit_url || null });
}

/** In characters. A message on one line may be as long as all that its author wrote. */
const LONGEST_LINE = 500;

function firstLine(text: string): string {
  const [line = ""] = text.trimStart().split("\n", 1);
  return line.trimEnd().slice(0, LONGEST_LINE);
}
