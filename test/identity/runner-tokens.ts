import { GITHUB_ISSUER } from "../../src/api/resources/trust-policies.ts";
import type { IssuerOptions } from "../../src/service/people/identity/issuers.ts";
import { issuerByKeys } from "./known-issuer.ts";
import { type JobVariables, startRunnerEndpoint } from "./runner-endpoint.ts";

/** GitHub.com's part in token requests: the runner's endpoint, and the keys that its tokens are signed with. */
export interface RunnerTokens {
  /** For a service that cannot request GitHub's keys. */
  readonly issuer: Required<IssuerOptions>;
  /**
   * The variables of a job with `id-token: write`, whose tokens have these claims instead of those of a push to main.
   */
  job(claims: Readonly<Record<string, unknown>>): JobVariables;
  close(): Promise<void>;
}

export async function startRunnerTokens(): Promise<RunnerTokens> {
  const endpoint = await startRunnerEndpoint();
  const { options, token } = issuerByKeys(GITHUB_ISSUER);
  return {
    issuer: options,
    job: (claims) => endpoint.job((aud) => token({ aud, ...claims })),
    close: endpoint.close,
  };
}
