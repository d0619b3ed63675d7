import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EvidenceClient } from "../../src/api/client.ts";
import { GITHUB_ISSUER } from "../../src/api/trust-policies.ts";
import { issuerByKeys } from "../../test/identity/known-issuer.ts";
import type { LocalService } from "./local-service.ts";

const issuer = issuerByKeys(GITHUB_ISSUER, { iat: 1, nbf: 1, exp: 4_000_000_000 });

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
  const server = createServer(({ url = "" }, response) => {
    const aud = new URL(url, "http://runner").searchParams.get("audience");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ count: 1, value: issuer.token({ aud }) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    /** What a job with `id-token: write` has. */
    variables: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-job",
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}
