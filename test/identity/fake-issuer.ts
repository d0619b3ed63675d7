import { createHmac, createSign, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { httpServer, json, type LocalServer } from "../api/local-server.ts";

/** The claims of a token as GitHub documents them, of a push to main. */
export const PUSH = {
  sub: "repo:acme/web:ref:refs/heads/main",
  actor: "ada",
  actor_id: "12",
  base_ref: "",
  event_name: "push",
  head_ref: "",
  job_workflow_ref: "acme/web/.github/workflows/build.yml@refs/heads/main",
  job_workflow_sha: "1".repeat(40),
  ref: "refs/heads/main",
  ref_protected: "true",
  ref_type: "branch",
  repository: "acme/web",
  repository_id: "4711",
  repository_owner: "acme",
  repository_owner_id: "815",
  repository_visibility: "private",
  run_attempt: "1",
  run_id: "123",
  run_number: "10",
  runner_environment: "github-hosted",
  sha: "1".repeat(40),
  workflow: "Build",
  workflow_ref: "acme/web/.github/workflows/build.yml@refs/heads/main",
  workflow_sha: "1".repeat(40),
} as const;

export interface FakeIssuer {
  readonly url: string;
  readonly server: LocalServer;
  /** A token with these claims in the place of those of a push; undefined leaves a claim out. */
  token(claims: Readonly<Record<string, unknown>>, signed?: Partial<Signed>): string;
  /** Signs with another key from now on, which it publishes. */
  rotate(): void;
  /** What it answers instead, when set. */
  fault?: number;
}

export interface Signed {
  readonly header: object;
  readonly key: KeyObject;
}

/** A real issuer of tokens, with its discovery and its keys, until the test is over. */
export async function fakeIssuer(now: () => number, path = ""): Promise<FakeIssuer> {
  let count = 0;
  const make = () => ({ kid: `key-${++count}`, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) });
  let current = make();
  const server = await httpServer((response, request) => {
    if (issuer.fault !== undefined) return json(response, issuer.fault, {});
    const { kid, publicKey } = current;
    if (request.path === `${path}/.well-known/openid-configuration`) {
      return json(response, 200, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    }
    const jwk = { ...publicKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" };
    return json(response, 200, { keys: [jwk] });
  });
  const issuer: FakeIssuer = {
    url: server.url + path,
    server,
    token(claims, { header = {}, key = current.privateKey } = {}) {
      const times = { iat: now(), nbf: now(), exp: now() + 300 };
      const said = { iss: issuer.url, jti: randomUUID(), ...times, ...PUSH, ...claims };
      const head = { alg: "RS256", typ: "JWT", kid: current.kid, ...header };
      return signed(head, said, key);
    },
    rotate() {
      current = make();
    },
  };
  return issuer;
}

/** A token as text: what is said, with a signature of the algorithm that its header names. */
export function signed(header: { alg: string }, claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part(header)}.${part(claims)}`;
  const bytes = () => {
    if (header.alg === "none") return Buffer.alloc(0);
    if (header.alg === "HS256")
      return createHmac("sha256", key.export({ type: "spki", format: "pem" }))
        .update(text)
        .digest();
    return createSign("RSA-SHA256").update(text).sign(key);
  };
  return `${text}.${bytes().toString("base64url")}`;
}
