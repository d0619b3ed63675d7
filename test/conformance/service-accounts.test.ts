import { describe, expect, it } from "vitest";
import { expectRefusal } from "./refusal.ts";
import { invalidBodies, namePattern, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, clientFor, ask } = target;

const NO_ACCOUNT = "Service account not found";
const NO_RIGHT = "You don't have permission to access this resource";
const creating = (name = unique("account")) => ({ body: { name } });

async function account(privilege: "admin" | "member" | "snapshotter" | "reader" = "reader") {
  const name = unique("account");
  await client.createServiceAccount({ body: { name, privilege } });
  return name;
}

async function clientWith(privilege: "member" | "snapshotter" | "reader") {
  const name = await account(privilege);
  const { body } = await client.createApiKey({ name, body: { description: "d" } });
  return clientFor(body.key);
}

describe("a service account", () => {
  it("is created as a reader by default, and read back", async () => {
    const name = unique("account");
    const reply = await client.createServiceAccount({ body: { name, description: "d" } });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      name,
      displayName: expect.any(String),
      privilege: "reader",
      description: "d",
      createdAt: expect.any(Number),
    });
    expect((await client.getServiceAccount({ name })).body).toEqual(reply.body);
    const { body } = await client.listServiceAccounts({});
    expect(body.find((each) => each.name === name)).toEqual(reply.body);
  });

  it.each(["admin", "member", "snapshotter", "reader"] as const)("can be a %s", async (privilege) => {
    expect((await client.getServiceAccount({ name: await account(privilege) })).body.privilege).toBe(
      privilege,
    );
  });

  it("changes only the given fields, and null clears its description", async () => {
    const name = unique("account");
    await client.createServiceAccount({ body: { name, description: "d" } });
    const patch = async (body: object) => (await client.updateServiceAccount({ name, body })).body;
    expect(await patch({ privilege: "member" })).toMatchObject({ privilege: "member", description: "d" });
    expect(await patch({ description: null })).toMatchObject({ privilege: "member", description: null });
    expect(await patch({})).toMatchObject({ privilege: "member", description: null });
  });

  it("is deleted with its keys", async () => {
    const name = await account();
    const { body } = await client.createApiKey({ name, body: { description: "d" } });
    const reply = await client.deleteServiceAccount({ name });
    expect([reply.status, reply.body]).toEqual([200, "OK"]);
    await expectRefusal(client.getServiceAccount({ name }), 404, NO_ACCOUNT);
    await expectRefusal(clientFor(body.key).listRepos({}), 401, /^Unauthorized: /);
  });

  it("that does not exist is refused by every operation on it", async () => {
    const name = unique("none");
    await expectRefusal(client.getServiceAccount({ name }), 404, NO_ACCOUNT);
    await expectRefusal(client.updateServiceAccount({ name, body: {} }), 404, NO_ACCOUNT);
    await expectRefusal(client.deleteServiceAccount({ name }), 404, NO_ACCOUNT);
  });

  it("is created and changed with any further fields", async () => {
    const name = unique("account");
    const created = await ask("createServiceAccount", { body: { name, other: 1 } });
    expect([created.status, created.body.other]).toEqual([201, undefined]);
    const changed = await ask("updateServiceAccount", { params: { name }, body: { other: 1 } });
    expect([changed.status, changed.body]).toEqual([200, created.body]);
  });

  it("is not created twice", async () => {
    const name = await account();
    const { status } = await ask("createServiceAccount", creating(name));
    expect([400, 409]).toContain(status);
  });

  it("is not created in another letter case either, until the first one is deleted", async () => {
    const name = unique("account").toLowerCase();
    expect((await ask("createServiceAccount", creating(name))).status).toBe(201);
    const other = creating(name.toUpperCase());
    expect([400, 409]).toContain((await ask("createServiceAccount", other)).status);
    await client.deleteServiceAccount({ name });
    expect((await ask("createServiceAccount", other)).status).toBe(201);
    expect([400, 409]).toContain((await ask("createServiceAccount", creating(name))).status);
  });

  const description = "x".repeat(513);
  const tooLong = "String should have at most 512 characters";
  const oneOf =
    "Input should be 'admin', 'member', 'attester', 'approver', 'snapshotter', 'auditor' or 'reader'";
  invalidBodies(target, "createServiceAccount", () => creating(), [
    [{ name: undefined }, "name", REQUIRED],
    [{ name: "x".repeat(65) }, "name", "String should have at most 64 characters"],
    [{ description }, "description", tooLong],
    [{ privilege: "root" }, "privilege", oneOf],
  ]);
  invalidBodies(
    target,
    "updateServiceAccount",
    async () => ({ params: { name: await account() }, body: {} }),
    [
      [{ description }, "description", tooLong],
      [{ privilege: "root" }, "privilege", oneOf],
    ],
  );
  namePattern(
    target,
    "createServiceAccount",
    "name",
    { within: "-", never: "._~/,", plainStart: false },
    (build) => creating(build(unique("account"))),
  );

  it("may have a name of 64 and a description of 512 characters", async () => {
    const name = unique("a").padEnd(64, "x");
    const body = { name, description: "x".repeat(512) };
    expect((await ask("createServiceAccount", { body })).status).toBe(201);
  });
});

describe("the rights of an account", () => {
  it("as a reader are to read", async () => {
    const reader = await clientWith("reader");
    expect((await reader.listFlows({})).status).toBe(200);
    const name = unique("x");
    await expectRefusal(reader.createFlow({ body: { name, description: "", template: [] } }), 403, NO_RIGHT);
    const body = { name, type: "K8S" as const, description: "" };
    await expectRefusal(reader.createEnvironment({ body }), 403, NO_RIGHT);
    await expectRefusal(reader.createServiceAccount({ body: { name } }), 403, NO_RIGHT);
  });

  it("as a snapshotter are to report environments", async () => {
    const snapshotter = await clientWith("snapshotter");
    const envName = unique("env");
    await snapshotter.createEnvironment({ body: { name: envName, type: "server", description: "" } });
    expect((await snapshotter.reportServer({ envName, body: { artifacts: [] } })).status).toBeLessThan(300);
    const flow = { name: unique("x"), description: "", template: [] };
    await expectRefusal(snapshotter.createFlow({ body: flow }), 403, NO_RIGHT);
    await expectRefusal(snapshotter.updateEnvironment({ envName, body: {} }), 403, NO_RIGHT);
  });

  it("as a member are all except those of an admin", async () => {
    const member = await clientWith("member");
    const name = unique("x");
    expect((await member.createFlow({ body: { name, description: "", template: [] } })).status).toBe(201);
    await expectRefusal(member.createControl({ body: { identifier: name, name } }), 403, NO_RIGHT);
    const other = await account();
    const call = member.updateServiceAccount({ name: other, body: { privilege: "admin" } });
    await expectRefusal(call, 403, NO_RIGHT);
  });
});
