import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EvidenceClient } from "../../../../src/api/client/client.ts";
import type { MappedRole } from "../../../../src/service/people/sign-in/provider.ts";
import { signInAt, startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { recordsOfTest } from "../../../records.ts";
import { signedIn, type Visitor, visitor } from "../../pages/visitor.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";
import { patch, problem, type ScimClient, scimClient } from "./provisioned.ts";

let provider: TestProvider;
let service: TestService;
let client: EvidenceClient;
let scim: ScimClient;
let number = 0;

const ROLE_MAP: MappedRole[] = [
  { group: "admins", org: ORG, role: "admin" },
  { group: "platform-*", org: ORG, role: "member" },
  { group: "8aa1-readers", org: ORG, role: "reader" },
  { group: "shared", org: ORG, role: "auditor" },
  { group: "shared", org: OTHER_ORG, role: "auditor" },
];

beforeAll(async () => {
  provider = await startLoginProvider();
  const loginProviders = [
    provider.settings({ roleMap: ROLE_MAP, scimClaim: "sub" }),
    provider.settings({ name: "by-claim", roleMap: ROLE_MAP, scimClaim: "roles" }),
  ];
  service = await startTestService({}, { loginProviders, ...(await recordsOfTest()) });
  await provider.allow(service.address, ["company", "by-claim"]);
  client = new EvidenceClient({
    ...{ baseUrl: service.address, org: ORG, apiKey: service.keys.admin, allowHttp: true },
  });
  const { body } = await client.createScimToken({ body: { description: "Okta", provider: "company" } });
  scim = scimClient(body.url, body.token);
});
afterAll(async () => {
  await client?.close();
  await service?.dispose();
  await provider?.close();
});
beforeEach(() => provider.people.clear());

const name = (prefix: string) => `${prefix}${++number}`;

/** Signs in, and returns the browser with the answer to the provider's redirect. */
async function signIn(login: string, claims: object = {}, by = "company") {
  provider.people.set(login, { groups: [], ...claims });
  const browser = visitor(service);
  const begun = await browser.get(`/login/${by}`);
  const callback = new URL(await signInAt(String(begun.headers["location"]), login));
  return { browser, ...(await browser.get(callback.pathname + callback.search)) };
}

/** The role that the settings page shows, or the status without access to the organization. */
async function roleOf(browser: Visitor): Promise<string | number> {
  const { status } = await browser.get(`/${ORG}`);
  if (status !== 200) return status;
  const { text } = await browser.get("/settings");
  return /<dt>Role<\/dt>\s*<dd>(?:<bdi>)?(\w+)/.exec(text)?.[1] ?? text;
}

async function createUser(subject: string, more: object = {}) {
  const sent = { userName: `${subject}@example.com`, externalId: subject, active: true, ...more };
  const { status, body } = await scim.send("POST", "/Users", sent);
  expect(status, JSON.stringify(body)).toBe(201);
  return `/Users/${body.id}`;
}

async function createGroup(displayName: string, paths: readonly string[], more: object = {}) {
  const members = paths.map((path) => ({ value: path.slice("/Users/".length) }));
  const { status, body } = await scim.send("POST", "/Groups", { displayName, members, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return `/Groups/${body.id}`;
}

const activity = (path: string, active: boolean) =>
  scim.send("PATCH", path, patch({ op: "Replace", path: "active", value: active ? "True" : "False" }));

describe("the claim with the external id", () => {
  const externalId = "x".repeat(256);

  it("has at most 256 characters", async () => {
    const { body } = await client.createScimToken({ body: { description: "Entra", provider: "by-claim" } });
    const { send } = scimClient(body.url, body.token);
    expect((await send("POST", "/Users", { userName: name("long"), externalId })).status).toBe(201);
    const awaited = async () =>
      (await client.listProvisionedUsers({})).body.filter((each) => each.provider === "by-claim").length;
    for (const roles of [`${externalId}x`, `${externalId.slice(1)}\0`, "a\0b", "", 5, [externalId]]) {
      const signed = await signIn(name("claim"), { groups: ["shared"], roles }, "by-claim");
      expect(signed.status, String(roles)).toBe(303);
      expect(await awaited()).toBe(1);
    }
    expect((await signIn(name("claim"), { groups: ["shared"], roles: externalId }, "by-claim")).status).toBe(
      303,
    );
    expect(await awaited()).toBe(0);
    await client.revokeScimToken({ tokenId: body.id });
  });
});

describe("a user of SCIM", () => {
  it("is shown as not signed in yet until the first sign-in", async () => {
    const zoe = name("zoe");
    await createGroup(name("platform-"), [await createUser(zoe)]);
    const admin = await signedIn(service, service.keys.admin);
    const awaited = async () => {
      const { text } = await admin.get(`/${ORG}/people`);
      const at = text.indexOf("Not signed in yet");
      return at !== -1 && text.includes(`${zoe}@example.com`, at);
    };
    expect(await awaited()).toBe(true);
    expect((await signIn(zoe)).status).toBe(303);
    expect(await awaited()).toBe(false);
    expect((await client.listProvisionedUsers({})).body.map(({ userName }) => userName)).not.toContain(
      `${zoe}@example.com`,
    );
  });

  it("is linked at the sign-in, and follows groups and activity at once", async () => {
    const ada = name("ada");
    const user = await createUser(ada);
    expect((await signIn(ada)).status).toBe(403);
    const group = await createGroup(name("platform-"), [user]);
    const { browser } = await signIn(ada);
    expect(await roleOf(browser)).toBe("member");
    const rename = (displayName: string) =>
      scim.send("PATCH", group, patch({ op: "replace", path: "displayName", value: displayName }));
    await rename(name("other-"));
    expect(await roleOf(browser)).toBe(303);
    await rename(name("platform-"));
    const { browser: again } = await signIn(ada);
    await scim.send("PATCH", group, patch({ op: "replace", path: "externalId", value: "8aa1-readers" }));
    expect(await roleOf(again)).toBe("member");
    await rename(name("other-"));
    expect(await roleOf(again)).toBe("reader");
    await scim.send("PATCH", group, patch({ op: "remove", path: "members" }));
    expect(await roleOf(again)).toBe(303);
    await scim.send("DELETE", group);
  });

  it("whose person exists is linked when it is created", async () => {
    const bob = name("bob");
    const { browser } = await signIn(bob, { groups: ["shared"] });
    expect(await roleOf(browser)).toBe("auditor");
    const group = await createGroup(name("platform-"), [await createUser(bob)]);
    expect(await roleOf(browser)).toBe("member");
    await scim.send("DELETE", group);
    expect(await roleOf(browser)).toBe("auditor");
  });

  it("that is inactive has no access here, whatever else gives a role, until it is active again", async () => {
    const eve = name("eve");
    const user = await createUser(eve);
    const { browser } = await signIn(eve, { groups: ["shared"] });
    expect(await roleOf(browser)).toBe("auditor");
    expect(await activity(user, false)).toMatchObject({ status: 200, body: { active: false } });
    expect(await roleOf(browser)).toBe(404);
    // The session goes on in another organization.
    expect((await browser.get(`/${OTHER_ORG}`)).status).toBe(200);
    const { browser: later } = await signIn(eve, { groups: ["shared", "platform-x"] });
    expect((await later.get(`/${ORG}`)).status).toBe(404);
    await activity(user, true);
    expect(await roleOf(later)).toBe("member");
  });

  it("without another organization loses its sessions with the same write", async () => {
    const max = name("max");
    const user = await createUser(max);
    await createGroup(name("platform-"), [user]);
    const { browser } = await signIn(max);
    expect(await roleOf(browser)).toBe("member");
    await activity(user, false);
    await activity(user, true);
    expect(await roleOf(browser)).toBe(303);
    await activity(user, false);
    const refused = await signIn(max);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("Acme deactivated this account");
  });

  it("that is deleted stays without access, until it is created again", async () => {
    const ann = name("ann");
    const user = await createUser(ann);
    await createGroup(name("platform-"), [user]);
    const { browser } = await signIn(ann, { groups: ["platform-claim"] });
    expect(await roleOf(browser)).toBe("member");
    expect((await scim.send("DELETE", user)).status).toBe(204);
    expect(await roleOf(browser)).toBe(303);
    expect((await signIn(ann, { groups: ["platform-claim"] })).status).toBe(403);
    await createUser(ann);
    expect(await roleOf((await signIn(ann, { groups: ["platform-claim"] })).browser)).toBe("member");
  });

  it("that was inactive before the first sign-in gives no access", async () => {
    const tim = name("tim");
    await createUser(tim, { active: false });
    expect((await signIn(tim, { groups: ["admins"] })).status).toBe(403);
  });

  it("is never linked by an address or a name", async () => {
    const ida = name("ida");
    const { browser } = await signIn(ida, { groups: ["shared"], preferred_username: ida });
    const emails = [{ value: `${ida}@example.com`, primary: true }];
    const path = await createUser(name("another"), { userName: ida, displayName: ida, emails });
    await createGroup(name("platform-"), [path]);
    expect(await roleOf(browser)).toBe("auditor");
    await scim.send("DELETE", path);
    expect(await roleOf(browser)).toBe("auditor");
  });

  it("gives its role to the person whom it names, and to no other any more", async () => {
    const [kim, lee] = [name("kim"), name("lee")];
    const { browser: ofKim } = await signIn(kim, { groups: ["shared"] });
    const { browser: ofLee } = await signIn(lee, { groups: ["shared"] });
    const path = await createUser(kim);
    await createGroup(name("platform-"), [path]);
    expect(await roleOf(ofKim)).toBe("member");
    const renamed = patch({ op: "replace", path: "externalId", value: lee });
    await scim.send("PATCH", path, renamed);
    expect([await roleOf(ofKim), await roleOf(ofLee)]).toEqual(["auditor", "member"]);
    await activity(path, false);
    const back = patch({ op: "replace", path: "externalId", value: kim });
    expect(await scim.send("PATCH", path, back)).toMatchObject(problem(400, "invalidValue"));
    const twice = { userName: name("x"), externalId: lee };
    expect(await scim.send("POST", "/Users", twice)).toMatchObject(problem(409, "uniqueness"));
  });

  it("cannot be known to another organization, or by its token", async () => {
    const elsewhere = new EvidenceClient({
      ...{ baseUrl: service.address, org: OTHER_ORG, apiKey: service.keys.stranger, allowHttp: true },
    });
    const { body } = await elsewhere.createScimToken({ body: { description: "x", provider: "company" } });
    await elsewhere.close();
    const other = scimClient(body.url, body.token);
    const own = await createUser(name("own"));
    expect(await other.send("GET", own)).toMatchObject(problem(404));
    expect(await other.send("PATCH", own, patch())).toMatchObject(problem(404));
    expect(await other.send("GET", "/Users")).toMatchObject({ body: { totalResults: 0 } });
    const member = { value: own.slice("/Users/".length) };
    const stolen = { displayName: "shared", members: [member] };
    expect(await other.send("POST", "/Groups", stolen)).toMatchObject(problem(400, "invalidValue"));
    const across = scimClient(`${service.address}/scim/v2/${ORG}`, body.token);
    expect(await across.send("GET", "/Users")).toMatchObject(problem(401));
    const headers = { authorization: `Bearer ${body.token}`, accept: "application/json" };
    expect((await visitor(service).get(`/api/v2/flows/${OTHER_ORG}`, headers)).status).toBe(401);
  });
});

describe("the last admin", () => {
  it("cannot be lost by SCIM", async () => {
    const amy = name("amy");
    const user = await createUser(amy);
    const group = await createGroup("admins", [user]);
    const { browser } = await signIn(amy);
    expect(await roleOf(browser)).toBe("admin");
    const { body: accounts } = await client.listServiceAccounts({});
    const admins = accounts.filter(({ privilege }) => privilege === "admin").map((each) => each.name);
    // The key of these requests is revoked last.
    for (const each of [...admins.filter((each) => each !== "admin"), "admin"]) await withoutKeys(each);
    const value = user.slice("/Users/".length);
    for (const [method, path, body] of [
      ["PATCH", user, patch({ op: "replace", value: { active: false } })],
      ["DELETE", user, undefined],
      ["PATCH", group, patch({ op: "replace", path: "displayName", value: "platform-x" })],
      ["PATCH", group, patch({ op: "remove", path: `members[value eq "${value}"]` })],
      ["PUT", group, { displayName: "admins", members: [] }],
      ["DELETE", group, undefined],
    ] as const) {
      const refused = await scim.send(method, path, body);
      expect(refused).toMatchObject(problem(403));
      expect(refused.body.detail).toContain(`'${amy}' is the last admin of the organization`);
    }
    expect(await roleOf(browser)).toBe("admin");
    expect((await scim.send("GET", user)).body).toMatchObject({ active: true, meta: { version: 'W/"1"' } });
  });

  async function withoutKeys(account: string) {
    const { body: keys } = await client.listApiKeys({ name: account });
    for (const { id } of keys) await client.revokeApiKey({ name: account, keyId: id });
  }
});
