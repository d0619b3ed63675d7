import { asObject, asObjects, type Untyped } from "../api/untyped.ts";
import type { PullRequestCommit } from "../github/api/pull-request.ts";
import { GHOST } from "../github/api/reviews.ts";
import { type Account, approvalOf, type CodeHost, commitBy, factsAt, latest } from "./code-host.ts";
import type { HostClient } from "./host-client.ts";
import { secondsAt, textAt } from "./paths.ts";

/** Pull requests of Bitbucket Data Center. A repository is `PROJECT/REPOSITORY`. */
export function bitbucketDataCenter(client: HostClient, address: URL): CodeHost {
  const place = `projects/${client.parts.join("/repos/")}`;
  const repository = `rest/api/1.0/${place}`;

  const list = (path: string) =>
    client.list(`${repository}/${path}`, { limit: "100" }, ({ content }) => {
      const { values, isLastPage, nextPageStart } = asObject(content);
      return { items: values, next: isLastPage === false ? { start: `${nextPageStart}` } : undefined };
    });

  function commitOf(commit: Untyped): PullRequestCommit {
    const sha = textAt(commit, "id");
    const [author, committer] = [accountOf(commit["author"]), accountOf(commit["committer"])];
    return commitBy([{ ...author, name: author.label }, committer], {
      sha,
      url: `${address.href}${place}/commits/${sha}`,
      message: textAt(commit, "message"),
      timestamp: secondsAt(commit, "authorTimestamp"),
    });
  }

  return {
    async linked(sha) {
      const found = await list(`commits/${sha}/pull-requests`);
      if (found.length > 0) return found;
      // Bitbucket connects the commits of squashes and rebases with their pull requests, but not merge commits.
      const newest = { state: "MERGED", order: "NEWEST", limit: "100" };
      const { content } = await client.get(`${repository}/pull-requests`, newest);
      return client.itemsIn(asObject(content)["values"]).filter((each) => mergeCommitOf(each) === sha);
    },
    async complete({ id }) {
      const path = `pull-requests/${Number(id)}`;
      const { content } = await client.get(`${repository}/${path}`);
      const details = asObject(content);
      const author = accountOf(asObject(details["author"])["user"]);
      const facts = factsAt(content, author, mergeCommitOf(content), {
        state: "state",
        merged: "MERGED",
        createdAt: "createdDate",
        mergedAt: "closedDate",
        headBranch: "fromRef.displayId",
        baseBranch: "toRef.displayId",
      });
      const approvals = (await list(`${path}/activities`)).filter(({ action }) => action === "APPROVED");
      const times = latest(
        approvals.map((each) => [textAt(each, "user.name"), secondsAt(each, "createdDate")]),
      );
      return {
        ...facts,
        url: textAt(asObjects(asObject(details["links"])["self"])[0], "href"),
        number: Number(id),
        commits: (await list(`${path}/commits`)).map(commitOf),
        reviews: [...client.itemsIn(details["reviewers"]), ...asObjects(details["participants"])]
          .filter(({ approved }) => approved === true)
          .map(({ user }) => approvalOf(accountOf(user), times.get(textAt(user, "name")))),
      };
    },
  };
}

/** A user, or the author of a commit, whose `name` is the account if Bitbucket knows the address. */
function accountOf(user: unknown): Account {
  const text = (name: string) => textAt(user, name);
  const [username, name, email] = [text("name"), text("displayName"), text("emailAddress")];
  return { label: name || username || GHOST, username, name, email, bot: text("type") === "SERVICE" };
}

function mergeCommitOf(pullRequest: unknown): string {
  return textAt(pullRequest, "properties.mergeCommit.id");
}
