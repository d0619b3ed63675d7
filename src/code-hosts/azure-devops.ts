import { asObject, type Untyped } from "../api/untyped.ts";
import type { PullRequestCommit } from "../github/api/pull-request.ts";
import { fewAtATime } from "../net/few-at-a-time.ts";
import { headerOf } from "../net/headers.ts";
import { type Account, approvalOf, type CodeHost, commitBy, factsAt, latest } from "./code-host.ts";
import type { HostClient } from "./host-client.ts";
import { secondsAt, textAt } from "./paths.ts";

/** Known to Azure DevOps Services and to Azure DevOps Server since 2019. */
const VERSION = { "api-version": "5.1" };
const APPROVED = 10;
/** Concurrent requests for the messages that the list of commits shortens. */
const AT_A_TIME = 5;

/** Pull requests of an organization or collection of Azure DevOps. A repository is `PROJECT/REPOSITORY`. */
export function azureDevOps(client: HostClient, address: URL): CodeHost {
  const [project, name] = client.parts;
  const repository = `${project}/_apis/git/repositories/${name}`;

  const list = (path: string) =>
    client.list(`${repository}/${path}`, { ...VERSION, $top: "100" }, ({ answer, content }) => {
      const continuationToken = headerOf(answer, "x-ms-continuationtoken");
      return {
        items: asObject(content)["value"],
        next: continuationToken ? { continuationToken } : undefined,
      };
    });

  async function commitOf(commit: Untyped): Promise<PullRequestCommit> {
    const sha = textAt(commit, "commitId");
    const isShort = commit["commentTruncated"] === true;
    const whole = isShort ? await client.get(`${repository}/commits/${sha}`, VERSION) : { content: commit };
    const personOf = (role: string) => ({
      name: textAt(commit, `${role}.name`),
      email: textAt(commit, `${role}.email`),
    });
    return commitBy([personOf("author"), personOf("committer")], {
      sha,
      url: textAt(commit, "url"),
      message: textAt(whole.content, "comment"),
      timestamp: secondsAt(commit, "author.date"),
    });
  }

  return {
    async linked(sha) {
      const queries = ["commit", "lastMergeCommit"].map((type) => ({ type, items: [sha] }));
      const { content } = await client.get(`${repository}/pullrequestquery`, VERSION, { queries });
      const results = client.itemsIn(asObject(content)["results"]);
      const found = results.flatMap((each) => Object.values(each).flatMap((list) => client.itemsIn(list)));
      return [...new Map(found.map((each) => [each["pullRequestId"], each])).values()];
    },
    async complete(found) {
      const number = Number(found["pullRequestId"]);
      const path = `pullRequests/${number}`;
      const facts = factsAt(found, accountOf(found["createdBy"]), textAt(found, "lastMergeCommit.commitId"), {
        state: "status",
        merged: "completed",
        createdAt: "creationDate",
        mergedAt: "closedDate",
        headBranch: "sourceRefName",
        baseBranch: "targetRefName",
      });
      const commits = await list(`${path}/commits`);
      const approvals = (await list(`${path}/reviewers`)).filter(({ vote }) => vote === APPROVED);
      const times = latest((await list(`${path}/threads`)).flatMap(votesIn));
      return {
        ...facts,
        url: `${address.href}${project}/_git/${name}/pullrequest/${number}`,
        number,
        commits: await fewAtATime(AT_A_TIME, commits, commitOf),
        reviews: approvals.map((each) =>
          approvalOf(accountOf(each), times.get(textAt(each, "id").toLowerCase())),
        ),
      };
    },
  };
}

/** The account and time of an approval, from a thread that records a vote. */
function votesIn(thread: Untyped): [string, number | undefined][] {
  const property = (name: string) => textAt(thread, `properties.CodeReview${name}.$value`);
  if (property("ThreadType") !== "VoteUpdate" || Number(property("VoteResult")) !== APPROVED) return [];
  // Older servers name the account itself, newer ones an entry of `identities`.
  const voter = textAt(thread, `identities.${property("VotedByIdentity")}.id`) || property("VotedByTfId");
  return [[voter.toLowerCase(), secondsAt(thread, "publishedDate")]];
}

/** Its unique name usually is an email address. Pipelines and groups have accounts as well. */
function accountOf(identity: unknown): Account {
  const [username, name] = [textAt(identity, "uniqueName"), textAt(identity, "displayName")];
  const bot = /\bBuild Service \(/.test(name);
  const group = asObject(identity)["isContainer"] === true;
  return { label: `${name} (${username})`, username, name, bot, group };
}
