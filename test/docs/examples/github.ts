import type { GitHubContext } from "../../../scripts/composite/composite.ts";
import { gitHubServer, repository } from "../../github/github-server.ts";

/** GitHub, for a repository with one commit since the running one, and a run that a person may have approved. */
export async function gitHubOfApproval(given: {
  readonly running: string;
  readonly candidate: string;
  readonly environment: string;
  readonly isApproved: boolean;
}): Promise<GitHubContext> {
  const { running, candidate, environment, isApproved } = given;
  const review = {
    state: isApproved ? "approved" : "rejected",
    user: { login: "grace" },
    environments: [{ name: environment }],
  };
  return await contextOf({
    [`/compare/${running}...${candidate}`]: {
      ...{ status: "ahead", ahead_by: 1, behind_by: 0 },
      commits: [{ sha: candidate, commit: { message: "Sell more" }, author: { login: "ada" } }],
    },
    [`/commits/${candidate}/pulls`]: [],
    [`/environments/${environment}`]: {
      protection_rules: [
        { type: "required_reviewers", reviewers: [{ type: "User", reviewer: { login: "grace" } }] },
      ],
    },
    "/actions/runs/77/approvals": [review],
  });
}

/** GitHub, for a commit of a pull request with one review. */
export async function gitHubOfReview(
  commit: string,
  state: "APPROVED" | "COMMENTED",
): Promise<GitHubContext> {
  const head = "3".repeat(40);
  const base = { ref: "main", sha: "4".repeat(40), repo: { full_name: "acme/web" } };
  return await contextOf({
    [`/commits/${commit}/pulls`]: [
      {
        ...{ html_url: "https://github.com/acme/web/pull/7", number: 7, title: "Sell more", state: "closed" },
        ...{ user: { login: "ada", type: "User" }, merge_commit_sha: commit, base },
        ...{ created_at: "2026-11-20T09:00:00Z", merged_at: "2026-11-20T10:00:00Z" },
        head: { ref: "feature", sha: head, repo: { full_name: "acme/web" } },
      },
    ],
    "/pulls/7/commits": [
      {
        ...{ sha: head, html_url: `https://github.com/acme/web/commit/${head}`, author: { login: "ada" } },
        ...{ parents: [{ sha: base.sha }], committer: { login: "ada" } },
        commit: {
          message: "Sell more",
          author: { name: "Ada", email: "ada@example.com", date: "2026-11-20T09:00:00Z" },
          committer: { name: "Ada", email: "ada@example.com", date: "2026-11-20T09:00:00Z" },
        },
      },
    ],
    "/pulls/7/reviews": [
      {
        ...{ user: { login: "grace", type: "User" }, state, commit_id: head },
        submitted_at: "2026-11-20T09:30:00Z",
      },
    ],
  });
}

/** GitHub, for a repository whose runs have left no artifacts. */
export async function gitHubWithoutArtifacts(): Promise<GitHubContext> {
  return await contextOf({ "/actions/artifacts": { artifacts: [] } });
}

async function contextOf(answers: Readonly<Record<string, unknown>>): Promise<GitHubContext> {
  const { url } = await gitHubServer(repository(answers));
  return { api_url: url, token: "token" };
}
