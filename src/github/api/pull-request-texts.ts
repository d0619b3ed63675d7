import * as z from "zod/mini";
import type { CommitQuestion } from "../event/commit.ts";
import { pullRequestOfEvent } from "../event/event-pull-request.ts";
import { pullRequestHead } from "../event/head-branch.ts";
import type { Redaction } from "../step/redaction.ts";
import { gitHubAddress } from "./github-address.ts";
import { askGitHub, type GitHub } from "./github-api.ts";
import { part, text } from "./lenient.ts";

export type PullRequestTextsQuestion = Omit<CommitQuestion, "gitHubTimeLimitMs">;

const written = z.object({
  title: text,
  body: text,
  head: pullRequestHead,
  base: part({ repo: part({ full_name: text }) }),
});
type Written = z.infer<typeof written>;

/**
 * Titles, descriptions and branches of a commit's pull requests, from the event or else from GitHub.
 *
 * @throws the signal's reason when it aborts; for nothing else
 */
export async function pullRequestTexts(question: PullRequestTextsQuestion): Promise<string[]> {
  const { runner, sha, token, redact, signal, warn } = question;
  const number = pullRequestOfEvent(runner, sha);
  const { pull_request: own } = z.parse(z.object({ pull_request: part(written.shape) }), runner.event);
  if (number !== undefined && own !== undefined) return textsOf(own, redact);
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined) return [];
  const told = await askGitHub(address, (github) => pullRequestsOf(github, sha, number));
  if ("answer" in told) {
    // A commit that is shared with a fork is linked to that one's pull requests too.
    const ours = told.answer.filter(({ base }) => isOf(base?.repo?.full_name, address.repository));
    return ours.flatMap((each) => textsOf(each, redact));
  }
  warn(told.fault.explain(address.apiUrl, `no pull requests of commit ${sha}`));
  return [];
}

async function pullRequestsOf(github: GitHub, sha: string, number: number | undefined): Promise<Written[]> {
  const permission = "pull-requests: read";
  const answer =
    number === undefined
      ? await github.get({
          path: "/commits/{sha}/pulls",
          parameters: { sha },
          subject: "commit",
          permission,
        })
      : await github.get({
          path: "/pulls/{number}",
          parameters: { number },
          subject: `pull request #${number}`,
          permission,
        });
  return [answer].flat().flatMap((each) => z.safeParse(written, each).data ?? []);
}

function isOf(name: string | undefined, repository: string): boolean {
  return name === undefined || name.toLowerCase() === repository.toLowerCase();
}

function textsOf({ title, body, head }: Written, redact: ReadonlySet<Redaction>): string[] {
  const said = redact.has("message") ? [] : [title, body];
  const branch = redact.has("branch") ? undefined : head?.ref;
  return [...said, branch].filter((each) => each !== undefined);
}
