import { afterAll, beforeAll, expect, it } from "vitest";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";
import { problemsOn, signedIn } from "./visitor.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const FORM = {
  ...{ act: "put", name: "company", kind: "oidc", label: "Acme", issuer: "https://login.example.com" },
  ...{ client_id: "evidence", client_secret: "from the provider", strict: "yes", sync: "yes" },
  role_map: "Platform team* member flows:web,api\nlead admin\neverybody reader environments:prod",
};

it("an admin adds, changes and deletes a provider, whose secret no page shows", async () => {
  const admin = await signedIn(service, service.keys.admin);
  const page = `/${ORG}/login-providers`;
  expect((await admin.send(page, FORM)).headers["location"]).toBe(page);
  const { text } = await admin.get(page);
  expect(text).toContain(`/login/${ORG}.company/callback</code>`);
  expect(text).toContain(`/login/${ORG}.company?test`);
  expect(text).toContain(
    "Platform team* member flows:web,api\nlead admin\neverybody reader environments:prod",
  );
  expect(text).not.toContain("from the provider");
  const changed = {
    ...FORM,
    changes: "company",
    label: "Acme Inc.",
    client_secret: "",
    role_map: "lead admin",
  };
  expect((await admin.send(page, changed)).status).toBe(303);
  const after = (await admin.get(page)).text;
  expect(after).toContain("Acme Inc.");
  expect(after).toContain("(empty keeps the stored one)");
  const confirmation = { act: "delete", provider: "company", "delete-company": "company" };
  expect((await admin.send(page, confirmation)).status).toBe(303);
  expect((await admin.get(page)).text).toContain("No login providers yet");
});

it("refuses with a message beside the field, and keeps what was typed", async () => {
  const admin = await signedIn(service, service.keys.admin);
  const page = `/${ORG}/login-providers`;
  const refused = await admin.send(page, { ...FORM, role_map: "lead admin\njust a group" });
  expect(problemsOn(refused)).toEqual({
    "new-role_map": "Line 2 must be a group and a role, such as &#39;platform-* member&#39;",
  });
  expect(refused.text).toContain("lead admin\njust a group");
  const inside = await admin.send(page, { ...FORM, issuer: "http://169.254.169.254" });
  expect(problemsOn(inside)).toEqual({ "new-issuer": expect.stringContaining("metadata address") });
});

it("of the organization that operates the service gives roles in others", async () => {
  const operated = await startTestService({}, { operators: ORG });
  try {
    const admin = await signedIn(operated, operated.keys.admin);
    const page = `/${ORG}/login-providers`;
    const role_map = `lead admin organization:${OTHER_ORG}\neverybody reader`;
    expect((await admin.send(page, { ...FORM, role_map })).status).toBe(303);
    const { text } = await admin.get(page);
    expect(text).toContain("These providers sign in to all organizations of the service.");
    expect(text).toContain(role_map);
  } finally {
    await operated.dispose();
  }
  const admin = await signedIn(service, service.keys.admin);
  const page = `/${ORG}/login-providers`;
  expect((await admin.get(page)).text).toContain("give roles in this organization only.");
  const refused = await admin.send(page, { ...FORM, role_map: `lead admin organization:${OTHER_ORG}` });
  expect(problemsOn(refused)).toEqual({ "new-role_map": expect.stringContaining(`in ${ORG} only`) });
});

it("is for admins", async () => {
  const member = await signedIn(service, service.keys.member);
  expect((await member.get(`/${ORG}/login-providers`)).status).toBe(404);
});
