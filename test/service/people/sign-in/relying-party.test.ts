import { once } from "node:events";
import { createServer } from "node:http";
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unreachableProvider } from "../../../identity/login-provider.ts";
import { visitor } from "../../pages/visitor.ts";
import { send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

const { publicKey, privateKey } = await generateKeyPair("RS256");

/** The ID token for these claims, and changes of the configuration. */
let token: (claims: JWTPayload) => Promise<string> | string;
let changes: object = {};
let userInfo: object = {};
/** The answer of the token endpoint instead of a token. */
let tokenError: { status: number; body: object } | undefined;
/** Paths that are not answered, and one that leads elsewhere. */
const hanging = new Set<string>();
let redirected: string | undefined;
let nonce: string;
let groups: string[];
let service: TestService;

/** A provider that sends what a test says. */
const server = createServer(async ({ url }, response) => {
  if (url !== undefined && hanging.has(url)) return;
  if (url !== undefined && url === redirected) {
    response.writeHead(302, { location: `${issuer()}/keys` }).end();
    return;
  }
  response.writeHead(url === "/token" ? (tokenError?.status ?? 200) : 200, {
    "content-type": "application/json",
  });
  response.end(JSON.stringify(await answerTo(url)));
});

async function answerTo(url = ""): Promise<object> {
  const iss = issuer();
  if (url.includes("openid-configuration"))
    return {
      ...{ issuer: iss, authorization_endpoint: `${iss}/authorize`, token_endpoint: `${iss}/token` },
      ...{ jwks_uri: `${iss}/keys`, id_token_signing_alg_values_supported: ["RS256", "HS256", "none"] },
      ...changes,
    };
  if (url === "/userinfo") return userInfo;
  if (url === "/keys") return { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "RS256" }] };
  if (tokenError !== undefined && url === "/token") return tokenError.body;
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss, aud: "evidence", sub: "eve", nonce, iat, exp: iat + 300, groups };
  return { access_token: "a", token_type: "Bearer", id_token: await token(claims) };
}

function issuer(): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const roleMap = Array.from({ length: 1_000 }, () => ({ group: "*a*b", org: ORG, role: "admin" as const }));
  const lines = [{ group: "staff", org: ORG, role: "reader" as const }, ...roleMap];
  const settings = { issuer: issuer(), clientSecret: "a secret", roleMap: lines };
  const loginProviders = ["company", "second", "third", "fourth", "fifth", "sixth", "seventh"].map((name) =>
    unreachableProvider({ ...settings, name }),
  );
  const strict = unreachableProvider({ ...settings, name: "eighth", allowedDomains: ["example.com"] });
  service = await startTestService({ failedLoginRate: 20 }, { loginProviders: [...loginProviders, strict] });
});
afterAll(async () => {
  await service.dispose();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  token = (claims) => new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(privateKey);
  groups = ["staff"];
  changes = {};
  tokenError = undefined;
  hanging.clear();
  redirected = undefined;
});

async function signIn(name = "company") {
  const user = visitor(service);
  const begun = await user.get(`/login/${name}`);
  const { searchParams } = new URL(String(begun.headers["location"]));
  nonce = searchParams.get("nonce") ?? "";
  return user.get(`/login/${name}/callback?code=c&state=${searchParams.get("state")}`);
}

describe("an ID token", () => {
  it("signs in with a signature of the provider", async () => {
    expect((await signIn()).status).toBe(303);
  });

  it.each<[string, typeof token]>([
    ["no signature", (claims) => new UnsecuredJWT(claims).encode()],
    [
      "the public key as a secret",
      async (claims) => {
        const secret = new TextEncoder().encode(await exportSPKI(publicKey));
        return new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret);
      },
    ],
    [
      "the signature of another key",
      async (claims) => {
        const other = await generateKeyPair("RS256");
        return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(other.privateKey);
      },
    ],
  ])("is refused with %s", async (_, forged) => {
    token = forged;
    expect((await signIn()).status).toBe(403);
  });

  it("is refused from the future, beyond the tolerance of clocks", async () => {
    const made = token;
    token = (claims) => made({ ...claims, iat: service.clock.time + 60 });
    const { status, text } = await signIn();
    expect(status).toBe(403);
    expect(text).toContain("from the future");
    token = (claims) => made({ ...claims, iat: service.clock.time + 20 });
    expect((await signIn()).status).toBe(303);
  });

  it("is refused with so many groups that comparing them would stop the service", async () => {
    groups = Array.from({ length: 100_000 }, () => "a");
    const { status, text } = await signIn();
    expect(status).toBe(403);
    expect(text).toContain("100000 groups, which are too many for a role map of 1001 lines");
  });
});

describe("an email address", () => {
  it.each([
    [{ email: "kim@example.com" }, { email: "eve@example.com", email_verified: true }],
    [{ email_verified: true }, { email: "kim@example.com", email_verified: false }],
    [{ email_verified: true }, { email: "kim@example.com" }],
  ])("of %j is not verified by userinfo with %j", async (own, info) => {
    expect(await verified(own, info)).toBe(false);
  });

  it.each([
    [{ email: "eve@example.com" }, { email: "eve@example.com", email_verified: true }],
    [{}, { email: "eve@example.com", email_verified: true }],
    [{ email: "eve@example.com", email_verified: true }, {}],
  ])("of %j is verified by userinfo with %j", async (own, info) => {
    expect(await verified(own, info)).toBe(true);
  });

  it("without a person before the domain is of no allowed domain", async () => {
    const made = token;
    const answerTo = async (email: string) => {
      token = (claims) => made({ ...claims, email, email_verified: true });
      return (await signIn("eighth")).status;
    };
    expect(await answerTo("eve@example.com")).toBe(303);
    for (const email of ["example.com", "@example.com"]) expect(await answerTo(email)).toBe(403);
  });

  /** Whether an account has a verified address, with claims of the ID token and of the userinfo endpoint. */
  async function verified(own: object, info: object): Promise<boolean> {
    const made = token;
    changes = { userinfo_endpoint: `${issuer()}/userinfo` };
    token = ({ groups: _, ...claims }) => made({ ...claims, ...own });
    userInfo = { sub: "eve", groups: ["staff"], ...info };
    expect((await signIn("seventh")).status).toBe(303);
    const path = `/members/${ORG}`;
    const { body } = await send(service, { method: "GET", path, key: service.keys.admin });
    return body.find(({ name }: { name: string }) => /eve/.test(name)).email !== null;
  }
});

it.each([
  ["jti", { jti: "a\u0000", sub: "eve" }],
  ["sid", { jti: "1", sid: "a\u0000" }],
  ["sub", { jti: "2", sub: "a\u0000" }],
])("a logout token whose %s is no text for a database is refused", async (_, claims) => {
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const signed = await new SignJWT({ iss: issuer(), aud: "evidence", events, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "1" })
    .setIssuedAt()
    .sign(privateKey);
  const fields = { form_token: "", logout_token: signed };
  expect((await visitor(service).send("/login/company/backchannel-logout", fields)).status).toBe(400);
});

describe("the configuration of a provider", () => {
  it("is read once for people who sign in at the same time", async () => {
    const begun = await Promise.all([1, 2, 3].map(() => visitor(service).get("/login/second")));
    expect(begun.map(({ status }) => status)).toEqual([303, 303, 303]);
  });

  it("without a usable address is the provider's fault", async () => {
    changes = { authorization_endpoint: "javascript:alert(1)//" };
    expect((await visitor(service).get("/login/third")).status).toBe(403);
    changes = { authorization_endpoint: undefined, jwks_uri: undefined };
    expect((await visitor(service).get("/login/fourth")).status).toBe(403);
    const fields = { form_token: "", logout_token: "a.b.c" };
    const left = await visitor(service).send("/login/fourth/backchannel-logout", fields);
    expect(left.status).toBe(400);
  });
});

describe("a failure of the provider after the sign-in", () => {
  it.each([
    [
      401,
      { error: "invalid_client" },
      502,
      "refuses this service (invalid_client): the operator of this service can",
    ],
    [503, {}, 503, "has been unavailable since"],
    [400, { error: "temporarily_unavailable" }, 503, "has been unavailable since"],
  ])(
    "with %d %o is answered %d and does not count as a failed login",
    async (status, body, answered, message) => {
      tokenError = { status, body };
      for (let time = 0; time < 12; time++) {
        const failed = await signIn();
        expect(failed.status).toBe(answered);
        expect(failed.text).toContain(message);
      }
      tokenError = undefined;
      expect((await signIn()).status).toBe(303);
    },
  );
});

describe("a provider that does not answer in time", () => {
  it.each([
    ["fifth", "/.well-known/openid-configuration"],
    ["sixth", "/token"],
    ["sixth", "/keys"],
  ])(
    "%s, at %s, is named with the time, and holds up no one else",
    async (name, path) => {
      if (path !== "/.well-known/openid-configuration") await visitor(service).get(`/login/${name}`);
      hanging.add(path);
      const waiting = path.endsWith("configuration") ? visitor(service).get(`/login/${name}`) : signIn(name);
      expect((await visitor(service).get("/login")).status).toBe(200);
      const { status, text } = await waiting;
      expect(status).toBe(503);
      expect(text).toMatch(/Company has been unavailable since|Acme has been unavailable since/);
      expect(text).toContain("UTC");
    },
    40_000,
  );

  it("is not followed to another address", async () => {
    redirected = "/token";
    expect((await signIn()).status).toBe(403);
    redirected = undefined;
    expect((await signIn()).status).toBe(303);
  });
});
