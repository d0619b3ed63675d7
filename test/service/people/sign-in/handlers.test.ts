import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInAt, startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { visitor } from "../../pages/visitor.ts";
import { send } from "../../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";
import { scimClient } from "../scim/provisioned.ts";

let provider: TestProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startLoginProvider();
  service = await startTestService({}, { loginProviders: [provider.settings({ strict: false })] });
  await provider.allow(service.address, [`${ORG}.own`, `${OTHER_ORG}.own`, "company"]);
});
afterAll(async () => {
  await service.dispose();
  await provider.close();
});

async function signIn(name: string, login: string) {
  const user = visitor(service);
  const begun = await user.get(`/login/${name}`);
  const callback = new URL(await signInAt(String(begun.headers["location"]), login));
  return { user, answer: await user.get(callback.pathname + callback.search) };
}

const settings = (more: object = {}) => ({
  ...{ name: "own", issuer: provider.issuer, client_id: "evidence" },
  ...{ client_secret: "a secret of the client that nobody else knows" },
  role_map: [{ group: "lead", role: "admin" }, { role: "reader" }],
  ...more,
});
const put = (json: object, { org = ORG, key = service.keys.admin } = {}) =>
  send(service, { method: "PUT", path: `/login-providers/${org}`, key, json });

describe("a provider of an organization", () => {
  it("gives rights there only, and its people are others elsewhere", async () => {
    expect((await put(settings())).status).toBe(200);
    const other = { org: OTHER_ORG, key: service.keys.stranger };
    expect((await put(settings({ role_map: [{ role: "admin" }] }), other)).status).toBe(200);
    const { user, answer } = await signIn(`${ORG}.own`, "ada");
    expect(answer.status).toBe(303);
    expect((await user.get(`/${ORG}`)).status).toBe(200);
    expect((await user.get(`/${OTHER_ORG}`)).status).toBe(404);
    const there = await signIn(`${OTHER_ORG}.own`, "ada");
    expect((await there.user.get(`/${OTHER_ORG}`)).status).toBe(200);
    expect((await there.user.get(`/${ORG}`)).status).toBe(404);
    // The service's own provider signs in no one without a line of its role map.
    expect((await signIn("company", "ada")).answer.status).toBe(403);
  });

  it("is offered to people who want to see the organization", async () => {
    expect((await put(settings({ label: "Acme's own" }))).status).toBe(200);
    const page = async (path: string) => (await visitor(service).get(path)).text;
    expect(await page(`/login?next=/${ORG}/flows`)).toContain(`/login/${ORG}.own?next=`);
    expect(await page("/login")).not.toContain(`${ORG}.own`);
  });

  it("has a role map that the groups of SCIM follow at once", async () => {
    await put(settings({ role_map: [{ group: "scim-team", role: "reader" }] }));
    const { text } = await send(service, {
      ...{ method: "POST", path: `/scim-tokens/${ORG}`, key: service.keys.admin },
      json: { description: "Okta", provider: `${ORG}.own` },
    });
    const { url, token } = JSON.parse(text);
    const scim = scimClient(url, token);
    const user = await scim.send("POST", "/Users", { userName: "tom", externalId: "tom", active: true });
    const members = [{ value: user.body.id }];
    expect((await scim.send("POST", "/Groups", { displayName: "scim-team", members })).status).toBe(201);
    const signedIn = await signIn(`${ORG}.own`, "tom");
    const role = async () => (await signedIn.user.get("/settings")).text;
    expect(await role()).toMatch(/<dt>Role<\/dt>\s*<dd>(<bdi>)?reader/);
    expect((await put(settings({ role_map: [{ group: "scim-*", role: "auditor" }] }))).status).toBe(200);
    expect(await role()).toMatch(/<dt>Role<\/dt>\s*<dd>(<bdi>)?auditor/);
    expect((await put(settings({ role_map: [{ group: "other", role: "auditor" }] }))).status).toBe(200);
    expect((await signedIn.user.get(`/${ORG}`)).status).not.toBe(200);
    await put(settings());
  });

  it("never shows its secret, and keeps it while none is given", async () => {
    const { client_secret: _, ...rest } = settings();
    const { text } = await put(rest);
    expect(JSON.parse(text)).toMatchObject({ has_secret: true });
    expect(text).not.toContain("nobody else knows");
    expect((await signIn(`${ORG}.own`, "ada")).answer.status).toBe(303);
  });

  it("does not send its secret to another issuer", async () => {
    const { client_secret: _, ...rest } = settings({ issuer: "https://evil.example" });
    const { status, text } = await put(rest);
    expect(status).toBe(400);
    expect(text).toContain("because the issuer changes");
    expect((await signIn(`${ORG}.own`, "ada")).answer.status).toBe(303);
  });

  it.each([
    ["http://169.254.169.254", /metadata address/],
    ["http://10.0.0.1/realms/x", /private address/],
    ["http://user:secret@127.0.0.1:8080", /user|credential|password/i],
    ["ftp://login.example.com", /URL scheme should be/],
  ])("refuses the issuer %s", async (issuer, message) => {
    const { status, text } = await put(settings({ issuer }));
    expect({ status, text }).toEqual({ status: expect.any(Number), text: expect.stringMatching(message) });
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it("follows its groups, except for the last admin", async () => {
    provider.people.set("lea", { groups: ["lead"] });
    const { user } = await signIn(`${OTHER_ORG}.own`, "lea");
    await put(settings({ role_map: [{ group: "lead", role: "admin" }, { role: "reader" }] }), {
      org: OTHER_ORG,
      key: service.keys.stranger,
    });
    // Ada was an admin there before.
    for (const login of ["ada", "lea"])
      expect((await signIn(`${OTHER_ORG}.own`, login)).answer.status).toBe(303);
    const remove = {
      method: "DELETE",
      path: `/service-accounts/${OTHER_ORG}/stranger`,
      key: service.keys.stranger,
    };
    expect((await send(service, remove)).status).toBe(200);
    provider.people.set("lea", { groups: [] });
    await signIn(`${OTHER_ORG}.own`, "lea");
    expect((await user.get("/settings")).text).toContain("admin");
    expect(service.logged.join()).toContain(`The last admin of ${OTHER_ORG} keeps the role`);
  });

  it("ends its memberships and sessions when it is deleted", async () => {
    const { user } = await signIn(`${ORG}.own`, "tom");
    expect((await user.get(`/${ORG}`)).status).toBe(200);
    const path = `/login-providers/${ORG}/own`;
    expect((await send(service, { method: "DELETE", path, key: service.keys.member })).status).toBe(403);
    expect((await send(service, { method: "DELETE", path, key: service.keys.admin })).status).toBe(200);
    expect((await user.get(`/${ORG}`)).status).toBe(303);
    expect((await visitor(service).get(`/login/${ORG}.own`)).status).toBe(404);
  });
});
