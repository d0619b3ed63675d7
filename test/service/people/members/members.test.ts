import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT, startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { joinWith, signInWith } from "../../../identity/signed-in-person.ts";
import { visitor } from "../../pages/visitor.ts";
import { type RequestToSend, send } from "../../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";

let provider: TestProvider;
let service: TestService;
beforeAll(async () => {
  provider = await startLoginProvider();
  const roleMap = [
    { org: ORG, group: "readers", role: "reader" as const },
    { org: OTHER_ORG, group: "readers there", role: "reader" as const },
  ];
  service = await startTestService({}, { loginProviders: [provider.settings({ roleMap })] });
  await provider.allow(service.address, ["company", `${OTHER_ORG}.own`]);
  await addProviderThere();
});
afterAll(async () => {
  await service.dispose();
  await provider.close();
});

/** Adds a provider that signs everyone in to the other organization. */
async function addProviderThere(): Promise<void> {
  const json = {
    ...{ name: "own", issuer: provider.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret },
    role_map: [{ role: "admin" }],
  };
  const message = { method: "PUT", path: `/login-providers/${OTHER_ORG}`, key: service.keys.stranger, json };
  expect((await send(service, message)).status).toBe(200);
}

const ask = async (message: RequestToSend) =>
  (await send(service, { key: service.keys.admin, ...message })).body;

async function invite(email: string): Promise<string> {
  const json = { email, privilege: "member" };
  const { url } = await ask({ method: "POST", path: `/invitations/${ORG}`, json });
  return url.split("/").at(-1);
}

/** Begins with the page of the invitation, whose buttons do not have this provider. */
async function wrongProvider(token: string) {
  const user = visitor(service);
  const { text } = await user.get(`/invitations/${token}`);
  const [, query = ""] = /href="\/login\/company(\?[^"]+)"/.exec(text) ?? [];
  return signInWith(user, "eve", `/login/${OTHER_ORG}.own${query.replaceAll("&amp;", "&")}`);
}

describe("an invitation", () => {
  it("is accepted only after its page, which says what is joined", async () => {
    const token = await invite("kai@example.com");
    const direct = await visitor(service).get(`/login/company?invitation=${token}`);
    expect([direct.status, direct.headers["location"]]).toEqual([303, `/invitations/${token}`]);
    const [kai, other] = [visitor(service), visitor(service)];
    const page = await kai.get(`/invitations/${token}`);
    expect(page.text).toContain(`Join ${ORG} as member?`);
    const [, link = ""] = /href="(\/login\/company\?[^"]+)"/.exec(page.text) ?? [];
    // The link of another browser confirms nothing.
    await other.get(`/invitations/${token}`);
    const forged = await other.get(link.replaceAll("&amp;", "&"));
    expect(forged.headers["location"]).toBe(`/invitations/${token}`);
    expect((await joinWith(kai, "kai", { token })).headers["location"]).toBe(`/${ORG}`);
  });

  it("is refused to people of another organization's own provider", async () => {
    const token = await invite("eve@example.com");
    const refused = await wrongProvider(token);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(
      `The provider belongs to another organization, so it cannot sign in to ${ORG}`,
    );
    expect(await ask({ path: `/invitations/${ORG}` })).toMatchObject([{ email: "eve@example.com" }]);
    const accepted = await joinWith(visitor(service), "eve", { token });
    expect(accepted.headers["location"]).toBe(`/${ORG}`);
  });

  it.each([
    ["KAY@EXAMPLE.COM", 303],
    // Kelvin sign, Cyrillic a, full-width letter, zero-width space, a dot and a tag.
    ["\u212aay@example.com", 403],
    ["k\u0430y@example.com", 403],
    ["\uff4bay@example.com", 403],
    ["kay\u200b@example.com", 403],
    ["k.ay@example.com", 403],
    ["kay+x@example.com", 403],
    [" kay@example.com", 403],
  ])("to kay@example.com is answered for the address %j with %d", async (email, status) => {
    const token = await invite("kay@example.com");
    const login = `kay-${encodeURIComponent(email)}`;
    provider.people.set(login, { email, email_verified: true });
    expect((await joinWith(visitor(service), login, { token })).status).toBe(status);
    provider.people.set(login, { email, email_verified: "true" });
    const again = await joinWith(visitor(service), login, { token: await invite("kay@example.com") });
    expect(again.status).toBe(403);
    for (const { id } of await ask({ path: `/invitations/${ORG}` }))
      await ask({ method: "DELETE", path: `/invitations/${ORG}/${id}` });
  });

  it("ends after seven days", async () => {
    const token = await invite("max@example.com");
    const { time } = service.clock;
    service.clock.time += 7 * 86_400;
    expect((await visitor(service).get(`/invitations/${token}`)).status).toBe(404);
    const late = await joinWith(visitor(service), "max", { token });
    expect(late.text).toContain("was used or revoked, or has expired");
    expect(await ask({ path: `/invitations/${ORG}` })).toEqual([]);
    service.clock.time = time;
  });

  it("ends when the person who invites may not give its role any more", async () => {
    provider.people.set("ivo", { groups: ["readers"] });
    const ivo = visitor(service);
    await signInWith(ivo, "ivo");
    const members: { id: string; name: string }[] = await ask({ path: `/members/${ORG}` });
    const path = `/members/${ORG}/${members.find(({ name }) => name === "ivo")?.id ?? ""}`;
    const status = async () => {
      await ask({ method: "PUT", path, json: { privilege: "member" } });
      const page = await ivo.send(`/${ORG}/people`, {
        ...{ act: "invite", email: "uma@example.com", privilege: "member", reach: "all" },
      });
      const [, token = ""] = /\/invitations\/([\w-]{43})/.exec(page.text) ?? [];
      const before = await visitor(service).get(`/invitations/${token}`);
      return {
        before: before.status,
        after: async () => (await visitor(service).get(`/invitations/${token}`)).status,
      };
    };
    for (const change of [
      () => ask({ method: "PUT", path, json: { privilege: "reader" } }),
      () => ask({ method: "PUT", path, json: { privilege: "member", flows: ["web"] } }),
      () => ask({ method: "DELETE", path: `${path}?all=true` }),
    ]) {
      const { before, after } = await status();
      await change();
      expect([before, await after()]).toEqual([200, 404]);
    }
    const open: { email: string }[] = await ask({ path: `/invitations/${ORG}` });
    expect(open.map(({ email }) => email)).not.toContain("uma@example.com");
  });

  it("ends with the service account that invites, also for a later account of that name", async () => {
    const account = { name: "inviter", privilege: "member" };
    const create = () => ask({ method: "POST", path: `/service-accounts/${ORG}`, json: account });
    await create();
    const json = { description: "to invite", expires_at: 0 };
    const { key } = await ask({ method: "POST", path: `/service-accounts/${ORG}/inviter/api-keys`, json });
    const invitation = { email: "liv@example.com", privilege: "member" };
    const { url } = await ask({ method: "POST", path: `/invitations/${ORG}`, key, json: invitation });
    const path = new URL(url).pathname;
    expect((await visitor(service).get(path)).status).toBe(200);
    await ask({ method: "DELETE", path: `/service-accounts/${ORG}/inviter` });
    await create();
    expect((await visitor(service).get(path)).status).toBe(404);
  });

  it("gives its role once, if two sign-ins accept it at the same time", async () => {
    const token = await invite("ann@example.com");
    const answers = await Promise.all([1, 2].map(() => joinWith(visitor(service), "ann", { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  });
});

describe("the sessions of a person", () => {
  it("that ended answer an open form like a session that is signed out", async () => {
    provider.people.set("pia", { groups: ["readers"] });
    const pia = visitor(service);
    await signInWith(pia, "pia");
    const { text } = await pia.get("/settings");
    const [, formToken = ""] = /name="form_token" value="([^"]+)"/.exec(text) ?? [];
    expect(formToken).not.toBe("");
    const members: { id: string; name: string }[] = await ask({ path: `/members/${ORG}` });
    const id = members.find(({ name }) => name === "pia")?.id ?? "";
    await ask({ method: "DELETE", path: `/members/${ORG}/${id}?all=true` });
    const fields = { act: "theme", form_token: formToken };
    const sent = await pia.send("/settings", fields);
    pia.cookies.clear();
    const out = await pia.send("/settings", fields);
    expect([sent.status, sent.headers["location"]]).toEqual([out.status, out.headers["location"]]);
    expect(sent.status).not.toBe(200);
  });

  it("end in the organization whose admin ends them, and go on in others", async () => {
    provider.people.set("lea", { groups: ["readers", "readers there"] });
    const lea = visitor(service);
    await signInWith(lea, "lea");
    const status = async (org: string) => (await lea.get(`/${org}`)).status;
    expect([await status(ORG), await status(OTHER_ORG)]).toEqual([200, 200]);
    const members: { id: string; name: string }[] = await ask({ path: `/members/${ORG}` });
    const id = members.find(({ name }) => name === "lea")?.id ?? "";
    const member = () => ask({ path: `/members/${ORG}/${id}` });
    expect(await member()).toMatchObject({ session_count: 1, sessions: [{ kind: "browser" }] });
    await ask({ method: "DELETE", path: `/members/${ORG}/${id}/sessions` });
    expect(await member()).toMatchObject({ session_count: 0, sessions: [] });
    expect([await status(ORG), await status(OTHER_ORG)]).toEqual([404, 200]);
    await ask({ method: "DELETE", path: `/members/${ORG}/${id}?all=true` });
    expect([await status(ORG), await status(OTHER_ORG)]).toEqual([404, 200]);
    await signInWith(lea, "lea");
    expect([await status(ORG), await status(OTHER_ORG)]).toEqual([200, 200]);
  });
});

describe("the last admin", () => {
  it("keeps the role and the access", async () => {
    provider.people.set("ada", { name: "Ada Lovelace", groups: ["readers"] });
    provider.people.set("sam", { groups: ["readers"] });
    const ada = visitor(service);
    await signInWith(ada, "ada");
    await signInWith(visitor(service), "sam");
    const members: { id: string; name: string }[] = await ask({ path: `/members/${ORG}` });
    const id = members.find(({ name }) => name === "Ada Lovelace")?.id ?? "";
    const sam = members.find(({ name }) => name === "sam")?.id ?? "";
    const put = (member: string, json: object) =>
      ask({ method: "PUT", path: `/members/${ORG}/${member}`, json });
    await put(id, { privilege: "admin" });
    // Could make no other admin.
    await put(sam, { privilege: "admin", flows: ["web"] });
    const page = `/${ORG}/people/${id}`;
    expect((await ada.send(`/${ORG}/accounts/admin`, { act: "delete", confirm: "admin" })).status).toBe(303);
    const attempts = [
      { act: "change", privilege: "reader", reach: "all" },
      { act: "change", privilege: "admin", reach: "named", flows: "web" },
      { act: "end", confirm: "Ada Lovelace" },
      { act: "end", confirm: "Ada Lovelace", all: "yes" },
    ];
    for (const attempt of attempts) {
      const { status, text } = await ada.send(page, attempt);
      expect({ attempt, status }).toEqual({ attempt, status: 409 });
      expect(text).toContain("is the last admin: make another person or service account an admin first");
    }
    expect((await ada.get(page)).text).toContain("given by admin");
  });
});
