import { afterAll, beforeAll, expect, it } from "vitest";
import { signInAt, startLoginProvider, type TestProvider } from "../../identity/login-provider.ts";
import { send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { signedIn, visitor } from "./visitor.ts";

let provider: TestProvider;
let service: TestService;
beforeAll(async () => {
  provider = await startLoginProvider();
  const loginProviders = [provider.settings({ roleMap: [{ org: ORG, role: "reader" }] })];
  service = await startTestService({}, { loginProviders, ssoOrgs: [ORG] });
  await provider.allow(service.address);
});
afterAll(async () => {
  await service.dispose();
  await provider.close();
});

it("people need a provider, keys keep their rights in the API, and the operator's admin key signs in", async () => {
  const guest = visitor(service);
  const refused = await guest.send("/login", { key: service.keys.member });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain(`People of ${ORG} sign in with a provider, not with a key`);
  expect([...guest.cookies]).toEqual([]);
  const { status } = await send(service, { method: "GET", path: `/flows/${ORG}`, key: service.keys.member });
  expect(status).toBe(200);
  // The account of the tests has the name of the operator's first account.
  expect((await (await signedIn(service, service.keys.admin)).get(`/${ORG}`)).status).toBe(200);
  const begun = await guest.get("/login/company");
  const callback = new URL(await signInAt(String(begun.headers["location"]), "ada"));
  expect((await guest.get(callback.pathname + callback.search)).status).toBe(303);
  expect((await guest.get(`/${ORG}`)).status).toBe(200);
});

it("sign-in stays possible for the operator while the provider is down", async () => {
  provider.isDown = true;
  expect((await (await signedIn(service, service.keys.admin)).get(`/${ORG}`)).status).toBe(200);
  provider.isDown = false;
});
