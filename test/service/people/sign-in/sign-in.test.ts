import { generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MappedRole } from "../../../../src/service/people/sign-in/provider.ts";
import { signInAt, startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { signInWith } from "../../../identity/signed-in-person.ts";
import { type Visitor, visitor } from "../../pages/visitor.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";

let provider: TestProvider;
let service: TestService;

const ROLE_MAP: MappedRole[] = [
  { group: "admins", org: ORG, role: "admin" },
  { group: "platform-*", org: ORG, role: "member" },
  { group: "shared", org: ORG, role: "reader" },
  { group: "shared", org: OTHER_ORG, role: "auditor" },
];

beforeAll(async () => {
  provider = await startLoginProvider();
  service = await startTestService({}, { loginProviders: [provider.settings({ roleMap: ROLE_MAP })] });
  await provider.allow(service.address);
});
afterAll(async () => {
  await service.dispose();
  await provider.close();
});
beforeEach(() => provider.people.clear());

/** Signs in as a browser does, and returns the answer to the provider's redirect. */
async function signIn(user: Visitor, login: string, next = "") {
  const begun = await user.get(`/login/company${next === "" ? "" : `?next=${encodeURIComponent(next)}`}`);
  expect(begun.status).toBe(303);
  const callback = new URL(await signInAt(String(begun.headers["location"]), login));
  return user.get(callback.pathname + callback.search);
}

/** The page that refuses a sign-in: its status and message. */
function refusal({ status, text }: { status: number; text: string }) {
  const [, message] =
    /role="alert"[^>]*>\s*(?:<h2[^>]*>[^<]*<\/h2>)?\s*<p>(?:<bdi>)?([^<]*?)\.?</.exec(text) ?? [];
  return { status, message };
}

describe("signing in with a provider", () => {
  it("gives the role of a group, and leads to the requested page", async () => {
    provider.people.set("ada", { name: "Ada Lovelace", groups: ["platform-web"] });
    const user = visitor(service);
    expect((await user.get("/login")).text).toContain("Sign in with <bdi>Acme</bdi>");
    const signed = await signIn(user, "ada", `/${ORG}/flows`);
    expect({ status: signed.status, location: signed.headers["location"] }).toEqual({
      status: 303,
      location: `/${ORG}/flows`,
    });
    expect(String(signed.headers["set-cookie"])).toMatch(
      /^session=dep_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
    const { text } = await user.get("/settings");
    expect(text).toContain("Ada Lovelace");
    expect(text).toContain("member");
    expect((await user.get(`/${OTHER_ORG}/flows`)).status).toBe(404);
  });

  it("follows the groups at each sign-in, and says which are missing", async () => {
    provider.people.set("bob", { groups: ["platform-web"] });
    await signIn(visitor(service), "bob");
    provider.people.set("bob", { groups: "shared" });
    const user = visitor(service);
    await signIn(user, "bob");
    const start = await user.get("/");
    expect(start.text).toContain(`href="/${ORG}"`);
    expect(start.text).toContain(`href="/${OTHER_ORG}"`);
    const page = await user.get(`/${OTHER_ORG}`);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/popovertarget="organizations"/);
    provider.people.set("bob", { groups: ["platform", "PLATFORM-web"] });
    expect(refusal(await signIn(visitor(service), "bob"))).toEqual({
      status: 403,
      message:
        "Acme sent the groups platform, PLATFORM-web, which give no role here. Access needs one of admins, platform-*, shared",
    });
    // The earlier browser has no access any more.
    expect((await user.get(`/${ORG}`)).status).toBe(303);
  });

  it.each([
    ["a reference instead of 200 groups", { _claim_names: { groups: "src1" } }, /Use app roles/],
    ["no groups", {}, /sent no groups/],
    ["groups that are no texts", { groups: [{ name: "admins" }, 5] }, /sent no groups/],
    [
      "a name that looks like the group",
      { groups: ["аdmins"] },
      /the group аdmins, which gives no role here/,
    ],
  ])("refuses %s", async (_, claims, message) => {
    provider.people.set("eve", claims);
    expect(refusal(await signIn(visitor(service), "eve"))).toEqual({
      status: 403,
      message: expect.stringMatching(message),
    });
  });

  it("accepts 5,000 groups", async () => {
    const groups = Array.from({ length: 5_000 }, (_, number) => `group-${number}`);
    provider.people.set("max", { groups: [...groups, "platform-db"] });
    expect((await signIn(visitor(service), "max")).status).toBe(303);
  });

  it("refuses a callback twice, without its browser, and with the state of another sign-in", async () => {
    provider.people.set("ada", { groups: ["shared"] });
    const user = visitor(service);
    const begun = await user.get("/login/company");
    const callback = new URL(await signInAt(String(begun.headers["location"]), "ada"));
    const path = callback.pathname + callback.search;
    const ended = "This sign-in has ended, or was started in another tab: sign in again";
    expect(refusal(await visitor(service).get(path))).toEqual({ status: 403, message: ended });
    const other = visitor(service);
    await other.get("/login/company");
    expect(refusal(await other.get(path)).message).toBe(ended);
    expect((await user.get(path)).status).toBe(303);
    expect(refusal(await user.get(path)).message).toBe(
      "The response of Acme was refused: the code was used before or has expired",
    );
  });

  it("never redirects elsewhere", async () => {
    provider.people.set("ada", { groups: ["shared"] });
    for (const next of ["//evil.example", "/\\evil.example", "https://evil.example"]) {
      expect((await signIn(visitor(service), "ada", next)).headers["location"]).toBe("/");
    }
  });

  it("tests a provider without signing in", async () => {
    provider.people.set("tim", { groups: ["admins"], email_verified: "true" });
    const user = visitor(service);
    const begun = await user.get("/login/company?test");
    const callback = new URL(await signInAt(String(begun.headers["location"]), "tim"));
    const { status, text } = await user.get(callback.pathname + callback.search);
    expect(status).toBe(200);
    expect(text).toContain("You are not signed in");
    expect(text).toMatch(/<dt>acme<\/dt>\s*<dd>.*admin/);
    expect(text).toContain("email_verified");
    expect([...user.cookies.keys()]).toEqual(["login"]);
  });

  it("gives no access to the API with a browser's session", async () => {
    provider.people.set("ada", { groups: ["shared"] });
    const user = visitor(service);
    await signIn(user, "ada");
    const { status } = await user.get(`/api/v2/flows/${ORG}`, {
      accept: "application/json",
      authorization: `Bearer ${user.cookies.get("session")}`,
    });
    expect(status).toBe(401);
  });

  it("says since when a provider is unavailable, while sessions go on", async () => {
    provider.people.set("ada", { groups: ["shared"] });
    const user = visitor(service);
    await signIn(user, "ada");
    const begun = await visitor(service).get("/login/company");
    expect(begun.status).toBe(303);
    provider.isDown = true;
    service.clock.time += 2 * 3600 - 1;
    const guest = visitor(service);
    await guest.get("/login/company");
    expect((await guest.get("/login")).text).toMatch(/It has been unavailable since .* UTC/);
    expect((await user.get(`/${ORG}`)).status).toBe(200);
    provider.isDown = false;
    service.clock.time += 60;
    expect((await signIn(visitor(service), "ada")).status).toBe(303);
    expect((await guest.get("/login")).text).not.toContain("unavailable");
  });

  it("signs out here, and at the provider, which ends the sessions of other browsers there", async () => {
    provider.people.set("sue", { groups: ["shared"] });
    const atProvider = new Map<string, string>();
    const [first, second] = [visitor(service), visitor(service)];
    for (const user of [first, second]) {
      const begun = await user.get("/login/company");
      const callback = new URL(await signInAt(String(begun.headers["location"]), "sue", atProvider));
      expect((await user.get(callback.pathname + callback.search)).status).toBe(303);
    }
    const left = await first.send("/settings", { action: "/logout" });
    expect(left.status).toBe(200);
    expect((await first.get("/settings")).status).toBe(303);
    expect((await second.get("/settings")).status).toBe(200);
    const [, href = ""] = /href="([^"]+)">Also sign out of/.exec(left.text) ?? [];
    const returned = await signInAt(href.replaceAll("&amp;", "&"), "sue", atProvider);
    expect(returned).toMatch(/\/login$/);
    await expect.poll(async () => (await second.get("/settings")).status).toBe(303);
  });

  it("ends no session for a logout token of another signer, and none of a browser", async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    expect(publicKey).toBeDefined();
    provider.people.set("ada", { groups: ["shared"] });
    const user = visitor(service);
    await signIn(user, "ada");
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const forged = await new SignJWT({ sub: "ada", events, jti: "1" })
      .setProtectedHeader({ alg: "RS256", typ: "logout+jwt" })
      .setIssuer(provider.issuer)
      .setAudience("evidence")
      .setIssuedAt()
      .sign(privateKey);
    for (const token of [forged, "", "a.b.c"]) {
      const { status } = await visitor(service).send("/login/company/backchannel-logout", {
        form_token: "",
        logout_token: token,
      });
      expect(status).toBe(400);
    }
    expect((await user.get("/settings")).status).toBe(200);
  });

  it("ends after two idle hours, and twelve hours in any case", async () => {
    provider.people.set("ada", { groups: ["shared"] });
    const start = service.clock.time;
    const user = visitor(service);
    await signIn(user, "ada");
    for (let hour = 1; hour < 12; hour += 1.5) {
      service.clock.time = start + hour * 3600;
      expect((await user.get(`/${ORG}`)).status, `after ${hour} hours`).toBe(200);
    }
    service.clock.time = start + 12 * 3600;
    expect((await user.get(`/${ORG}`)).status).toBe(303);
    await signIn(user, "ada");
    service.clock.time += 2 * 3600;
    expect((await user.get(`/${ORG}`)).status).toBe(303);
    service.clock.time = start;
  });
});

it("a role map that names an unknown organization is warned of, at the start and in the test", async () => {
  const typo: MappedRole = { org: "acmee", role: "reader" };
  const loginProviders = [provider.settings({ roleMap: [...ROLE_MAP, typo], strict: false })];
  const other = await startTestService({}, { loginProviders });
  try {
    await provider.allow(other.address);
    const warning =
      "The role map of the login provider company names the organization 'acmee', which does not exist";
    expect(other.logged.filter((line) => line.includes(warning))).toHaveLength(1);
    const { text } = await signInWith(visitor(other), "ada", "/login/company?test");
    expect(text).toContain("names organizations that do not exist: <bdi>acmee</bdi>");
    expect(text).not.toMatch(/<dt>(<bdi>)?acmee/);
  } finally {
    await other.dispose();
  }
});
