import { asObject, type Untyped } from "../api/untyped.ts";
import type { PullRequestCommit } from "../github/api/pull-request.ts";
import { fewAtATime } from "../net/few-at-a-time.ts";
import { headerOf } from "../net/headers.ts";
import { type Account, approvalOf, type CodeHost, commitBy, factsAt, latest } from "./code-host.ts";
import type { HostClient } from "./host-client.ts";
import { secondsAt, textAt } from "./paths.ts";

/** Concurrent requests for the signatures of commits, which need one each. */
const AT_A_TIME = 5;

/** Merge requests of GitLab. A repository is the path of a project, or its number. */
export function gitLab(client: HostClient): CodeHost {
  const project = `api/v4/projects/${client.parts.join("%2F")}`;

  const list = (path: string) =>
    client.list(`${project}/${path}`, { per_page: "100" }, ({ answer, content }) => {
      const page = headerOf(answer, "x-next-page");
      return { items: content, next: page ? { page } : undefined };
    });

  async function reviewsOf(path: string) {
    const { content } = await client.get(`${project}/${path}/approvals`);
    const approvals = client.itemsIn(asObject(content)["approved_by"]);
    // Older versions have the time of an approval only in the notes.
    const hasTimes = approvals.every((each) => secondsAt(each, "approved_at") !== undefined);
    const notes = hasTimes ? [] : await list(`${path}/notes`);
    const noted = notes.filter(
      (note) => note["system"] === true && /^approved this merge request$/i.test(textAt(note, "body")),
    );
    const times = latest(
      noted.map((note) => [textAt(note, "author.username"), secondsAt(note, "created_at")]),
    );
    return approvals.map((each) => {
      const user = accountOf(each["user"]);
      return approvalOf(user, secondsAt(each, "approved_at") ?? times.get(user.username ?? ""));
    });
  }

  async function commitOf(commit: Untyped): Promise<PullRequestCommit> {
    const text = (name: string) => textAt(commit, name);
    const sha = text("id");
    const personOf = (role: string) => ({ name: text(`${role}_name`), email: text(`${role}_email`) });
    const { facts, ...rest } = commitBy([personOf("author"), personOf("committer")], {
      sha,
      url: text("web_url"),
      message: text("message"),
      timestamp: secondsAt(commit, "authored_date") ?? secondsAt(commit, "created_at"),
    });
    const reply = await client.find(`${project}/repository/commits/${encodeURIComponent(sha)}/signature`);
    const status = "content" in reply ? textAt(reply.content, "verification_status") : "";
    if (status === "") return { facts, ...rest };
    return { ...rest, facts: { ...facts, verified: status === "verified", signatureState: status } };
  }

  return {
    linked: (sha) => list(`repository/commits/${sha}/merge_requests`),
    async complete(found) {
      const number = Number(found["iid"]);
      const path = `merge_requests/${number}`;
      // Without a merge commit, the branch was squashed or fast-forwarded.
      const merges = ["merge_commit_sha", "squash_commit_sha", "sha"].map((name) => textAt(found, name));
      const facts = factsAt(found, accountOf(found["author"]), merges.find(Boolean), {
        state: "state",
        merged: "merged",
        createdAt: "created_at",
        mergedAt: "merged_at",
        headBranch: "source_branch",
        baseBranch: "target_branch",
      });
      return {
        ...facts,
        url: textAt(found, "web_url"),
        number,
        commits: await fewAtATime(AT_A_TIME, await list(`${path}/commits`), commitOf),
        reviews: await reviewsOf(path),
        approvedAs: null,
      };
    },
  };
}

/** Access tokens of projects and groups, and service accounts, have accounts as well. */
function accountOf(user: unknown): Account {
  const [username, name] = [textAt(user, "username"), textAt(user, "name")];
  const bot = /^((project|group)_\d+_bot|service_account_)/.test(username);
  return { label: `${name} (@${username})`, username, name, bot };
}
