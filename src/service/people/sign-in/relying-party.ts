import type { JWTVerifyGetKey } from "jose";
import type { Configuration, IDToken, UserInfoResponse } from "openid-client";
import * as z from "zod/mini";
import type { GuardedAgent } from "../../delivery/outgoing/guarded-agent.ts";
import { Unproven } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { LEEWAY_SECONDS } from "../identity/issuers.ts";
import { type Checks, type LoggedOut, PAUSE_SECONDS, type Party, Reachability } from "./party.ts";
import { type Claims, hasGroups, indexed, type Profile, profileIn } from "./profile.ts";
import type { LoginProvider } from "./provider.ts";
import { DEADLINE_SECONDS, providerFetch } from "./provider-fetch.ts";

/** Seconds after which the configuration is read again. */
const FRESH_SECONDS = 60 * 60;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

const logoutClaims = z.looseObject({
  jti: indexed,
  iat: z.number(),
  exp: z.optional(z.number()),
  events: z.looseObject({ [LOGOUT_EVENT]: z.looseObject({}) }),
  sid: z.optional(indexed),
  sub: z.optional(indexed),
  // ID tokens have it, logout tokens must not.
  nonce: z.optional(z.undefined()),
});

export interface PartyParts {
  readonly provider: LoginProvider;
  readonly agent: GuardedAgent;
  /** Unix seconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Speaks OpenID Connect with one provider. The library is loaded with the first sign-in. */
export class RelyingParty implements Party {
  readonly #provider: LoginProvider;
  readonly #fetch: ReturnType<typeof providerFetch>;
  readonly #now: () => number;
  readonly #reachability: Reachability;
  #known: { config: Configuration; since: number } | undefined;
  #asking: Promise<Configuration> | undefined;
  /** Keys of logout tokens, and their address. */
  #keys: { at: string; set: JWTVerifyGetKey } | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor({ provider, agent, now, log }: PartyParts) {
    this.#provider = provider;
    this.#fetch = providerFetch(agent);
    this.#now = now;
    this.#reachability = new Reachability({ provider, now, log });
  }

  get unreachableSince(): number | undefined {
    return this.#reachability.unreachableSince;
  }

  async authorization(redirectUri: string, { verifier, state, nonce }: Checks): Promise<URL> {
    const client = await import("openid-client");
    const config = await this.#config();
    const challenge = await client.calculatePKCECodeChallenge(verifier);
    return this.#reachability.asked(async () =>
      client.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: this.#provider.scopes.join(" "), state, nonce },
        ...{ code_challenge: challenge, code_challenge_method: "S256" },
      }),
    );
  }

  async profile(callback: URL, { verifier, state, nonce }: Checks): Promise<Profile> {
    const client = await import("openid-client");
    const config = await this.#config();
    const answered = await this.#reachability.asked(() =>
      client.authorizationCodeGrant(config, callback, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
        idTokenExpected: true,
      }),
    );
    this.#reachability.noteAnswer();
    const claims = answered.claims();
    if (claims === undefined) throw new Unproven("login.refused", "The provider sent no ID token");
    // The library checks only the expiry.
    if (claims.iat > this.#now() + LEEWAY_SECONDS)
      throw new Unproven("login.refused", "The ID token is from the future: compare the clocks");
    const all = await this.#withGroups(config, claims, answered.access_token);
    return profileIn(all, this.#provider, answered.id_token ?? null);
  }

  async signOut(idToken: string | undefined, returnTo: string): Promise<URL | undefined> {
    const client = await import("openid-client");
    const config = await this.#config();
    if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
    const hint = idToken === undefined ? {} : { id_token_hint: idToken };
    return client.buildEndSessionUrl(config, { ...hint, post_logout_redirect_uri: returnTo });
  }

  async loggedOut(token: string): Promise<LoggedOut> {
    const jose = await import("jose");
    const { issuer, jwks_uri: keysAt = "" } = (await this.#config()).serverMetadata();
    return this.#reachability.asked(async () => {
      // Kept, so that forged tokens do not make the provider send its keys each time.
      if (this.#keys?.at !== keysAt) {
        const set = jose.createRemoteJWKSet(new URL(keysAt), {
          [jose.customFetch]: (url, options) =>
            this.#fetch(url, { ...options, body: undefined, headers: {} }),
        });
        this.#keys = { at: keysAt, set };
      }
      const { payload } = await jose.jwtVerify(token, this.#keys.set, {
        ...{ issuer, audience: this.#provider.clientId, clockTolerance: LEEWAY_SECONDS },
        maxTokenAge: FRESH_SECONDS,
      });
      const { jti, iat, exp, sid, sub } = z.parse(logoutClaims, payload);
      if (sid === undefined && sub === undefined)
        throw new Error("The logout token names no session and no subject");
      return { tokenId: jti, expiresAt: exp ?? iat + FRESH_SECONDS, session: sid, subject: sub };
    });
  }

  /** Some providers send groups only to the userinfo endpoint. */
  async #withGroups(config: Configuration, claims: IDToken, accessToken: string): Promise<Claims> {
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
    if (hasGroups(claims, this.#provider.groupsClaim) || !hasUserInfo) return claims;
    const client = await import("openid-client");
    // Refuses an answer about another subject.
    const ask = () => client.fetchUserInfo(config, accessToken, claims.sub);
    return withOwnEmail(claims, await this.#reachability.asked(ask));
  }

  /** The provider's configuration. A known one stays valid while the provider does not answer. */
  async #config(): Promise<Configuration> {
    const known = this.#known;
    const isFresh = known !== undefined && this.#now() - known.since < FRESH_SECONDS;
    const triedJustNow = this.#now() - this.#triedAt < PAUSE_SECONDS;
    if (known !== undefined && (isFresh || triedJustNow)) return known.config;
    if (triedJustNow && this.#asking === undefined) throw this.#reachability.unreachable();
    // People who sign in at the same time wait for the same answer.
    this.#asking ??= this.#asked(known?.config).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #asked(known: Configuration | undefined): Promise<Configuration> {
    this.#triedAt = this.#now();
    try {
      const config = await this.#discovered();
      this.#known = { config, since: this.#now() };
      this.#triedAt = Number.NEGATIVE_INFINITY;
      this.#reachability.noteAnswer();
      return config;
    } catch (error) {
      const unreachable = this.#reachability.noteFailure(error);
      if (known !== undefined) return known;
      throw unreachable;
    }
  }

  async #discovered(): Promise<Configuration> {
    const client = await import("openid-client");
    const { issuer, clientId, clientSecret } = this.#provider;
    const secret = clientSecret === undefined ? {} : { client_secret: clientSecret };
    return client.discovery(
      new URL(issuer),
      clientId,
      { ...secret, [client.clockTolerance]: LEEWAY_SECONDS },
      clientSecret === undefined ? client.None() : undefined,
      {
        [client.customFetch]: this.#fetch,
        // Without the checks, the library trusts TLS and does not verify the signatures of ID tokens.
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.startsWith("http:") ? [client.allowInsecureRequests] : []),
        ],
        timeout: DEADLINE_SECONDS,
      },
    );
  }
}

/** The claims of both. A verification counts only for the address that was sent with it. */
function withOwnEmail(claims: IDToken, info: UserInfoResponse): Claims {
  const { email_verified: _, ...all } = { ...info, ...claims };
  const has = (sent: Readonly<Record<string, unknown>>) =>
    all["email"] === sent["email"] && sent["email_verified"] !== undefined;
  const verification = [claims, info].find(has)?.["email_verified"];
  return { ...all, ...(verification !== undefined && { email_verified: verification }) };
}
