import * as z from "zod/mini";
import type { CommitQuestion } from "../event/commit.ts";
import { pullRequestOfEvent } from "../event/event-pull-request.ts";
import { pullRequestHead } from "../event/head-branch.ts";
import type { Redaction } from "../step/redaction.ts";
import { gitHubAddress } from "./github-address.ts";
import { askGitHub } from "./github-api.ts";
import { part, text } from "./lenient.ts";
import { isOf, linkedTo, pullRequestBase, thePullRequest } from "./pull-request-requests.ts";

const written = z.object({ title: text, body: text, head: pullRequestHead, base: pullRequestBase });

/**
 * Titles, descriptions and branches of a commit's pull requests, from the event or else from GitHub.
 *
 * @throws the signal's reason when it aborts; for nothing else
 */
export async function pullRequestTexts(question: Omit<CommitQuestion, "gitHubTimeLimitMs">) {
  const { runner, sha, token, redact, signal, warn } = question;
  const number = pullRequestOfEvent(runner, sha);
  const { pull_request: own } = z.parse(z.object({ pull_request: part(written.shape) }), runner.event);
  if (number !== undefined && own !== undefined) return textsOf(own, redact);
  const address = gitHubAddress(runner, token, signal);
  if (address === undefined) return [];
  const request = number === undefined ? linkedTo(sha) : thePullRequest(number);
  const outcome = await askGitHub(address, (github) => github.get(request));
  if ("answer" in outcome) {
    const all = [outcome.answer].flat().flatMap((each) => z.safeParse(written, each).data ?? []);
    return all.filter((each) => isOf(each, address.repository)).flatMap((each) => textsOf(each, redact));
  }
  warn(outcome.fault.explain(address.apiUrl, `returned no pull requests of commit ${sha}`));
  return [];
}

function textsOf({ title, body, head }: z.infer<typeof written>, redact: ReadonlySet<Redaction>): string[] {
  const texts = redact.has("message") ? [] : [title, body];
  const branch = redact.has("branch") ? undefined : head?.ref;
  return [...texts, branch].filter((each) => each !== undefined);
}
