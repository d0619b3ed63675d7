import { describe, expect, it } from "vitest";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { ANY, invalidBodies, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, clientFor, ask } = target;

const NO_KEY = "API key not found";
const name = unique("account");
await client.createServiceAccount({ body: { name } });

async function create(more: object = {}) {
  return (await client.createApiKey({ name, body: { description: unique("key"), ...more } })).body;
}

describe("an API key", () => {
  it("is shown once, works at once, and is listed without its secret", async () => {
    const description = unique("key");
    const { status, body } = await client.createApiKey({ name, body: { description } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      key: expect.any(String),
      description,
      createdAt: expect.any(Number),
      expiresAt: 0,
    });
    expect((await clientFor(body.key).listRepos({})).status).toBe(200);
    const { body: listed } = await client.listApiKeys({ name });
    const stored = listed.find(({ id }) => id === body.id);
    expect(stored).toMatchObject({ id: body.id, description, expiresAt: 0 });
    expect(JSON.stringify(listed)).not.toContain(body.key);
    expect((await client.getApiKey({ name, keyId: body.id })).body).toMatchObject({
      id: body.id,
      description,
    });
  });

  it("expires at the given time", async () => {
    const expiresAt = Math.floor((await create()).createdAt) + 3600;
    expect(await create({ expiresAt })).toMatchObject({ expiresAt });
    expect(await create({ expiresAt: 0 })).toMatchObject({ expiresAt: 0 });
    expect(await create({ expiresAt: 4_102_444_800 })).toMatchObject({ expiresAt: 4_102_444_800 });
    const call = client.createApiKey({ name, body: { description: "d", expiresAt: 1_000_000_000 } });
    await expectRefusal(call, 400, "expires_at cannot be in the past");
  });

  it("is rotated: both keys work until the grace period ends", async () => {
    const old = await create();
    const { status, body } = await client.rotateApiKey({ name, keyId: old.id, body: {} });
    expect(status).toBe(201);
    expect(body.key).not.toBe(old.key);
    expect(body.gracePeriodExpiresAt).toBe(Math.ceil(body.createdAt) + 24 * 3600);
    for (const key of [old.key, body.key]) expect((await clientFor(key).listRepos({})).status).toBe(200);
    const again = await create();
    const short = await client.rotateApiKey({ name, keyId: again.id, body: { gracePeriodHours: 1 } });
    expect(short.body.gracePeriodExpiresAt).toBe(Math.ceil(short.body.createdAt) + 3600);
  });

  it("is revoked once and permanently", async () => {
    const { id: keyId, key } = await create();
    const reply = await client.revokeApiKey({ name, keyId });
    expect([reply.status, reply.body]).toEqual([200, "revoked"]);
    await expectRefusal(clientFor(key).listRepos({}), 401, "Unauthorized: the API key is not known");
    await expectRefusal(client.revokeApiKey({ name, keyId }), 404, NO_KEY);
    const { body } = await client.listApiKeys({ name });
    expect(body.map(({ id }) => id)).not.toContain(keyId);
  });

  it("of an unknown account is refused, and so is an unknown key", async () => {
    const none = unique("none");
    const NO_ACCOUNT = "Service account not found";
    await expectRefusal(client.listApiKeys({ name: none }), 404, NO_ACCOUNT);
    await expectRefusal(client.createApiKey({ name: none, body: { description: "d" } }), 404, NO_ACCOUNT);
    await expectRefusal(client.getApiKey({ name, keyId: none }), 404, NO_KEY);
    await expectRefusal(client.rotateApiKey({ name, keyId: none, body: {} }), 404, NO_KEY);
    await expectRefusal(client.revokeApiKey({ name, keyId: none }), 404, NO_KEY);
  });

  it("is created and rotated with any further fields", async () => {
    const body = { description: "d", other: 1 };
    const created = await ask("createApiKey", { params: { name }, body });
    expect([created.status, created.body.other]).toEqual([201, undefined]);
    const params = { name, key_id: created.body.id };
    expect((await ask("rotateApiKey", { params, body: { other: 1 } })).status).toBe(201);
  });

  it("is found by its text, until it is revoked", async () => {
    const { id, key } = await create();
    const found = (await client.findApiKey({ body: { key } })).body;
    expect(found).toMatchObject({ account: name, apiKey: { id } });
    expect(JSON.stringify(found)).not.toContain(key);
    await client.revokeApiKey({ name, keyId: id });
    await expectRefusal(client.findApiKey({ body: { key } }), 404, NO_KEY);
    await expectRefusal(client.findApiKey({ body: { key: "de_unknown" } }), 404, NO_KEY);
  });

  it("cannot be used as the key of another account", async () => {
    const { id: keyId } = await create();
    const other = unique("account");
    await client.createServiceAccount({ body: { name: other } });
    await expectRefusal(client.getApiKey({ name: other, keyId }), 404, NO_KEY);
    await expectRefusal(client.rotateApiKey({ name: other, keyId, body: {} }), 404, NO_KEY);
    await expectRefusal(client.revokeApiKey({ name: other, keyId }), 404, NO_KEY);
    expect((await client.getApiKey({ name, keyId })).status).toBe(200);
  });

  const creating = () => ({ params: { name }, body: { description: "d" } });
  invalidBodies(target, "createApiKey", creating, [
    [{ description: undefined }, "description", REQUIRED],
    [{ description: "" }, "description", "String should have at least 1 character"],
    [{ description: "x".repeat(257) }, "description", "String should have at most 256 characters"],
    [{ expires_at: 4_102_444_801 }, "expires_at", "Input should be less than or equal to 4102444800"],
    [{ expires_at: 1.5 }, "expires_at", "Input should be a valid integer"],
    [{ expires_at: "soon" }, "expires_at", "Input should be a valid"],
  ]);

  it.each([
    [0, "Input should be greater than or equal to 1"],
    [721, "Input should be less than or equal to 720"],
    [1.5, "Input should be a valid integer"],
  ])("is not rotated with %d hours of grace", async (hours, text) => {
    const { id } = await create();
    const call = ask("rotateApiKey", { params: { name, key_id: id }, body: { grace_period_hours: hours } });
    await expectInvalid(call, { grace_period_hours: text }, ANY);
  });

  it("may have a description of 256 characters, and a grace period of 720 hours", async () => {
    const { id } = await create({ description: "x".repeat(256) });
    const body = { gracePeriodHours: 720 };
    expect((await client.rotateApiKey({ name, keyId: id, body })).status).toBe(201);
  });
});
