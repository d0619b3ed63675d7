import * as z from "zod/mini";
import { parseJson } from "../../api/json.ts";
import { bodyOf } from "../../net/body.ts";
import { Client, type Failure } from "../../net/client.ts";
import { Deadline, DeadlinePassed } from "../../net/deadline.ts";
import type { Answer } from "../../net/exchange.ts";
import { headerOf } from "../../net/headers.ts";
import { PROFILES } from "../../net/profiles.ts";
import type { GitHubAddress } from "./github-address.ts";
import { GitHubError, type Permission, permissionAdvice } from "./github-fault.ts";
import { text } from "./lenient.ts";

/** In milliseconds. GitHub's facts are optional, so a step waits no longer for them. */
export const TIME_LIMIT_MS = 5_000;
/** GitHub's maximum page size. */
export const PAGE_SIZE = 100;

export interface GitHubRequest {
  /** Path below the repository, with parameter names in braces: `/commits/{ref}`. */
  readonly path: string;
  /** Set if the path is below the repository's organization. */
  readonly of?: "organization";
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** Noun for messages, such as `commit`, to follow "the" and "there is no such". */
  readonly subject: string;
  /** Permission that the token needs. */
  readonly permission: Permission;
}

interface GitHubChange extends GitHubRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Client of GitHub's API. Throws only a {@link GitHubError}, or the reason of an interrupt. */
export interface GitHub {
  get(request: GitHubRequest): Promise<unknown>;
  /** Yields the pages of a list. The reader may stop at any page. */
  pages(request: GitHubRequest): AsyncGenerator<unknown, void, void>;
  /** Sends a change and returns GitHub's response. Requests that are not idempotent are sent once. */
  send(change: GitHubChange): Promise<unknown>;
  /** The token's account; undefined for the token of a job or an app. */
  account(): Promise<string | undefined>;
  /** Aborts on timeout, and when the step is interrupted. */
  readonly signal: AbortSignal;
}

/** GitHub's response, or the fault that prevented it. */
export type Result<T> = { readonly answer: T } | { readonly fault: GitHubError };

/**
 * Sends requests to GitHub within one time limit.
 *
 * @throws the signal's reason when it aborts; other failures are returned as faults
 */
export async function askGitHub<T>(
  address: GitHubAddress,
  work: (github: GitHub) => Promise<T>,
): Promise<Result<T>> {
  const { timeLimitMs = TIME_LIMIT_MS, signal: interrupt } = address;
  using deadline = new Deadline(timeLimitMs / 1000, interrupt);
  await using client = new Client({
    profile: PROFILES.github,
    errorOf: failedAtGitHub,
    proxyVariables: address.env,
    waitMs: address.retry?.waitMs,
  });
  try {
    return { answer: await work(gitHubBy(client, address, deadline)) };
  } catch (error) {
    interrupt.throwIfAborted();
    if (deadline.signal.reason instanceof DeadlinePassed) {
      return { fault: new GitHubError({ reason: `GitHub did not answer within ${timeLimitMs / 1000} s` }) };
    }
    if (error instanceof GitHubError) return { fault: error };
    throw error;
  }
}

function gitHubBy(client: Client, address: GitHubAddress, deadline: Deadline): GitHub {
  const { apiUrl, repository, token, retry } = address;
  const { signal } = deadline;
  const headers = { accept: "application/vnd.github.v3+json", authorization: `token ${token}` };
  const ask = async (request: GitHubRequest | GitHubChange, page: Parameters = {}): Promise<Answer> => {
    const { method = "GET", body = undefined } = "method" in request ? request : {};
    const answer = await client.send(
      {
        operation: request.subject,
        method,
        url: urlOf(request, page, { apiUrl, repository }),
        headers,
        body: body && bodyOf("application/json; charset=utf-8", JSON.stringify(body)),
        attempts: method === "POST" ? 1 : retry?.attempts,
      },
      deadline,
    );
    if (answer.status >= 300) throw refusal(answer, request, repository);
    return answer;
  };
  return {
    signal,
    get: async (request) => contentOf(await ask(request)),
    send: async (change) => contentOf(await ask(change)),
    async account() {
      const url = new URL(`${apiUrl}/user`);
      const answer = await client.send({ method: "GET", url, headers }, deadline).catch(() => undefined);
      signal.throwIfAborted();
      return z.safeParse(z.object({ login: text }), answer && contentOf(answer)).data?.login;
    },
    async *pages(request) {
      // Counted instead of following GitHub's links, so that the token goes nowhere but to its own address.
      for (let page = 1, more = true; more; page++) {
        const answer = await ask(request, { per_page: PAGE_SIZE, page });
        more = /\brel="?next\b/.test(headerOf(answer, "link") ?? "");
        yield contentOf(answer);
      }
    },
  };
}

type Parameters = Readonly<Record<string, string | number>>;

/** Parameters that the path does not name become the query. */
function urlOf(
  { path, of, parameters = {} }: GitHubRequest,
  page: Parameters,
  { apiUrl, repository }: Pick<GitHubAddress, "apiUrl" | "repository">,
): URL {
  const values = { ...parameters, ...page };
  const named = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    named.add(name);
    return encodeURIComponent(values[name] ?? "");
  });
  const [owner = "", repo = ""] = repository.split("/").map(encodeURIComponent);
  const place = of === "organization" ? `/orgs/${owner}` : `/repos/${owner}/${repo}`;
  const url = URL.parse(apiUrl + place + filled);
  if (url === null)
    throw new GitHubError({
      reason: `no request to GitHub is possible ('${apiUrl}' is not a valid address)`,
    });
  const query = Object.entries(values).filter(([name]) => !named.has(name));
  url.search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return url;
}

function contentOf({ bytes }: Answer): unknown {
  const content = bytes.toString();
  return parseJson(content)?.value ?? content;
}

function failedAtGitHub(failure: Failure): GitHubError | undefined {
  const { cause } = failure;
  switch (failure.kind) {
    case "unanswered":
      return new GitHubError({ reason: failure.fault.reason, cause, passing: failure.fault.retried });
    case "unusable-proxy":
      return new GitHubError({
        reason: `no request to GitHub is possible (${failure.variable}: ${failure.problem})`,
        cause,
      });
    case "too-large":
      return new GitHubError({
        reason: `GitHub's response about the ${failure.operation} is larger than 20 MB`,
      });
    case "redirected":
      return new GitHubError({ reason: `GitHub redirected the request too many times (${failure.status})` });
    // A deadline has its own error. A wait that is too long keeps the error of the last attempt.
    default:
      return undefined;
  }
}

function refusal({ status, headers }: Answer, request: GitHubRequest | GitHubChange, repository: string) {
  const { subject, permission } = request;
  const fault = (reason: string, more: { readonly advice?: string; readonly passing?: boolean } = {}) =>
    new GitHubError({ reason, status, ...more });
  const limit = status === 403 || status === 429 ? usedUp(headers) : undefined;
  if (limit !== undefined) return fault(`${limit} (${status})`);
  const needed = `the job needs the permission \`${permission}\``;
  const advice = permissionAdvice(permission);
  switch (status) {
    case 401:
      return fault("GitHub did not accept the token (401); check github-token");
    case 403: {
      const what = "method" in request ? "write" : "read";
      return fault(`the token may not ${what} the ${subject} (403); ${needed}`, { advice });
    }
    case 404: {
      const all = request.of === "organization" ? repository.split("/")[0] : repository;
      const where = `the ${subject}, or all of ${all}, does not exist or is hidden from the token (404)`;
      return fault(`${where}; ${needed}`, { advice });
    }
    case 409:
    case 422:
      return fault(
        request.of === "organization"
          ? `GitHub did not accept the ${subject} (${status})`
          : `there is no such ${subject} in ${repository} (${status})`,
      );
    default:
      return fault(`GitHub answered ${status}`, { passing: status >= 500 });
  }
}

/** Message for an exceeded rate limit. Requests do not wait for its reset, which is hourly. */
function usedUp(headers: Answer["headers"]): string | undefined {
  if (headers["x-ratelimit-remaining"] === "0") {
    const reset = Number(headers["x-ratelimit-reset"]);
    const until = reset > 0 && reset < 1e11 ? ` until ${new Date(reset * 1000).toISOString()}` : "";
    return `the token's rate limit is used up${until}`;
  }
  return headers["retry-after"] === undefined ? undefined : "the token's rate limit is used up for now";
}
