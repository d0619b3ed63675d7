import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { IssuerOptions } from "../../src/service/people/identity/issuers.ts";
import { PUSH, signed } from "./signed-token.ts";

/** An issuer whose keys a service has without a request. */
interface IssuerByKeys {
  readonly options: Required<IssuerOptions>;
  /** Signs a token with these claims instead of those of a push to main. */
  token(claims: Readonly<Record<string, unknown>>): string;
}

/** Its tokens are valid whatever the service's clock says. */
export function issuerByKeys(url: string): IssuerByKeys {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const head = { alg: "RS256", typ: "JWT", kid: "known" };
  const times = { iat: 1, nbf: 1, exp: 4_000_000_000 };
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: head.kid, alg: head.alg, use: "sig" };
  return {
    options: { url, keys: { keys: [jwk] } },
    token: (claims) =>
      signed(head, { ...PUSH, iss: url, jti: randomUUID(), ...times, ...claims }, privateKey),
  };
}

/** An issuer that every service of the tests trusts. */
export interface KnownIssuer {
  readonly options: IssuerOptions;
  /** A token of a push to main, or with other claims, for the organization at this address. */
  token(audience: string, claims?: Readonly<Record<string, unknown>>): string;
}

let shared: KnownIssuer | undefined;

/** Created once for all the services of a worker. */
export function knownIssuer(): KnownIssuer {
  shared ??= make();
  return shared;
}

function make(): KnownIssuer {
  const { options, token } = issuerByKeys("https://github.example/_services/token");
  return { options, token: (aud, claims) => token({ aud, ...claims }) };
}
