import { GITHUB_ISSUER } from "../../src/api/resources/trust-policies.ts";
import type { IssuerOptions } from "../../src/service/people/identity/issuers.ts";
import { issuerByKeys } from "./known-issuer.ts";
import { type JobVariables, startRunnerEndpoint } from "./runner-endpoint.ts";

/** GitHub.com, as far as jobs ask it for tokens: the runner's endpoint, and the keys that its tokens are signed with. */
export interface RunnerTokens {
  /** For a service that cannot ask GitHub for its keys. */
  readonly issuer: Required<IssuerOptions>;
  /** The variables of a job with `id-token: write`, whose tokens say this in the place of what a push to main says. */
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
