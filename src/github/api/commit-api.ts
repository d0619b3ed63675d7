import * as z from "zod/mini";
import { commitRecord, factsOfRecord } from "../event/commit-record.ts";
import { asCommitSha, type CommitFacts } from "./commit-facts.ts";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";
import { list, part, text } from "./lenient.ts";

export interface CommitAddress extends GitHubAddress {
  readonly sha: string;
}

const answer = z.catch(z.optional(commitRecord), undefined);

/**
 * Reads a commit from GitHub, once.
 *
 * @throws the signal's reason when it aborts; other failures are returned as a warning
 */
export async function fetchCommit(address: CommitAddress): Promise<{ facts: CommitFacts; warning?: string }> {
  const { apiUrl, sha } = address;
  const outcome = await askGitHub(address, async (github) => {
    const data = await github.get({
      path: "/commits/{ref}",
      // One file a page: a commit's files can be much larger than everything else.
      parameters: { ref: sha, per_page: 1 },
      subject: "commit",
      permission: "contents: read",
    });
    const found = z.parse(answer, data);
    if (found?.commit === undefined || asCommitSha(found.sha) !== sha) {
      throw new GitHubError({ reason: "GitHub's response does not describe the commit" });
    }
    return factsOfRecord(found);
  });
  if ("answer" in outcome) return { facts: outcome.answer };
  const so = "Facts known only to GitHub, such as signature verification, are omitted.";
  return { facts: {}, warning: outcome.fault.explain(apiUrl, `returned no details of commit ${sha}`, so) };
}

const tags = list(part({ ref: text }));

/** Asks GitHub whether a name is a tag's. Without a response, it counts as a tag, and a warning says why. */
export async function isTag(address: GitHubAddress, name: string) {
  const outcome = await askGitHub(address, (github) =>
    github.get({
      path: "/git/matching-refs/tags/{name}",
      parameters: { name },
      subject: "tag",
      permission: "contents: read",
    }),
  );
  if ("answer" in outcome) {
    const found = z.parse(tags, outcome.answer) ?? [];
    return { answer: found.some((tag) => tag?.ref === `refs/tags/${name}`) };
  }
  const what = `did not report whether '${name}' is a tag`;
  return { answer: true, warning: outcome.fault.explain(address.apiUrl, what, "No branch is recorded.") };
}
