import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult, randomUUID } from "node:crypto";
import { httpServer, json, type LocalServer } from "../api/local-server.ts";
import { PUSH, signed } from "./signed-token.ts";

export interface FakeIssuer {
  readonly url: string;
  readonly server: LocalServer;
  /** Signs a token with these claims instead of a push's. Undefined omits a claim. */
  token(claims: Readonly<Record<string, unknown>>, signed?: Partial<Signed>): string;
  /** Signs with another key from now on, which it publishes. */
  rotate(): void;
  /** The response to return instead, when set. */
  fault?: number;
  /** The body to return with status 200 instead, when set. */
  answer?: string;
}

export interface Signed {
  readonly header: object;
  readonly key: KeyObject;
}

const pairs: KeyPairKeyObjectResult[] = [];

/** Generating a key pair is slow, so all issuers of a worker share the first, the second and so on. */
function keyPair(count: number): KeyPairKeyObjectResult {
  pairs[count] ??= generateKeyPairSync("rsa", { modulusLength: 2048 });
  return pairs[count];
}

/** A real token issuer, with its discovery and its keys, until the test ends. */
export async function fakeIssuer(now: () => number, path = ""): Promise<FakeIssuer> {
  let count = 0;
  const make = () => ({ kid: `key-${++count}`, ...keyPair(count) });
  let current = make();
  const server = await httpServer((response, request) => {
    if (issuer.fault !== undefined) return json(response, issuer.fault, {});
    if (issuer.answer !== undefined) return response.end(issuer.answer);
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
      const payload = { iss: issuer.url, jti: randomUUID(), ...times, ...PUSH, ...claims };
      const head = { alg: "RS256", typ: "JWT", kid: current.kid, ...header };
      return signed(head, payload, key);
    },
    rotate() {
      current = make();
    },
  };
  return issuer;
}
