import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { request } from "undici";
import type { LoginProvider } from "../../src/service/people/sign-in/provider.ts";

/** A real OpenID provider, whose login form accepts every name. */
export interface TestProvider {
  readonly issuer: string;
  /** Claims by name of the account. Absent accounts have a verified address and no groups. */
  readonly people: Map<string, Record<string, unknown>>;
  /** Lets a service use the provider. Call it when the address of the service is known. */
  allow(publicUrl: string, paths?: readonly string[]): Promise<void>;
  /** Settings of a service for it. */
  settings(more?: Partial<LoginProvider>): LoginProvider;
  /** While set, every request is answered with 503. */
  isDown: boolean;
  close(): Promise<void>;
}

/** A provider that is never asked to sign in. */
export function unreachableProvider(more: Partial<LoginProvider> = {}): LoginProvider {
  return {
    ...{ name: "company", kind: "oidc", label: "Acme", issuer: "https://login.invalid" },
    ...{ clientId: "evidence", scopes: ["openid"], groupsClaim: "groups", scimClaim: "sub" },
    ...{ allowedDomains: [], strict: true, sync: true, roleMap: [] },
    ...more,
  };
}

export const CLIENT = { id: "evidence", secret: "a secret of the client that nobody else knows" };

/** Starts a provider on a free port. */
export async function startLoginProvider(): Promise<TestProvider> {
  const { default: Provider } = await import("oidc-provider");
  let serve: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
  const server = createServer((incoming, response) => {
    if (provider.isDown) response.writeHead(503).end();
    else serve(incoming, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const issuer = `http://127.0.0.1:${port}`;
  const people = new Map<string, Record<string, unknown>>();
  const provider: TestProvider = {
    issuer,
    people,
    isDown: false,
    async allow(publicUrl, names = ["company"]) {
      const oidc = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            token_endpoint_auth_method: "client_secret_post",
            redirect_uris: names.map((name) => `${publicUrl}/login/${name}/callback`),
            post_logout_redirect_uris: [`${publicUrl}/login`],
            backchannel_logout_uri: `${publicUrl}/login/${names[0]}/backchannel-logout`,
            backchannel_logout_session_required: true,
            grant_types: ["authorization_code"],
          },
        ],
        claims: {
          openid: ["sub"],
          email: ["email", "email_verified"],
          profile: ["name", "preferred_username", "groups", "roles", "_claim_names"],
        },
        // Its own refuses addresses of this machine.
        fetch: (url: string, { dispatcher: _, ...options }: RequestInit) => fetch(url, options),
        features: { backchannelLogout: { enabled: true } },
        conformIdTokenClaims: false,
        cookies: { keys: ["a key of the provider in the tests"] },
        findAccount: (_: unknown, id: string) => ({
          accountId: id,
          claims: () => ({
            ...{ sub: id, name: id, email: `${id}@example.com`, email_verified: true },
            ...people.get(id),
          }),
        }),
        pkce: { required: () => true },
      });
      serve = oidc.callback();
    },
    settings: (more = {}) => ({
      ...{ name: "company", kind: "oidc", label: "Acme", issuer },
      ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret, scopes: ["openid", "profile", "email"] },
      ...{
        groupsClaim: "groups",
        scimClaim: "sub",
        allowedDomains: [],
        strict: true,
        sync: true,
        roleMap: [],
      },
      ...more,
    }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

/**
 * Follows forms and redirects at the provider as a browser does, until they lead elsewhere. Returns that address.
 *
 * @param cookies of the browser at the provider, to be kept for its sign-out
 */
export async function signInAt(
  authorization: string,
  login: string,
  cookies = new Map<string, string>(),
): Promise<string> {
  const ask = async (url: string, body?: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const type = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
    const answer = await request(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { accept: "text/html", ...(cookie === "" ? {} : { cookie }), ...type },
      ...(body === undefined ? {} : { body }),
    });
    for (const set of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return { location: answer.headers["location"], text: await answer.body.text() };
  };
  const { origin } = new URL(authorization);
  let url = authorization;
  for (let step = 0; step < 20; step++) {
    if (new URL(url).origin !== origin) return url;
    const { location, text } = await ask(url);
    if (typeof location === "string") {
      url = new URL(location, url).href;
      continue;
    }
    const [, action = ""] = /action="([^"]+)"/.exec(text) ?? [];
    const hidden = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, ...pair]) => pair,
    );
    if (action === "") throw new Error(`The provider shows no form: ${text.slice(0, 500)}`);
    const fields = { ...Object.fromEntries(hidden), login, password: "x", logout: "yes" };
    const sent = await ask(new URL(action, url).href, String(new URLSearchParams(fields)));
    if (typeof sent.location !== "string") return url;
    url = new URL(sent.location, url).href;
  }
  throw new Error("The provider does not end the sign-in");
}
