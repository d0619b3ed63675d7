import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GITHUB_ISSUER } from "../../src/api/trust-policies.ts";
import type { IssuerOptions } from "../../src/service/identity/issuers.ts";
import { PUSH, signed } from "./signed-token.ts";

/** GitHub.com, as far as jobs ask it for tokens: the runner's endpoint, and the keys that its tokens are signed with. */
export interface RunnerTokens {
  /** For a service that cannot ask GitHub for its keys. */
  readonly issuer: Required<IssuerOptions>;
  /** The variables of a job with `id-token: write`, whose tokens say this in the place of what a push to main says. */
  job(claims: Readonly<Record<string, unknown>>): Record<string, string>;
  close(): Promise<void>;
}

export async function startRunnerTokens(): Promise<RunnerTokens> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const header = { alg: "RS256", typ: "JWT", kid: "runner" };
  /** What the tokens of a job say, by the authorization of its requests. */
  const jobs = new Map<string, Readonly<Record<string, unknown>>>();
  const server = createServer((request, response) => {
    const claims = jobs.get(request.headers.authorization ?? "");
    const aud = new URL(request.url ?? "", "http://runner").searchParams.get("audience");
    const now = Math.floor(Date.now() / 1000);
    const said = { iss: GITHUB_ISSUER, aud, jti: randomUUID(), iat: now, nbf: now, exp: now + 300 };
    const answer = claims && { count: 1, value: signed(header, { ...PUSH, ...said, ...claims }, privateKey) };
    response.writeHead(answer === undefined ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { message: "Unauthorized" }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: header.kid, alg: header.alg, use: "sig" };
  return {
    issuer: { url: GITHUB_ISSUER, keys: { keys: [jwk] } },
    job(claims) {
      const token = randomUUID();
      jobs.set(`bearer ${token}`, claims);
      return {
        ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
