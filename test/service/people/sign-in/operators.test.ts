import { afterAll, beforeAll, expect, it } from "vitest";
import { signInAt, startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { recordsOfTest } from "../../../records.ts";
import { visitor } from "../../pages/visitor.ts";
import { send } from "../../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";
import { scimClient } from "../scim/provisioned.ts";

let provider: TestProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startLoginProvider();
  service = await startTestService({}, { ...(await recordsOfTest()), loginProviders: [], operators: ORG });
  await provider.allow(service.address, [`${ORG}.own`, `${OTHER_ORG}.own`]);
});
afterAll(async () => {
  await service.dispose();
  await provider.close();
});

async function signIn(login: string, name = `${ORG}.own`) {
  const user = visitor(service);
  const begun = await user.get(`/login/${name}`);
  const callback = new URL(await signInAt(String(begun.headers["location"]), login));
  return { user, answer: await user.get(callback.pathname + callback.search) };
}

const put = (role_map: readonly object[], { org = ORG, key = service.keys.admin } = {}) => {
  const client = { client_id: "evidence", client_secret: "a secret of the client that nobody else knows" };
  const json = { name: "own", issuer: provider.issuer, ...client, role_map };
  return send(service, { method: "PUT", path: `/login-providers/${org}`, key, json });
};
const there = () => ({ org: OTHER_ORG, key: service.keys.stranger });
const membersThere = async () => {
  const { text } = await send(service, { path: `/members/${OTHER_ORG}`, key: service.keys.stranger });
  return text;
};

it("a provider of the organization that operates the service signs in to all organizations", async () => {
  provider.people.set("ada", { name: "Ada", groups: ["both"] });
  const map = [{ group: "both", org: OTHER_ORG, role: "member" }, { role: "reader" }];
  expect((await put(map)).status).toBe(200);
  for (const path of ["/login", `/login?next=/${OTHER_ORG}/flows`])
    expect((await visitor(service).get(path)).text).toContain(`/login/${ORG}.own`);
  const { user } = await signIn("ada");
  for (const org of [ORG, OTHER_ORG]) expect((await user.get(`/${org}`)).status, org).toBe(200);
  expect(await membersThere()).toContain("Ada");
  // Its people are not those of another organization's own provider.
  expect((await put([{ role: "reader" }], there())).status).toBe(200);
  const own = await signIn("ada", `${OTHER_ORG}.own`);
  expect((await own.user.get(`/${OTHER_ORG}`)).status).toBe(200);
  expect((await own.user.get(`/${ORG}`)).status).toBe(404);
});

it("only that organization names others in a role map", async () => {
  const { status, text } = await put([{ org: ORG, role: "admin" }], there());
  expect({ status, text }).toEqual({
    status: 400,
    text: expect.stringContaining(`A provider of ${OTHER_ORG} gives roles in ${OTHER_ORG} only`),
  });
  expect((await put([{ org: OTHER_ORG, role: "reader" }], there())).status).toBe(200);
  const asMember = { org: ORG, key: service.keys.member };
  expect((await put([{ org: OTHER_ORG, role: "admin" }], asMember)).status).toBe(403);
});

it("users whom SCIM sent to another organization follow its role map at once", async () => {
  await put([{ role: "reader" }]);
  const { text } = await send(service, {
    ...{ method: "POST", path: `/scim-tokens/${OTHER_ORG}`, key: service.keys.stranger },
    json: { description: "Okta", provider: `${ORG}.own` },
  });
  const { url, token } = JSON.parse(text);
  const scim = scimClient(url, token);
  const ids: string[] = [];
  // More people than one write changes.
  for (const name of ["kim", "lou", "max", "sam", "tom"]) {
    const created = await scim.send("POST", "/Users", { userName: name, externalId: name, active: true });
    ids.push(created.body.id);
    await signIn(name);
  }
  const members = ids.map((value) => ({ value }));
  expect((await scim.send("POST", "/Groups", { displayName: "team", members })).status).toBe(201);
  const { user } = await signIn("tom");
  const status = async () => (await user.get(`/${OTHER_ORG}`)).status;
  expect(await status()).toBe(404);
  await put([{ role: "reader" }, { group: "team", org: OTHER_ORG, role: "auditor" }]);
  expect(await status()).toBe(200);
  expect(await membersThere()).toContain('"auditor"');
  await put([{ role: "reader" }]);
  expect(await status()).toBe(404);
});

it("its deletion ends what it gave in every organization, except for the last admin", async () => {
  provider.people.set("lea", { name: "Lea", groups: ["lead"] });
  const map = [{ role: "reader" }, { group: "lead", org: OTHER_ORG, role: "admin" }];
  const remove = () =>
    send(service, { method: "DELETE", path: `/login-providers/${ORG}/own`, key: service.keys.admin });
  await put(map);
  const { user } = await signIn("lea");
  expect((await user.get(`/${OTHER_ORG}`)).status).toBe(200);
  expect((await remove()).status).toBe(200);
  expect((await user.get(`/${OTHER_ORG}`)).status).toBe(303);
  expect(await membersThere()).not.toContain("Lea");
  // Accounts of one organization are not shown to another.
  const path = `/membership-audit-log/${OTHER_ORG}`;
  const log = JSON.parse((await send(service, { path, key: service.keys.stranger })).text);
  const removed = { event_type: "removed", user: "Lea", changed_by: "own", source: "sso" };
  expect(log.events).toContainEqual(expect.objectContaining(removed));

  await put(map);
  const again = await signIn("lea");
  const stranger = `/service-accounts/${OTHER_ORG}/stranger`;
  expect((await send(service, { method: "DELETE", ...there(), path: stranger })).status).toBe(200);
  expect(await remove()).toMatchObject({
    status: 400,
    text: expect.stringContaining(`Lea is the last admin of ${OTHER_ORG}`),
  });
  expect((await again.user.get(`/${OTHER_ORG}`)).status).toBe(200);
});

it("an organization that does not exist operates nothing, which the log says at the start", async () => {
  const other = await startTestService({}, { operators: "acmee" });
  await other.dispose();
  expect(other.logged.join("\n")).toContain(
    "--operators names the organization 'acmee', which does not exist",
  );
});
