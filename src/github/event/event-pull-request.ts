import * as z from "zod/mini";
import { asCommitSha } from "../api/commit-facts.ts";
import { flag, number, part, text } from "../api/lenient.ts";
import type { Runner } from "../step/runner.ts";
import { pullRequestHead } from "./head-branch.ts";

const payload = z.object({
  pull_request: part({ number, merged: flag, merge_commit_sha: text, head: pullRequestHead }),
  issue: part({ number, pull_request: part({ url: text }) }),
  merge_group: part({ head_sha: text, head_ref: text }),
});

/** Number of the pull request of the event, or of another CI system; undefined if there is none. */
export function pullRequestNumber({ ci, event }: Runner): number | undefined {
  if (ci) return ci.pullRequest?.number;
  const { pull_request: pullRequest, issue } = z.parse(payload, event);
  return pullRequest?.number ?? (issue?.pull_request ? issue.number : undefined);
}

/** Whether the event's pull request comes from another repository, which may have been deleted. */
export function isFromFork({ event, repository }: Runner): boolean {
  const head = z.parse(payload, event).pull_request?.head;
  return head !== undefined && head.repo?.full_name?.toLowerCase() !== repository?.toLowerCase();
}

/**
 * Number of a commit's pull request from the event. GitHub's API does not link a commit of a merge queue to a pull
 * request before it is merged, but the queue's branch names contain the number.
 */
export function pullRequestOfEvent(runner: Runner, sha: string): number | undefined {
  if (runner.ci) return sha === runner.ci.commit ? runner.ci.pullRequest?.number : undefined;
  const { pull_request: pullRequest, merge_group: group } = z.parse(payload, runner.event);
  // Before the merge, this is GitHub's trial merge.
  const merge = pullRequest?.merged ? pullRequest.merge_commit_sha : undefined;
  if ([pullRequest?.head?.sha, merge].some((named) => asCommitSha(named) === sha)) return pullRequest?.number;
  if (asCommitSha(group?.head_sha) === sha) return queued(group?.head_ref);
  return asCommitSha(runner.sha) === sha ? queued(runner.ref) : undefined;
}

/** `refs/heads/gh-readonly-queue/main/pr-7-0123abc…`: the pull request and its base commit. */
function queued(ref = ""): number | undefined {
  const found = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]+$/.exec(ref)?.[1];
  return found === undefined ? undefined : Number(found);
}
