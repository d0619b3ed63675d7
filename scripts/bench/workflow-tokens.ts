import { writeFile } from "node:fs/promises";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { GITHUB_ISSUER } from "../../src/api/resources/trust-policies.ts";
import { issuerByKeys } from "../../test/identity/known-issuer.ts";
import { startRunnerEndpoint } from "../../test/identity/runner-endpoint.ts";
import type { LocalService } from "./local-service.ts";

const issuer = issuerByKeys(GITHUB_ISSUER);

/** Writes the keys of the issuer to a file, and gives the option by which a service takes its tokens. */
export async function takenTokens(file: string): Promise<string[]> {
  await writeFile(file, JSON.stringify(issuer.options.keys));
  return ["--oidc-keys", `${GITHUB_ISSUER}=${file}`];
}

/** Has the service trust the workflows of a repository, and gives their tokens out as GitHub's runner does. */
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
    /** What a job with `id-token: write` has. */
    variables: endpoint.job((aud) => issuer.token({ aud })),
    [Symbol.asyncDispose]: () => endpoint.close(),
  };
}
