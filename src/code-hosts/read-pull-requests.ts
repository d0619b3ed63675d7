import { type RemoteOptions, withRemote } from "../evidence/remote/remote-service.ts";
import { asCommitSha } from "../github/api/commit-facts.ts";
import type { PullRequest } from "../github/api/pull-request.ts";
import { backoff, pause as wait } from "../net/retry.ts";
import type { CodeHost } from "./code-host.ts";
import { HostClient, type HostOptions, INPUTS } from "./host-client.ts";
import type { HostKind } from "./host-kinds.ts";

/** Maximum wait in milliseconds for a host to link a merged commit to its pull request. */
const LINK_TIME_LIMIT_MS = 10_000;

export interface HostQuestion
  extends Omit<HostOptions, "kind">,
    Pick<RemoteOptions, "address" | "secrets" | "env" | "deadline" | "retries" | "info" | "pause"> {
  readonly kind: HostKind;
  readonly sha: string;
}

/**
 * The pull requests of a commit, with their commits and approvals. Empty if the host names none within the time limit for
 * a link.
 *
 * @throws {InputError} for a rejected token, an unknown repository or an unknown commit
 * @throws what `RemoteService` does for a broken response
 */
export function readPullRequests(question: HostQuestion): Promise<PullRequest[]> {
  const { kind, address, sha } = question;
  return withRemote({ ...kind, ...question, inputs: INPUTS }, async (remote) => {
    const client = new HostClient(remote, question);
    const host = kind.open(client, address);
    const pullRequests: PullRequest[] = [];
    for (const found of await linked(host, question)) {
      const pullRequest = await host.complete(found, sha);
      if (!isWhole(pullRequest)) throw client.unexpected("it does not describe the pull request");
      pullRequests.push(pullRequest);
    }
    return pullRequests;
  });
}

/** Repeats the request until a pull request is linked or the time is up, because hosts link a merge with a delay. */
async function linked(host: CodeHost, { sha, deadline, pause = wait }: HostQuestion) {
  for (let attempt = 1, left = LINK_TIME_LIMIT_MS; ; attempt++) {
    const found = await host.linked(sha);
    const waitMs = Math.min(backoff(attempt, 1), left, deadline.remaining - 1000);
    if (found.length > 0 || waitMs <= 0) return found;
    await pause(waitMs, deadline.signal);
    left -= waitMs;
  }
}

/** Whether a pull request has all facts that a record needs. */
function isWhole({ url, title, state, headBranch, createdAt, commits }: PullRequest): boolean {
  const texts = [url, title, state, headBranch, ...commits.map(({ sha }) => asCommitSha(sha))];
  return texts.every(Boolean) && Number.isFinite(createdAt);
}
