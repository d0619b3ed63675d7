import { describe, expect, it } from "vitest";
import {
  ENTERPRISE,
  found,
  GROUP,
  patch,
  problem,
  type ScimClient,
  scimClient,
  USER,
} from "../service/people/scim/provisioned.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { invalidBodies, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, org } = target;

const create = (more: object = {}) =>
  client.createScimToken({ body: { description: unique("token"), provider: "company", ...more } });

/** A client with its own token, which later tests replace. */
async function scim(): Promise<ScimClient> {
  for (const { id } of (await client.listScimTokens({})).body) await client.revokeScimToken({ tokenId: id });
  const { url, token } = (await create()).body;
  return scimClient(url, token);
}

const user = (more: object = {}) => {
  const userName = unique("Ada.Lovelace@example.com");
  const emails = [{ value: userName, type: "work", primary: true }];
  return { schemas: [USER], userName, externalId: unique("00u"), active: true, emails, ...more };
};

describe("tokens", () => {
  it("are created, listed without the secret, limited to two, and revoked", async () => {
    await scim();
    const { token, ...created } = (await create({ expiresAt: 4_000_000_000 })).body;
    expect(token).toMatch(/^des_[\w-]{43}$/);
    expect(created).toEqual({
      ...{ id: created.id, description: created.description, provider: "company" },
      ...{ url: expect.stringMatching(new RegExp(`/scim/v2/${org}$`)), createdBy: expect.any(String) },
      ...{ createdAt: expect.any(Number), expiresAt: 4_000_000_000, lastUsedAt: null },
    });
    expect((await client.listScimTokens({})).body).toContainEqual(created);
    await expectRefusal(create(), 409, "2 SCIM tokens work already: revoke one first");
    await client.revokeScimToken({ tokenId: created.id });
    expect((await client.listScimTokens({})).body).not.toContainEqual(created);
    expect((await scimClient(created.url, token).send("GET", "/Users")).status).toBe(401);
    await expectRefusal(client.revokeScimToken({ tokenId: created.id }), 404, "No such SCIM token");
  });

  it("need a login provider and a future expiry", async () => {
    await expectRefusal(create({ provider: "none" }), 404, "Login provider 'none' does not exist");
    const past = { expires_at: "must not be in the past" };
    await expectInvalid(create({ expiresAt: 1 }), past, "expires_at cannot be in the past");
  });

  invalidBodies(target, "createScimToken", () => ({ body: { description: "x", provider: "company" } }), [
    [{ description: undefined }, "description", REQUIRED],
    [{ provider: undefined }, "provider", REQUIRED],
  ]);

  it("are required, and are no keys", async () => {
    const { send } = await scim();
    const { url } = (await client.listScimTokens({})).body[0] ?? { url: "" };
    for (const token of ["", "des_wrong", target.apiKey]) {
      const refused = await scimClient(url, token).send("GET", "/Users");
      expect(refused).toMatchObject(problem(401));
      expect(refused.headers["www-authenticate"]).toBe("Bearer");
    }
    const elsewhere = scimClient(url.replace(/[^/]+$/, "nobody"), "des_wrong");
    expect(await elsewhere.send("GET", "/Users")).toMatchObject(problem(401));
    expect((await send("GET", "/Users?count=0")).status).toBe(200);
    const { status } = await target.ask("listFlows", { key: "des_wrong" });
    expect(status).toBe(401);
  });
});

describe("Okta", () => {
  it("passes its specification test", async () => {
    const { send } = await scim();
    const sent = user({
      ...{ name: { givenName: "Ada", familyName: "Lovelace" }, displayName: "Ada", locale: "en-US" },
      ...{ password: "1mz050nq", groups: [] },
    });
    const created = await send("POST", "/Users", sent);
    expect(created).toMatchObject({ status: 201, body: { userName: sent.userName, active: true } });
    expect(created.headers["content-type"]).toBe("application/scim+json");
    const { id, meta } = created.body;
    expect(created.headers["location"]).toBe(meta.location);
    expect(meta).toEqual({
      ...{ resourceType: "User", location: expect.stringMatching(new RegExp(`/Users/${id}$`)) },
      ...{ created: expect.any(String), lastModified: meta.created, version: 'W/"1"' },
    });
    expect(JSON.stringify(created.body)).not.toContain("1mz050nq");
    const first = await send("GET", "/Users?count=1&startIndex=1");
    expect(first).toMatchObject({ status: 200, body: { itemsPerPage: 1, startIndex: 1 } });
    expect(first.body.Resources[0]).toMatchObject({ schemas: [USER], id: expect.any(String) });
    expect((await send("GET", `/Users/${id}`)).body).toEqual(created.body);
    const named = (name: string) =>
      send("GET", `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`);
    expect(await named(unique("nobody"))).toMatchObject(found());
    expect(await named(sent.userName.toUpperCase())).toMatchObject(found({ id }));
    expect(await send("GET", "/Users/010101001010101011001010101011")).toMatchObject(problem(404));
    expect(await send("POST", "/Users", sent)).toMatchObject(problem(409, "uniqueness"));
    expect(await send("GET", "/Groups?count=100&startIndex=1")).toMatchObject({ status: 200 });
    expect(await send("GET", "/Nothing")).toMatchObject(problem(404));
  });

  it("creates, replaces, deactivates and reactivates a user, and never deletes", async () => {
    const { send } = await scim();
    const sent = user();
    const { id } = (await send("POST", "/Users", sent)).body;
    const read = (await send("GET", `/Users/${id}`)).body;
    const changed = { ...read, name: { givenName: "Augusta" }, title: "Countess" };
    const replaced = await send("PUT", `/Users/${id}`, changed);
    expect(replaced).toMatchObject({
      status: 200,
      body: { title: "Countess", externalId: sent.externalId, meta: { version: 'W/"2"' } },
    });
    for (const active of [false, true, false]) {
      const patched = await send("PATCH", `/Users/${id}`, patch({ op: "replace", value: { active } }));
      expect(patched).toMatchObject({ status: 200, body: { id, active, title: "Countess" } });
    }
    // A replacement that does not mention it gives no access back.
    const { active: _, ...withoutActive } = changed;
    expect((await send("PUT", `/Users/${id}`, withoutActive)).body).toMatchObject({ active: false });
  });

  it("pushes a group with its id in the value", async () => {
    const { send } = await scim();
    const members = [];
    for (let each = 0; each < 3; each++) members.push((await send("POST", "/Users", user())).body);
    const [first, second, third] = members.map(({ id }) => ({ value: id }));
    const displayName = unique("platform");
    const group = await send("POST", "/Groups", { schemas: [GROUP], displayName, members: [first, second] });
    expect(group).toMatchObject({ status: 201, body: { displayName, members: [first, second] } });
    const { id } = group.body;
    const renamed = { op: "replace", value: { id, displayName: `${displayName} team` } };
    expect((await send("PATCH", `/Groups/${id}`, patch(renamed))).status).toBe(204);
    const changes = patch(
      { op: "remove", path: `members[value eq "${first?.value}"]` },
      { op: "add", path: "members", value: [third] },
    );
    expect((await send("PATCH", `/Groups/${id}`, changes)).status).toBe(204);
    expect((await send("GET", `/Groups/${id}`)).body).toMatchObject({
      ...{ displayName: `${displayName} team`, members: [second, { ...third, type: "User" }] },
      meta: { version: 'W/"3"' },
    });
    const all = patch({ op: "replace", path: "members", value: [first] });
    const answered = await send("PATCH", `/Groups/${id}?attributes=members`, all);
    expect(answered).toMatchObject({ status: 200, body: { id, members: [first] } });
    expect((await send("DELETE", `/Groups/${id}`)).status).toBe(204);
    expect(await send("GET", `/Groups/${id}`)).toMatchObject(problem(404));
  });
});

describe("Entra", () => {
  it("finds nobody by a random id, and users by either name", async () => {
    const { send } = await scim();
    const sent = user();
    const { id } = (await send("POST", "/Users", sent)).body;
    const filtered = (filter: string) => send("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    expect(await filtered(`externalId eq "${unique("c7b3")}"`)).toMatchObject(found());
    expect(await filtered(`externalId eq "${sent.externalId}"`)).toMatchObject(found({ id }));
    expect(await filtered(`externalId eq "${sent.externalId.toUpperCase()}"`)).toMatchObject(found());
    const work = `emails[type eq "work"].value eq "${sent.userName.toLowerCase()}"`;
    expect(await filtered(work)).toMatchObject(found({ id }));
    expect(await filtered(work.replace("work", "home"))).toMatchObject(found());
    expect(await filtered(`emails.value eq "${sent.userName}" and active eq true`)).toMatchObject(
      found({ id }),
    );
    expect(await filtered(`userName eq "${sent.userName}" AND id eq "other"`)).toMatchObject(found());
  });

  it("bundles operations in its own spelling, which apply as a whole", async () => {
    const { send } = await scim();
    const { id } = (await send("POST", "/Users", user({ emails: undefined }))).body;
    const changes = patch(
      { op: "Add", path: 'emails[type eq "work"].value', value: "ada@example.com" },
      { op: "Replace", path: "name.givenName", value: "Ada" },
      { op: "Add", path: 'roles[primary eq "True"].value', value: "developer" },
      { op: "Add", path: `${ENTERPRISE}:manager`, value: "26118915" },
      { op: "Add", path: `${ENTERPRISE}:department`, value: "Engines" },
      { op: "Replace", path: "active", value: "False" },
    );
    expect(await send("PATCH", `/Users/${id}`, changes)).toMatchObject({
      status: 200,
      body: {
        ...{ schemas: [USER, ENTERPRISE], active: false, name: { givenName: "Ada" } },
        ...{
          emails: [{ type: "work", value: "ada@example.com" }],
          roles: [{ primary: true, value: "developer" }],
        },
        [ENTERPRISE]: { manager: { value: "26118915" }, department: "Engines" },
      },
    });
    const half = patch({ op: "Replace", path: "title", value: "Countess" }, { op: "Remove" });
    expect(await send("PATCH", `/Users/${id}`, half)).toMatchObject(problem(400, "noTarget"));
    const after = patch(
      { op: "Replace", path: "active", value: "True" },
      { op: "Replace", value: { "name.familyName": "King", [`${ENTERPRISE}:department`]: "Analysis" } },
      { op: "Remove", path: 'emails[type eq "work"]' },
      { op: "Remove", path: `${ENTERPRISE}:manager` },
    );
    const { body } = await send("PATCH", `/Users/${id}`, after);
    expect(body).toMatchObject({ active: true, name: { givenName: "Ada", familyName: "King" } });
    expect(body[ENTERPRISE]).toEqual({ department: "Analysis" });
    expect(body).not.toHaveProperty("title");
    expect(body).not.toHaveProperty("emails");
  });

  it("provisions a group with its own schema, without operations, and reads it without members", async () => {
    const { send } = await scim();
    const own = "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group";
    const sent = { schemas: [GROUP, own], displayName: unique("G"), externalId: unique("8aa1") };
    const { body: group } = await send("POST", "/Groups", sent);
    const { body: member } = await send("POST", "/Users", user());
    const path = `/Groups/${group.id}`;
    const add = { op: "Add", path: "members", value: [{ $ref: null, value: member.id }] };
    expect((await send("PATCH", path, patch(add))).status).toBe(204);
    expect((await send("PATCH", path, patch())).status).toBe(204);
    const { body } = await send("GET", `${path}?excludedAttributes=members`);
    expect(body).toMatchObject({ id: group.id, displayName: sent.displayName, externalId: sent.externalId });
    expect(body).not.toHaveProperty("members");
    const filtered = (filter: string) =>
      send("GET", `/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`);
    expect(await filtered(`displayName eq "${sent.displayName.toLowerCase()}"`)).toMatchObject(found(body));
    expect(await filtered(`id eq "${group.id}" and members eq "${member.id}"`)).toMatchObject(found(body));
    expect(await filtered(`members.value eq "none"`)).toMatchObject(found());
    const remove = { op: "Remove", path: "members", value: [{ $ref: null, value: member.id }] };
    expect((await send("PATCH", path, patch(remove))).status).toBe(204);
    expect((await send("GET", path)).body.members).toBeUndefined();
    expect(await send("PATCH", path, patch({ op: "Remove" }))).toMatchObject(problem(400, "noTarget"));
  });
});

describe("Google", () => {
  it("reads the schemas, suspends, and deletes an active member of a group", async () => {
    const { send } = await scim();
    const schemas = (await send("GET", "/Schemas")).body.Resources.map((each: { id: string }) => each.id);
    expect(schemas).toEqual([USER, GROUP, ENTERPRISE]);
    expect((await send("GET", `/Schemas/${USER}`)).body).toMatchObject({ name: "User" });
    expect((await send("GET", "/ResourceTypes/Group")).body).toMatchObject({ endpoint: "/Groups" });
    expect((await send("GET", "/ServiceProviderConfig")).body).toMatchObject({
      ...{ patch: { supported: true }, bulk: { supported: false }, filter: { supported: true } },
    });
    const { body: member } = await send("POST", "/Users", user());
    const { body: group } = await send("POST", "/Groups", {
      ...{ displayName: unique("g"), members: [{ value: member.id }] },
    });
    const path = `/Users/${member.id}`;
    await send("PATCH", path, patch({ op: "replace", path: "active", value: false }));
    expect((await send("GET", `/Groups/${group.id}`)).body.members).toHaveLength(1);
    await send("PATCH", path, patch({ op: "replace", path: "active", value: true }));
    expect((await send("DELETE", path)).status).toBe(204);
    expect(await send("GET", path)).toMatchObject(problem(404));
    expect(await send("DELETE", path)).toMatchObject(problem(404));
    expect((await send("GET", `/Groups/${group.id}`)).body.members).toBeUndefined();
    expect((await send("POST", "/Users", { ...user(), userName: member.userName })).status).toBe(201);
  });
});

describe("a request", () => {
  it("keeps unknown attributes up to a limit, and selects attributes", async () => {
    const { send } = await scim();
    const own = "urn:example:params:scim:schemas:extension:acme:2.0:User";
    const sent = user({
      [own]: { badge: 7.5 },
      favourite: ["tea"],
      name: { givenName: "A", familyName: "L" },
    });
    const { body } = await send("POST", "/Users", sent);
    expect(body).toMatchObject({ schemas: [USER, own], [own]: { badge: 7.5 }, favourite: ["tea"] });
    const selected = await send("GET", `/Users/${body.id}?attributes=USERNAME,name.familyName`);
    expect(selected.body).toEqual({
      ...{ schemas: [USER, own], id: body.id, userName: sent.userName, name: { familyName: "L" } },
    });
    const { body: rest } = await send(
      "GET",
      `/Users/${body.id}?excludedAttributes=emails,name.givenName,${own}`,
    );
    expect(rest).toMatchObject({ name: { familyName: "L" }, meta: {} });
    for (const name of ["emails", own]) expect(rest).not.toHaveProperty([name]);
    const large = user({ note: "x".repeat(64 * 1024) });
    expect(await send("POST", "/Users", large)).toMatchObject(problem(413));
    expect(await send("POST", "/Users", `"${"x".repeat(2 * 1024 * 1024)}"`)).toMatchObject(problem(413));
  });

  it("pages through resources", async () => {
    const { send } = await scim();
    for (let each = 0; each < 3; each++) await send("POST", "/Users", user());
    const all = (await send("GET", "/Users")).body;
    const second = (await send("GET", "/Users?startIndex=2&count=1")).body;
    expect(second).toMatchObject({ totalResults: all.totalResults, startIndex: 2, itemsPerPage: 1 });
    expect(second.Resources).toEqual([all.Resources[1]]);
    expect((await send("GET", "/Users?count=0")).body).toMatchObject({ itemsPerPage: 0, Resources: [] });
    expect((await send("GET", "/Users?startIndex=-5&count=-1")).body).toMatchObject({ startIndex: 1 });
    expect(await send("GET", "/Users?count=many")).toMatchObject(problem(400, "invalidValue"));
  });

  it.each([
    ...[
      'userName co "a"',
      'userName eq "a" or userName eq "b"',
      "userName eq",
      'userName eq "a',
      "not (a eq 1)",
    ],
    ...[
      'title eq "x"',
      "[",
      '"'.repeat(3),
      `${"(".repeat(5_000)}`,
      'emails[value eq "x"].type eq "work"',
      "a eq b",
      'userName eq "\\u0000"',
    ],
  ])("with the filter %s is refused", async (filter) => {
    const { send } = await scim();
    const refused = await send("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    expect(refused).toMatchObject(problem(400, "invalidFilter"));
  });

  it("with so many values that comparing them would stop the service is refused", async () => {
    const { send } = await scim();
    const { id } = (await send("POST", "/Users", user())).body;
    const values = (from: number) => Array.from({ length: 100_000 }, (_, number) => from + number);
    const add = (from: number) => ({ op: "add", path: "roles", value: values(from) });
    expect(await send("PATCH", `/Users/${id}`, patch(add(0), add(100_000)))).toMatchObject(problem(413));
  });

  it.each<[object | string, string]>([
    ["{", "invalidSyntax"],
    ["[]", "invalidSyntax"],
    [{}, "invalidSyntax"],
    [patch({ op: "move", path: "title", value: 1 }), "invalidSyntax"],
    [patch({ op: "add", path: "title" }), "invalidValue"],
    [patch({ op: "add", path: "a b", value: 1 }), "invalidPath"],
    [patch({ op: "add", path: "__proto__.x", value: 1 }), "invalidPath"],
    [patch({ op: "add", path: "userName.x", value: 1 }), "invalidPath"],
    [patch({ op: "add", path: 7, value: 1 }), "invalidPath"],
    [patch({ op: "add", value: "x" }), "invalidValue"],
    [patch({ op: "remove", path: "userName" }), "invalidValue"],
    [patch({ op: "replace", path: "active", value: "perhaps" }), "invalidValue"],
    [patch({ op: "replace", path: "userName", value: "x".repeat(300) }), "invalidValue"],
    [patch({ op: "replace", path: "userName", value: "\u0000" }), "invalidSyntax"],
    [patch({ op: "add", path: 'emails[type eq "\\u0000"].value', value: "x" }), "invalidPath"],
  ])("that changes a user by %j is refused", async (body, scimType) => {
    const { send } = await scim();
    const { id } = (await send("POST", "/Users", user())).body;
    expect(await send("PATCH", `/Users/${id}`, body)).toMatchObject(problem(400, scimType));
    expect((await send("GET", `/Users/${id}`)).body.meta.version).toBe('W/"1"');
  });

  it("with another method, type or member is refused", async () => {
    const { send } = await scim();
    const { id } = (await send("POST", "/Users", user())).body;
    expect(await send("POST", `/Users/${id}`, {})).toMatchObject(problem(405));
    expect(await send("POST", "/Schemas", {})).toMatchObject(problem(405));
    expect(await send("POST", "/Users", "a=b", { "content-type": "text/plain" })).toMatchObject(problem(415));
    const group = { displayName: unique("g"), members: [{ value: "no-such-user" }] };
    expect(await send("POST", "/Groups", group)).toMatchObject(problem(400, "invalidValue"));
    expect(await send("GET", "/Users/%00")).toMatchObject(problem(404));
    expect(await send("GET", "/Users/%ff")).toMatchObject(problem(404));
  });

  it("does not lose another one of the same moment", async () => {
    const { send } = await scim();
    const { id } = (await send("POST", "/Users", user())).body;
    const { id: group } = (await send("POST", "/Groups", { displayName: unique("g") })).body;
    const names = ["title", "nickName", "locale", "timezone"];
    const all = names.map((path) => send("PATCH", `/Users/${id}`, patch({ op: "add", path, value: path })));
    const users = await Promise.all(names.map(() => send("POST", "/Users", user())));
    const added = users.map(({ body }) =>
      send("PATCH", `/Groups/${group}`, patch({ op: "add", path: "members", value: [{ value: body.id }] })),
    );
    await Promise.all([...all, ...added]);
    expect((await send("GET", `/Users/${id}`)).body).toMatchObject(
      Object.fromEntries(names.map((name) => [name, name])),
    );
    expect((await send("GET", `/Groups/${group}`)).body.members).toHaveLength(names.length);
    const same = user();
    const created = await Promise.all([send("POST", "/Users", same), send("POST", "/Users", same)]);
    expect(created.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});
