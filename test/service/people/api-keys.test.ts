import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { EvidenceClient } from "../../../src/api/client/client.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import { expectRefusal, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeEach(async () => {
  await service?.dispose();
  service = await startTestService();
  await send(service, { method: "POST", path: ACCOUNTS, key: service.keys.admin, json: { name: "ci" } });
});
afterAll(() => service.dispose());

const ACCOUNTS = `/service-accounts/${ORG}`;
const HOUR = 3600;
const ask = (method: string, path = "", json?: unknown) =>
  send(service, { method, path: `${ACCOUNTS}/ci/api-keys${path}`, key: service.keys.admin, json });
const create = async (more: object = {}) =>
  (await ask("POST", "", { description: "for tests", ...more })).body;
const list = async () => (await ask("GET")).body;
const statusOf = async (key: string) => (await send(service, { path: `/repos/${ORG}`, key })).status;

describe("an API key", () => {
  it("is created, listed, read, rotated and revoked through the client", async () => {
    const { keys, address, clock } = service;
    const client = new EvidenceClient({ apiKey: keys.admin, org: ORG, baseUrl: address });
    const name = "ci";
    const { status, body } = await client.createApiKey({ name, body: { description: "one" } });
    expect(status).toBe(201);
    expect(body.key).toMatch(/^de_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/);
    const known = { id: body.id, description: "one", createdAt: clock.time, expiresAt: 0 };
    expect(body).toEqual({ ...known, key: body.key });
    const listed = { ...known, lastUsedAt: null, lastFour: body.key.slice(-4) };
    expect((await client.listApiKeys({ name })).body).toEqual([listed]);
    expect((await client.getApiKey({ name, keyId: body.id })).body).toEqual(listed);
    const rotated = await client.rotateApiKey({ name, keyId: body.id, body: {} });
    expect(rotated).toMatchObject({
      status: 201,
      body: { description: "one", gracePeriodExpiresAt: clock.time + 24 * HOUR },
    });
    expect(await client.revokeApiKey({ name, keyId: body.id })).toMatchObject({
      status: 200,
      body: "revoked",
    });
    expect((await client.listApiKeys({ name })).body.map(({ id }) => id)).toEqual([rotated.body.id]);
    await client.close();
  });

  it.each(["reader", "snapshotter", "attester"])(
    "of a %s, limited to one flow, may replace only itself if it was allowed to",
    async (privilege) => {
      const account = `narrow-${privilege}`;
      const admin = { method: "POST", key: service.keys.admin };
      await send(service, { ...admin, path: ACCOUNTS, json: { name: account, privilege } });
      const keysPath = `${ACCOUNTS}/${account}/api-keys`;
      const lifetime = 10 * 24 * HOUR;
      const narrow = {
        ...{ description: "narrow", flows: ["web"], expires_at: service.clock.time + lifetime },
        may_rotate_itself: true,
      };
      const created = (await send(service, { ...admin, path: keysPath, json: narrow })).body;
      const other = (await send(service, { ...admin, path: keysPath, json: { description: "o" } })).body;
      const by = (key: string, method: string, path: string, json?: unknown) =>
        send(service, { method, path, key, ...(json !== undefined && { json }) });
      service.clock.time += HOUR;

      const own = await by(created.key, "GET", `${keysPath}/self`);
      expect(own).toMatchObject({ status: 200, body: { id: created.id, may_rotate_itself: true } });
      const rotated = await by(created.key, "POST", `${keysPath}/${own.body.id}/rotate`, { expires_at: 0 });
      expect(rotated).toMatchObject({
        status: 201,
        body: {
          ...{ flows: ["web"], may_rotate_itself: true },
          // Its lifetime does not grow.
          expires_at: service.clock.time + lifetime,
        },
      });
      const shorter = { expires_at: service.clock.time + HOUR };
      const again = await by(rotated.body.key, "POST", `${keysPath}/self/rotate`, shorter);
      expect(again).toMatchObject({ status: 201, body: shorter });
      // It has the same limits.
      const flow = await by(again.body.key, "GET", `/flows/${ORG}/other`);
      expect(flow.status).toBe(403);

      const key = again.body.key;
      const refused = await Promise.all([
        by(key, "GET", keysPath),
        by(key, "POST", keysPath, { description: "more" }),
        by(key, "GET", `${keysPath}/${other.id}`),
        by(key, "POST", `${keysPath}/${other.id}/rotate`, {}),
        by(key, "DELETE", `${keysPath}/${again.body.id}`),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
      // It learns nothing about other accounts.
      for (const name of ["ci", "nobody"]) {
        const answer = await by(key, "POST", `${ACCOUNTS}/${name}/api-keys/self/rotate`, {});
        expectRefusal(answer, 404, "API key not found");
      }
    },
  );

  it("that was not allowed to replace itself cannot", async () => {
    const created = await create({ flows: ["web"] });
    for (const id of ["self", created.id]) {
      const path = `${ACCOUNTS}/ci/api-keys/${id}/rotate`;
      expect((await send(service, { method: "POST", path, key: created.key, json: {} })).status).toBe(403);
    }
  });

  it("works as soon as it is created, with the rights of its account", async () => {
    const { key } = await create();
    expect(await statusOf(key)).toBe(200);
    const flow = { method: "PUT", path: `/flows/${ORG}`, key, json: {} };
    expect((await send(service, flow)).status).toBe(403);
  });

  it("is stored as a hash only, and shown only on creation", async () => {
    const { key } = await create();
    const store = await openDataFolder(service.dataFolder);
    const rows = [
      ...(await store.read.selectFrom("api_keys").selectAll().execute()),
      ...(await store.read.selectFrom("answered_requests").selectAll().execute()),
    ];
    await store.close();
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(JSON.stringify(await list())).not.toContain(key);
    expect(service.logged.join("\n")).not.toContain(key);
  });

  it("stops working when it expires, and remains in the list", async () => {
    const { id, key, expires_at } = await create({ expires_at: service.clock.time + HOUR });
    expect(expires_at).toBe(service.clock.time + HOUR);
    service.clock.time += HOUR - 1;
    expect(await statusOf(key)).toBe(200);
    service.clock.time += 1;
    expectRefusal(
      await send(service, { path: `/repos/${ORG}`, key }),
      401,
      "Unauthorized: the API key has expired",
    );
    expect(await list()).toMatchObject([{ id, expires_at }]);
  });

  it.each([[{ expires_at: 0 }], [{ expires_at: null }], [{}]])("with %o does not expire", async (more) => {
    expect((await create(more)).expires_at).toBe(0);
  });

  it("cannot expire before it is created", async () => {
    for (const expires_at of [1, service.clock.time]) {
      const answer = await ask("POST", "", { description: "d", expires_at });
      expectRefusal(answer, 400, "expires_at cannot be in the past");
    }
    expect(await list()).toEqual([]);
  });

  it("that is revoked stops working at once, is not listed, and is not revoked again", async () => {
    const { id, key } = await create();
    expect(await ask("DELETE", `/${id}`)).toMatchObject({ status: 200, body: "revoked" });
    expect(await statusOf(key)).toBe(401);
    expect(await list()).toEqual([]);
    expectRefusal(await ask("DELETE", `/${id}`), 404, "API key not found");
    expectRefusal(await ask("GET", `/${id}`), 404, "API key not found");
    expectRefusal(await ask("POST", `/${id}/rotate`, {}), 404, "API key not found");
  });

  it("is found under its own account only", async () => {
    const { id } = await create();
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/rotate"],
    ] as const) {
      const at = (name: string) =>
        send(service, {
          method,
          path: `${ACCOUNTS}/${name}/api-keys/${id}${path}`,
          key: service.keys.admin,
          json: {},
        });
      expectRefusal(await at("member"), 404, "API key not found");
      expectRefusal(await at("nobody"), 404, "Service account not found");
    }
    expect(await list()).toMatchObject([{ id }]);
  });
});

describe("a rotated key", () => {
  const rotate = (id: string, json: object = {}) => ask("POST", `/${id}/rotate`, json);

  it("works until its grace period ends, then is revoked automatically", async () => {
    const old = await create();
    const { status, body } = await rotate(old.id, { grace_period_hours: 2 });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        key: expect.stringMatching(/^de_/),
        description: "for tests",
        created_at: service.clock.time,
        expires_at: 0,
        grace_period_expires_at: service.clock.time + 2 * HOUR,
      },
    ]);
    expect(body.key).not.toBe(old.key);
    service.clock.time += 2 * HOUR - 1;
    expect([await statusOf(old.key), await statusOf(body.key)]).toEqual([200, 200]);
    expect(await list()).toHaveLength(2);
    service.clock.time += 1;
    expect([await statusOf(old.key), await statusOf(body.key)]).toEqual([401, 200]);
    expect(await list()).toMatchObject([{ id: body.id }]);
    expectRefusal(await ask("DELETE", `/${old.id}`), 404, "API key not found");
  });

  it("can be revoked before its grace period ends", async () => {
    const old = await create();
    await rotate(old.id);
    expect((await ask("DELETE", `/${old.id}`)).status).toBe(200);
    expect(await statusOf(old.key)).toBe(401);
  });

  it("that is rotated again does not work longer than announced first", async () => {
    const old = await create();
    const first = (await rotate(old.id, { grace_period_hours: 1 })).body;
    const second = (await rotate(old.id, { grace_period_hours: 720 })).body;
    expect(second.grace_period_expires_at).toBe(first.grace_period_expires_at);
    service.clock.time += HOUR;
    expect(await statusOf(old.key)).toBe(401);
  });

  it("still expires at its original time", async () => {
    const expires_at = service.clock.time + HOUR;
    const { id } = await create({ expires_at });
    const { body } = await rotate(id, { expires_at: expires_at + HOUR });
    expect(body).toMatchObject({ grace_period_expires_at: expires_at, expires_at: expires_at + HOUR });
  });
});

describe("the last use of a key", () => {
  /** Writes are queued, so once this one was answered, the earlier ones are done. */
  const settle = () =>
    send(service, {
      method: "PATCH",
      path: `${ACCOUNTS}/reader`,
      key: service.keys.admin,
      json: { description: "" },
    });

  it("is accurate to the minute", async () => {
    const { id, key } = await create();
    const lastUse = async () => {
      await settle();
      return (await ask("GET", `/${id}`)).body.last_used_at;
    };
    expect(await lastUse()).toBeNull();
    const start = service.clock.time;
    await statusOf(key);
    expect(await lastUse()).toBe(start);
    service.clock.time = start + 59;
    await statusOf(key);
    expect(await lastUse()).toBe(start);
    service.clock.time = start + 60;
    await statusOf(key);
    expect(await lastUse()).toBe(start + 60);
  });

  it("is recorded also when the request is refused for its content", async () => {
    const { id, key } = await create();
    expect((await send(service, { path: "/repos/nowhere", key })).status).toBe(404);
    await settle();
    expect((await ask("GET", `/${id}`)).body.last_used_at).toBe(service.clock.time);
  });
});
