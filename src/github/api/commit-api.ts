import * as z from "zod/mini";
import { commitRecord, factsOfRecord } from "../event/commit-record.ts";
import { asCommitSha, type CommitFacts } from "./commit-facts.ts";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";

export interface CommitAddress extends GitHubAddress {
  readonly sha: string;
}

export interface FetchedCommit {
  readonly facts: CommitFacts;
  readonly warning?: string;
}

const answer = z.catch(z.optional(commitRecord), undefined);

/**
 * Reads a commit from GitHub, once.
 *
 * @throws the signal's reason when it aborts; other failures are returned as a warning
 */
export async function fetchCommit(address: CommitAddress): Promise<FetchedCommit> {
  const { apiUrl, sha } = address;
  const outcome = await askGitHub(address, async (github) => {
    const data = await github.get({
      path: "/commits/{ref}",
      // One file a page: the files of a commit can be many times everything else.
      parameters: { ref: sha, per_page: 1 },
      subject: "commit",
      permission: "contents: read",
    });
    const found = z.parse(answer, data);
    if (found?.commit === undefined || asCommitSha(found.sha) !== sha) {
      throw new GitHubError({ reason: "GitHub's answer does not describe that commit" });
    }
    return factsOfRecord(found);
  });
  if ("answer" in outcome) return { facts: outcome.answer };
  const so = "What only GitHub knows of it, such as whether its signature is verified, is left out.";
  return { facts: {}, warning: outcome.fault.explain(apiUrl, `no details of commit ${sha}`, so) };
}
