import * as z from "zod/mini";
import { isEvidenceError } from "../api/errors.ts";
import { explainFault } from "../api/network-fault.ts";
import { type ProxyVariables, proxyFor } from "../api/proxy.ts";
import { asCommitSha, type CommitFacts, signature, unixSeconds } from "./commit-facts.ts";
import { flag, list, number, part, text } from "./lenient.ts";

/** In milliseconds. GitHub's facts are welcome, but the evidence does not depend on them. */
const TIME_LIMIT_MS = 5_000;
/** The most that is read of an answer: a commit's files are part of it, but only one is asked for. */
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;

export interface CommitAddress {
  /** `https://api.github.com`, or that of a GitHub Enterprise host. */
  readonly apiUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly sha: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Where the proxy variables are. */
  readonly env: ProxyVariables;
  /** How long GitHub is waited for, in milliseconds; five seconds by default. */
  readonly timeLimitMs?: number;
}

/** What GitHub told; and where it could not, the reason. */
export interface FetchedCommit {
  readonly facts: CommitFacts;
  readonly warning?: string;
}

const answer = part({
  sha: text,
  commit: part({
    message: text,
    author: part({ name: text, email: text, date: text }),
    verification: part({ verified: flag, reason: text }),
  }),
  author: part({ login: text }),
  parents: list(z.object({ sha: z.string() })),
});

/**
 * Asks GitHub for a commit, once.
 *
 * @throws the signal's reason when it aborts. Whatever GitHub does is told as a warning.
 */
export async function fetchCommit(address: CommitAddress): Promise<FetchedCommit> {
  const { timeLimitMs = TIME_LIMIT_MS } = address;
  const timeLimit = AbortSignal.timeout(timeLimitMs);
  try {
    const data = await ask(address, AbortSignal.any([timeLimit, address.signal]));
    // The client takes a body that breaks off for a whole one.
    address.signal.throwIfAborted();
    timeLimit.throwIfAborted();
    const facts = factsOf(data, address.sha);
    return facts === undefined ? failed(address, "its answer does not describe that commit") : { facts };
  } catch (error) {
    address.signal.throwIfAborted();
    const late = `it did not answer within ${timeLimitMs / 1000} s`;
    return failed(address, timeLimit.aborted ? late : reasonOf(error, address));
  }
}

function failed({ apiUrl, sha }: CommitAddress, reason: string): FetchedCommit {
  const host = URL.canParse(apiUrl) ? new URL(apiUrl).host : apiUrl;
  const warning = `GitHub (${host}) gave no details of commit ${sha}: ${reason}. What only GitHub knows of it, such as whether its signature is verified, is left out.`;
  return { facts: {}, warning };
}

/** The client is loaded here because it takes as long as all the rest of an action's start. */
async function ask(address: CommitAddress, signal: AbortSignal): Promise<unknown> {
  const [{ getOctokit }, { Agent, fetch, ProxyAgent }] = await Promise.all([
    import("@actions/github"),
    import("undici"),
  ]);
  const proxy = proxyFor(new URL(address.apiUrl), address.env);
  const limits = { maxResponseSize: MAX_ANSWER_BYTES };
  // A dispatcher of our own, because the connections it leaves open would keep the process alive.
  const dispatcher = proxy ? new ProxyAgent({ uri: proxy.href, ...limits }) : new Agent(limits);
  try {
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
    // One file a page: the files of a commit can be many times everything else.
    const { data } = await octokit.rest.repos.getCommit({ owner, repo, ref: address.sha, per_page: 1 });
    return data;
  } finally {
    await dispatcher.destroy();
  }
}

function silence(): void {}

function factsOf(data: unknown, sha: string): CommitFacts | undefined {
  const found = z.parse(answer, data);
  if (found?.commit === undefined || asCommitSha(found.sha) !== sha) return undefined;
  const { message, author, verification } = found.commit;
  return {
    message,
    author: signature(author?.name, author?.email),
    // Null for a commit whose e-mail address belongs to no account.
    authorUsername: found.author?.login,
    timestamp: unixSeconds(author?.date),
    parents: found.parents?.map((parent) => parent.sha),
    verified: verification?.verified,
    signatureState: verification?.reason && signatureState(verification.reason),
  };
}

/** Where the REST API's reasons are not just the GraphQL API's names of `GitSignatureState` in lower case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  malformed_signature: "MALFORMED_SIG",
  unknown_signature_type: "UNKNOWN_SIG_TYPE",
};

/** GitHub's enum name for a `verification.reason`. */
function signatureState(reason: string): string {
  return OTHER_NAMES[reason] ?? reason.toUpperCase();
}

const rateHeaders = part({ "x-ratelimit-remaining": text, "x-ratelimit-reset": text, "retry-after": text });
const refusal = z.object({ status: number, response: part({ headers: rateHeaders }) });

const PERMISSION = "the job needs the permission `contents: read`";

function reasonOf(error: unknown, { repository }: CommitAddress): string {
  if (!(error instanceof Error)) return `it could not be asked (${String(error)})`;
  const { status, response } = z.parse(refusal, error);
  if (isEvidenceError(error) || status === undefined) return `it could not be asked (${error.message})`;
  if (response === undefined) return explainFault(error).reason;
  const limit = status === 403 || status === 429 ? usedUp(response.headers) : undefined;
  if (limit !== undefined) return `${limit} (${status})`;
  switch (status) {
    case 401:
      return "it did not accept the token (401); check github-token";
    case 403:
      return `the token may not read it (403); ${PERMISSION}`;
    case 404:
      return `the commit, or all of ${repository}, is hidden from the token (404); ${PERMISSION}`;
    case 409:
    case 422:
      return `there is no such commit in ${repository} (${status})`;
    default:
      return `it answered ${status}`;
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
