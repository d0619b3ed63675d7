import { asObject, type Untyped } from "../api/untyped.ts";
import type { Person, PullRequestCommit } from "../github/api/pull-request.ts";
import { GHOST } from "../github/api/reviews.ts";
import { type Account, approvalOf, type CodeHost, commitBy, factsAt } from "./code-host.ts";
import type { HostClient } from "./host-client.ts";
import { secondsAt, textAt } from "./paths.ts";

/** Status while Bitbucket indexes the pull requests of a repository. */
export const INDEXING = 202;
const PAGE = "links.html.href";

/** Pull requests of Bitbucket Cloud. A repository is `WORKSPACE/REPOSITORY`. */
export function bitbucketCloud(client: HostClient): CodeHost {
  const repository = `2.0/repositories/${client.parts.join("/")}`;

  // The address of the next page has values that only Bitbucket knows. Its host and path are not used.
  const list = (path: string) =>
    client.list(`${repository}/${path}`, { pagelen: "50" }, ({ content }) => {
      const next = URL.parse(textAt(content, "next"))?.searchParams;
      return { items: asObject(content)["values"], next: next && Object.fromEntries(next) };
    });

  return {
    linked: (sha) => list(`commit/${sha}/pullrequests`),
    async complete({ id }, sha) {
      const path = `pullrequests/${Number(id)}`;
      const { content } = await client.get(`${repository}/${path}`);
      // Bitbucket abbreviates the merge commit, and has none for a fast-forward.
      const mergeCommit = sha.startsWith(textAt(content, "merge_commit.hash")) ? sha : undefined;
      const facts = factsAt(content, accountOf(asObject(content)["author"]), mergeCommit, {
        state: "state",
        merged: "MERGED",
        createdAt: "created_on",
        mergedAt: "updated_on",
        headBranch: "source.branch.name",
        baseBranch: "destination.branch.name",
      });
      const approvals = client
        .itemsIn(asObject(content)["participants"])
        .filter(({ approved }) => approved === true);
      return {
        ...facts,
        url: textAt(content, PAGE),
        number: Number(id),
        commits: (await list(`${path}/commits`)).map(commitOf),
        reviews: approvals.map((each) =>
          approvalOf(accountOf(each["user"]), secondsAt(each, "participated_on")),
        ),
        approvedAs: "approved",
      };
    },
  };
}

function commitOf(commit: Untyped): PullRequestCommit {
  return commitBy([writerOf(commit["author"]), writerOf(commit["committer"])], {
    sha: textAt(commit, "hash"),
    url: textAt(commit, PAGE),
    message: textAt(commit, "message"),
    timestamp: secondsAt(commit, "date"),
  });
}

/** A person with the account, if Bitbucket knows the address. */
function writerOf(writer: unknown): Person {
  const { username, bot } = accountOf(asObject(writer)["user"]);
  const [, name, email] = /^([^<]*)(?:<([^>]*)>)?/.exec(textAt(writer, "raw")) ?? [];
  return { name, email, username, bot };
}

/** Apps and access tokens are users of another type. */
function accountOf(user: unknown): Account {
  const name = textAt(user, "display_name");
  const username = textAt(user, "uuid");
  return { label: name || GHOST, username, name, bot: /^app_?user$/i.test(textAt(user, "type")) };
}
