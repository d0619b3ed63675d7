import { describe, expect, it } from "vitest";
import { expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, org } = target;

const settings = (more: object = {}) => ({
  ...{ name: unique("provider"), issuer: "https://login.example.com", clientId: "evidence" },
  ...more,
});

describe("login providers", () => {
  it("are created, replaced, listed without the secret, and deleted", async () => {
    const roleMap = [{ group: "platform-*", role: "member" as const, flows: ["web"] }];
    const rest = { ...settings(), roleMap };
    const { name } = rest;
    const body = { ...rest, clientSecret: "from the provider" };
    const created = (await client.putLoginProvider({ body })).body;
    expect(created).toMatchObject({
      ...{ name, kind: "oidc", label: name, issuer: "https://login.example.com", clientId: "evidence" },
      ...{ scopes: ["openid", "profile", "email"], groupsClaim: "groups", allowedDomains: [] },
      ...{ strict: true, sync: true, hasSecret: true },
      roleMap: [{ group: "platform-*", role: "member", flows: ["web"] }],
      redirectUri: expect.stringMatching(new RegExp(`/login/${org}\\.${name}/callback$`)),
      testUrl: expect.stringMatching(new RegExp(`/login/${org}\\.${name}\\?test$`)),
    });
    const changed = (await client.putLoginProvider({ body: { ...rest, label: "Acme", sync: false } })).body;
    expect(changed).toEqual({ ...created, label: "Acme", sync: false });
    const listed = (await client.listLoginProviders({})).body;
    expect(listed).toContainEqual(changed);
    expect(JSON.stringify(listed)).not.toContain("from the provider");
    const open = (await client.putLoginProvider({ body: { ...rest, clientSecret: null } })).body;
    expect(open.hasSecret).toBe(false);
    await client.deleteLoginProvider({ providerName: name });
    expect((await client.listLoginProviders({})).body.map((each) => each.name)).not.toContain(name);
    const missing = `Login provider '${name}' does not exist`;
    await expectRefusal(client.deleteLoginProvider({ providerName: name }), 404, missing);
  });

  it("have an issuer that notifications may reach", async () => {
    const body = settings({ issuer: "http://169.254.169.254" });
    await expect(client.putLoginProvider({ body })).rejects.toMatchObject({ status: 400 });
  });

  invalidBodies(
    target,
    "putLoginProvider",
    () => ({ body: { name: "x", issuer: "https://login.example.com", client_id: "c" } }),
    [
      [{ issuer: undefined }, "issuer", REQUIRED],
      [{ issuer: "ftp://login.example.com" }, "issuer", "URL scheme should be 'http' or 'https'"],
      [{ role_map: [{ group: "x" }] }, "role_map[0].role", REQUIRED],
      [{ secret: "x" }, "secret", EXTRA],
    ],
  );
});
