import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endSessionsOf } from "../../../../src/service/people/members/persons.ts";
import { removeOldSessions } from "../../../../src/service/people/sessions.ts";
import { endProviderSessions } from "../../../../src/service/people/sign-in/back-channel.ts";
import { answerDeviceLogin } from "../../../../src/service/people/sign-in/device-logins.ts";
import type { MappedRole } from "../../../../src/service/people/sign-in/provider.ts";
import { openPostgres } from "../../../../src/service/store/postgres/open-store.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { signedInPerson, signInAs } from "../../../identity/signed-in-person.ts";
import { recordsOfTest } from "../../../records.ts";
import { formOn, type Seen, signedIn, type Visitor, visitor } from "../../pages/visitor.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";

let provider: TestProvider;
let service: TestService;
/** Another instance, if the engine allows several. */
let other: TestService;
let store: Store;

const ROLE_MAP: MappedRole[] = [
  { group: "web", org: ORG, role: "member" },
  { group: "web", org: OTHER_ORG, role: "reader" },
  { group: "ops", org: ORG, role: "reader" },
];

beforeAll(async () => {
  provider = await startLoginProvider();
  const records = await recordsOfTest();
  const loginProviders = [provider.settings({ roleMap: ROLE_MAP, sync: true })];
  service = await startTestService({}, { ...records, loginProviders });
  await provider.allow(service.address);
  const { database } = records;
  other =
    database === undefined
      ? service
      : await startTestService(
          {},
          {
            ...records,
            keys: service.keys,
            loginProviders,
            publicUrl: service.address,
            attachmentsAt: { folder: join(service.dataFolder, "files") },
          },
        );
  store = database === undefined ? await openDataFolder(service.dataFolder) : await openPostgres(database);
});
afterAll(async () => {
  await store.close();
  if (other !== service) await other.dispose();
  await service.dispose();
  await provider.close();
});
beforeEach(() => {
  provider.people.set("ada", { name: "Ada Lovelace", groups: ["web"] });
  provider.people.set("bob", { name: "Bob", groups: ["ops"] });
});

async function post(path: string, fields: Record<string, string>, at = service) {
  const { statusCode, body } = await request(`${at.address}/login/device${path}`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: String(new URLSearchParams(fields)),
    dispatcher: at.dispatcher,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: statusCode, body: (await body.json()) as any };
}

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

async function begin(fields: Record<string, string> = { device_name: "ada-laptop" }): Promise<Codes> {
  return (await post("", fields)).body;
}

/** Lets time pass for all instances, in seconds. */
function pass(seconds: number): void {
  for (const each of new Set([service, other])) each.clock.time += seconds;
}

/** Polls after the interval, at any instance. */
async function poll({ device_code }: Pick<Codes, "device_code">, at = service) {
  pass(5);
  return post("/token", { device_code }, at);
}

const pageOf = ({ user_code }: Pick<Codes, "user_code">) => `/login/device?user_code=${user_code}`;

async function answer(user: Visitor, codes: Codes, button: "Approve" | "Deny"): Promise<Seen> {
  const page = await user.get(pageOf(codes));
  return user.send("", { ...formOn(page, button), action: "/login/device/answer" });
}

const error = (name: string) => ({ status: 400, body: expect.objectContaining({ error: name }) });

function ask(token: string, path: string, at = service) {
  return request(`${at.address}/api/v2${path}`, {
    headers: { authorization: `Bearer ${token}` },
    dispatcher: at.dispatcher,
  });
}

async function statusOf(token: string, path = `/flows/${ORG}`, at = service): Promise<number> {
  const { statusCode, body } = await ask(token, path, at);
  await body.dump();
  return statusCode;
}

async function tokenOf(user: Visitor): Promise<string> {
  const codes = await begin();
  await answer(user, codes, "Approve");
  return (await poll(codes)).body.access_token;
}

describe("a command line that signs in", () => {
  it("gets a token of the person who approves its code, once", async () => {
    const codes = await begin({ device_name: "ada-laptop", org: ORG });
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${service.address}/login/device?org=${ORG}`,
      verification_uri_complete: `${service.address}/login/device?org=${ORG}&user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await poll(codes)).toEqual(error("authorization_pending"));

    const user = visitor(service);
    const { pathname, search } = new URL(codes.verification_uri_complete);
    const guest = await user.get(pathname + search);
    expect(guest.headers["location"]).toBe(`/login?next=${encodeURIComponent(pathname + search)}`);
    expect((await user.get(String(guest.headers["location"]))).text).toContain(
      "Sign in with <bdi>Acme</bdi>",
    );
    await signInAs(user, "ada", pathname + search);
    const { text } = await user.get(pathname + search);
    expect(text).toContain(`<code>${codes.user_code}</code>`);
    expect(text).toContain("ada-laptop");
    expect(text).toContain("127.0.0.1</bdi> (as this browser)");
    expect(text).toContain(`${ORG} and ${OTHER_ORG}`);
    expect(text).toContain("Approve only what you started yourself");
    expect((await answer(user, codes, "Approve")).text).toContain("Approved. The command line signs in");

    const { status, body } = await poll(codes, other);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^dep_[\w-]{43}$/),
        token_type: "Bearer",
        expires_in: 28_800,
      },
    });
    expect(await statusOf(body.access_token, `/flows/${ORG}`)).toBe(200);
    expect(await statusOf(body.access_token, `/flows/${OTHER_ORG}`, other)).toBe(200);
    expect(await poll(codes)).toEqual(error("expired_token"));
    expect(await poll(codes, other)).toEqual(error("expired_token"));
  });

  it("gets one token if two instances are polled at once", async () => {
    const codes = await begin();
    await answer(await signedInPerson(service, "ada"), codes, "Approve");
    const both = await Promise.all([poll(codes, service), poll(codes, other)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("may not be a browser, nor a browser a command line", async () => {
    const user = await signedInPerson(service, "ada");
    const token = await tokenOf(user);
    const { status } = await visitor(service).get(`/${ORG}`, { cookie: `session=${token}` });
    expect(status).toBe(303);
    expect(await statusOf(user.cookies.get("session") ?? "")).toBe(401);
  });

  it("gets a clear refusal when its request is denied", async () => {
    const codes = await begin();
    const user = await signedInPerson(service, "ada");
    expect((await answer(user, codes, "Deny")).text).toContain("Denied. The command line is not signed in");
    expect(await poll(codes)).toEqual(error("access_denied"));
    expect(await poll(codes)).toEqual(error("expired_token"));
  });

  it("has to wait longer after each poll that comes too early", async () => {
    const codes = await begin();
    expect(await poll(codes)).toEqual(error("authorization_pending"));
    const { device_code } = codes;
    expect(await post("/token", { device_code })).toEqual(error("slow_down"));
    // Five seconds are now too short.
    expect(await poll(codes)).toEqual(error("slow_down"));
    pass(10);
    expect(await poll(codes)).toEqual(error("authorization_pending"));
  });

  it("gets nothing after ten minutes, approved or not, and nothing of it stays", async () => {
    const [late, approved] = [await begin(), await begin()];
    const user = await signedInPerson(service, "ada");
    const page = await user.get(pageOf(late));
    await answer(user, approved, "Approve");
    pass(600);
    expect(await poll(late)).toEqual(error("expired_token"));
    expect(await poll(approved)).toEqual(error("expired_token"));
    const sent = await user.send("", { ...formOn(page, "Approve"), action: "/login/device/answer" });
    expect({ status: sent.status, text: sent.text }).toMatchObject({
      status: 400,
      text: expect.stringContaining("The code is wrong, was used or has expired"),
    });
    await store.write((db) => removeOldSessions(db, service.clock.time));
    expect(await store.read.selectFrom("device_logins").selectAll().execute()).toEqual([]);
  });

  it("gets nothing with a user code, a wrong code or none", async () => {
    const codes = await begin();
    for (const device_code of [codes.user_code, `${codes.device_code}x`, ""]) {
      expect(await post("/token", { device_code })).toEqual(error("expired_token"));
    }
  });

  it("gets nothing if the person loses access after the approval", async () => {
    const [codes, ended] = [await begin(), await begin()];
    const user = await signedInPerson(service, "bob");
    await answer(user, codes, "Approve");
    await answer(user, ended, "Approve");
    provider.people.set("bob", { name: "Bob", groups: [] });
    await expect(signedInPerson(service, "bob")).rejects.toThrow("403");
    expect(await poll(codes)).toEqual(error("access_denied"));
    provider.people.set("bob", { name: "Bob", groups: ["ops"] });
    await signedInPerson(service, "bob");
    await store.write((db) =>
      db.updateTable("people").set({ ended_at: 1 }).where("name", "=", "Bob").execute(),
    );
    expect(await poll(ended)).toEqual(error("access_denied"));
    await store.write((db) => db.updateTable("people").set({ ended_at: null }).execute());
  });

  it("gets nothing if all sessions of the person are ended after the approval", async () => {
    const codes = await begin();
    const user = await signedInPerson(service, "ada");
    await answer(user, codes, "Approve");
    const { person_id: id } = await store.read
      .selectFrom("device_logins")
      .select("person_id")
      .where("answer", "=", "approved")
      .executeTakeFirstOrThrow();
    await store.write((db) => endSessionsOf(db, id ?? ""));
    expect(await poll(codes)).toEqual(error("expired_token"));
    expect((await user.get(`/${ORG}`)).status).toBe(303);
  });

  it.each(["session", "subject"])(
    "gets nothing if the %s ends at the provider after the approval",
    async (which) => {
      const codes = await begin();
      await answer(await signedInPerson(service, "ada"), codes, "Approve");
      const { provider_session: session } = await store.read
        .selectFrom("device_logins")
        .select("provider_session")
        .where("answer", "=", "approved")
        .executeTakeFirstOrThrow();
      await endProviderSessions({ store }, provider.settings(), {
        ...{ tokenId: which, expiresAt: service.clock.time + 60 },
        ...(which === "session"
          ? { session: session ?? "", subject: undefined }
          : { session: undefined, subject: "ada" }),
      });
      expect(await poll(codes)).toEqual(error("expired_token"));
    },
  );

  it("gets nothing from a browser whose session has ended", async () => {
    const { user_code: userCode } = await begin();
    const ended = { answer: "approved", personId: "ada", sessionId: "ended" } as const;
    expect(await answerDeviceLogin({ store, now: () => service.clock.time }, { userCode, ...ended })).toBe(
      false,
    );
  });

  it("is refused where nobody can sign in", async () => {
    const without = await startTestService({}, { loginProviders: [] });
    try {
      expect(await post("", {}, without)).toEqual({
        status: 400,
        body: {
          error: "unauthorized_client",
          error_description: "No login provider signs people in without --org. Use an API key",
        },
      });
    } finally {
      await without.dispose();
    }
  });

  it("has its codes and token stored as hashes only", async () => {
    const codes = await begin();
    const stored = JSON.stringify(await store.read.selectFrom("device_logins").selectAll().execute());
    const token = await tokenOf(await signedInPerson(service, "ada"));
    const sessions = JSON.stringify(await store.read.selectFrom("sessions").selectAll().execute());
    for (const secret of [codes.device_code, codes.user_code, codes.user_code.replace("-", "")]) {
      expect(stored).not.toContain(secret);
    }
    expect(sessions).not.toContain(token);
    const logged = service.logged.join("\n");
    for (const secret of [codes.device_code, codes.user_code, token]) expect(logged).not.toContain(secret);
  });
});

describe("the page that approves a command line", () => {
  it("accepts a code as it is typed", async () => {
    const { user_code } = await begin();
    const user = await signedInPerson(service, "ada");
    expect((await user.get("/login/device")).text).toContain('name="user_code"');
    for (const typed of [
      user_code.toLowerCase(),
      user_code.replace("-", ""),
      user_code.replace("-", "%20"),
    ]) {
      expect((await user.get(`/login/device?user_code=${typed}`)).text).toContain(
        `<code>${user_code}</code>`,
      );
    }
  });

  it("lets the first person answer, and nobody after", async () => {
    const codes = await begin();
    const [ada, bob] = [await signedInPerson(service, "ada"), await signedInPerson(service, "bob")];
    const seen = await bob.get(pageOf(codes));
    await answer(ada, codes, "Approve");
    for (const button of ["Approve", "Deny"]) {
      const again = await bob.send("", { ...formOn(seen, button), action: "/login/device/answer" });
      expect(again.status).toBe(400);
      expect(again.text).toContain("was used");
    }
    const { body } = await (await ask((await poll(codes)).body.access_token, "/user")).body
      .json()
      .then((body) => ({ body }));
    expect(body).toMatchObject({ name: "Ada Lovelace" });
  });

  it("counts wrong codes as failed logins", async () => {
    // See the arithmetic beside the letters: at the default rate, an address finds no code in its lifetime.
    const limited = await startTestService(
      { failedLoginRate: 6 },
      { loginProviders: [provider.settings({ roleMap: ROLE_MAP })] },
    );
    try {
      await provider.allow(limited.address);
      const user = await signedInPerson(limited, "ada");
      const statuses = [];
      for (let number = 0; number < 7; number++) {
        statuses.push((await user.get("/login/device?user_code=BBBB-BBBB")).status);
      }
      expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429]);
      expect((await user.get("/login/device")).status).toBe(200);
      // Requests that are never approved count too.
      expect((await post("", {}, limited)).status).toBe(429);
    } finally {
      await limited.dispose();
      await provider.allow(service.address);
    }
  });

  it("is not for the session of a key, and says why", async () => {
    const codes = await begin();
    const user = await signedIn(service, service.keys.admin);
    const { status, text } = await user.get(pageOf(codes));
    expect(status).toBe(403);
    expect(text).toContain("You are signed in with an API key. Only a person can approve a command line.");
    expect(text).toContain(`href="/login?next=${encodeURIComponent(pageOf(codes))}"`);
    const [, token = ""] = /name="form_token" value="([^"]+)"/.exec((await user.get("/settings")).text) ?? [];
    const fields = { form_token: token, user_code: codes.user_code, act: "approve" };
    expect((await user.send("", { ...fields, action: "/login/device/answer" })).status).toBe(403);
    expect(await poll(codes)).toEqual(error("authorization_pending"));
  });

  it("approves nothing for a form of another site, or without a token of the session", async () => {
    const codes = await begin();
    const user = await signedInPerson(service, "ada");
    const fields = formOn(await user.get(pageOf(codes)), "Approve");
    const to = { action: "/login/device/answer" };
    expect((await user.send("", { ...fields, ...to }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const bob = await signedInPerson(service, "bob");
    expect((await bob.send("", { ...fields, ...to })).status).toBe(403);
    expect((await visitor(service).send("", { ...fields, ...to })).headers["location"]).toBe("/login");
    expect(await poll(codes)).toEqual(error("authorization_pending"));
  });

  it("shows names of machines as text, and says if the address is another one", async () => {
    const codes = await begin({ device_name: "<img src=x>\u202e laptop" });
    await store.write((db) => db.updateTable("device_logins").set({ address: "192.0.2.7" }).execute());
    const { text } = await (await signedInPerson(service, "ada")).get(pageOf(codes));
    expect(text).toContain("&lt;img src=x&gt;\\u202e laptop");
    expect(text).toContain("192.0.2.7</bdi> (not the address of this browser)");
    expect((await post("", { device_name: "a\0b" })).status).toBe(200);
    expect((await post("", { device_name: "x".repeat(5_000) })).status).toBe(200);
  });
});

describe("the session of a command line", () => {
  it("is listed in the settings of its person, who can end it", async () => {
    const user = await signedInPerson(service, "ada");
    const token = await tokenOf(user);
    pass(120);
    expect(await statusOf(token)).toBe(200);
    const settings = await user.get("/settings");
    expect(settings.text).toContain("ada-laptop");
    expect(settings.text).toContain("<bdi>Command line</bdi>");
    await expect
      .poll(async () => {
        const found = await store.read
          .selectFrom("sessions")
          .select(["last_seen_at"])
          .where("kind", "=", "command line")
          .orderBy("created_at", "desc")
          .executeTakeFirstOrThrow();
        return found.last_seen_at;
      })
      .toBe(service.clock.time);
    const [, id = ""] =
      /<bdi>Command line<\/bdi>[\s\S]*?name="session" value="([^"]+)"/.exec(settings.text) ?? [];
    await user.send("/settings", { session: id });
    expect(await statusOf(token)).toBe(401);
  });

  it("ends after eight hours, and when the command line signs out", async () => {
    const user = await signedInPerson(service, "ada");
    const [token, signedOut] = [await tokenOf(user), await tokenOf(user)];
    expect(await post("/revoke", { token: signedOut })).toEqual({ status: 200, body: {} });
    expect(await post("/revoke", { token: "dep_nobody" })).toEqual({ status: 200, body: {} });
    expect(await post("/revoke", { token: service.keys.member })).toEqual({ status: 200, body: {} });
    expect(await statusOf(signedOut)).toBe(401);
    expect(await statusOf(service.keys.member)).toBe(200);
    pass(8 * 3600 - 60);
    expect(await statusOf(token)).toBe(200);
    pass(60);
    expect(await statusOf(token)).toBe(401);
  });

  it("is in the audit log, with the machine's address", async () => {
    await tokenOf(await signedInPerson(service, "ada"));
    const { body } = await ask(service.keys.admin, `/audit-log/${ORG}?per_page=5`);
    expect(JSON.stringify(await body.json())).toMatch(/"provider":"company","session":"command line"/);
  });
});
