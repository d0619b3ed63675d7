import * as z from "zod/mini";
import { parseJson } from "../../api/json.ts";
import { bodyOf } from "../../net/body.ts";
import { Client, type Failure } from "../../net/client.ts";
import { Deadline, DeadlinePassed } from "../../net/deadline.ts";
import { type Answer, headerOf } from "../../net/exchange.ts";
import { PROFILES } from "../../net/profiles.ts";
import type { GitHubAddress } from "./github-address.ts";
import { GitHubError, type Permission, permissionAdvice } from "./github-fault.ts";
import { text } from "./lenient.ts";

/** In milliseconds. What GitHub tells is welcome, but no step hangs on it for longer. */
export const TIME_LIMIT_MS = 5_000;
/** The most items that GitHub puts on a page. */
export const PAGE_SIZE = 100;

export interface GitHubRequest {
  /** Below the repository, with the names of parameters in braces: `/commits/{ref}`. */
  readonly path: string;
  /** Set for what is below the organization that the repository is of. */
  readonly of?: "organization";
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** What is asked for, such as `commit`, to follow "the" and "there is no such". */
  readonly subject: string;
  /** What the token must be allowed for this. */
  readonly permission: Permission;
}

interface GitHubChange extends GitHubRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly body?: Readonly<Record<string, unknown>>;
}

/** What to ask GitHub with. All it throws is a {@link GitHubError}, or the reason of an interrupt. */
export interface GitHub {
  get(request: GitHubRequest): Promise<unknown>;
  /** The pages of a list, one after the other; the reader may stop at any of them. */
  pages(request: GitHubRequest): AsyncGenerator<unknown, void, void>;
  /** Makes a change, and gives GitHub's answer. What would make another thing each time is sent once. */
  send(change: GitHubChange): Promise<unknown>;
  /** The account whose token it is; undefined for the token of a job or an app. */
  account(): Promise<string | undefined>;
  /** Aborts when the time for GitHub is up, and when the step is interrupted. */
  readonly signal: AbortSignal;
}

/** What GitHub told, or why it could not. */
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

/** What is not named in the path is part of the query. */
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
    throw new GitHubError({ reason: `GitHub could not be asked ('${apiUrl}' is no address)` });
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
        reason: `GitHub could not be asked (${failure.variable}: ${failure.problem})`,
        cause,
      });
    case "too-large":
      return new GitHubError({
        reason: `GitHub's answer does not describe that ${failure.operation}: it is larger than 20 MB`,
      });
    case "redirected":
      return new GitHubError({ reason: `GitHub redirected the request again and again (${failure.status})` });
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
      const where = `the ${subject}, or all of ${all}, is not there or hidden from the token (404)`;
      return fault(`${where}; ${needed}`, { advice });
    }
    case 409:
    case 422:
      return fault(
        request.of === "organization"
          ? `GitHub did not take the ${subject} (${status})`
          : `there is no such ${subject} in ${repository} (${status})`,
      );
    default:
      return fault(`GitHub answered ${status}`, { passing: status >= 500 });
  }
}

/** The rate limit is not waited for: it is reset once an hour. */
function usedUp(headers: Answer["headers"]): string | undefined {
  if (headers["x-ratelimit-remaining"] === "0") {
    const reset = Number(headers["x-ratelimit-reset"]);
    const until = reset > 0 && reset < 1e11 ? ` until ${new Date(reset * 1000).toISOString()}` : "";
    return `the token's rate limit is used up${until}`;
  }
  return headers["retry-after"] === undefined ? undefined : "the token's rate limit is used up for now";
}
