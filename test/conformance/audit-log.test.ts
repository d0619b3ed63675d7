import { describe, expect, it } from "vitest";
import { items } from "../../src/api/client/all-pages.ts";
import type { RequestOf } from "../../src/api/operation.ts";
import type { operations } from "../../src/api/resources/operations.ts";
import { pipeline } from "./pipeline.ts";
import { expectRefusal } from "./refusal.ts";
import { invalidQueries, pagingEdges } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, clientFor, ask } = target;
const { flow, trail } = pipeline(target);

type Query = RequestOf<(typeof operations)["listAuditLog"]>;

async function entries(query: Query) {
  return (await client.listAuditLog({ perPage: 100, ...query })).body.data;
}

const actsOf = async (query: Query) => (await entries(query)).map(({ act }) => act);

async function account(privilege: "admin" | "member" | "reader" = "reader") {
  const name = unique("account");
  await client.createServiceAccount({ body: { name, privilege } });
  const { body } = await client.createApiKey({ name, body: { description: "d" } });
  return { name, keyId: body.id, key: body.key, keyCreatedAt: body.createdAt };
}

describe("the audit log", () => {
  it("reports who did what, when, from where and by which key, newest first", async () => {
    const { name, keyId, key, keyCreatedAt } = await account("admin");
    const own = clientFor(key);
    const flowName = unique("flow");
    await own.createFlow({ body: { name: flowName, description: "old", template: [] } });
    await ask("createFlow", {
      body: { name: flowName, description: "new", template: [] },
      key,
      headers: { "x-request-id": "of-this-test" },
    });
    const [changed, created, ...others] = await entries({ resourceName: flowName });
    expect(others).toEqual([]);
    expect(changed).toEqual({
      id: expect.any(String),
      createdAt: expect.any(Number),
      act: "flow.changed",
      account: name,
      apiKeyId: keyId,
      address: expect.any(String),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      resource: { type: "flow", name: flowName, id: expect.any(String) },
      details: {},
      changes: { description: { from: "old", to: "new" } },
    });
    expect(changed?.createdAt).toBeGreaterThanOrEqual(created?.createdAt ?? Number.NaN);
    expect((changed?.createdAt ?? Number.NaN) - keyCreatedAt).toBeLessThan(3600);
    expect(created).toMatchObject({ act: "flow.created", resource: changed?.resource });
  });

  it("is filtered by account, key, action, resource and time, and by several of these at once", async () => {
    const { name, keyId, key } = await account("member");
    const own = clientFor(key);
    const [one, another] = [unique("flow"), unique("flow")];
    for (const each of [one, another]) {
      await own.createFlow({ body: { name: each, description: "", template: [] } });
    }
    await own.renameFlow({ flowName: one, body: { newName: unique("renamed") } });
    const all = ["flow.renamed", "flow.created", "flow.created"];
    expect(await actsOf({ account: name })).toEqual(all);
    expect(await actsOf({ apiKeyId: keyId })).toEqual(all);
    expect(await actsOf({ account: name, act: "flow.renamed" })).toEqual(["flow.renamed"]);
    expect(await actsOf({ account: name, resourceType: "api_key" })).toEqual([]);
    expect(await actsOf({ resourceType: "api_key", resourceName: name })).toEqual(["api_key.created"]);
    expect(await actsOf({ resourceName: one })).toEqual(["flow.renamed", "flow.created"]);
    const [{ resource, createdAt } = expect.fail("no entry")] = await entries({ resourceName: one });
    expect(await actsOf({ resourceId: resource.id ?? "" })).toEqual(["flow.renamed", "flow.created"]);
    expect(await actsOf({ account: name, fromTimestamp: createdAt + 3600 })).toEqual([]);
    expect(await actsOf({ account: name, toTimestamp: createdAt - 3600 })).toEqual([]);
    const hour = { fromTimestamp: createdAt - 3600, toTimestamp: createdAt + 3600 };
    expect(await actsOf({ account: name, ...hour })).toEqual(all);
    expect(await actsOf({ account: unique("nobody") })).toEqual([]);
  });

  it("is read page by page, also while it grows", async () => {
    const { name, key } = await account("member");
    const own = clientFor(key);
    const names = Array.from({ length: 5 }, () => unique("flow"));
    for (const each of names) {
      await own.createFlow({ body: { name: each, description: "", template: [] } });
    }
    const { body } = await client.listAuditLog({ account: name, perPage: 2 });
    const { href, after = "" } = body._links?.next ?? {};
    expect(URL.parse(href ?? "")?.searchParams.get("after")).toBe(after);
    await own.createFlow({ body: { name: unique("later"), description: "", template: [] } });
    const read = body.data.map(({ resource }) => resource.name);
    for await (const { resource } of items(client, "listAuditLog", { account: name, after, perPage: 2 })) {
      read.push(resource.name);
    }
    expect(read).toEqual(names.toReversed());
  });

  it("reports what was overridden and why, an auditor's first question", async () => {
    const flowName = await flow();
    const trailName = await trail(flowName);
    const attestationName = unique("attestation");
    await client.attestGeneric({ flowName, trailName, body: { attestationName, isCompliant: false } });
    expect(await entries({ resourceName: attestationName }), "evidence is not in the log").toEqual([]);
    const body = {
      attestationName,
      reason: "accepted until spring",
      newComplianceStatus: true,
      originalAttestationType: "generic",
    };
    await client.overrideAttestation({ flowName, trailName, body });
    expect(await entries({ resourceName: attestationName })).toMatchObject([
      {
        act: "attestation.overridden",
        details: { flow: flowName, trail: trailName, reason: "accepted until spring" },
        changes: { is_compliant: { from: false, to: true } },
      },
    ]);
  });

  it("omits requests that were refused, changed nothing, or were repeats", async () => {
    const { name } = await account("reader");
    const known = await actsOf({ resourceName: name });
    expect(known).toEqual(["api_key.created", "service_account.created"]);
    expect((await ask("createServiceAccount", { body: { name } })).status).toBe(400);
    await client.updateServiceAccount({ name, body: { privilege: "reader" } });
    const repeated = unique("account");
    for (const _ of [1, 2]) {
      const request = { body: { name: repeated }, headers: { "idempotency-key": repeated } };
      expect((await ask("createServiceAccount", request)).status).toBe(201);
    }
    expect(await actsOf({ resourceName: name })).toEqual(known);
    expect(await actsOf({ resourceName: repeated })).toEqual(["service_account.created"]);
  });

  it("has neither keys nor the addresses of webhooks, and is readable by admins only", async () => {
    const { name, key } = await account("member");
    const action = unique("action");
    const webhook = "https://hooks.slack.com/services/T000/B000/the-secret-part-a1b2";
    const body = { name: action, targets: [{ type: "SLACK" as const, webhook }] };
    await clientFor(key).putFlowAction({ body });
    const text = JSON.stringify([...(await entries({ account: name })), ...(await entries({}))]);
    expect(text).toContain("hooks.slack.com/…a1b2");
    expect(text).not.toContain("the-secret-part");
    expect(text).not.toContain(key);
    const refused = "You don't have permission to access this resource";
    await expectRefusal(clientFor(key).listAuditLog({}), 403, refused);
  });

  invalidQueries(target, "listAuditLog", () => ({}), [
    [{ act: "flow.eaten" }, "act", "Input should be"],
    [{ resource_type: "cake" }, "resource_type", "Input should be"],
    [{ from_timestamp: "today" }, "from_timestamp", "Input should be a valid"],
    [{ after: "elsewhere" }, "after", "Input should be _links.next.after of an earlier response"],
    [{ per_page: 101 }, "per_page", "Input should be less than or equal to 100"],
    [{ per_page: 0 }, "per_page", "Input should be greater than or equal to 1"],
  ]);
});

describe("the changes of members", () => {
  it("are listed newest first, and by type, role, time and name", async () => {
    const { name } = await account("reader");
    await client.updateServiceAccount({ name, body: { privilege: "member" } });
    await client.updateServiceAccount({ name, body: { description: "the role stays" } });
    await client.deleteServiceAccount({ name });
    const log = async (query: object = {}) =>
      (await client.listMembershipAuditLog({ search: name.toUpperCase(), ...query })).body;
    const { events, ...position } = await log();
    const by = { user: name, changedBy: "admin", source: "app" };
    expect(position).toMatchObject({ page: 1, perPage: 15, totalPages: 1, totalCount: 3 });
    expect(events).toMatchObject([
      { ...by, eventType: "removed", oldRole: "member", newRole: null },
      { ...by, eventType: "changed", oldRole: "reader", newRole: "member" },
      { ...by, eventType: "added", oldRole: null, newRole: "reader" },
    ]);
    const typesOf = async (query: object) => (await log(query)).events.map(({ eventType }) => eventType);
    expect(await typesOf({ sortDir: "asc", perPage: 2 })).toEqual(["added", "changed"]);
    expect(await typesOf({ page: 2, perPage: 2 })).toEqual(["added"]);
    expect(await typesOf({ eventType: "changed" })).toEqual(["changed"]);
    expect(await typesOf({ role: ["reader", "admin"] })).toEqual(["added"]);
    expect(await typesOf({ sortBy: "role" })).toEqual(["added", "changed", "removed"]);
    expect(await typesOf({ source: ["scim", "script"] })).toEqual([]);
    const [last, , first] = events.map(({ timestamp }) => timestamp);
    expect((await log({ fromTimestamp: first, toTimestamp: last })).totalCount).toBe(3);
    expect((await log({ toTimestamp: (first ?? 0) - 1 })).totalCount).toBe(0);
    const all = (await client.listMembershipAuditLog({ search: "admin", perPage: 100 })).body.events;
    expect(all).toEqual(expect.arrayContaining(events));
  });

  pagingEdges(target, "listMembershipAuditLog", () => ({}), { max: 100 });
  invalidQueries(target, "listMembershipAuditLog", () => ({}), [
    [{ event_type: "made" }, "event_type", "Input should be 'added', 'changed' or 'removed'"],
    [{ sort_by: "age" }, "sort_by", "Input should be 'when'"],
    [{ sort_dir: "up" }, "sort_dir", "Input should be 'asc' or 'desc'"],
    [{ from_timestamp: "x" }, "from_timestamp", "Input should be a valid number"],
  ]);
});
