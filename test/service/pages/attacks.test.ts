import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knownIssuer } from "../../identity/known-issuer.ts";
import { sendRaw } from "../hostile/raw-request.ts";
import { FP, pipeline, send } from "../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";
import { type Seen, signedIn, type Visitor, visitor } from "./visitor.ts";

const HOUR = 3_600;
const FORM = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const { flow, trail, artifact, attest, environment, report } = pipeline(service);
  await flow("web");
  await flow("other");
  for (const name of ["v1", "v2"]) await trail("web", name);
  await artifact("web", "v1");
  await artifact("other", "t1");
  await attest("web", "v2", {}, [{ name: "proof.txt", content: "the other trail's" }]);
  for (const name of ["prod", "staging"]) {
    await environment(name);
    await report(name, [{ podName: "p", namespace: "n", digests: { "web:1": FP }, creationTimestamp: 1 }]);
  }
});
afterAll(() => service.dispose());

const api = (method: string, path: string, json?: object) =>
  send(service, { method, path, key: service.keys.admin, ...(json === undefined ? {} : { json }) });

/** A request with headers that no browser or client library would send by default. */
async function raw(
  path: string,
  headers: Record<string, string> = {},
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" = "GET",
  body?: string,
) {
  const answer = await service.dispatcher.request({
    origin: service.address,
    path,
    method,
    headers: { accept: "text/html", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

const statusOf = async (seen: Promise<Seen>) => (await seen).status;
const isIn = async (guest: Visitor) => (await guest.get(`/${ORG}`)).status === 200;
const fieldsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(form_\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

/** The fields of the form that trusts a workflow. */
const TRUST = {
  ...{ act: "create", name: "sneaked", description: "", issuer: knownIssuer().options.url },
  ...{ repository: "acme/web", role: "reader", reach: "all" },
};

/** A separate account with a key, which no other test of this file uses. */
async function accountOf(name: string, privilege = "member") {
  await api("POST", `/service-accounts/${ORG}`, { name, privilege });
  const { body } = await api("POST", `/service-accounts/${ORG}/${name}/api-keys`, { description: "a key" });
  return { key: String(body.key), id: String(body.id) };
}

describe("a session", () => {
  it("never uses an id that the browser sent", async () => {
    const guest = visitor(service);
    const planted = "x".repeat(43);
    guest.cookies.set("session", planted);
    await guest.send("/login", { key: service.keys.reader });
    expect(guest.cookies.get("session")).toMatch(/^[\w-]{43}$/);
    expect(guest.cookies.get("session")).not.toBe(planted);
    expect((await raw(`/${ORG}`, { cookie: `session=${planted}` })).status).toBe(303);
  });

  it("ends when its owner signs in again or signs out", async () => {
    const guest = await signedIn(service, service.keys.reader);
    const earlier = { cookie: `session=${guest.cookies.get("session")}` };
    await guest.send("/login", { key: service.keys.reader });
    expect(await statusOf(raw(`/${ORG}`, earlier))).toBe(303);
    const later = { cookie: `session=${guest.cookies.get("session")}` };
    expect(await statusOf(raw(`/${ORG}`, later))).toBe(200);
    const { status, headers } = await guest.send("/settings", { action: "/logout" });
    expect({ status, location: headers["location"] }).toEqual({ status: 303, location: "/login" });
    expect(headers["set-cookie"]).toMatch(/^session=; .*Max-Age=0/);
    expect(await statusOf(raw(`/${ORG}`, later))).toBe(303);
  });

  it("lasts a day at most, even if it is used", async () => {
    const start = service.clock.time;
    const guest = await signedIn(service, service.keys.reader);
    for (let hour = 0; hour < 23; hour += 4) {
      service.clock.time = start + hour * HOUR;
      expect(await isIn(guest)).toBe(true);
    }
    service.clock.time = start + 24 * HOUR - 1;
    expect(await isIn(guest)).toBe(true);
    service.clock.time = start + 24 * HOUR;
    expect(await isIn(guest)).toBe(false);
    service.clock.time = start;
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["its key is revoked", (id) => api("DELETE", `/service-accounts/${ORG}/ends/api-keys/${id}`)],
    ["its account is deleted", () => api("DELETE", `/service-accounts/${ORG}/ends`)],
  ])("ends at once when %s", async (_, end) => {
    const { key, id } = await accountOf("ends");
    const guest = await signedIn(service, key);
    expect(await isIn(guest)).toBe(true);
    await end(id);
    expect(await isIn(guest)).toBe(false);
    expect((await guest.send("/login", { key })).status).toBe(403);
  });

  it("has the current rights of its account, not those at its start", async () => {
    const { key } = await accountOf("demoted", "admin");
    const guest = await signedIn(service, key);
    const page = await guest.get(`/${ORG}/accounts`);
    expect(page.text).toContain("Create an account");
    await api("PATCH", `/service-accounts/${ORG}/demoted`, { privilege: "reader" });
    const { text } = await guest.get("/settings");
    const body = new URLSearchParams({ ...fieldsOf(text), name: "late", privilege: "admin" }).toString();
    const cookie = `session=${guest.cookies.get("session")}`;
    expect(await statusOf(raw(`/${ORG}/accounts`, { ...FORM, cookie }, "POST", body))).toBe(403);
    expect((await api("GET", `/service-accounts/${ORG}/late`)).status).toBe(404);
  });

  it("of another account cannot be ended from here", async () => {
    const { key } = await accountOf("neighbour");
    const neighbor = await signedIn(service, key);
    await signedIn(service, key);
    const { text } = await neighbor.get("/settings");
    const [, id = ""] = /name="session" value="([^"]+)"/.exec(text) ?? [];
    expect(id).not.toBe("");
    const guest = await signedIn(service, service.keys.admin);
    expect((await guest.send("/settings", { session: id })).status).toBe(303);
    expect((await neighbor.get("/settings")).text).toContain(id);
  });
});

describe("a cookie", () => {
  it("does not authenticate API requests in any way", async () => {
    const guest = await signedIn(service, service.keys.admin);
    const cookie = `session=${guest.cookies.get("session")}`;
    const calls: [Parameters<typeof raw>[2], string][] = [
      ["GET", `/api/v2/flows/${ORG}`],
      ["HEAD", `/api/v2/flows/${ORG}`],
      ["PUT", `/api/v2/flows/${ORG}`],
      ["POST", `/api/v2/share-links/${ORG}`],
      ["DELETE", `/api/v2/service-accounts/${ORG}/demoted`],
      ["GET", "/api/v2/user"],
      ["GET", `/API/v2/flows/${ORG}`],
      ["GET", `/acme/%2e%2e/api/v2/flows/${ORG}`],
      ["GET", `//api/v2/flows/${ORG}`],
    ];
    for (const [method, path] of calls) {
      const { status } = await raw(path, { cookie, ...FORM }, method);
      expect([method, path, status]).toEqual([
        method,
        path,
        expect.toSatisfy((each) => each === 401 || each === 404),
      ]);
    }
  });

  it("with another name, sent twice, too long or malformed belongs to no session", async () => {
    const guest = await signedIn(service, service.keys.admin);
    const token = guest.cookies.get("session") ?? "";
    for (const cookie of [
      `__Host-session=${token}`,
      `Session=${token}`,
      `session=${token.toLowerCase()}`,
      `session="${token}"`,
      `session=${token}%00`,
      `session=forged; session=${token}`,
      `session=${service.keys.admin}`,
      `session=${"x".repeat(8_000)}`,
      `session=' or 1=1 --; =; ;;session`,
      `share=${token}`,
      "__proto__=1; constructor=1; session",
    ]) {
      expect([cookie, await statusOf(raw(`/${ORG}`, { cookie }))]).toEqual([cookie, 303]);
    }
    const huge = await raw(`/${ORG}`, { cookie: `session=${"x".repeat(100_000)}` });
    expect(huge.status).toBe(431);
  });

  it("of a service behind TLS is limited to its host, and its pages require TLS", async () => {
    const secure = await startTestService({}, { publicUrl: "https://evidence.example/below" });
    try {
      const guest = visitor(secure);
      const next = encodeURIComponent(`/below/${ORG}/flows?a=b`);
      const reply = await guest.get(`/${ORG}/flows?a=b`);
      expect(reply.headers["location"]).toBe(`/below/login?next=${next}`);
      const login = await guest.send(`/login?next=${next}`, { key: secure.keys.reader, action: "/login" });
      expect(login.headers["set-cookie"]).toMatch(
        /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400; Secure$/,
      );
      expect(login.headers["location"]).toBe(`/below/${ORG}/flows?a=b`);
      expect(login.headers["strict-transport-security"]).toBe("max-age=31536000");
      const tossed = { cookie: `session=${guest.cookies.get("__Host-session")}` };
      expect((await visitor(secure).get(`/${ORG}/flows`, tossed)).status).toBe(303);
      const { text } = await guest.get(`/${ORG}/environments`);
      const outside = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].filter(
        ([, path = ""]) => !path.startsWith("/below/"),
      );
      expect(outside.map(([all]) => all)).toEqual([]);
    } finally {
      await secure.dispose();
    }
  });
});

describe("a form", () => {
  const FORGED: [string, Record<string, string>, number][] = [
    ["from another site", { "sec-fetch-site": "cross-site" }, 403],
    ["from another host of the domain", { "sec-fetch-site": "same-site" }, 403],
    ["from a site that claims to be ours", { "sec-fetch-site": "cross-site", origin: "SELF" }, 403],
    ["of an old browser, from another site", { "sec-fetch-site": "", origin: "https://evil.example" }, 403],
    ["of a frame without an origin", { "sec-fetch-site": "", origin: "null" }, 403],
    ["as text", { "content-type": "text/plain" }, 400],
    ["as JSON", { "content-type": "application/json" }, 400],
    ["of parts", { "content-type": "multipart/form-data; boundary=x" }, 400],
    ["of no type", { "content-type": "" }, 400],
    ["with a look-alike type", { "content-type": "application/x-www-form-urlencoded-not" }, 400],
  ];

  it.each(FORGED)("%s does nothing on any page that accepts one", async (_, headers, expected) => {
    const guest = await signedIn(service, service.keys.admin);
    const token = fieldsOf((await guest.get("/settings")).text);
    const cookie = `session=${guest.cookies.get("session")}`;
    const sent = { ...FORM, cookie, ...headers };
    const given = Object.fromEntries(
      Object.entries(sent)
        .filter(([, value]) => value !== "")
        .map(([name, value]) => [name, value === "SELF" ? service.address : value]),
    );
    for (const path of await formPaths()) {
      const { status } = await raw(
        path,
        given,
        "POST",
        new URLSearchParams({ ...token, confirm: "web" }).toString(),
      );
      expect([path, status]).toEqual([path, expected]);
    }
    expect(await isIn(guest), "still signed in").toBe(true);
    expect((await api("GET", `/flows/${ORG}/web`)).body.archived).not.toBe(true);
  });

  it("without the token of its session does nothing, on any page", async () => {
    const guest = await signedIn(service, service.keys.admin);
    const other = await signedIn(service, service.keys.admin);
    const foreign = fieldsOf((await other.get("/settings")).text)["form_token"] ?? "";
    const cookie = `session=${guest.cookies.get("session")}`;
    for (const path of await formPaths()) {
      for (const token of ["", foreign, "é".repeat(43)]) {
        const body = new URLSearchParams({ form_token: token, confirm: "web" }).toString();
        const { status } = await raw(path, { ...FORM, cookie }, "POST", body);
        expect([path, token, status]).toEqual([path, token, 403]);
      }
    }
  });

  it("without a session leads to sign-in, and one that is too long or not text is refused", async () => {
    for (const path of await formPaths()) {
      if (path === "/logout") continue;
      expect([path, await statusOf(raw(path, FORM, "POST", "a=b"))]).toEqual([path, 303]);
    }
    const guest = await signedIn(service, service.keys.admin);
    const cookie = `session=${guest.cookies.get("session")}`;
    const long = await raw("/settings", { ...FORM, cookie }, "POST", `a=${"x".repeat(300_000)}`);
    expect(long.status).toBe(413);
    expect(await statusOf(raw("/login", FORM, "POST", `key=${"x".repeat(300_000)}`))).toBe(413);
    expect(await statusOf(visitor(service).send("/login", { key: "\0é\u{1f511}" }))).toBe(403);
  });

  it("accepts only the fields of its page, and no invalid text", async () => {
    const guest = await signedIn(service, service.keys.admin);
    await accountOf("kept");
    await api("PUT", `/actions/${ORG}/flows`, {
      name: "told",
      targets: [{ type: "WEBHOOK", webhook: "https://hooks.example.org/x" }],
      flows: ["web"],
      triggers: ["ON_ATTESTATION"],
    });
    const { url: issuer } = knownIssuer().options;
    await api("POST", `/trust-policies/${ORG}`, { name: "builds", issuer, repository: "acme/web" });
    const trust = `/${ORG}/trust-policies`;
    const acting = [`/${ORG}/accounts/kept`, `/${ORG}/environments/prod`, `/${ORG}/actions/1`];
    for (const path of [...acting, trust, `${trust}/builds`]) {
      for (const act of ["", "nothing", "constructor", "toString", "__proto__", "hasOwnProperty"]) {
        const { status, text } = await guest.send(path, { act });
        expect([path, act, status]).toEqual([path, act, 400]);
        expect(text).toContain("The form has an unknown action");
      }
    }
    const sent: [string, Record<string, string>][] = [
      [`/${ORG}/accounts`, { name: "nul", privilege: "member", description: "a\0b" }],
      [`/${ORG}/accounts/kept`, { act: "create", for: "a\0b" }],
      [`/${ORG}/accounts/kept`, { act: "update", privilege: "constructor", description: "" }],
      [trust, { ...TRUST, description: "a\0b" }],
      [trust, { ...TRUST, role: "admin" }],
      [trust, { ...TRUST, claims: "sub=repo:acme/web:*" }],
      [trust, { ...TRUST, claims: "__proto__=x" }],
      [trust, { act: "explain", token: "a\0b" }],
      [`${trust}/builds`, { ...TRUST, act: "change", repository: "" }],
      [`/${ORG}/environments/prod`, { act: "allow", fingerprint: FP, artifact: "a\0b", reason: "c" }],
      [
        `/${ORG}/flows/web/trails/v1`,
        { action: `/${ORG}/links`, kind: "trail", place: "web", name: "v1", until: "2027-02-31x", for: "" },
      ],
      [
        `/${ORG}/flows/web/trails/v1`,
        {
          action: `/${ORG}/links`,
          kind: "trail",
          place: "web",
          name: "v1",
          until: "2027-01-31",
          for: "a\0b",
        },
      ],
    ];
    for (const [path, fields] of sent) {
      expect([fields, await statusOf(guest.send(path, fields))]).toEqual([fields, 400]);
    }
  });

  /** Every path that accepts a form. */
  async function formPaths(): Promise<string[]> {
    const { data } = (await api("GET", `/attestations/${ORG}?flow_name=web&trail_name=v2`)).body;
    return [
      "/logout",
      "/settings",
      `/${ORG}/flows/web`,
      `/${ORG}/environments/prod`,
      `/${ORG}/accounts`,
      `/${ORG}/accounts/kept`,
      `/${ORG}/links`,
      `/${ORG}/trust-policies`,
      `/${ORG}/trust-policies/builds`,
      `/${ORG}/actions/1`,
      `/${ORG}/actions/1/deliveries/none`,
      `/${ORG}/flows/web/trails/v2/attestations/${data[0].attestation_id}`,
    ];
  }
});

describe("signing in", () => {
  it.each([
    "//evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "evil.example",
    ".",
    "?a",
  ])("leads to the start page, not to %j", async (next) => {
    const { status, headers } = await visitor(service).send("/login", { key: service.keys.reader, next });
    expect({ status, location: headers["location"] }).toEqual({ status: 303, location: "/" });
  });

  it.each([
    "/%2f/evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/acme/..//evil.example",
    "/acme\r\nset-cookie: a=b",
    "/acme\0",
    "/acme/é€?q=\u{1f511}",
    "/acme/flows#//evil.example",
    "/@evil.example",
  ])("stays on this host with %j", async (next) => {
    const { status, headers } = await visitor(service).send("/login", { key: service.keys.reader, next });
    expect(status).toBe(303);
    expect(headers["set-cookie"]).toMatch(/^session=/);
    const location = String(headers["location"]);
    expect(location).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
    expect(new URL(location, service.address).origin).toBe(service.address);
  });

  it("has the same error for every invalid key, and blocks repeated attempts", async () => {
    const limited = await startTestService({ failedLoginRate: 5 });
    try {
      const { keys } = limited;
      const tried = ["nobody-has-it", "", `${keys.admin}x`, keys.revoked, keys.expired];
      const answers = await Promise.all(tried.map((key) => visitor(limited).send("/login", { key })));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.text).not.toContain("nobody-has-it");
      const { status, headers } = await visitor(limited).send("/login", { key: "nobody-has-it" });
      expect({ status, retry: headers["retry-after"] }).toEqual({ status: 429, retry: expect.any(String) });
      expect((await visitor(limited).send("/login", { key: keys.admin })).status, "the right key").toBe(303);
    } finally {
      await limited.dispose();
    }
  });
});

describe("a forged request", () => {
  it("gets no page that repeats its headers about this host", async () => {
    const guest = await signedIn(service, service.keys.admin);
    const cookie = `session=${guest.cookies.get("session")}`;
    const fakes = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      forwarded: "host=evil.example",
    };
    for (const path of [`/${ORG}`, `/${ORG}/flows/web`, "/login", "/nothing"]) {
      const { headers, text } = await raw(path, { cookie, ...fakes });
      expect(JSON.stringify(headers) + text).not.toContain("evil.example");
    }
    expect((await raw(`/${ORG}`, fakes)).headers["location"]).toBe(`/login?next=%2F${ORG}`);
  });

  it.each([
    "/%00",
    "/%00/flows",
    "/acme/flows/%00",
    "/acme/flows/%ff",
    "/acme/flows/%",
    "/acme/flows/..%2f..%2fsettings",
    "/acme/%2e%2e/settings",
    "/acme/flows/web/%2E/trails",
    "/acme%2fflows",
    "/ACME",
    "/acme/flows/web%20",
    "/acme//flows",
    "/acme/flows/web/trails/v1/attestations/..%5c..",
    "/__proto__",
    "/constructor/flows",
    "/acme/environments/prod/snapshots/%23%00",
    "/acme/environments/prod/snapshots/99999999999999999999",
    "/acme/actions/1e9",
    "/acme/actions/-1",
    "/assets/..%2fpages.ts",
    "/assets/page.css",
    "/share/%00",
    "/share/",
    ...["api", "login", "settings", "assets", "share", "log", "logout", "ready", "health", "metrics"].map(
      (name) => `/${name}/flows`,
    ),
  ])("finds nothing at %s", async (path) => {
    const guest = await signedIn(service, service.keys.admin);
    const cookie = `session=${guest.cookies.get("session")}`;
    const { status, text } = await raw(path, { cookie });
    expect({ status, isFailure: text.includes("The service failed") }).toEqual({
      status: expect.toSatisfy((each) => each === 404 || each === 400),
      isFailure: false,
    });
  });

  it.each([
    "/acme/search?q=%00",
    "/acme/search?q=%ff&q=%",
    "/acme/flows?page=9007199254740991",
    "/acme/flows?page=-1&page=x",
    "/acme/flows/web?state=__proto__",
    "/acme/diff?a=prod%23%00&b=x",
    "/acme/audit-log?after=%00&since=x",
    "/acme/flows/web?format=csv&table=__proto__",
    "/acme/flows/web?format=constructor",
    "/acme/flows/web/badge.svg?branch=%00&share=%00",
  ])("breaks nothing with %s", async (path) => {
    const guest = await signedIn(service, service.keys.admin);
    expect((await guest.get(path)).status).toBeLessThan(500);
  });

  it("with another method does no more than GET, and does not bypass a form", async () => {
    const guest = await signedIn(service, service.keys.admin);
    const cookie = `session=${guest.cookies.get("session")}`;
    const head = await raw(`/${ORG}/flows/web`, { cookie }, "HEAD");
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: "" });
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"] as const) {
      const { status, headers } = await raw(
        `/${ORG}/flows/web`,
        { cookie, origin: "https://evil.example" },
        method,
      );
      expect([method, status]).toEqual([method, 404]);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect(await statusOf(raw("/logout", { cookie }))).toBe(404);
    expect(await isIn(guest)).toBe(true);
  });
});

describe("a response", () => {
  it("is not cached by others on its way, and is not allowed in a frame", async () => {
    const guest = await signedIn(service, service.keys.admin);
    for (const path of [
      `/${ORG}`,
      `/${ORG}/flows/web`,
      `/${ORG}/flows/web/badge.svg`,
      "/settings",
      "/nothing",
    ]) {
      const { headers } = await guest.get(path);
      expect([path, headers["cache-control"]]).toEqual([
        path,
        expect.stringMatching(/^private\b|^no-store$/),
      ]);
      expect([path, headers["x-content-type-options"]]).toEqual([path, "nosniff"]);
      if (path.endsWith(".svg")) continue;
      expect([path, headers["content-security-policy"]]).toEqual([
        path,
        expect.stringMatching(/form-action 'self'; base-uri 'none'; frame-ancestors 'none'/),
      ]);
      expect([path, headers["referrer-policy"]]).toEqual([path, "same-origin"]);
    }
    for (const path of ["/login", `/${ORG}`]) {
      expect((await visitor(service).get(path)).headers["cache-control"]).toBe("no-store");
    }
  });
});

describe("a link", () => {
  const share = async (kind: string, place: string, name?: string) => {
    const json = { kind, place, ...(name ? { name } : {}), expires_at: service.clock.time + HOUR };
    const { body } = await api("POST", `/share-links/${ORG}`, json);
    const holder = visitor(service);
    const opened = await holder.get(new URL(body.url).pathname + new URL(body.url).search);
    return { id: String(body.id), url: String(body.url), holder, opened };
  };
  const trail = `/${ORG}/flows/web/trails/v1`;

  it.each<[string, [string, string, string?], string]>([
    ["a trail", ["trail", "web", "v1"], trail],
    ["an artifact", ["artifact", "web", FP], `/${ORG}/flows/web/artifacts/${FP}`],
    ["an environment", ["environment", "prod"], `/${ORG}/environments/prod`],
  ])("to %s opens no page of anything else", async (_, [kind, place, name], own) => {
    const { holder } = await share(kind, place, name);
    expect(await statusOf(holder.get(own))).toBe(200);
    const { data } = (await api("GET", `/attestations/${ORG}?flow_name=web&trail_name=v2`)).body;
    const other = data[0].attestation_id;
    const elsewhere = [
      "",
      "/flows",
      "/flows/web",
      "/flows/web/badge.svg",
      "/flows/web/artifacts",
      "/flows/other",
      "/flows/web/trails/v2",
      "/flows/web/trails/v2/audit-package",
      `/flows/web/trails/v2/attestations/${other}`,
      // The attestation of another trail, by the path of the shared one.
      `/flows/web/trails/v1/attestations/${other}`,
      `/flows/web/trails/v1/attestations/${other}/evidence`,
      `/flows/other/artifacts/${FP}`,
      "/environments",
      "/environments/staging",
      "/environments/staging/snapshots/1",
      "/environments/prod/snapshots/staging%231",
      "/diff?a=prod&b=staging",
      "/search?q=web",
      ...[
        "/policies",
        "/controls",
        "/approvals",
        "/repos",
        "/actions",
        "/accounts",
        "/hooks",
        "/links",
        "/audit-log",
      ],
      ...["/trust-policies", "/trust-policies/builds"],
      "/flows?format=csv&table=flows",
    ];
    for (const path of elsewhere) {
      expect([path, await statusOf(holder.get(`/${ORG}${path}`))]).toEqual([
        path,
        expect.toSatisfy((each) => each === 404 || each === 400),
      ]);
    }
    for (const path of ["/", "/settings", `/${OTHER_ORG}`]) {
      expect([path, await statusOf(holder.get(path))]).toEqual([path, 404]);
    }
    expect(
      await statusOf(raw(`/api/v2/flows/${ORG}`, { cookie: `share=${holder.cookies.get("share")}` })),
    ).toBe(401);
  });

  it("shows and accepts no form, and names nothing outside of what it shares", async () => {
    const trailLink = await share("trail", "web", "v1");
    const artifact = await share("artifact", "web", FP);
    const environment = await share("environment", "prod");
    const pages: [Visitor, string][] = [
      [trailLink.holder, trail],
      [artifact.holder, `/${ORG}/flows/web/artifacts/${FP}`],
      [environment.holder, `/${ORG}/environments/prod`],
    ];
    for (const [holder, path] of pages) {
      const { text } = await holder.get(`${path}?environment=staging&policy=x&trail=t1`);
      expect(text).not.toContain('method="post"');
      const { status } = await holder.send(path, { act: "archive", confirm: "prod" });
      expect([path, status]).toEqual([path, expect.toSatisfy((each) => each === 403 || each === 404)]);
    }
    const { text } = await artifact.holder.get(`/${ORG}/flows/web/artifacts/${FP}`);
    expect(text).not.toContain("/flows/other");
    expect(text).not.toContain("Check against an environment");
  });

  it("ends at once when it is revoked, and at its expiry, also for those who opened it", async () => {
    const revoked = await share("trail", "web", "v1");
    expect(await statusOf(revoked.holder.get(trail))).toBe(200);
    await api("DELETE", `/share-links/${ORG}/${revoked.id}`);
    expect(await statusOf(revoked.holder.get(trail))).toBe(303);
    const start = service.clock.time;
    const ended = await share("trail", "web", "v1");
    service.clock.time += HOUR;
    expect(await statusOf(ended.holder.get(trail))).toBe(303);
    expect(await statusOf(visitor(service).get(new URL(ended.url).pathname))).toBe(404);
    service.clock.time = start;
  });

  it("appears in no page, no other host and no log", async () => {
    const { url, holder, opened } = await share("trail", "web", "v1");
    const token = new URL(url).pathname.split("/").at(-1) ?? "none";
    expect(opened.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      location: trail,
    });
    expect(opened.headers["set-cookie"]).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=3600$/);
    expect((await holder.get(trail)).text).not.toContain(token);
    await visitor(service).get(`/share/${token}/`);
    await visitor(service).get(`/share/${token}?x`);
    for (const path of [
      `/%73hare/${token}`,
      `/%2Fshare/${token}`,
      `/%53HARE/${token}%ff`,
      `/share/${token}\\`,
    ]) {
      await sendRaw(service.address, { method: "GET", target: path });
    }
    const badge = await share("badge", "web");
    const inQuery = new URL(badge.url).searchParams.get("share") ?? "none";
    const log = service.logged.join("\n");
    expect(log).toContain("GET /share/:token 303");
    await visitor(service).get("/invitations/a-secret-of-an-invitation");
    await visitor(service).get("/%69nvitations/a-secret-of-an-invitation?x");
    expect(service.logged.join("\n")).toContain("GET /invitations/:token 404");
    expect(service.logged.join("\n")).not.toContain("a-secret-of-an-invitation");
    expect([log.includes(token), log.includes(inQuery)]).toEqual([false, false]);
  });

  it("to a badge does not open the page of the flow, with any cookie", async () => {
    const { url } = await share("badge", "web");
    const token = new URL(url).searchParams.get("share") ?? "";
    for (const cookie of [`share=${token}`, `session=${token}`]) {
      for (const path of [`/${ORG}/flows/web`, trail]) {
        expect([cookie, path, await statusOf(raw(path, { cookie }))]).toEqual([
          cookie,
          path,
          expect.toSatisfy((each) => each === 404 || each === 303),
        ]);
      }
    }
    const cookies = { cookie: `share=${token}` };
    expect((await raw(`/share/${token}`)).headers["location"]).toBe(`/${ORG}/flows/web/badge.svg`);
    expect(await statusOf(raw(`/${ORG}/flows/other/badge.svg`, cookies))).toBe(404);
  });
});

it("a page with a form is compressed, and its token differs each time: its size reveals nothing about it", async () => {
  const guest = await signedIn(service, service.keys.member);
  const tokenOf = async () =>
    /name="form_token" value="([^"]+)"/.exec((await guest.get("/settings")).text)?.[1] ?? "";
  const [first, second] = [await tokenOf(), await tokenOf()];
  expect(first).not.toBe(second);
  for (const token of [first, second]) {
    const body = { form_token: token, theme: "dark" };
    expect((await guest.send("/settings", body)).status).not.toBe(403);
  }
  const { headers } = await guest.get("/settings", { "accept-encoding": "gzip" });
  expect(headers["content-encoding"]).toBe("gzip");
});
