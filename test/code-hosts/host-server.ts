import { expect } from "vitest";
import { InputError } from "../../src/api/client/errors.ts";
import { pullRequestSubmission } from "../../src/api/resources/attestation-kinds.ts";
import { toWire } from "../../src/api/wire-names.ts";
import type { Provider } from "../../src/code-hosts/code-host.ts";
import { hostKind } from "../../src/code-hosts/host-kinds.ts";
import { type HostQuestion, readPullRequests } from "../../src/code-hosts/read-pull-requests.ts";
import { describePullRequest, type PullRequest } from "../../src/github/api/pull-request.ts";
import { Deadline } from "../../src/net/deadline.ts";
import { shownText } from "../api/connections.ts";
import { type Answer, httpServer, json, type LocalServer } from "../api/local-server.ts";

/** The asked commit, and the token of all tests. */
export const SHA = "a".repeat(40);
export const HEAD = "b".repeat(40);
export const TOKEN = "host-token-0123456789";

/** Responses by path and query: JSON for status 200, or a function. */
export type Answers = Readonly<Record<string, unknown>>;

/** A code host that does not know other paths. */
export function hostServer(answers: Answers, missing: unknown = { message: "404 Not Found" }) {
  return httpServer((response, request, count) => {
    const [pathname = ""] = request.path.split("?");
    const found = answers[request.path] ?? answers[pathname];
    if (isAnswer(found)) found(response, request, count);
    else if (found === undefined) json(response, 404, missing);
    else json(response, 200, found);
  });
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === "function";
}

export interface Asked extends Partial<Pick<HostQuestion, "repository" | "sha" | "authorization">> {
  readonly provider: Exclude<Provider, "github">;
  /** Reads as from Bitbucket Cloud, whatever the address. */
  readonly isCloud?: boolean;
  readonly seconds?: number;
  readonly waits?: number[];
}

/** Reads the pull requests of `SHA` from a server, without waiting. */
export async function read({ url }: Pick<LocalServer, "url">, asked: Asked): Promise<PullRequest[]> {
  const { provider, isCloud = false, seconds = 20, waits = [], ...changes } = asked;
  using deadline = new Deadline(seconds);
  return await readPullRequests({
    ...{ kind: hostKind(provider, isCloud ? undefined : url), address: new URL(`${url}/`), sha: SHA },
    ...{ repository: "acme/web", authorization: `Bearer ${TOKEN}`, secrets: [TOKEN], env: {}, deadline },
    ...{ retries: 1, info: () => {}, pause: async (waitMs: number) => void waits.push(waitMs) },
    ...changes,
  });
}

/** The error for a user, without the server's port. */
export async function refusal(answers: Answers, asked: Asked): Promise<string> {
  const server = await hostServer(answers);
  return await read(server, asked).then(
    (found) => expect.fail(`was believed: ${JSON.stringify(found)}`),
    (error: unknown) => shownText(error).replaceAll(`127.0.0.1:${server.port}`, "HOST"),
  );
}

/** The names of the inputs that an error is about. */
export async function inputsOf(error: Promise<unknown>): Promise<string[]> {
  const thrown = await error.then(
    () => expect.fail("was believed"),
    (reason: unknown) => reason,
  );
  return thrown instanceof InputError ? thrown.problems.map(({ input }) => input) : [];
}

/** Pull requests as sent to the service, after the check of the interface. */
export function sent(gitProvider: Provider, pullRequests: readonly PullRequest[]) {
  const body = toWire(pullRequestSubmission, {
    attestationName: "review",
    gitProvider,
    pullRequests: pullRequests.map((each) => describePullRequest(each)),
  });
  return pullRequestSubmission.parse(body).pull_requests;
}
