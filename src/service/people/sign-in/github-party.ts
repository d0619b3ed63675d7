import * as z from "zod/mini";
import { Unproven } from "../../kernel/errors.ts";
import { type Checks, type LoggedOut, type Party, Reachability } from "./party.ts";
import type { Profile } from "./profile.ts";
import type { LoginProvider } from "./provider.ts";
import { DEADLINE_SECONDS, providerFetch } from "./provider-fetch.ts";
import type { PartyParts } from "./relying-party.ts";

/** Scopes that read the person, the verified address, the organizations and the teams. */
const SCOPES = "read:user user:email read:org";
const PER_PAGE = 100;
const MOST_PAGES = 10;

const user = z.object({ id: z.number(), login: z.string(), name: z.nullish(z.string()) });
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const orgs = z.array(z.object({ login: z.string() }));
const teams = z.array(z.object({ slug: z.string(), organization: z.object({ login: z.string() }) }));

/**
 * Signs people in with GitHub, which speaks OAuth and not OpenID Connect. Groups are organizations (`acme`) and teams
 * (`acme/platform`).
 *
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export class GitHubParty implements Party {
  readonly #provider: LoginProvider;
  readonly #fetch: ReturnType<typeof providerFetch>;
  readonly #reachability: Reachability;

  constructor({ provider, agent, now, log }: PartyParts) {
    this.#provider = provider;
    this.#fetch = providerFetch(agent);
    this.#reachability = new Reachability({ provider, now, log });
  }

  get unreachableSince(): number | undefined {
    return this.#reachability.unreachableSince;
  }

  async authorization(redirectUri: string, { verifier, state }: Checks): Promise<URL> {
    const client = await import("openid-client");
    return client.buildAuthorizationUrl(await this.#config(), {
      ...{ redirect_uri: redirectUri, scope: SCOPES, state },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    });
  }

  async profile(callback: URL, { verifier, state }: Checks): Promise<Profile> {
    const client = await import("openid-client");
    const config = await this.#config();
    return this.#reachability.asked(async () => {
      const checks = { pkceCodeVerifier: verifier, expectedState: state };
      const { access_token: token } = await client.authorizationCodeGrant(config, callback, checks);
      const person = z.parse(user, await this.#get("/user", token));
      const addresses = z.parse(emails, await this.#get("/user/emails", token));
      const inOrgs = await this.#all("/user/orgs", token, orgs);
      const inTeams = await this.#all("/user/teams", token, teams);
      const groups = [
        ...inOrgs.map(({ login }) => login),
        ...inTeams.map(({ slug, organization }) => `${organization.login}/${slug}`),
      ];
      const email = addresses.find(({ primary, verified }) => primary && verified)?.email ?? null;
      this.#reachability.noteAnswer();
      return {
        ...{ subject: String(person.id), name: person.name || person.login, email, groups },
        ...{ providerSession: null, idToken: null, claims: { ...person, email, groups } },
      };
    });
  }

  /** GitHub has no address for it. */
  async signOut(): Promise<undefined> {
    return undefined;
  }

  async loggedOut(): Promise<LoggedOut> {
    throw new Unproven("login.refused", "GitHub sends no logout tokens");
  }

  async #config() {
    const client = await import("openid-client");
    const { issuer, clientId, clientSecret } = this.#provider;
    const base = issuer.replace(/\/$/, "");
    const server = {
      issuer,
      authorization_endpoint: `${base}/login/oauth/authorize`,
      token_endpoint: `${base}/login/oauth/access_token`,
    };
    const config = new client.Configuration(server, clientId, clientSecret);
    config[client.customFetch] = this.#fetch;
    config.timeout = DEADLINE_SECONDS;
    if (issuer.startsWith("http:")) client.allowInsecureRequests(config);
    return config;
  }

  async #all<Item>(path: string, token: string, schema: z.ZodMiniType<Item[]>): Promise<Item[]> {
    const all: Item[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const found = z.parse(schema, await this.#get(`${path}?per_page=${PER_PAGE}&page=${page}`, token));
      all.push(...found);
      if (found.length < PER_PAGE) return all;
    }
    return all;
  }

  async #get(path: string, token: string): Promise<unknown> {
    const base = this.#provider.issuer.replace(/\/$/, "");
    const api = base === "https://github.com" ? "https://api.github.com" : `${base}/api/v3`;
    const headers = {
      ...{ accept: "application/vnd.github+json", "user-agent": "delivery-evidence" },
      authorization: `Bearer ${token}`,
    };
    const answer = await this.#fetch(api + path, {
      method: "GET",
      headers,
      body: undefined,
      redirect: "manual",
    });
    if (!answer.ok) throw new Error(`GitHub returned ${answer.status} for ${path.split("?")[0]}`);
    return answer.json();
  }
}
