import type { ProxyVariables } from "../../net/proxy.ts";
import type { Runner } from "../step/runner.ts";

/** Where and as whom GitHub is asked about a repository. */
export interface GitHubAddress {
  /** `https://api.github.com`, or that of a GitHub Enterprise host. */
  readonly apiUrl: string;
  /** `owner/name` */
  readonly repository: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Where the proxy variables are. */
  readonly env: ProxyVariables;
  /** How long GitHub is waited for in all, in milliseconds. */
  readonly timeLimitMs?: number;
  /** How faults that may pass are met: one attempt is made unless more are asked for. */
  readonly retry?: Retry;
}

interface Retry {
  readonly attempts: number;
  /** How long to wait after an attempt, which is counted from 1, in milliseconds. */
  readonly waitMs: (attempt: number) => number;
}

/** How to ask GitHub about the repository that the job runs for. Undefined without a token, and outside GitHub. */
export function gitHubAddress(
  { apiUrl, repository, childEnv: env }: Runner,
  token: string | undefined,
  signal: AbortSignal,
): GitHubAddress | undefined {
  return token && repository ? { apiUrl, repository, token, signal, env } : undefined;
}
