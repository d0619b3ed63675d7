import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { IssuerOptions } from "../../src/service/identity/issuers.ts";
import { PUSH, signed } from "./fake-issuer.ts";

/** An issuer that every service of the tests takes tokens of, and whose keys it has without asking. */
export interface KnownIssuer {
  readonly options: IssuerOptions;
  /** A token of a push to main, or with other claims, for the organization whose address is given. */
  token(audience: string, claims?: Readonly<Record<string, unknown>>): string;
}

let made: KnownIssuer | undefined;

/** It is made once for all the services of a worker. */
export function knownIssuer(): KnownIssuer {
  made ??= make();
  return made;
}

function make(): KnownIssuer {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const head = { alg: "RS256", typ: "JWT", kid: "known" };
  const url = "https://github.example/_services/token";
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: head.kid, alg: head.alg, use: "sig" };
  return {
    options: { url, keys: { keys: [jwk] } },
    token: (aud, claims = {}) =>
      signed(
        head,
        { ...PUSH, iss: url, aud, jti: randomUUID(), iat: 1, nbf: 1, exp: 4_000_000_000, ...claims },
        privateKey,
      ),
  };
}
