import type { CommitPullRequest } from "../../github/api/commit-pull-requests.ts";
import type { ComparedCommit } from "../../github/api/comparison.ts";
import type { CommitEvidence } from "./evidence.ts";

export interface Change {
  readonly commit: ComparedCommit;
  /** Absent when unknown. */
  readonly pullRequests?: readonly CommitPullRequest[];
  readonly evidence: CommitEvidence;
}

/** In bytes. Scripts take the output as a variable, and Linux limits each to 128 KiB. */
const MAX_JSON_BYTES = 100_000;

/** A change as JSON; unknown values are null. */
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

/** JSON of the first changes, as many as fit into an output. */
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
