import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { ROLES } from "../../../src/service/kernel/caller.ts";
import { findKey, findKeyOf, keysOf } from "../../../src/service/people/accounts/keys.ts";
import { listServiceAccounts, requireAnotherAdmin } from "../../../src/service/people/accounts/records.ts";
import { planOf } from "../query-plan.ts";
import { type Answered, expectRefusal, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeEach(async () => {
  await service?.dispose();
  service = await startTestService();
});
afterAll(() => service.dispose());

type Sender = keyof TestService["keys"];

const ACCOUNTS = `/service-accounts/${ORG}`;
const FORBIDDEN = "You don't have permission to access this resource";
const ask = (method: string, path: string, json?: unknown, by: Sender = "admin") =>
  send(service, { method, path: ACCOUNTS + path, key: service.keys[by], json });
const create = (name: string, more: object = {}, by: Sender = "admin") =>
  ask("POST", "", { name, ...more }, by);
const get = (name: string, by: Sender = "admin") => ask("GET", `/${name}`, undefined, by);
const update = (name: string, json: object, by: Sender = "admin") => ask("PATCH", `/${name}`, json, by);
const remove = (name: string, by: Sender = "admin") => ask("DELETE", `/${name}`, undefined, by);
const keyOf = async (name: string, by: Sender = "admin"): Promise<string> =>
  (await ask("POST", `/${name}/api-keys`, { description: "d" }, by)).body.key;
const names = ({ body }: Answered) => body.map((each: { name: string }) => each.name);
const works = async (key: string) => (await send(service, { path: `/repos/${ORG}`, key })).status === 200;

describe("a service account", () => {
  it("is created as a reader by default, and returned as created", async () => {
    const { status, body } = await create("ci", { description: "pipelines" });
    expect([status, body]).toEqual([
      201,
      {
        name: "ci",
        display_name: "ci",
        privilege: "reader",
        description: "pipelines",
        creating_user_id: "admin",
        created_at: service.clock.time,
        for_webhook: false,
      },
    ]);
    expect((await get("ci")).body).toEqual(body);
    expect((await create("bare", { privilege: "snapshotter" })).body).toMatchObject({
      privilege: "snapshotter",
      description: null,
    });
  });

  it("is created once when the response was lost and the client retries", async () => {
    const key = service.keys.admin;
    const headers = { "idempotency-key": "k1" };
    const message = { method: "POST", path: ACCOUNTS, json: { name: "ci" }, key, headers };
    const [first, second] = [await send(service, message), await send(service, message)];
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it("is returned to a retrying client in its current state, or as deleted", async () => {
    const key = service.keys.admin;
    const headers = { "idempotency-key": "k1" };
    const message = { method: "POST", path: ACCOUNTS, json: { name: "ci" }, key, headers };
    const first = await send(service, message);
    await update("ci", { description: "pipelines", privilege: "member" });
    expect(await send(service, message)).toMatchObject({
      status: 201,
      body: { ...first.body, description: "pipelines", privilege: "member" },
    });
    await remove("ci");
    const deleted = "Service account not found: it was deleted after this request created it";
    expectRefusal(await send(service, message), 404, deleted);
    service.clock.time += 1;
    await create("ci", { description: "another" });
    expectRefusal(await send(service, message), 404, deleted);
    expect((await get("ci")).body.description).toBe("another");
  });

  it("is listed by name with the others", async () => {
    await create("b");
    await create("a");
    const accounts = [...ROLES, "a", "b", "expired", "revoked"].sort();
    expect(names(await ask("GET", ""))).toEqual(accounts);
  });

  it("changes the given fields, and a null description clears it", async () => {
    await create("ci", { description: "old" });
    expect(await update("ci", { privilege: "member" })).toMatchObject({
      status: 200,
      body: { privilege: "member", description: "old" },
    });
    expect((await update("ci", { description: "new" })).body.description).toBe("new");
    expect((await update("ci", {})).body).toMatchObject({ privilege: "member", description: "new" });
    expect((await update("ci", { description: null })).body.description).toBeNull();
    expect((await get("ci")).body).toMatchObject({ privilege: "member", description: null });
  });

  it("has its new rights at once", async () => {
    await create("ci");
    const key = await keyOf("ci");
    const flow = { method: "PUT", path: `/flows/${ORG}`, key };
    const json = { name: "f", description: "", template: [] };
    expect((await send(service, { ...flow, json })).status).toBe(403);
    await update("ci", { privilege: "member" });
    expect((await send(service, { ...flow, json })).status).toBe(201);
  });

  it("is deleted with its keys, which stop working at once", async () => {
    await create("ci");
    const key = await keyOf("ci");
    expect(await works(key)).toBe(true);
    expect(await remove("ci")).toMatchObject({ status: 200, body: "OK" });
    expect(await works(key)).toBe(false);
    expect(names(await ask("GET", ""))).not.toContain("ci");
    for (const answer of [await get("ci"), await update("ci", {}), await remove("ci")]) {
      expectRefusal(answer, 404, "Service account not found");
    }
  });

  it("with the name of a deleted one is another one", async () => {
    await create("ci", { privilege: "snapshotter", description: "old" });
    const created = await send(service, {
      method: "POST",
      path: ACCOUNTS,
      key: await keyOf("ci"),
      json: { name: "made-by-ci" },
    });
    expect(created.body.creating_user_id).toBe("ci");
    const oldKey = await keyOf("ci");
    await remove("ci");
    service.clock.time += 60;
    expect((await create("ci", { privilege: "snapshotter" })).body).toMatchObject({
      description: null,
      created_at: service.clock.time,
    });
    expect(await works(oldKey)).toBe(false);
    expect((await ask("GET", "/ci/api-keys")).body).toEqual([]);
    const newKey = await keyOf("ci");
    expect((await send(service, { path: `${ACCOUNTS}/made-by-ci`, key: newKey })).status).toBe(403);
    expect((await get("made-by-ci")).body.creating_user_id).toBeNull();
  });

  it("of another organization does not exist", async () => {
    const path = "/service-accounts/rival";
    const stranger = { key: service.keys.stranger };
    expectRefusal(
      await send(service, { path: `${path}/admin`, ...stranger }),
      404,
      "Service account not found",
    );
    expect(names(await send(service, { path, ...stranger }))).toEqual(["stranger"]);
  });
});

describe("no account grants rights that it does not have", () => {
  it.each([
    ["member", "admin", 403],
    ["member", "member", 201],
    ["member", "reader", 201],
    ["snapshotter", "member", 403],
    ["snapshotter", "snapshotter", 201],
    ["snapshotter", "reader", 201],
  ] as const)("a %s that creates an account as %s gets %i", async (by, privilege, status) => {
    const answer = await create("new", { privilege }, by);
    expect(answer.status).toBe(status);
    if (status === 403) expectRefusal(answer, 403, FORBIDDEN);
    expect((await get("new")).status).toBe(status === 403 ? 404 : 200);
  });

  it("a member changes neither an admin's account nor its keys", async () => {
    expectRefusal(await update("admin", { description: "x" }, "member"), 403, FORBIDDEN);
    expectRefusal(await remove("admin", "member"), 403, FORBIDDEN);
    const keys = "/admin/api-keys";
    expectRefusal(await ask("POST", keys, { description: "d" }, "member"), 403, FORBIDDEN);
    const [{ id }] = (await ask("GET", keys, undefined, "member")).body;
    expectRefusal(await ask("POST", `${keys}/${id}/rotate`, {}, "member"), 403, FORBIDDEN);
    expectRefusal(await ask("DELETE", `${keys}/${id}`, undefined, "member"), 403, FORBIDDEN);
    expect(await works(service.keys.admin)).toBe(true);
  });

  it("a member changes a description, but no role", async () => {
    expect((await update("reader", { description: "x", privilege: "reader" }, "member")).status).toBe(200);
    for (const privilege of ["member", "snapshotter", "admin"]) {
      expectRefusal(await update("reader", { privilege }, "member"), 403, FORBIDDEN);
    }
    expectRefusal(await update("member", { privilege: "reader" }, "member"), 403, FORBIDDEN);
    expect((await get("reader")).body).toMatchObject({ description: "x", privilege: "reader" });
  });

  it("a snapshotter sees and manages only the accounts that it created, and only their keys", async () => {
    await create("mine", {}, "snapshotter");
    await create("theirs");
    expect(names(await ask("GET", "", undefined, "snapshotter"))).toEqual(["mine"]);
    expect((await get("mine", "snapshotter")).status).toBe(200);
    expect(await works(await keyOf("mine", "snapshotter"))).toBe(true);
    expectRefusal(await get("theirs", "snapshotter"), 403, FORBIDDEN);
    expectRefusal(await ask("GET", "/theirs/api-keys", undefined, "snapshotter"), 403, FORBIDDEN);
    expectRefusal(await ask("POST", "/theirs/api-keys", { description: "d" }, "snapshotter"), 403, FORBIDDEN);
    expectRefusal(await update("mine", { description: "x" }, "snapshotter"), 403, FORBIDDEN);
    expectRefusal(await remove("mine", "snapshotter"), 403, FORBIDDEN);
  });

  it("a snapshotter loses control of an account with more rights than its own", async () => {
    await create("mine", {}, "snapshotter");
    await update("mine", { privilege: "member" });
    expectRefusal(await ask("POST", "/mine/api-keys", { description: "d" }, "snapshotter"), 403, FORBIDDEN);
  });
});

describe("the last admin", () => {
  const LAST = "Service account 'admin' is the last admin with a working API key: create another one first";

  it("is neither deleted nor demoted, even by itself", async () => {
    // Those two are admins without a working key.
    expect((await get("revoked")).body.privilege).toBe("admin");
    expect((await get("expired")).body.privilege).toBe("admin");
    expectRefusal(await remove("admin"), 400, LAST);
    expectRefusal(await update("admin", { privilege: "member" }), 400, LAST);
    expect((await update("admin", { privilege: "admin", description: "x" })).status).toBe(200);
    expect(await works(service.keys.admin)).toBe(true);
  });

  it("may be removed once another one has a working key", async () => {
    await create("second", { privilege: "admin" });
    expectRefusal(await remove("admin"), 400, LAST);
    await keyOf("second");
    expect((await remove("admin")).status).toBe(200);
  });

  it("remains when two admins remove each other at once", async () => {
    await create("second", { privilege: "admin" });
    const second = await keyOf("second");
    const answers = await Promise.all([
      remove("second"),
      send(service, { method: "DELETE", path: `${ACCOUNTS}/admin`, key: second }),
    ]);
    // The other one was too late: as the last, or because it was removed before its request.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await works(service.keys.admin), await works(second)].filter(Boolean)).toHaveLength(1);
  });

  it("does not prevent the removal of admins without a working key", async () => {
    expect((await remove("revoked")).status).toBe(200);
    expect((await update("expired", { privilege: "reader" })).status).toBe(200);
  });
});

it("accounts and keys are found by an index", async () => {
  const plan = await planOf(service.dataFolder, async (db) => {
    await listServiceAccounts(db, "o");
    await listServiceAccounts(db, "o", "a");
    await keysOf(db, "a", 1);
    await findKeyOf(db, { accountId: "a", keyId: "k" }, 1);
    await findKey(db, "de_x", { now: 1, orgName: "acme" });
    const account = { id: "a", name: "a", role: "admin", description: null, creator: null, createdAt: 1 };
    await requireAnotherAdmin(db, "o", account, 1).catch(() => undefined);
  });
  expect(plan.length).toBeGreaterThan(8);
  expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
});
