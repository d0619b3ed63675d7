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

/** The number of the pull request that the event is about; undefined when it is about none. */
export function pullRequestNumber({ event }: Runner): number | undefined {
  const { pull_request: pullRequest, issue } = z.parse(payload, event);
  return pullRequest?.number ?? (issue?.pull_request ? issue.number : undefined);
}

/** Whether the event's pull request comes from another repository, be it there still or not. */
export function isFromFork({ event, repository }: Runner): boolean {
  const head = z.parse(payload, event).pull_request?.head;
  return head !== undefined && head.repo?.full_name?.toLowerCase() !== repository?.toLowerCase();
}

/**
 * The number of the pull request that the event itself gives for a commit. GitHub's API links a commit of a merge
 * queue to none before it is merged, but the queue names its branches after the pull requests.
 */
export function pullRequestOfEvent(runner: Runner, sha: string): number | undefined {
  const { pull_request: pullRequest, merge_group: group } = z.parse(payload, runner.event);
  // Until it is merged, this is the commit that GitHub made to try it.
  const merge = pullRequest?.merged ? pullRequest.merge_commit_sha : undefined;
  if ([pullRequest?.head?.sha, merge].some((named) => asCommitSha(named) === sha)) return pullRequest?.number;
  if (asCommitSha(group?.head_sha) === sha) return queued(group?.head_ref);
  return asCommitSha(runner.sha) === sha ? queued(runner.ref) : undefined;
}

/** `refs/heads/gh-readonly-queue/main/pr-7-0123abc…`: the pull request, and what it is queued on. */
function queued(ref = ""): number | undefined {
  const found = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]+$/.exec(ref)?.[1];
  return found === undefined ? undefined : Number(found);
}
