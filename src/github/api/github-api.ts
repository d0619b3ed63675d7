import * as z from "zod/mini";
import { isEvidenceError } from "../../api/client/errors.ts";
import { explainFault } from "../../net/network-fault.ts";
import { proxyFor } from "../../net/proxy.ts";
import { backoff, pause } from "../../net/retry.ts";
import type { GitHubAddress, Retry } from "./github-address.ts";
import { GitHubError, type Permission, permissionAdvice } from "./github-fault.ts";
import { number, part, text } from "./lenient.ts";

/** In milliseconds. What GitHub tells is welcome, but no step hangs on it for longer. */
export const TIME_LIMIT_MS = 5_000;
/** The most that is read of one answer: the files of a commit or a comparison are part of it. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;
/** The most items that GitHub puts on a page. */
export const PAGE_SIZE = 100;

const ONCE: Retry = { attempts: 1, waitMs: backoff };

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

/** A change to what GitHub keeps. */
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
 * Asks GitHub, as often as the work needs within one limit of time.
 *
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a fault.
 */
export async function askGitHub<T>(
  address: GitHubAddress,
  work: (github: GitHub) => Promise<T>,
): Promise<Result<T>> {
  const { timeLimitMs = TIME_LIMIT_MS } = address;
  const timeLimit = AbortSignal.timeout(timeLimitMs);
  const signal = AbortSignal.any([timeLimit, address.signal]);
  let close = async () => {};
  try {
    const client = await open(address, signal).catch((error: unknown) => {
      throw notAsked(error);
    });
    close = client.close;
    return { answer: await work(client.github) };
  } catch (error) {
    address.signal.throwIfAborted();
    if (timeLimit.aborted) {
      return { fault: new GitHubError({ reason: `GitHub did not answer within ${timeLimitMs / 1000} s` }) };
    }
    if (error instanceof GitHubError) return { fault: error };
    throw error;
  } finally {
    await close();
  }
}

/** The client is loaded here because it takes as long as all the rest of an action's start. */
async function open(
  address: GitHubAddress,
  signal: AbortSignal,
): Promise<{ github: GitHub; close: () => Promise<void> }> {
  const [{ getOctokit }, { fetch }, { default: Agent }, { default: ProxyAgent }] = await Promise.all([
    import("@actions/github"),
    import("undici/lib/web/fetch/index.js"),
    import("undici/lib/dispatcher/agent.js"),
    import("undici/lib/dispatcher/proxy-agent.js"),
  ]);
  const proxy = proxyFor(new URL(address.apiUrl), address.env);
  const limits = { maxResponseSize: MAX_ANSWER_BYTES };
  // A dispatcher of our own, because the connections it leaves open would keep the process alive.
  const dispatcher = proxy ? new ProxyAgent({ uri: proxy.href, ...limits }) : new Agent(limits);
  const octokit = getOctokit(address.token, {
    baseUrl: address.apiUrl,
    userAgent: "delivery-evidence",
    log: { debug: silence, info: silence, warn: silence, error: silence },
    request: {
      fetch: (url: string, init: Parameters<typeof fetch>[1]) => fetch(url, { ...init, dispatcher }),
      signal,
    },
  });
  const [owner = "", repo = ""] = address.repository.split("/");
  const askOnce = async (request: GitHubRequest | GitHubChange, more: Readonly<Record<string, unknown>>) => {
    try {
      const method = "method" in request ? request.method : "GET";
      const place = request.of === "organization" ? "/orgs/{owner}" : "/repos/{owner}/{repo}";
      // What is not in the path would become part of the body.
      const names = request.of === "organization" ? { owner } : { owner, repo };
      const answer = await octokit.request(`${method} ${place}${request.path}`, {
        ...names,
        ...request.parameters,
        ...more,
      });
      // The client takes a body that breaks off for a whole one.
      signal.throwIfAborted();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      throw faultOf(error, request, address.repository);
    }
  };
  const { attempts, waitMs } = address.retry ?? ONCE;
  const ask = async (request: GitHubRequest | GitHubChange, more: Readonly<Record<string, unknown>> = {}) => {
    const most = "method" in request && request.method === "POST" ? 1 : attempts;
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce(request, more);
      } catch (error) {
        if (!(error instanceof GitHubError && error.passing) || attempt >= most) throw error;
      }
      await pause(waitMs(attempt), signal);
    }
  };
  const github: GitHub = {
    signal,
    async get(request) {
      return (await ask(request)).data;
    },
    async send(change) {
      return (await ask(change, change.body)).data;
    },
    async account() {
      const answer = await octokit.request("GET /user").catch(() => undefined);
      signal.throwIfAborted();
      return z.safeParse(z.object({ login: text }), answer?.data).data?.login;
    },
    async *pages(request) {
      // Counted instead of following GitHub's links, so that the token goes nowhere but to its own address.
      for (let page = 1, more = true; more; page++) {
        const { data, headers } = await ask(request, { per_page: PAGE_SIZE, page });
        more = /\brel="?next\b/.test(headers.link ?? "");
        yield data;
      }
    },
  };
  return { github, close: () => dispatcher.destroy() };
}

function silence(): void {}

function notAsked(error: unknown): GitHubError {
  const why = error instanceof Error ? error.message : String(error);
  return new GitHubError({ reason: `GitHub could not be asked (${why})`, cause: error });
}

const rateHeaders = part({ "x-ratelimit-remaining": text, "x-ratelimit-reset": text, "retry-after": text });
const refusal = z.object({ status: number, response: part({ headers: rateHeaders }) });

function faultOf(cause: unknown, request: GitHubRequest | GitHubChange, repository: string): GitHubError {
  const { subject, permission } = request;
  if (!(cause instanceof Error)) return notAsked(cause);
  const { status, response } = z.parse(refusal, cause);
  if (isEvidenceError(cause) || status === undefined) return notAsked(cause);
  if (response === undefined) {
    const { reason, retried } = explainFault(cause);
    return new GitHubError({ reason, cause, passing: retried });
  }
  const limit = status === 403 || status === 429 ? usedUp(response.headers) : undefined;
  if (limit !== undefined) return new GitHubError({ reason: `${limit} (${status})`, status, cause });
  const needed = `the job needs the permission \`${permission}\``;
  const advice = permissionAdvice(permission);
  switch (status) {
    case 401:
      return new GitHubError({
        reason: "GitHub did not accept the token (401); check github-token",
        status,
        cause,
      });
    case 403:
      return new GitHubError({
        reason: `the token may not ${"method" in request ? "write" : "read"} the ${subject} (403); ${needed}`,
        advice,
        status,
        cause,
      });
    case 404:
      return new GitHubError({
        reason: `the ${subject}, or all of ${request.of === "organization" ? repository.split("/")[0] : repository}, is not there or hidden from the token (404); ${needed}`,
        advice,
        status,
        cause,
      });
    case 409:
    case 422:
      if (request.of === "organization")
        return new GitHubError({ reason: `GitHub did not take the ${subject} (${status})`, status, cause });
      return new GitHubError({
        reason: `there is no such ${subject} in ${repository} (${status})`,
        status,
        cause,
      });
    default:
      return new GitHubError({ reason: `GitHub answered ${status}`, status, cause, passing: status >= 500 });
  }
}

/** The rate limit is not waited for: it is reset once an hour. */
function usedUp(headers: z.infer<typeof rateHeaders>): string | undefined {
  if (headers?.["x-ratelimit-remaining"] === "0") {
    const reset = Number(headers["x-ratelimit-reset"]);
    const until = reset > 0 && reset < 1e11 ? ` until ${new Date(reset * 1000).toISOString()}` : "";
    return `the token's rate limit is used up${until}`;
  }
  return headers?.["retry-after"] === undefined ? undefined : "the token's rate limit is used up for now";
}
