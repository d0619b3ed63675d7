import { writeFile } from "node:fs/promises";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { GITHUB_ISSUER } from "../../src/api/resources/trust-policies.ts";
import { issuerByKeys } from "../../test/identity/known-issuer.ts";
import { startRunnerEndpoint } from "../../test/identity/runner-endpoint.ts";
import type { LocalService } from "./local-service.ts";

const issuer = issuerByKeys(GITHUB_ISSUER);

/** Writes the issuer's keys to a file, and returns the option that makes a service accept its tokens. */
export async function takenTokens(file: string): Promise<string[]> {
  await writeFile(file, JSON.stringify(issuer.options.keys));
  return ["--oidc-keys", `${GITHUB_ISSUER}=${file}`];
}

/** Makes the service trust a repository's workflows, and issues their tokens like GitHub's runner. */
export async function startRunner({ address, apiKey, org }: LocalService, flow: string) {
  const client = new EvidenceClient({ apiKey, org, baseUrl: address });
  const body = {
    name: flow,
    issuer: GITHUB_ISSUER,
    repository: "acme/web",
    claims: {},
    role: "member",
  } as const;
  await client.createTrustPolicy({ body: { ...body, flows: [flow] } });
  await client.close();
  const endpoint = await startRunnerEndpoint();
  return {
    /** Variables of a job with `id-token: write`. */
    variables: endpoint.job((aud) => issuer.token({ aud })),
    [Symbol.asyncDispose]: () => endpoint.close(),
  };
}
