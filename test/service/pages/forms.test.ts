import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knownIssuer } from "../../identity/known-issuer.ts";
import { pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { formOn, problemsOn, type Seen, signedIn, type Visitor } from "./visitor.ts";

const OTHER = "b".repeat(64);
const ISSUER = knownIssuer().options.url;
const POLICY =
  "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts:\n  provenance:\n    required: true\n";

let service: TestService;
let admin: Visitor;
let member: Visitor;
let reader: Visitor;
const target = createServer((incoming, answer) => {
  incoming.resume();
  incoming.on("end", () => answer.writeHead(500).end("<b>not today</b>"));
});
beforeAll(async () => {
  await new Promise<void>((listening) => target.listen(0, "127.0.0.1", listening));
  service = await startTestService();
  [admin, member, reader] = [
    await signedIn(service, service.keys.admin),
    await signedIn(service, service.keys.member),
    await signedIn(service, service.keys.reader),
  ];
  const { flow, trail, artifact, attest, environment, report, policy } = pipeline(service);
  await flow("web");
  await trail("web", "v1");
  await artifact("web", "v1");
  await attest("web", "v1", { is_compliant: false });
  await environment("prod");
  await environment("old");
  await report("prod", [{ podName: "p", namespace: "n", digests: { "web:1": OTHER }, creationTimestamp: 1 }]);
  await policy("production", POLICY);
  await api("POST", `/trust-policies/${ORG}`, { name: "builds", issuer: ISSUER, repository: "acme/web" });
  await api("POST", `/hooks/${ORG}`, { name: "scans", kind: "sonar" });
  await api("PUT", `/decision-policies/${ORG}/reviewed`, { files: { "reviewed.rego": "package policy\n" } });
  await api("POST", `/controls/${ORG}`, { identifier: "SDLC-7", name: "n", decision_policy: "reviewed" });
  await api("PUT", `/actions/${ORG}/flows`, {
    name: "told",
    targets: [{ type: "WEBHOOK", webhook: `http://127.0.0.1:${(target.address() as AddressInfo).port}/x` }],
    flows: ["web"],
    triggers: ["ON_ATTESTATION"],
  });
});
afterAll(async () => {
  await service.dispose();
  target.close();
});

const api = (method: string, path: string, json?: object) =>
  send(service, { method, path, key: service.keys.admin, ...(json === undefined ? {} : { json }) });
const outcome = ({ status, headers }: Seen) => ({ status, location: headers["location"] });
const to = (path: string) => ({ status: 303, location: `/${ORG}${path}` });

const button = (name: string) => `<button type="submit">${name}</button>`;
const secretIn = ({ text }: Seen) => /class="secret"[^>]* value="([^"]+)"/.exec(text)?.[1];

/** Every form, with its button. */
const FORMS: [what: string, page: string, fields: Record<string, string>][] = [
  ["archives a flow", "/flows/web", { confirm: "web" }],
  ["attaches a policy", "/environments/prod", { act: "attach", policy: "production" }],
  ["archives an environment", "/environments/prod", { act: "archive", confirm: "prod" }],
  [
    "allows an artifact",
    "/environments/prod",
    { act: "allow", fingerprint: OTHER, artifact: "web:1", reason: "because" },
  ],
  ["creates an account", "/accounts", { name: "sneaked", privilege: "admin", description: "" }],
  ["creates a key", "/accounts/admin", { act: "create", for: "sneaked" }],
  ["adds a link", "/flows/web/trails/v1", { kind: "trail", place: "web", name: "v1", until: "2027-02-01" }],
  ["creates a hook", "/hooks", { act: "create", name: "sneaked", kind: "sonar" }],
  ["deletes a hook", "/hooks", { act: "delete", hook: "sneaked", confirm: "sneaked" }],
  ["sends an example", "/actions/1", { act: "test" }],
  ["enables targets", "/actions/1", { act: "enable" }],
  ["redelivers", "/actions/1", { act: "recover", since: "2027-01-01" }],
  [
    "creates a rule",
    "/actions",
    { act: "create-flow", "flow-name": "sneaked", "flow-targets": "https://x.example" },
  ],
  ["edits a rule", "/actions/1", { act: "edit", keep: "0" }],
  ["mutes a rule", "/actions/1", { act: "mute", until: "2027-02-01" }],
  ["shows secrets", "/actions/1", { act: "secret" }],
  ["replaces secrets", "/actions/1", { act: "rotate" }],
  [
    "trusts a workflow",
    "/trust-policies",
    { act: "create", name: "sneaked", repository: "acme/web", issuer: "x", role: "member", reach: "all" },
  ],
  ["explains a token", "/trust-policies", { act: "explain", token: "x" }],
  ["enables a trust policy", "/trust-policies/builds", { act: "enable" }],
  ["disables a trust policy", "/trust-policies/builds", { act: "disable" }],
  ["deletes a trust policy", "/trust-policies/builds", { act: "delete", confirm: "builds" }],
  ["deletes a rule", "/actions/1", { act: "delete", confirm: "told" }],
  ["publishes a decision policy", "/decision-policies", { act: "publish", identifier: "sneaked", text: "x" }],
  ["publishes a version", "/decision-policies/reviewed", { act: "publish", text: "x" }],
  ["archives a decision policy", "/decision-policies/reviewed", { act: "archive", confirm: "reviewed" }],
  ["binds a control", "/controls/SDLC-7", { act: "bind", decision_policy: "" }],
];

describe("a user without the right", () => {
  it.each(FORMS)("sees no form that %s, and is refused", async (_, page, fields) => {
    const seen = await reader.get(`/${ORG}${page}`);
    expect(seen.text).not.toContain('<form class="act');
    const proof = formOn(await reader.get("/settings"), "Sign out");
    const action = `/${ORG}${fields["kind"] ? "/links" : page}`;
    const { status } = await reader.send("/settings", { ...proof, ...fields, action });
    expect(status).toBe(403);
  });
});

/** Forms with a value that is refused, and the message beside its field. */
const REFUSED: [page: string, fields: Record<string, string>, problems: Record<string, unknown>][] = [
  [
    "/accounts",
    { act: "", privilege: "member", name: "Zoë b" },
    { name: "Must consist of letters, digits and hyphens: try Zoe-b" },
  ],
  [
    "/accounts",
    { act: "", privilege: "member", name: "zoe.b" },
    { name: "Must consist of letters, digits and hyphens: try zoe-b" },
  ],
  ["/accounts", { act: "", privilege: "member", name: "" }, { name: "Is required" }],
  [
    "/accounts",
    { act: "", privilege: "member", name: "!" },
    { name: "Must consist of letters, digits and hyphens" },
  ],
  [
    "/accounts",
    { act: "", privilege: "member", name: "x".repeat(65) },
    { name: "Must have at most 64 characters" },
  ],
  ["/accounts", { act: "", name: "a", privilege: "king" }, { privilege: "&#39;king&#39; is not a role" }],
  ["/accounts", { act: "find", key: "de_1" }, { key: "API key not found" }],
  [
    "/accounts",
    { act: "", name: "reader", privilege: "member", description: "again" },
    { name: "Service account &#39;reader&#39; already exists in organization &#39;acme&#39;" },
  ],
  [
    "/hooks",
    { act: "create", name: "scans", kind: "sonar" },
    { name: "Hook &#39;scans&#39; already exists in organization &#39;acme&#39;" },
  ],
  [
    "/hooks",
    { act: "create", name: "flags", kind: "sonar", flow: "mistyped" },
    { flow: "Flow named &#39;mistyped&#39; does not exist for organization &#39;acme&#39;" },
  ],
  [
    "/trust-policies",
    { act: "create", name: "builds", repository: "acme/web", issuer: ISSUER, role: "member", reach: "all" },
    { name: expect.stringContaining("There is a trust policy or a service account") },
  ],
  ["/accounts/admin", { act: "create", for: "x", until: "2020-01-01" }, { until: "Must not be in the past" }],
  ["/flows/web", { act: "archive", confirm: "" }, { confirm: "Type the name of the flow to archive it" }],
  [
    "/environments/prod",
    { act: "allow", fingerprint: "12", artifact: "web", reason: "" },
    { fingerprint: "Must be 64 digits and the letters a to f" },
  ],
  [
    "/actions",
    {
      act: "create-flow",
      "flow-name": "my rule",
      "flow-targets": "ftp://x.example a@b",
      "watched[]": "lost",
    },
    {
      "flow-name":
        "Must consist of letters, digits, hyphens, underscores, dots, tildes and slashes, and begin with a letter or digit: try my-rule",
      "flow-targets":
        "&#39;ftp://x.example&#39;: must be an http:// or https:// address. &#39;a@b&#39;: must be an email address",
    },
  ],
  [
    "/actions",
    { act: "create-flow", "flow-name": "a", "flow-targets": "https://x.example", "watched[]": "lost" },
    { "flow-name-0": "Flow named &#39;lost&#39; does not exist for organization &#39;acme&#39;" },
  ],
  ["/actions/1", { act: "mute", until: "2020-01-01" }, { until: "The last day must not be in the past" }],
  ["/actions/1", { act: "edit" }, {}],
  [
    "/decision-policies",
    { act: "publish", identifier: "no@1", text: "package policy", from: "" },
    { identifier: expect.stringContaining("Must consist of letters") },
  ],
  [
    "/decision-policies/reviewed",
    { act: "publish", text: "package policy", from: "soon" },
    { from: expect.stringContaining("is not a valid day") },
  ],
  ["/decision-policies/reviewed", { act: "publish", text: "", from: "" }, { text: "Enter the policy" }],
  [
    "/trust-policies",
    { act: "create", name: "my policy", role: "king" },
    { role: "&#39;king&#39; is not a role for workflows" },
  ],
];

describe("a refused form", () => {
  it("has a message that belongs to no field above the page", async () => {
    const refused = await admin.send(`/${ORG}/accounts/admin`, {
      act: "revoke",
      key: "x",
      "revoke-x": "revoke",
    });
    expect([refused.status, problemsOn(refused)]).toEqual([404, {}]);
    expect(refused.text).toMatch(/role="alert" tabindex="-1"><p>API key not found/);
  });

  it("has its message in the form that was sent only", async () => {
    const fields = { act: "create-env", "env-name": "no!", "env-targets": "https://x.example" };
    const refused = await admin.send(`/${ORG}/actions`, fields);
    expect(Object.keys(problemsOn(refused))).toEqual(["env-name"]);
    expect(refused.text.match(/<details open>/g)).toHaveLength(1);
  });

  it.each(REFUSED)("on %s with %j has its message beside the field", async (page, fields, problems) => {
    const refused = await admin.send(`/${ORG}${page}`, fields);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(problemsOn(refused)).toEqual(problems);
    const [, alert = ""] = /role="alert"[^>]*>([\s\S]*?)<\/div>/.exec(refused.text) ?? [];
    for (const field of Object.keys(problems)) expect(alert).toContain(`<a href="#${field}">`);
    if (Object.keys(problems).length === 0) expect(alert).not.toContain("<a href");
    for (const [name, value] of Object.entries(fields)) {
      if (["act", "key", "confirm", "privilege", "role"].includes(name)) continue;
      expect(refused.text).toContain(value.replaceAll("'", "&#39;"));
    }
  });
});

describe("accounts", () => {
  const rolesOn = ({ text }: Seen) =>
    [
      ...(/<select[^>]* name="privilege"[\s\S]*?<\/select>/.exec(text)?.[0] ?? "").matchAll(
        /<option value="([^"]*)"/g,
      ),
    ].map(([, role]) => role);

  it("with more rights than the user's are shown without a form", async () => {
    for (const name of ["admin", "auditor"]) {
      if (name === "auditor") await api("POST", `/service-accounts/${ORG}`, { name, privilege: name });
      expect((await admin.get(`/${ORG}/accounts/${name}`)).text).toContain(button("Create key"));
      const { status, text } = await member.get(`/${ORG}/accounts/${name}`);
      expect({ status, forms: text.includes('<form class="act') }).toEqual({ status: 200, forms: false });
    }
    expect((await member.get(`/${ORG}/accounts/reader`)).text).toContain(button("Create key"));
  });

  it("are created and changed within the user's own rights, with one role selected", async () => {
    const covered = ["member", "attester", "approver", "snapshotter", "reader"];
    expect(rolesOn(await admin.get(`/${ORG}/accounts`))).toEqual([
      "admin",
      "member",
      "attester",
      "approver",
      "snapshotter",
      "auditor",
      "reader",
    ]);
    expect(rolesOn(await member.get(`/${ORG}/accounts`))).toEqual(covered);
    expect(rolesOn(await member.get(`/${ORG}/accounts/reader`))).toEqual(covered);
    const path = `/service-accounts/${ORG}`;
    await api("POST", path, { name: "reporter", privilege: "snapshotter" });
    const { key } = (await api("POST", `${path}/reporter/api-keys`, { description: "this" })).body;
    const page = await (await signedIn(service, key)).get(`/${ORG}/accounts`);
    expect(rolesOn(page)).toEqual(["snapshotter", "reader"]);
    expect(page.text).toContain('<option value="snapshotter" selected>');
  });
});

describe("an environment", () => {
  const page = `/${ORG}/environments/prod`;
  const attached = async () => (await api("GET", `/environments/${ORG}/prod`)).body.policies;

  it("attaches and detaches a policy, also when that is sent twice", async () => {
    for (const [name, field, policies] of [
      ["Attach", "policy", ["production"]],
      ["Detach", "attached", []],
    ] as const) {
      const form = formOn(await member.get(page), name);
      for (let time = 0; time < 2; time++) {
        const seen = await member.send(page, { ...form, [field]: "production" });
        expect(outcome(seen)).toEqual(to("/environments/prod"));
        expect(await attached()).toEqual(policies);
      }
    }
  });

  it("allows an artifact with a reason, once; the input is kept when it is refused", async () => {
    const typed = { act: "allow", fingerprint: "not one", artifact: 'web "1"', reason: "a <b>fire</b>" };
    const refused = await member.send(page, typed);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    expect(refused.text).toContain("<details open><summary>Allow an artifact");
    for (const value of ["not one", "web &quot;1&quot;", "a &lt;b&gt;fire&lt;/b&gt;"]) {
      expect(refused.text).toContain(`value="${value}"`);
    }
    const form = { ...formOn(await member.get(page), "Allow"), ...typed, fingerprint: OTHER.toUpperCase() };
    for (let time = 0; time < 2; time++) expect((await member.send(page, form)).status).toBe(303);
    const { body } = await api("GET", `/allowlists/${ORG}`);
    expect(JSON.stringify(body).split("a <b>fire</b>")).toHaveLength(2);
  });

  it("is archived only if its name is typed", async () => {
    const old = `/${ORG}/environments/old`;
    const form = { act: "archive", confirm: "prod" };
    expect((await member.get(old)).text, "a member may not").not.toContain(button("Archive"));
    expect((await member.send(old, { ...form, confirm: "old" })).status).toBe(403);
    expect((await admin.send(old, form)).text).toContain("Type the name of the environment to archive it");
    expect((await admin.send(old, { ...form, confirm: "old" })).status).toBe(303);
    expect((await member.get(`/${ORG}/environments`)).text).not.toContain("/environments/old");
  });
});

describe("service accounts", () => {
  const page = `/${ORG}/accounts/robot`;
  const works = async (key: string | undefined) =>
    (await send(service, { path: `/flows/${ORG}`, key: key ?? "" })).status === 200;

  it("are created once, with the input kept when their name is refused", async () => {
    const typed = { name: "no name!", privilege: "snapshotter", description: 'the "robot"' };
    const refused = await admin.send(`/${ORG}/accounts`, typed);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="no name!"');
    expect(refused.text).toContain('<option value="snapshotter" selected>');
    expect(refused.text).toContain('value="the &quot;robot&quot;"');
    const form = {
      ...formOn(await admin.get(`/${ORG}/accounts`), "Create account"),
      ...typed,
      name: "robot",
    };
    expect(outcome(await admin.send(`/${ORG}/accounts`, form))).toEqual(to("/accounts/robot"));
    expect([303, 400, 409]).toContain((await admin.send(`/${ORG}/accounts`, form)).status);
    const { body } = await api("GET", `/service-accounts/${ORG}`);
    expect(JSON.stringify(body).match(/"name":"robot"/g)).toHaveLength(1);
  });

  it("get a key that is shown once, and not created again on reload", async () => {
    const refused = await admin.send(page, { act: "create", for: "the build", until: "tomorrow" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="the build"');
    const form = { ...formOn(await admin.get(page), "Create key"), for: "the build", until: "" };
    const first = await admin.send(page, form);
    expect({ status: first.status, kept: first.headers["cache-control"] }).toEqual({
      status: 200,
      kept: "no-store",
    });
    expect(await works(secretIn(first))).toBe(true);
    const second = await admin.send(page, form);
    expect(second.text).toContain("It has already been shown");
    expect(secretIn(second)).toBeUndefined();
    const keys = async () => (await api("GET", `/service-accounts/${ORG}/robot/api-keys`)).body.length;
    expect(await keys()).toBe(1);
    const changed = await admin.send(page, { ...form, for: "another build" });
    expect([await works(secretIn(changed)), await keys()], "another key, after going back").toEqual([
      true,
      2,
    ]);
  });

  it("are found by a key, which says after its revocation who revoked it when", async () => {
    const accounts = `/service-accounts/${ORG}`;
    await api("POST", accounts, { name: "leaky", description: "", privilege: "member" });
    const { body: first } = await api("POST", `${accounts}/leaky/api-keys`, { description: "first" });
    const { body: second } = await api("POST", `${accounts}/leaky/api-keys`, { description: "second" });
    const find = (key: string) => admin.send(`/${ORG}/accounts`, { act: "find", key });
    expect(outcome(await find(first.key))).toEqual(to(`/accounts/leaky#key-${first.id}`));
    const problem = "This key of the account &#39;leaky&#39; was revoked on TIME by &#39;admin&#39;";
    const problemOf = async (key: string) =>
      problemsOn(await find(key))["key"]?.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/, "TIME");
    await api("DELETE", `${accounts}/leaky/api-keys/${first.id}`);
    expect(await problemOf(first.key)).toBe(problem);
    await api("DELETE", `${accounts}/leaky`);
    expect(await problemOf(second.key), "with its account").toBe(problem);
  });

  it("replace a key, and revoke it after confirmation", async () => {
    const form = formOn(await admin.get(page), "Replace key");
    const replaced = await admin.send(page, form);
    const key = secretIn(replaced);
    expect(await works(key)).toBe(true);
    const again = await admin.send(page, form);
    expect([again.text.includes("It has already been shown"), secretIn(again)]).toEqual([true, undefined]);
    const keys = (await api("GET", `/service-accounts/${ORG}/robot/api-keys`)).body as { id: string }[];
    expect(keys).toHaveLength(3);
    const session = await signedIn(service, key ?? "");
    for (const { id } of keys) {
      const wrong = await admin.send(page, { act: "revoke", key: id, [`revoke-${id}`]: "" });
      expect(problemsOn(wrong)).toEqual({ [`revoke-${id}`]: "Type revoke to revoke the key" });
      expect(wrong.text).toContain("<details open><summary>Replace or revoke");
      const right = await admin.send(page, { act: "revoke", key: id, [`revoke-${id}`]: "revoke" });
      expect(outcome(right)).toEqual(to("/accounts/robot"));
    }
    expect(await works(key)).toBe(false);
    expect((await session.get(`/${ORG}`)).status).toBe(303);
  });

  it("change their role, and are deleted if their name is typed", async () => {
    const changed = await admin.send(page, { act: "update", privilege: "reader", description: "reads" });
    expect(outcome(changed)).toEqual(to("/accounts/robot"));
    expect((await api("GET", `/service-accounts/${ORG}/robot`)).body.privilege).toBe("reader");
    const wrong = await admin.send(page, { act: "delete", confirm: "admin" });
    expect([wrong.status, wrong.text.includes("Type the name of the account to delete it")]).toEqual([
      400,
      true,
    ]);
    expect(outcome(await admin.send(page, { act: "delete", confirm: "robot" }))).toEqual(to("/accounts"));
    expect((await admin.get(page)).status).toBe(404);
  });
});

describe("links", () => {
  const trail = `/${ORG}/flows/web/trails/v1`;
  const links = `/${ORG}/links`;

  it("are created once, shown once, and revoked after confirmation", async () => {
    const form = {
      ...formOn(await member.get(trail), "Create link"),
      for: "the <i>auditor</i>",
      action: links,
    };
    const refused = await member.send(trail, { ...form, until: "" });
    expect([refused.status, refused.text.includes("s last day")]).toEqual([400, true]);
    expect(refused.text).toContain('value="the &lt;i&gt;auditor&lt;/i&gt;"');
    const odd = await member.send(trail, { ...form, until: "soon" });
    expect([odd.status, odd.text.includes('value="soon"')]).toEqual([400, true]);
    const corrected = { ...formOn(odd, "Create link"), for: form.for, until: "2027-02-01", action: links };
    const link = await member.send(links, corrected);
    expect(link.headers["cache-control"]).toBe("no-store");
    const address = new URL(secretIn(link) ?? "");
    const again = await member.send(links, corrected);
    expect([again.text.includes("It has already been shown"), secretIn(again)]).toEqual([true, undefined]);
    expect((await api("GET", `/share-links/${ORG}`)).body.data).toHaveLength(1);
    expect((await reader.get(address.pathname)).status).toBe(303);
    const revoke = formOn(await member.get(links), "Revoke link");
    const confirm = `revoke-${revoke["revoke"]}`;
    const wrong = await member.send(links, { ...revoke, [confirm]: "yes" });
    expect([wrong.status, problemsOn(wrong)]).toEqual([400, { [confirm]: "Type revoke to revoke the link" }]);
    expect(outcome(await member.send(links, { ...revoke, [confirm]: "revoke" }))).toEqual(to("/links"));
    expect((await reader.get(address.pathname)).status).toBe(404);
    expect((await reader.get(links)).status).toBe(404);
  });
});

it("the audit log shows times as other pages do, and only what changed", async () => {
  const accounts = `/service-accounts/${ORG}`;
  await api("POST", accounts, { name: "nightly", description: "", privilege: "member" });
  const expires_at = Date.UTC(2098, 0, 31) / 1000;
  const { body: key } = await api("POST", `${accounts}/nightly/api-keys`, { description: "x", expires_at });
  const rotated = await api("POST", `${accounts}/nightly/api-keys/${key.id}/rotate`, {});
  expect(rotated.status).toBe(201);
  const { text } = await admin.get(`/${ORG}/audit-log?resource=nightly`);
  expect(text).toContain('<bdi>expires_at</bdi>: nothing → <time datetime="2098-01-31T00:00:00Z">');
  expect(text).toContain('<bdi>new_expires_at</bdi>: <span class="quiet">never</span>');
  expect(text).toContain("<bdi>privilege</bdi>: nothing → <bdi>member</bdi>");
  expect(text).not.toContain("nothing → nothing");
  const beyond = await admin.get(`/${ORG}/audit-log?resource=nightly&page=999`);
  expect(beyond.text).toContain("The pages of this list have no numbers.");
  expect(beyond.text).toContain('<a href="?resource=nightly">First page</a>');
});

it("a badge is shared as a badge, not as the page of its flow", async () => {
  const flow = `/${ORG}/flows/web`;
  const seen = await member.get(flow);
  expect(seen.text).toContain("Anyone with the link can see the badge");
  const form = { ...formOn(seen, "Create link"), kind: "badge", place: "web", until: "2027-02-01" };
  const made = await member.send(flow, { ...form, action: `/${ORG}/links` });
  expect(made.text).toContain("Shows the badge of the flow web until");
  expect((await member.get(`/${ORG}/links`)).text).toContain("<h1><bdi>Share links</bdi></h1>");
});

describe("a hook", () => {
  const hooks = `/${ORG}/hooks`;
  const listed = async () => (await api("GET", `/hooks/${ORG}`)).body;

  it("is created by admins, who see its secret once and its address always", async () => {
    expect((await member.get(hooks)).status).toBe(404);
    const wrong = await admin.send(hooks, { act: "create", name: "a b", kind: "sonar" });
    expect([wrong.status, wrong.text.includes('value="a b"')]).toEqual([400, true]);
    const form = { ...formOn(await admin.get(hooks), "Create hook"), name: "scanner", flow: "web" };
    const made = await admin.send(hooks, { ...form, kind: "sonar" });
    const [hook] = await listed();
    expect(hook).toMatchObject({ name: "scanner", kind: "sonar", flow_name: "web" });
    expect([made.headers["cache-control"], secretIn(made)?.length]).toEqual(["no-store", 43]);
    expect(made.text).toContain(`<code>${hook.url}</code>`);
    const again = await admin.send(hooks, { ...form, kind: "sonar" });
    expect([again.text.includes("It has already been shown"), secretIn(again)]).toEqual([true, undefined]);
    const seen = await admin.get(hooks);
    expect(seen.text).toContain(`<code>${hook.url}</code>`);
    expect(seen.text).not.toContain(secretIn(made));
    expect(seen.text).toMatch(/<datalist id="flow-known"><option value="web">/);
    const unknown = await admin.send(hooks, { ...form, kind: "jira" });
    expect(unknown.text).toContain('<span class="problem" id="kind-problem">Choose the sender</span>');
  });

  it("is deleted if its name is typed", async () => {
    const form = { act: "delete", hook: "scanner" };
    const wrong = await admin.send(hooks, { ...form, "delete-scanner": "other" });
    expect([wrong.status, wrong.text.includes("Type the name of the hook")]).toEqual([400, true]);
    expect(outcome(await admin.send(hooks, { ...form, "delete-scanner": "scanner" }))).toEqual(to("/hooks"));
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(["scans"]);
  });
});

describe("a notification rule", () => {
  const rule = `/${ORG}/actions/1`;

  it("sends an example, shows the answer as text, and sends it again", async () => {
    const sent = await member.send(rule, { act: "test" });
    expect(sent.status).toBe(200);
    expect(sent.text).toContain("<h1><bdi>Example not delivered</bdi></h1>");
    expect(sent.text).toMatch(/Failed<\/span> <bdi>127\.0\.0\.1[^<]*<\/bdi>: <bdi>Status 500<\/bdi>\./);
    const [, delivery = ""] = new RegExp(`href="(${rule}/deliveries/[^"]+)"`).exec(sent.text) ?? [];
    const seen = await member.get(delivery);
    expect(seen.text, "a member learns nothing about other systems").not.toContain("not today");
    expect((await admin.get(delivery)).text).toContain("&lt;b&gt;not today&lt;/b&gt;");
    const attempts = async () =>
      (await member.get(`${delivery}?format=csv&table=attempts`)).text.split("\r\n").length;
    const before = await attempts();
    const form = formOn(seen, "Redeliver now");
    expect((await member.send(delivery, form)).status).toBe(303);
    expect(await attempts()).toBe(before + 1);
    expect((await reader.get(delivery)).text).not.toContain(button("Redeliver now"));
    expect((await reader.send("/settings", { action: delivery })).status).toBe(403);
  });

  it("is enabled again, and recovers failures since a valid day", async () => {
    expect(outcome(await member.send(rule, { act: "enable" }))).toEqual(to("/actions/1"));
    const refused = await member.send(rule, { act: "recover", since: "yesterday" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("is not a valid day");
    expect(refused.text).toContain('value="yesterday"');
    expect((await member.send(rule, { act: "recover", since: "2027-01-01" })).text).toMatch(/due again\./);
  });

  it("shows its secrets once, and replaces them once", async () => {
    for (const name of ["Show signing keys", "Replace secrets"]) {
      const form = formOn(await admin.get(rule), name);
      const first = await admin.send(rule, form);
      expect([name, first.status, first.headers["cache-control"]]).toEqual([name, 200, "no-store"]);
      const again = await admin.send(rule, form);
      expect([name, again.text.includes("It has already been shown"), secretIn(again)]).toEqual([
        name,
        true,
        undefined,
      ]);
    }
  });

  it("is made with known names, edited, muted until a day, and says in words what it means", async () => {
    const list = await admin.get(`/${ORG}/actions`);
    expect(list.text).toContain("attestation recorded");
    expect(list.text).toContain('<option value="web"></option>');
    const made = {
      act: "create-env",
      "env-name": "sre",
      "env-targets": "https://hooks.slack.com/services/T/B/x",
    };
    const without = await admin.send(`/${ORG}/actions`, { ...made, "env-targets": "" });
    expect([without.status, without.text.includes("Set at least one target")]).toEqual([400, true]);
    expect(outcome(await admin.send(`/${ORG}/actions`, made))).toEqual(to("/actions"));
    const [, { number }] = (await api("GET", `/actions/${ORG}`)).body;
    const page = `/${ORG}/actions/${number}`;
    const stored = async () => (await api("GET", `/actions/${ORG}/${number}`)).body;
    expect(await stored()).toMatchObject({ type: "env", environments: [], triggers: [] });
    const seen = await admin.get(page);
    expect(seen.text).toContain("all events");
    expect(seen.text).toContain("all environments");
    const edit = {
      act: "edit",
      keep: "0",
      trigger: "ON_COMPLIANT_ENV",
      "watched[]": "prod",
      "env-targets": "sre@acme.example",
    };
    expect(outcome(await admin.send(page, edit))).toEqual(to(`/actions/${number}`));
    expect(await stored()).toMatchObject({
      ...{ name: "sre", environments: ["prod"], triggers: ["ON_COMPLIANT_ENV"] },
      targets: [
        { type: "SLACK", webhook: "https://hooks.slack.com/services/T/B/x" },
        { type: "EMAIL", emails: ["sre@acme.example"] },
      ],
    });
    expect((await admin.get(page)).text).toContain("environment becomes compliant");
    const past = await admin.send(page, { act: "mute", until: "2026-01-01" });
    expect([past.status, past.text.includes("must not be in the past")]).toEqual([400, true]);
    expect(outcome(await admin.send(page, { act: "mute", until: "2027-02-01" }))).toEqual(
      to(`/actions/${number}`),
    );
    expect((await admin.get(page)).text).toMatch(/Muted<\/span> No messages until <time/);
    expect(await stored()).toMatchObject({
      muted_until: Date.UTC(2027, 1, 2) / 1000,
      triggers: ["ON_COMPLIANT_ENV"],
    });
    expect((await admin.get(`/${ORG}/actions`)).text).toMatch(/>muted</i);
    const unmute = formOn(await admin.get(page), "Unmute");
    await admin.send(page, unmute);
    expect(await stored()).not.toHaveProperty("muted_until");
    await api("DELETE", `/actions/${ORG}/${number}`);
  });

  it("is a task for those who may repair it, until it is muted", async () => {
    const task = "Repair the notification rule";
    expect((await member.get(`/${ORG}`)).text).toContain(task);
    expect((await reader.get(`/${ORG}`)).text).not.toContain("Needs you");
    await member.send(rule, { act: "mute", until: "2027-02-01" });
    expect((await member.get(`/${ORG}`)).text).not.toContain(task);
  });

  it("is deleted if its name is typed", async () => {
    const wrong = await member.send(rule, { act: "delete", confirm: "1" });
    expect([wrong.status, wrong.text.includes("Type the name of the rule to delete it")]).toEqual([
      400,
      true,
    ]);
    expect(outcome(await member.send(rule, { act: "delete", confirm: "told" }))).toEqual(to("/actions"));
    expect((await member.get(rule)).status).toBe(404);
  });
});

describe("settings", () => {
  it("keep the selected colors, and no others", async () => {
    const guest = await signedIn(service, service.keys.reader);
    for (const [theme, attribute] of [
      ["dark", '<html lang="en" data-theme="dark">'],
      ["light", '<html lang="en" data-theme="light">'],
      ['"><script>', '<html lang="en" data-theme="light">'],
      ["system", '<html lang="en">'],
    ] as const) {
      const form = formOn(await guest.get("/settings"), "Save");
      expect((await guest.send("/settings", { ...form, theme })).status).toBe(303);
      const { text } = await guest.get("/settings");
      expect(text).toContain(attribute);
      const [, chosen = "system"] = /data-theme="(\w+)"/.exec(attribute) ?? [];
      expect(text).toContain(`<option value="${chosen}" selected>`);
    }
    guest.cookies.set("theme", 'dark"onload="x');
    expect((await guest.get("/settings")).text).toContain('<html lang="en">');
  });

  it("end another session, once or twice, and this one by signing out", async () => {
    const [here, there] = [
      await signedIn(service, service.keys.snapshotter),
      await signedIn(service, service.keys.snapshotter),
    ];
    const form = formOn(await here.get("/settings"), "End session");
    for (let time = 0; time < 2; time++) expect((await here.send("/settings", form)).status).toBe(303);
    expect((await there.get("/settings")).status).toBe(303);
    const out = formOn(await here.get("/settings"), "Sign out");
    expect((await here.send("/settings", { ...out, action: "/logout" })).headers["location"]).toBe("/login");
    expect((await here.get("/settings")).status).toBe(303);
  });
});

describe("an attestation", () => {
  it("is overridden once, with its name and a reason", async () => {
    const { data } = (await api("GET", `/attestations/${ORG}?flow_name=web&trail_name=v1`)).body;
    const page = `/${ORG}/flows/web/trails/v1/attestations/${data[0].attestation_id}`;
    expect((await reader.get(page)).text).not.toContain(button("Override"));
    const proof = formOn(await reader.get("/settings"), "Sign out");
    const fields = { confirm: "unit", compliant: "true", reason: "it is <fine>" };
    expect((await reader.send("/settings", { ...proof, ...fields, action: page })).status).toBe(403);
    const refused = await member.send(page, { ...fields, confirm: "units" });
    expect(refused.text).toContain("Type the name of the attestation to override it");
    expect(refused.text).toContain("<details open><summary>Override");
    expect(refused.text).toContain('value="it is &lt;fine&gt;"');
    const form = { ...formOn(await member.get(page), "Override"), ...fields };
    for (let time = 0; time < 2; time++) {
      expect(outcome(await member.send(page, form))).toEqual(to("/flows/web/trails/v1"));
    }
    const after = (await api("GET", `/attestations/${ORG}?flow_name=web&trail_name=v1`)).body.data;
    expect(after.map((each: { is_compliant: boolean }) => each.is_compliant).sort()).toEqual([false, true]);
  });
});

it("a flow is archived only if its name is typed, also when that is sent twice", async () => {
  await pipeline(service).flow("old");
  const form = { ...formOn(await member.get(`/${ORG}/flows/old`), "Archive"), confirm: "old" };
  expect(outcome(await member.send(`/${ORG}/flows/old`, form))).toEqual(to("/flows"));
  expect([303, 404, 409]).toContain(
    (await member.send(`/${ORG}/flows/web`, { ...form, action: `/${ORG}/flows/old` })).status,
  );
});
