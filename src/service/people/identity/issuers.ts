import type { errors, JSONWebKeySet } from "jose";
import * as z from "zod/mini";
import type { ErrorCode } from "../../../api/error-codes.ts";
import { unixTime } from "../../../api/times.ts";
import { getJson } from "../../delivery/outgoing/get-json.ts";
import { guardedAgent } from "../../delivery/outgoing/guarded-agent.ts";
import type { TargetOptions } from "../../delivery/outgoing/target-address.ts";
import { Refusal, Unproven } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { unstorableTexts } from "../../kernel/storable-text.ts";
import type { Issuers } from "../../operation/context.ts";
import { IssuerKeys } from "./issuer-keys.ts";

export interface IssuerOptions {
  /** The value of `iss`: `https://token.actions.githubusercontent.com`. */
  readonly url: string;
  /** Its keys, for issuers that the service cannot reach. */
  readonly keys?: JSONWebKeySet;
}

/** Allowed clock difference in seconds. */
export const LEEWAY_SECONDS = 30;

const discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });
const keySet = z.object({ keys: z.array(z.looseObject({})) });
const proven = z.looseObject({
  aud: z.string(),
  // Database indexes limit its length.
  jti: z.string().check(z.minLength(1), z.maxLength(512)),
  exp: z.number(),
});

interface IssuersParts {
  readonly issuers: readonly IssuerOptions[];
  readonly outgoing: TargetOptions;
  /** Unix seconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Trusted issuers. The JWT library is loaded with the first token. */
export function openIssuers({
  issuers,
  outgoing,
  now,
  log,
}: IssuersParts): Issuers & { close(): Promise<void> } {
  let open: { agent: ReturnType<typeof guardedAgent>; keys: Map<string, IssuerKeys> } | undefined;
  const opened = async () => {
    const jose = await import("jose");
    if (open === undefined) {
      const agent = guardedAgent(outgoing);
      const keysOf = ({ url, keys }: IssuerOptions) =>
        new IssuerKeys({
          fetchKeys: async () => keys ?? (await fetchKeys(agent, url)),
          failed(error) {
            const message = `The keys of the issuer ${url} cannot be read: known keys keep working for a day`;
            log({ level: "warn", message, error });
          },
          local: jose.createLocalJWKSet,
          now,
        });
      open = { agent, keys: new Map(issuers.map((issuer) => [issuer.url, keysOf(issuer)])) };
    }
    return { jose, ...open };
  };
  return {
    urls: issuers.map(({ url }) => url),
    async verify(token, audience) {
      const { jose, keys } = await opened();
      const issuer = issuerIn(token, jose.decodeJwt);
      const known = issuer === undefined ? undefined : keys.get(issuer);
      if (issuer === undefined) throw unproven("the token is not a JWT with an issuer");
      if (known === undefined) throw unproven(`the issuer ${issuer} is not trusted`, "auth.issuer_untrusted");
      try {
        const verified = jose.jwtVerify(token, known.find, {
          issuer,
          audience,
          algorithms: ["RS256"],
          clockTolerance: LEEWAY_SECONDS,
          currentDate: new Date(now() * 1000),
          requiredClaims: ["iss", "aud", "exp", "iat", "jti"],
        });
        const { payload } = await verified.catch((error: unknown) => {
          if (error instanceof jose.errors.JOSEError || error instanceof Refusal) throw error;
          log({ level: "warn", message: `A key of the issuer ${issuer} is not usable`, error });
          const problem = "the key that the issuer publishes for this token cannot be used";
          throw unproven(problem, "auth.issuer_unavailable");
        });
        // With several audiences, another service could replay the token here.
        const { jti: id, exp: expiresAt } = z.parse(proven, payload);
        const [unstorable] = Object.entries(unstorableTexts(payload).errors);
        if (unstorable !== undefined) throw unproven(`the token's ${unstorable.join(": ")}`);
        return { issuer, id, expiresAt, claims: payload };
      } catch (error) {
        if (error instanceof jose.errors.JOSEError) throw unproven(whyNot(error, now()));
        if (error instanceof z.core.$ZodError)
          throw unproven("the token must have one audience and a jti of at most 512 characters");
        throw error;
      }
    },
    async close() {
      await open?.agent.close();
    },
  };
}

function unproven(why: string, code: ErrorCode = "auth.token_invalid"): Unproven {
  return new Unproven(code, `Unauthorized: ${why}`);
}

function issuerIn(token: string, decode: (token: string) => { iss?: string }): string | undefined {
  try {
    const { iss }: { iss?: unknown } = decode(token);
    return typeof iss === "string" ? iss : undefined;
  } catch {
    return undefined;
  }
}

async function fetchKeys(agent: ReturnType<typeof guardedAgent>, issuer: string): Promise<JSONWebKeySet> {
  const found = z.parse(
    discovery,
    await getJson(agent, `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`),
  );
  if (found.issuer !== issuer)
    throw new Error(`The configuration of the issuer ${issuer} names another issuer: ${found.issuer}`);
  return z.parse(keySet, await getJson(agent, found.jwks_uri)) as JSONWebKeySet;
}

/** The reason that a token is invalid. It contains no claims except times. */
function whyNot(error: errors.JOSEError, now: number): string {
  const clock = `the service's clock says ${new Date(now * 1000).toISOString()}`;
  const claims = "payload" in error ? z.safeParse(times, error.payload).data : undefined;
  const at = (seconds: number | undefined) =>
    seconds === undefined ? "an unknown time" : new Date(seconds * 1000).toISOString();
  switch (error.code) {
    case "ERR_JWT_EXPIRED":
      return `the token expired at ${at(claims?.exp)}; ${clock}`;
    case "ERR_JWT_CLAIM_VALIDATION_FAILED": {
      const claim = "claim" in error ? String(error.claim) : "a claim";
      if (claim === "nbf") return `the token is valid from ${at(claims?.nbf)}; ${clock}`;
      if (claim === "aud") return "the token is for another audience";
      return `the token's ${claim} is missing or wrong`;
    }
    case "ERR_JOSE_ALG_NOT_ALLOWED":
      return "the token is not signed with RS256";
    case "ERR_JWKS_NO_MATCHING_KEY":
      return "the token is signed with a key that its issuer does not publish";
    default:
      return "the token's signature is not from its issuer";
  }
}

/** Numbers that are valid dates. */
const times = z.looseObject({ exp: z.optional(unixTime), nbf: z.optional(unixTime) });
