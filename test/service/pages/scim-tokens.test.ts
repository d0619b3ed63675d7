import { afterAll, beforeAll, expect, it } from "vitest";
import { send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { problemsOn, signedIn } from "./visitor.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const PAGE = `/${ORG}/scim-tokens`;
const FORM = { act: "create", description: "Okta in production", provider: "company", form: "1" };

it("an admin creates a token, which is shown once, and revokes it", async () => {
  const admin = await signedIn(service, service.keys.admin);
  expect((await admin.get(`/${ORG}/login-providers`)).text).toContain(`href="${PAGE}"`);
  const { status, text } = await admin.send(PAGE, FORM);
  expect(status).toBe(200);
  const [, token = ""] = /value="(des_[\w-]{43})"/.exec(text) ?? [];
  expect(token).not.toBe("");
  expect(text).toContain(`/scim/v2/${ORG}</code>`);
  const listed = (await admin.get(PAGE)).text;
  expect(listed).toContain("Okta in production");
  expect(listed).not.toContain(token);
  const [, id = ""] = /name="token" value="([^"]+)"/.exec(listed) ?? [];
  expect((await admin.send(PAGE, { act: "revoke", token: id, [`revoke-${id}`]: "no" })).status).toBe(400);
  expect((await admin.send(PAGE, { act: "revoke", token: id, [`revoke-${id}`]: "revoke" })).status).toBe(303);
  expect((await admin.get(PAGE)).text).toContain("No SCIM tokens yet");
});

it("a token that is about to expire is a task on the start page", async () => {
  const admin = await signedIn(service, service.keys.admin);
  const day = new Date((service.clock.time + 5 * 86_400) * 1000).toISOString().slice(0, 10);
  expect((await admin.send(PAGE, { ...FORM, expires_at: day })).status).toBe(200);
  expect((await admin.get(PAGE)).text).toMatch(/expires soon/i);
  const environment = { name: "prod", type: "server", description: "" };
  await send(service, {
    method: "PUT",
    path: `/environments/${ORG}`,
    key: service.keys.admin,
    json: environment,
  });
  const start = (await admin.get(`/${ORG}`)).text;
  expect(start).toContain(`<bdi>SCIM token</bdi></a> <bdi>Okta in production</bdi>: it expires`);
});

it("is for admins, and says which provider does not exist", async () => {
  const member = await signedIn(service, service.keys.member);
  expect((await member.get(PAGE)).status).toBe(404);
  const admin = await signedIn(service, service.keys.admin);
  const refused = await admin.send(PAGE, { ...FORM, provider: "unknown", form: "2" });
  expect(refused.status).toBe(404);
  expect(refused.text).toContain("Login provider &#39;unknown&#39; does not exist");
  expect(problemsOn(await admin.send(PAGE, { ...FORM, description: "" }))).not.toEqual({});
});
