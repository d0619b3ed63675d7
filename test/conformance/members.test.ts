import { Agent } from "undici";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startLoginProvider } from "../identity/login-provider.ts";
import { joinWith, signInWith } from "../identity/signed-in-person.ts";
import { type Visitor, visitor } from "../service/pages/visitor.ts";
import { GROUP, patch, scimClient } from "../service/people/scim/provisioned.ts";
import { expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const provider = await startLoginProvider();
const org = "conformance";
const target = await conformance({
  loginProviders: [
    provider.settings({
      roleMap: [
        { group: "admins", org, role: "admin" },
        { group: "readers", org, role: "reader" },
      ],
    }),
  ],
});
const { client, clientFor } = target;
const address = target.baseUrl.replace(/\/api\/v2\/?$/, "");
await provider.allow(address);
const dispatcher = new Agent();
afterAll(async () => {
  await dispatcher.close();
  await provider.close();
});
beforeEach(() => provider.people.clear());

const browser = () => visitor({ address, dispatcher });

/** Signs in a person with these groups. */
async function person(groups: string[] = []) {
  const login = unique("person").toLowerCase();
  provider.people.set(login, { name: login, groups });
  const user = browser();
  const { status, text } = await signInWith(user, login);
  expect(status, text).toBe(303);
  return { login, user, email: `${login}@example.com` };
}

const named = async (name: string) => (await client.listMembers({})).body.find((each) => each.name === name);

async function memberId(name: string): Promise<string> {
  const found = await named(name);
  if (found === undefined) throw new Error(`${name} is no member`);
  return found.id;
}

/** Opens a link as the person at the provider. */
async function accept(url: string, login: string, user: Visitor = browser()) {
  return joinWith(user, login, { token: url.split("/").at(-1) ?? "" });
}

async function invitation(email: string, more: object = {}) {
  return (await client.createInvitation({ body: { email, privilege: "reader", ...more } })).body;
}

async function keyOf(privilege: "member" | "reader") {
  const name = unique("account");
  await client.createServiceAccount({ body: { name, privilege } });
  return (await client.createApiKey({ name, body: { description: "test" } })).body.key;
}

const FORBIDDEN = "You don't have permission to access this resource";
const acts = async (name: string) =>
  (await client.listAuditLog({ resourceName: name })).body.data.map(({ act }) => act).reverse();

describe("members", () => {
  it("are listed with the origin of each membership, and their sessions", async () => {
    const { login, email } = await person(["readers"]);
    const listed = await named(login);
    expect(listed).toEqual({
      ...{ id: expect.any(String), name: login, email, privilege: "reader" },
      memberships: [
        {
          ...{ source: "groups", provider: "company", privilege: "reader" },
          ...{ givenBy: "Acme", createdAt: expect.any(Number) },
        },
      ],
      ...{ lastSeenAt: expect.any(Number), sessionCount: 1 },
    });
    const { sessions, ...member } = (await client.getMember({ memberId: await memberId(login) })).body;
    expect(member).toEqual(listed);
    expect(sessions).toEqual([
      {
        ...{ kind: "browser", createdAt: expect.any(Number), lastSeenAt: expect.any(Number) },
        ...{ expiresAt: expect.any(Number), address: expect.any(String), client: null },
      },
    ]);
    await expectRefusal(client.getMember({ memberId: "nobody" }), 404, "Member not found");
  });

  it("get a role by hand, which counts if it is the strongest", async () => {
    const { login } = await person(["readers"]);
    const memberId_ = await memberId(login);
    const put = (body: Parameters<typeof client.putMember>[0]["body"]) =>
      client.putMember({ memberId: memberId_, body });
    const { body } = await put({ privilege: "member", flows: ["web"] });
    expect(body).toMatchObject({ privilege: "member", flows: ["web"], environments: [] });
    expect(body.memberships).toMatchObject([
      { source: "groups", privilege: "reader" },
      { source: "manual", provider: null, privilege: "member", flows: ["web"] },
    ]);
    await put({ privilege: "member", flows: ["web"] });
    expect((await put({ privilege: "reader" })).body.privilege).toBe("reader");
    expect((await client.removeMember({ memberId: memberId_ })).body.memberships).toMatchObject([
      { source: "groups" },
    ]);
    const again = client.removeMember({ memberId: memberId_ });
    await expectRefusal(again, 409, `${login} has access by the groups of Acme: end it there`);
    expect(await acts(login)).toEqual([
      ...["member.added", "member.signed_in", "member.changed", "member.changed", "member.changed"],
    ]);
  });

  it("lose all access and their sessions at once, until groups give it again", async () => {
    const { login, user } = await person(["readers"]);
    await client.putMember({ memberId: await memberId(login), body: { privilege: "member" } });
    expect((await user.get(`/${org}`)).status).toBe(200);
    const { body } = await client.removeMember({ memberId: await memberId(login), all: true });
    expect(body).toEqual({ memberships: [] });
    expect((await user.get(`/${org}`)).status).toBe(303);
    expect(await named(login)).toBeUndefined();
    await signInWith(user, login);
    expect((await user.get(`/${org}`)).status).toBe(200);
  });

  it("sign in again after their sessions ended", async () => {
    const { login, user } = await person(["readers"]);
    await client.endMemberSessions({ memberId: await memberId(login) });
    expect((await user.get(`/${org}`)).status).toBe(303);
    expect((await named(login))?.sessionCount).toBe(0);
    await signInWith(user, login);
    expect((await user.get(`/${org}`)).status).toBe(200);
  });

  it("get and lose no more rights than the caller has", async () => {
    const reader = await memberId((await person(["readers"])).login);
    const admin = await memberId((await person(["admins"])).login);
    const asMember = clientFor(await keyOf("member"));
    await asMember.putMember({ memberId: reader, body: { privilege: "attester" } });
    const asReader = clientFor(await keyOf("reader"));
    const invited = (await invitation("a@example.com", { privilege: "admin" })).id;
    const refused = [
      () => asMember.putMember({ memberId: reader, body: { privilege: "admin" } }),
      () => asMember.putMember({ memberId: reader, body: { privilege: "auditor" } }),
      () => asMember.putMember({ memberId: admin, body: { privilege: "reader" } }),
      () => asMember.removeMember({ memberId: admin, all: true }),
      () => asMember.endMemberSessions({ memberId: admin }),
      () => asMember.createInvitation({ body: { email: "a@example.com", privilege: "admin" } }),
      () => asMember.revokeInvitation({ invitationId: invited }),
      () => asReader.listMembers({}),
    ];
    for (const each of refused) await expectRefusal(each(), 403, FORBIDDEN);
    await client.removeMember({ memberId: admin, all: true });
  });
});

/** An identity provider that sends users, with its own token. */
async function scim() {
  for (const { id } of (await client.listScimTokens({})).body) await client.revokeScimToken({ tokenId: id });
  const { body } = await client.createScimToken({ body: { description: "Okta", provider: "company" } });
  return scimClient(body.url, body.token);
}

const user = (more: object = {}) => {
  const userName = unique("Ada@example.com");
  return { userName, externalId: unique("00u"), emails: [{ value: userName }], ...more };
};

describe("a user who is not signed in yet", () => {
  const awaited = async (id: string) =>
    (await client.listProvisionedUsers({})).body.find((each) => each.id === id);

  it("is listed with the groups, until the user is inactive or deleted", async () => {
    const { send } = await scim();
    const sent = user({ displayName: "Ada <Lovelace>" });
    const { id } = (await send("POST", "/Users", sent)).body;
    const listed = {
      ...{ id, name: "Ada <Lovelace>", userName: sent.userName, email: sent.userName },
      ...{ provider: "company", groups: [], createdAt: expect.any(Number) },
    };
    expect(await awaited(id)).toEqual(listed);
    const displayName = unique("team");
    await send("POST", "/Groups", { schemas: [GROUP], displayName, members: [{ value: id }] });
    expect(await awaited(id)).toEqual({ ...listed, groups: [displayName] });
    const activity = (active: boolean) =>
      send("PATCH", `/Users/${id}`, patch({ op: "replace", value: { active } }));
    await activity(false);
    expect(await awaited(id)).toBeUndefined();
    await activity(true);
    expect(await awaited(id)).toBeDefined();
    await send("DELETE", `/Users/${id}`);
    expect(await awaited(id)).toBeUndefined();
  });

  it("has the user name as the name if no other was sent", async () => {
    const { send } = await scim();
    const sent = user({ emails: [{ value: "b@example.com" }, { value: "a@example.com", primary: true }] });
    const { id } = (await send("POST", "/Users", sent)).body;
    expect(await awaited(id)).toMatchObject({ name: sent.userName, email: "a@example.com" });
    const bare = (await send("POST", "/Users", user({ emails: undefined }))).body;
    expect(await awaited(bare.id)).toMatchObject({ email: null });
  });
});

describe("invitations", () => {
  invalidBodies(
    target,
    "createInvitation",
    () => ({ body: { email: "a@example.com", privilege: "reader" } }),
    [
      [{ email: undefined }, "email", REQUIRED],
      [{ email: "ada" }, "email", "Input should be an email address"],
      [{ email: "a..@-example" }, "email", "Input should be an email address"],
      [{ privilege: "owner" }, "privilege", "Input should be"],
      [{ sent: true }, "sent", EXTRA],
    ],
  );

  it("give a role to the person with the invited address, whose groups give none", async () => {
    const login = unique("guest").toLowerCase();
    provider.people.set(login, { name: login });
    const refusedBefore = await signInWith(browser(), login);
    expect(refusedBefore.status).toBe(403);
    const { url, ...open } = await invitation(`${login.toUpperCase()}@EXAMPLE.com`, { flows: ["web"] });
    expect(url).toMatch(/\/invitations\/[\w-]{43}$/);
    expect((await client.listInvitations({})).body).toContainEqual(open);
    const page = await browser().get(new URL(url).pathname);
    expect(page.text).toContain("Sign in with <bdi>Acme</bdi>");
    const user = browser();
    expect((await accept(url, login, user)).headers["location"]).toBe(`/${org}`);
    expect(await named(login)).toMatchObject({
      ...{ privilege: "reader", flows: ["web"], environments: [] },
      memberships: [{ source: "invitation", provider: null, privilege: "reader" }],
    });
    expect((await client.listInvitations({})).body).not.toContainEqual(open);
    // The next sign-in needs no invitation.
    expect((await signInWith(browser(), login)).status).toBe(303);
    // It works once.
    const again = await browser().get(new URL(url).pathname);
    expect(again.status).toBe(404);
    expect(again.text).toContain("was used or revoked, or has expired");
    await client.putMember({ memberId: await memberId(login), body: { privilege: "attester" } });
    expect((await named(login))?.memberships).toMatchObject([{ source: "manual", privilege: "attester" }]);
    expect((await client.removeMember({ memberId: await memberId(login) })).body.memberships).toEqual([]);
    expect((await user.get(`/${org}`)).status).toBe(303);
    expect((await signInWith(browser(), login)).status).toBe(403);
    expect(await acts(login)).toEqual([
      ...["member.added", "invitation.accepted", "member.signed_in", "member.signed_in"],
      ...["member.changed", "member.removed"],
    ]);
  });

  it.each([
    [
      "another address",
      { email: "other@example.com" },
      /is for (.*)@example.com, and this account has the address/,
    ],
    [
      "an address that is not verified",
      { email_verified: false },
      /this account has no verified email address/,
    ],
    ["an address that looks the same", { email: "guest@example.\u212aom" }, /this account has the address/],
  ])("refuse %s, and stay", async (_, claims, message) => {
    const login = unique("guest").toLowerCase();
    const { url, ...open } = await invitation(
      "email" in claims && claims.email?.includes("\u212a") ? "guest@example.kom" : `${login}@example.com`,
    );
    provider.people.set(login, claims);
    const refused = await accept(url, login);
    expect(refused.status).toBe(403);
    expect(refused.text.replaceAll(/<[^>]+>/g, "")).toMatch(message);
    expect(await named(login)).toBeUndefined();
    expect((await client.listInvitations({})).body).toContainEqual(open);
  });

  it("never change what groups gave", async () => {
    const { login, email } = await person(["admins"]);
    const { url } = await invitation(email);
    expect((await accept(url, login)).status).toBe(303);
    expect(await named(login)).toMatchObject({
      privilege: "admin",
      memberships: [
        { source: "groups", privilege: "admin" },
        { source: "invitation", privilege: "reader" },
      ],
    });
    provider.people.set(login, { name: login });
    await signInWith(browser(), login);
    expect(await named(login)).toMatchObject({
      privilege: "reader",
      memberships: [{ source: "invitation" }],
    });
  });

  it("end when they are revoked", async () => {
    const { login, email } = await person(["readers"]);
    const { id, url } = await invitation(email, { privilege: "admin" });
    await client.revokeInvitation({ invitationId: id });
    expect((await browser().get(new URL(url).pathname)).status).toBe(404);
    expect((await accept(url, login)).text).toContain("was used or revoked");
    expect((await named(login))?.privilege).toBe("reader");
    await expectRefusal(client.revokeInvitation({ invitationId: id }), 404, "Invitation not found");
  });
});

describe("the changes of members", () => {
  it("name the source of each", async () => {
    const { login } = await person(["readers"]);
    const { url } = await invitation(`${login}@example.com`, { privilege: "member" });
    await accept(url, login);
    await client.putMember({ memberId: await memberId(login), body: { privilege: "admin" } });
    await client.putMember({ memberId: await memberId(login), body: { privilege: "admin", flows: ["web"] } });
    await client.removeMember({ memberId: await memberId(login), all: true });
    const { events } = (await client.listMembershipAuditLog({ search: login })).body;
    expect(events.map(({ id: _, timestamp: __, ...event }) => event).reverse()).toEqual([
      { eventType: "added", user: login, oldRole: null, newRole: "reader", changedBy: "Acme", source: "sso" },
      {
        ...{ eventType: "changed", user: login, oldRole: "reader", newRole: "member" },
        ...{ changedBy: "Acme", source: "invitation" },
      },
      {
        ...{ eventType: "changed", user: login, oldRole: "member", newRole: "admin" },
        ...{ changedBy: "admin", source: "app" },
      },
      {
        ...{ eventType: "removed", user: login, oldRole: "admin", newRole: null },
        ...{ changedBy: "admin", source: "app" },
      },
    ]);
  });
});
