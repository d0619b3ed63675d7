import * as z from "zod/mini";
import { asCommitSha, type CommitFacts, signature, unixSeconds } from "../api/commit-facts.ts";
import { number, part, text } from "../api/lenient.ts";
import type { Runner } from "../step/runner.ts";
import { branchOfHead, headRepository, pullRequestHead } from "./head-branch.ts";

export interface EventCommit {
  readonly sha: string;
  readonly branch: string | undefined;
  /** Whether `branch` may be the name of a tag. The payload of a run started by a push does not show it. */
  readonly mayBeTag?: boolean;
}

const described = part({
  id: text,
  message: text,
  timestamp: text,
  author: part({ name: text, email: text, username: text }),
});

const payload = z.object({
  after: text,
  head_commit: described,
  pull_request: part({ head: pullRequestHead }),
  workflow_run: part({
    event: text,
    head_sha: text,
    head_branch: text,
    head_repository: headRepository,
    head_commit: described,
  }),
  merge_group: part({ head_sha: text, head_ref: text, head_commit: described }),
  deployment: part({ id: number }),
  repository: part({ full_name: text, default_branch: text }),
});
type Payload = z.infer<typeof payload>;

/**
 * The commits that the job can be about, most likely first.
 *
 * - Every event of a pull request has the head of the pull request in its payload. The runner's own commit is then
 *   GitHub's trial merge or the base commit, which are not part of the change.
 * - A merge queue tests a commit on a branch `gh-readonly-queue/…`. The commit is the head of that branch and not yet
 *   in the base branch.
 * - For deployments, the runner's commit is the commit to deploy. The run in the payload created the deployment.
 * - For a deleted branch, the runner's commit and ref are those of the default branch, regardless of the payload.
 */
export function commitsOfEvent(runner: Pick<Runner, "event" | "ref" | "repository" | "sha">): EventCommit[] {
  const event = z.parse(payload, runner.event);
  const branch = branchOfRef(runner.ref);
  const ours = runner.repository ?? event.repository?.full_name;
  return [
    known(event.pull_request?.head?.sha, branchOfPullRequest(event.pull_request, ours)),
    event.deployment === undefined ? commitOfRun(event, ours) : undefined,
    known(event.merge_group?.head_sha, branchOfRef(event.merge_group?.head_ref)),
    // An annotated tag is an object of its own, whose SHA is not the commit's.
    runner.sha === event.after ? known(event.head_commit?.id, branch) : undefined,
    isTrialMerge(runner.ref) ? undefined : known(runner.sha, branch),
  ].filter((commit) => commit !== undefined);
}

/** Facts of a commit from the event's payload, which describes only the event's own commits. */
export function factsOfEvent(runner: Pick<Runner, "event">, sha: string): CommitFacts {
  const event = z.parse(payload, runner.event);
  const commit = [event.head_commit, event.workflow_run?.head_commit, event.merge_group?.head_commit].find(
    (candidate) => asCommitSha(candidate?.id) === sha,
  );
  return {
    message: commit?.message,
    author: signature(commit?.author?.name, commit?.author?.email),
    authorUsername: commit?.author?.username,
    timestamp: unixSeconds(commit?.timestamp),
  };
}

function known(value: string | undefined, branch: string | undefined): EventCommit | undefined {
  const sha = asCommitSha(value);
  return sha === undefined ? undefined : { sha, branch };
}

function branchOfPullRequest(pullRequest: Payload["pull_request"], ours: string | undefined) {
  const { ref: branch, repo: repository, user } = pullRequest?.head ?? {};
  return branchOfHead({ branch, repository, login: user?.login }, ours);
}

/** The commit of a workflow run. If a release or tag push started it, `head_branch` is the tag. */
function commitOfRun({ workflow_run: run, repository }: Payload, ours: string | undefined) {
  const name = run?.event === "release" ? undefined : run?.head_branch;
  const branch = branchOfHead({ branch: name, repository: run?.head_repository }, ours);
  const commit = known(run?.head_sha, branch);
  const mayBeTag = run?.event === "push" && name !== repository?.default_branch;
  return commit && { ...commit, mayBeTag };
}

/** Whether the runner's commit is GitHub's trial merge of a pull request, which is not evidence of the change. */
function isTrialMerge(ref = ""): boolean {
  return /^refs\/pull\/\d+\/merge$/.test(ref);
}

/** Only `refs/heads/…` is a branch; tags and refs of pull requests are not. */
function branchOfRef(ref: string | undefined): string | undefined {
  const prefix = "refs/heads/";
  return ref?.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
}
