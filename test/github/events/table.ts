/*
 * GitHub's events. The file beside this one with an event's name is its shortened payload. The variables are those
 * that the runner sets for it.
 */
import { bot, feature, first, fork, main, merge, queue, type RecordedCommit } from "./commits.ts";

export interface RecordedEvent {
  readonly event: string;
  /** The name of the file with the payload. */
  readonly payload: string;
  readonly variables: NodeJS.ProcessEnv;
  /** The commit of the job, and so of the trail. */
  readonly commit: RecordedCommit | undefined;
  readonly branch?: string;
  /** Whether the payload also describes the commit: completely, or without the author's account. */
  readonly describes?: "whole" | "without account";
  /** Set for a host other than github.com. */
  readonly host?: string;
}

/** The trial merge that GitHub made for a pull request. */
const trial = "c4295bd74fb0f4fda03689c3df3f2803b658fd85";
const zero = "0".repeat(40);
const queueBranch = `gh-readonly-queue/main/pr-8-${merge.sha}`;

const on = (name: string, sha: string, ref: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  GITHUB_EVENT_NAME: name,
  GITHUB_SHA: sha,
  GITHUB_REF: ref,
  GITHUB_REF_NAME: ref.replace(/^refs\/(heads|tags|pull)\//, ""),
  ...more,
});

export const events: readonly RecordedEvent[] = [
  {
    event: "push of a signed commit",
    payload: "push",
    variables: on("push", main.sha, "refs/heads/main"),
    commit: main,
    branch: "main",
    describes: "whole",
  },
  {
    event: "push of the first commit, which has no parents and no signature",
    payload: "push-first-commit",
    variables: on("push", first.sha, "refs/heads/main"),
    commit: first,
    branch: "main",
    describes: "whole",
  },
  {
    event: "push of a merge commit",
    payload: "push-merge-commit",
    variables: on("push", merge.sha, "refs/heads/main"),
    commit: merge,
    branch: "main",
    describes: "whole",
  },
  {
    event: "push by a bot whose address belongs to no account",
    payload: "push-bot",
    variables: on("push", bot.sha, "refs/heads/main"),
    commit: bot,
    branch: "main",
    describes: "whole",
  },
  {
    event: "push by someone who hides their email address",
    payload: "push-hidden-email",
    variables: on("push", feature.sha, "refs/heads/feature"),
    commit: feature,
    branch: "feature",
    describes: "whole",
  },
  {
    event: "push of a lightweight tag",
    payload: "push-tag",
    variables: on("push", main.sha, "refs/tags/v1.1.0"),
    commit: main,
    describes: "whole",
  },
  {
    event: "push of an annotated tag, whose object has a SHA of its own",
    payload: "push-tag-annotated",
    variables: on("push", "9f5e9a2b4a55a14a10a3b35bb3c53a9a5a2ab6e8", "refs/tags/v1.1.0"),
    commit: main,
    describes: "whole",
  },
  {
    event: "push of an annotated tag, where the runner names the commit",
    payload: "push-tag-annotated",
    variables: on("push", main.sha, "refs/tags/v1.1.0"),
    commit: main,
    describes: "whole",
  },
  {
    event: "push that deletes a branch",
    payload: "push-deleted-branch",
    variables: on("push", zero, "refs/heads/feature"),
    commit: undefined,
  },
  {
    event: "delete of a branch, which runs for the default branch",
    payload: "delete",
    variables: on("delete", main.sha, "refs/heads/main"),
    commit: main,
    branch: "main",
  },
  {
    event: "pull_request from a branch",
    payload: "pull-request",
    variables: on("pull_request", trial, "refs/pull/7/merge", {
      GITHUB_HEAD_REF: "feature",
      GITHUB_BASE_REF: "main",
    }),
    commit: feature,
    branch: "feature",
  },
  {
    event: "pull_request from a fork's main branch",
    payload: "pull-request-fork",
    variables: on("pull_request", trial, "refs/pull/9/merge", {
      GITHUB_HEAD_REF: "main",
      GITHUB_BASE_REF: "main",
    }),
    commit: fork,
    branch: "linus:main",
  },
  {
    event: "pull_request from a fork that was deleted since",
    payload: "pull-request-deleted-fork",
    variables: on("pull_request", trial, "refs/pull/9/merge", {
      GITHUB_HEAD_REF: "main",
      GITHUB_BASE_REF: "main",
    }),
    commit: fork,
    branch: "linus:main",
  },
  {
    event: "pull_request_target, which runs for the base",
    payload: "pull-request-target",
    variables: on("pull_request_target", main.sha, "refs/heads/main", {
      GITHUB_HEAD_REF: "main",
      GITHUB_BASE_REF: "main",
    }),
    commit: fork,
    branch: "linus:main",
  },
  {
    event: "merge_group",
    payload: "merge-group",
    variables: on("merge_group", queue.sha, `refs/heads/${queueBranch}`),
    commit: queue,
    branch: queueBranch,
    describes: "without account",
  },
  {
    event: "workflow_run after a pull_request, which runs for the default branch",
    payload: "workflow-run",
    variables: on("workflow_run", main.sha, "refs/heads/main"),
    commit: feature,
    branch: "feature",
    describes: "without account",
  },
  {
    event: "workflow_run after a pull_request from a fork's main branch",
    payload: "workflow-run-fork",
    variables: on("workflow_run", main.sha, "refs/heads/main"),
    commit: fork,
    branch: "linus:main",
  },
  {
    event: "workflow_dispatch on a branch",
    payload: "workflow-dispatch",
    variables: on("workflow_dispatch", feature.sha, "refs/heads/feature"),
    commit: feature,
    branch: "feature",
  },
  {
    event: "schedule",
    payload: "schedule",
    variables: on("schedule", main.sha, "refs/heads/main"),
    commit: main,
    branch: "main",
  },
  {
    event: "release",
    payload: "release",
    variables: on("release", main.sha, "refs/tags/v1.1.0"),
    commit: main,
  },
  {
    event: "deployment of a branch",
    payload: "deployment",
    variables: on("deployment", feature.sha, "refs/heads/feature"),
    commit: feature,
    branch: "feature",
  },
  {
    event: "repository_dispatch",
    payload: "repository-dispatch",
    variables: on("repository_dispatch", main.sha, "refs/heads/main"),
    commit: main,
    branch: "main",
  },
  {
    event: "workflow_call, which has its caller's event",
    payload: "push",
    variables: on("push", main.sha, "refs/heads/main", {
      GITHUB_WORKFLOW_REF: "acme/web/.github/workflows/caller.yml@refs/heads/main",
    }),
    commit: main,
    branch: "main",
    describes: "whole",
  },
  {
    event: "push on a GitHub Enterprise host",
    payload: "push-enterprise",
    variables: on("push", main.sha, "refs/heads/main", { GITHUB_SERVER_URL: "https://ghe.acme.example" }),
    commit: main,
    branch: "main",
    describes: "whole",
    host: "https://ghe.acme.example",
  },
];
