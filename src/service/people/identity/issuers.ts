import { hash } from "node:crypto";
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
import type { Issuers, ProvenToken } from "../../operation/context.ts";
import { type Claims, claimText } from "./claims.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import { ISSUER_KINDS, kindOfToken } from "./issuer-kinds.ts";

export interface IssuerOptions {
  /** The value of `iss`: `https://token.actions.githubusercontent.com`. */
  readonly url: string;
  /** Its keys, for issuers that the service cannot reach. */
  readonly keys?: JSONWebKeySet;
}

/** Allowed clock difference in seconds. */
export const LEEWAY_SECONDS = 30;

/** Maximum length of an id, which database indexes limit. */
const MAX_ID = 512;

const discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });
const keySet = z.object({ keys: z.array(z.looseObject({})) });
const oneText = z.union([z.string(), z.tuple([z.string()])]);
const proven = z.looseObject({
  aud: oneText,
  jti: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_ID))),
  exp: z.number(),
  iat: z.number(),
});

/** Issuers and key sets of trust policies whose keys are cached. */
const MOST_CACHED = 1_000;

interface IssuersParts {
  readonly issuers: readonly IssuerOptions[];
  readonly outgoing: TargetOptions;
  /** Unix seconds. */
  readonly now: () => number;
  readonly log: Log;
}

interface Opened {
  readonly jose: typeof import("jose");
  keysOf(issuer: string, jwks: string | null): IssuerKeys;
}

/** Trusted issuers. The JWT library is loaded with the first token. */
export function openIssuers(parts: IssuersParts): Issuers & { close(): Promise<void> } {
  const { issuers, outgoing, now, log } = parts;
  const published = new Map(issuers.map(({ url, keys }) => [url, keys]));
  const cached = new Map<string, IssuerKeys>();
  let agent: ReturnType<typeof guardedAgent> | undefined;
  const opened = async (): Promise<Opened> => {
    const jose = await import("jose");
    agent ??= guardedAgent(outgoing);
    const from = agent;
    const open = (url: string, jwks: string | null) =>
      new IssuerKeys({
        async fetchKeys() {
          if (jwks !== null) return z.parse(keySet, JSON.parse(jwks)) as JSONWebKeySet;
          return published.get(url) ?? (await fetchKeys(from, url));
        },
        failed(error) {
          const message = `The keys of the issuer ${url} cannot be read: known keys keep working for a day`;
          log({ level: "warn", message, error });
        },
        local: jose.createLocalJWKSet,
        now,
      });
    return {
      jose,
      keysOf(url, jwks) {
        const name = JSON.stringify([url, jwks]);
        const keys = cached.get(name) ?? open(url, jwks);
        cached.delete(name);
        cached.set(name, keys);
        const [oldest] = cached.size > MOST_CACHED ? cached.keys() : [];
        if (oldest !== undefined) cached.delete(oldest);
        return keys;
      },
    };
  };
  return {
    urls: issuers.map(({ url }) => url),
    async verify(token, audience, trusted) {
      const { jose, keysOf } = await opened();
      const issuer = issuerIn(token, jose.decodeJwt);
      if (issuer === undefined) throw unproven("the token is not a JWT with an issuer");
      const own = published.has(issuer) ? [null] : [];
      const sources = [...new Set([...own, ...(await trusted(issuer))])];
      if (sources.length === 0)
        throw unproven(`the issuer ${issuer} is not trusted`, "auth.issuer_untrusted");
      const refusals: unknown[] = [];
      for (const jwks of sources) {
        try {
          return await verifyWith(keysOf(issuer, jwks), { token, audience, issuer, jwks, jose, now, log });
        } catch (error) {
          refusals.push(error);
        }
      }
      throw refusals[0];
    },
    async close() {
      await agent?.close();
    },
  };
}

interface Presented extends Pick<IssuersParts, "now" | "log">, Pick<Opened, "jose"> {
  readonly token: string;
  readonly audience: string;
  readonly issuer: string;
  readonly jwks: string | null;
}

/** @throws Unproven, Busy */
async function verifyWith(keys: IssuerKeys, presented: Presented): Promise<ProvenToken> {
  const { token, audience, issuer, jwks, jose, now, log } = presented;
  const kind = kindOfToken(issuer, jose.decodeJwt(token));
  const { algorithms, replay, lifetime, audience: fixed = audience } = ISSUER_KINDS[kind];
  try {
    const verified = jose.jwtVerify(token, keys.find, {
      issuer,
      audience: fixed,
      algorithms: [...algorithms],
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(now() * 1000),
      requiredClaims: ["iss", "aud", "exp", "iat"],
    });
    const { payload } = await verified.catch((error: unknown) => {
      if (error instanceof jose.errors.JOSEError || error instanceof Refusal) throw error;
      log({ level: "warn", message: `A key of the issuer ${issuer} is not usable`, error });
      const problem = "the key that the issuer publishes for this token cannot be used";
      throw unproven(problem, "auth.issuer_unavailable");
    });
    // With several audiences, another service could replay the token here.
    const { exp: expiresAt, iat: issuedAt, ...claims } = z.parse(proven, payload);
    if (expiresAt - issuedAt > lifetime)
      throw unproven(`the token is valid for more than ${lifetime / 3600} hours`);
    const [unstorable] = Object.entries(unstorableTexts(payload).errors);
    if (unstorable !== undefined) throw unproven(`the token's ${unstorable.join(": ")}`);
    const id = replayIdOf(claims, replay, issuedAt);
    // An organization with its own keys for an issuer could use up ids of others, which it may guess.
    const own = id === null || jwks === null ? id : `${hash("sha256", jwks)} ${id}`;
    return { issuer, kind, jwks, id: own, expiresAt, claims: payload };
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) throw unproven(whyNot(error, now(), algorithms));
    if (error instanceof z.core.$ZodError)
      throw unproven(`the token must have one audience and a jti of at most ${MAX_ID} characters`);
    throw error;
  }
}

/** Identifies a token. Null for kinds whose tokens can be exchanged until they expire. */
function replayIdOf(claims: Claims, replay: readonly string[], issuedAt: number): string | null {
  if (replay.length === 0) return null;
  const [claim] = replay.filter((each) => claimText(claims, each) !== undefined);
  const id = claim === undefined ? undefined : claimText(claims, claim);
  if (id === undefined) throw unproven(`the token's ${replay.join(" or ")} is missing or wrong`);
  if (id.length > MAX_ID) throw unproven(`the token's ${claim} is longer than ${MAX_ID} characters`);
  // Claims other than jti identify a job, which may request several tokens.
  return claim === "jti" ? id : `${id} ${issuedAt}`;
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
function whyNot(error: errors.JOSEError, now: number, algorithms: readonly string[]): string {
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
      return `the token is not signed with ${algorithms.join(" or ")}`;
    case "ERR_JWKS_NO_MATCHING_KEY":
      return "the token is signed with a key that its issuer does not publish";
    default:
      return "the token's signature is not from its issuer";
  }
}

/** Numbers that are valid dates. */
const times = z.looseObject({ exp: z.optional(unixTime), nbf: z.optional(unixTime) });
