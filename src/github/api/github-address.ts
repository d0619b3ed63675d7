import type { ProxyVariables } from "../../net/proxy.ts";
import type { Runner } from "../step/runner.ts";

/** Address and credentials for requests to GitHub about a repository. */
export interface GitHubAddress {
  /** `https://api.github.com`, or the API of a GitHub Enterprise host. */
  readonly apiUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Environment with the proxy variables. */
  readonly env: ProxyVariables;
  /** Timeout for all requests together, in milliseconds. */
  readonly timeLimitMs?: number;
  /** Retries of transient faults. Default: one attempt. */
  readonly retry?: Retry;
}

interface Retry {
  readonly attempts: number;
  /** Wait in milliseconds after an attempt, counted from 1. */
  readonly waitMs: (attempt: number) => number;
}

/** Address of the job's repository. Undefined without a token, and outside GitHub. */
export function gitHubAddress(
  { apiUrl, repository, childEnv: env }: Runner,
  token: string | undefined,
  signal: AbortSignal,
): GitHubAddress | undefined {
  return token && repository ? { apiUrl, repository, token, signal, env } : undefined;
}
