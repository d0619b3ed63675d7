import type { CommitPullRequest } from "../../github/api/commit-pull-requests.ts";
import type { ComparedCommit } from "../../github/api/comparison.ts";
import type { CommitEvidence } from "./evidence.ts";

/** A commit that the candidate would add, with what stands behind it. */
export interface Change {
  readonly commit: ComparedCommit;
  /** Absent when they are not known. */
  readonly pullRequests?: readonly CommitPullRequest[];
  readonly evidence: CommitEvidence;
}

/**
 * The longest JSON of an output, in bytes. Scripts take it by a variable, and Linux lets none be longer than 128 KiB.
 */
const MAX_JSON_BYTES = 100_000;

/** A change as JSON gives it; what is not known is null. */
export function changeData({ commit, pullRequests, evidence }: Change) {
  return {
    sha: commit.sha,
    subject: commit.subject,
    author: commit.author ?? null,
    username: commit.username ?? null,
    timestamp: commit.timestamp ?? null,
    url: commit.url ?? null,
    pull_requests: pullRequests ?? null,
    evidence: evidence.state,
    trail: evidence.trail ?? null,
    trail_url: evidence.trailUrl ?? null,
  };
}

/** As many changes, from the first, as an output holds, as JSON. */
export function boundedJson(changes: readonly Change[]): { json: string; all: boolean } {
  const items: string[] = [];
  let bytes = 2;
  for (const change of changes) {
    const item = JSON.stringify(changeData(change));
    bytes += Buffer.byteLength(item) + 1;
    if (bytes > MAX_JSON_BYTES) break;
    items.push(item);
  }
  return { json: `[${items.join(",")}]`, all: items.length === changes.length };
}
