import type { Configuration, CustomFetch, IDToken, UserInfoResponse } from "openid-client";
import { Deadline } from "../../../net/deadline.ts";
import { exchange } from "../../../net/exchange.ts";
import type { GuardedAgent } from "../../delivery/outgoing/guarded-agent.ts";
import { checkTarget } from "../../delivery/outgoing/target-address.ts";
import { Busy, Unproven } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { LEEWAY_SECONDS } from "../identity/issuers.ts";
import { hasGroups, type Profile, profileIn } from "./profile.ts";
import type { LoginProvider } from "./provider.ts";

/** Deadline of each request to a provider. */
const DEADLINE_SECONDS = 10;
const MOST_BYTES = 1024 * 1024;
/** Minimum seconds between two attempts to reach a provider that does not answer. */
const PAUSE_SECONDS = 5;
/** Seconds after which the configuration is read again. */
const FRESH_SECONDS = 60 * 60;

export interface Checks {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

interface Parts {
  readonly provider: LoginProvider;
  readonly agent: GuardedAgent;
  /** Unix seconds. */
  readonly now: () => number;
  readonly log: Log;
}

/** Speaks OpenID Connect with one provider. The library is loaded with the first sign-in. */
export class RelyingParty {
  readonly #parts: Parts;
  #known: { config: Configuration; since: number } | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** Unix seconds of the first failure since the provider last answered. */
  #unreachableSince: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get unreachableSince(): number | undefined {
    return this.#unreachableSince;
  }

  /** The provider's address that a browser opens. @throws Busy */
  async authorization(redirectUri: string, { verifier, state, nonce }: Checks): Promise<URL> {
    const client = await import("openid-client");
    const config = await this.#config();
    const { scopes } = this.#parts.provider;
    return client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: scopes.join(" "), state, nonce },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    });
  }

  /** The person that a provider sent back to us. @throws Unproven, Busy */
  async profile(callback: URL, { verifier, state, nonce }: Checks): Promise<Profile> {
    const client = await import("openid-client");
    const config = await this.#config();
    const { provider } = this.#parts;
    const answered = await this.#asked(() =>
      client.authorizationCodeGrant(config, callback, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
        idTokenExpected: true,
      }),
    );
    const claims = answered.claims();
    if (claims === undefined) throw new Unproven("login.refused", "The provider sent no ID token");
    const all = await this.#withGroups(config, claims, answered.access_token);
    return profileIn(all, provider, answered.id_token ?? null);
  }

  /** The provider's address that ends its own session. Undefined if it has none. */
  async signOut(idToken: string | null, returnTo: string): Promise<URL | undefined> {
    const client = await import("openid-client");
    const config = await this.#config();
    if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
    const hint = idToken === null ? {} : { id_token_hint: idToken };
    return client.buildEndSessionUrl(config, { ...hint, post_logout_redirect_uri: returnTo });
  }

  /** The provider's metadata, for logout tokens. @throws Busy */
  async metadata() {
    return (await this.#config()).serverMetadata();
  }

  /** Some providers send groups only to the userinfo endpoint. */
  async #withGroups(
    config: Configuration,
    claims: IDToken,
    accessToken: string,
  ): Promise<IDToken & Partial<UserInfoResponse>> {
    const { groupsClaim } = this.#parts.provider;
    if (hasGroups(claims, groupsClaim) || config.serverMetadata().userinfo_endpoint === undefined)
      return claims;
    const client = await import("openid-client");
    // Refuses an answer about another subject.
    const info = await this.#asked(() => client.fetchUserInfo(config, accessToken, claims.sub));
    return { ...info, ...claims };
  }

  async #config(): Promise<Configuration> {
    const { provider, now } = this.#parts;
    const isFresh = this.#known !== undefined && now() - this.#known.since < FRESH_SECONDS;
    if (this.#known !== undefined && (isFresh || now() - this.#triedAt < PAUSE_SECONDS))
      return this.#known.config;
    if (this.#known === undefined && now() - this.#triedAt < PAUSE_SECONDS) throw this.#unreachable();
    this.#triedAt = now();
    const client = await import("openid-client");
    const { issuer, clientId, clientSecret } = provider;
    try {
      const config = await client.discovery(
        new URL(issuer),
        clientId,
        {
          ...(clientSecret !== undefined && { client_secret: clientSecret }),
          [client.clockTolerance]: LEEWAY_SECONDS,
        },
        clientSecret === undefined ? client.None() : undefined,
        {
          [client.customFetch]: this.#fetch,
          execute: issuer.startsWith("http:") ? [client.allowInsecureRequests] : [],
          timeout: DEADLINE_SECONDS,
        },
      );
      this.#known = { config, since: now() };
      this.#unreachableSince = undefined;
      return config;
    } catch (error) {
      this.#noteFailure(error);
      // The known configuration stays valid while the provider does not answer.
      if (this.#known !== undefined) return this.#known.config;
      throw this.#unreachable();
    }
  }

  #noteFailure(error: unknown): void {
    const { log, provider, now } = this.#parts;
    this.#unreachableSince ??= now();
    log({ level: "warn", message: `The login provider ${provider.name} does not answer as expected`, error });
  }

  #unreachable(): Busy {
    const since = new Date((this.#unreachableSince ?? this.#parts.now()) * 1000).toISOString();
    return new Busy(
      "login.unavailable",
      `${this.#parts.provider.label} has been unavailable since ${since.slice(0, 16).replace("T", " ")} UTC: try again later, or sign in with an API key`,
      PAUSE_SECONDS,
    );
  }

  /** Runs a request to the provider, and translates its faults. */
  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isNetworkFault(error)) {
        this.#noteFailure(error);
        throw this.#unreachable();
      }
      const { log, provider } = this.#parts;
      log({ level: "warn", message: `A sign-in with ${provider.name} was refused`, error });
      throw new Unproven(
        "login.refused",
        `The response of ${provider.label} was refused: ${reasonOf(error)}`,
      );
    }
  }

  readonly #fetch: CustomFetch = async (address, { method, headers, body }) => {
    const { agent } = this.#parts;
    const problem = checkTarget(address, agent.rules);
    if (problem !== undefined)
      throw new TypeError(`${new URL(address).origin} is not allowed: ${problem.message}`);
    using deadline = new Deadline(DEADLINE_SECONDS);
    const request = {
      method: method === "POST" ? "POST" : "GET",
      url: new URL(address),
      headers,
      body: body === undefined || body === null ? undefined : Buffer.from(String(body)),
    } as const;
    const { signal } = deadline;
    const answer = await exchange(agent.connections, request, { signal, maxBytes: MOST_BYTES }).catch(
      (cause) => {
        throw new TypeError(`${new URL(address).origin} cannot be reached`, { cause });
      },
    );
    const sent = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().flatMap((each) => (each === undefined ? [] : [[name, each] as [string, string]])),
    );
    return new Response(answer.status === 204 ? null : new Uint8Array(answer.bytes), {
      status: answer.status,
      headers: sent,
    });
  };
}

/** Thrown by the library for what `fetch` threw. */
function isNetworkFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof TypeError || error.cause instanceof TypeError || error.name === "TimeoutError";
}

const REASONS: Readonly<Record<string, string>> = {
  access_denied: "the sign-in was cancelled or not allowed",
  invalid_grant: "the code was used before or has expired",
};

/** The reason in words. It contains no part of a token. */
function reasonOf(error: unknown): string {
  const { error: given, code } = Object(error) as { error?: unknown; code?: unknown };
  if (typeof given === "string") return REASONS[given] ?? `it says ${given.slice(0, 100)}`;
  return typeof code === "string" ? code.toLowerCase().replaceAll("_", " ") : "it is not valid";
}
