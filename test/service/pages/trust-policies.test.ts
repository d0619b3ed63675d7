import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CI_SYSTEMS, ciIssuer } from "../../identity/ci-tokens.ts";
import { knownIssuer } from "../../identity/known-issuer.ts";
import { pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { HOSTILE } from "./hostile-records.ts";
import { formOn, problemsOn, type Seen, signedIn, type Visitor } from "./visitor.ts";

const { options, token } = knownIssuer();
const LIST = `/${ORG}/trust-policies`;
const DAY = 24 * 60 * 60;

let service: TestService;
let admin: Visitor;
let auditor: Visitor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signedIn(service, service.keys.admin);
  auditor = await signedIn(service, service.keys.auditor);
});
afterAll(() => service.dispose());

const api = (method: string, path: string, json?: object) =>
  send(service, { method, path, key: service.keys.admin, ...(json === undefined ? {} : { json }) });
const policy = async (name: string) => (await api("GET", `/trust-policies/${ORG}/${name}`)).body;
const led = ({ status, headers }: Seen) => ({ status, location: headers["location"] });
const exchange = () =>
  send(service, {
    method: "POST",
    path: "/oidc/token",
    json: { token: token(`${service.address}/${ORG}`), org: ORG },
    key: null,
  });

/** The fields of the form that creates one, as a browser sends them. */
const TYPED = {
  act: "create",
  name: "web",
  description: 'the "web"',
  issuer: options.url,
  repository: "acme/web",
  repository_id: "",
  repository_owner_id: "",
  role: "attester",
  reach: "named",
  flows: "web, api",
  environments: "",
  ref: "refs/heads/main",
  event: "push",
  environment: "",
  workflow: "",
  claims: "runner_environment=github-hosted\nref=refs/tags/v*",
  until: "2027-02-01",
};

describe("the trust policies", () => {
  it("are created once with the typed values; the input is kept when it is refused", async () => {
    for (const [wrong, why] of [
      [{ repository: "acme" }, "Must be OWNER/REPOSITORY"],
      [{ flows: "" }, "List flows or environments"],
      [{ claims: "nothing" }, "is not a claim"],
      [{ issuer: "https://else.example" }, "an issuer that the service trusts"],
      [{ until: "tomorrow" }, "is not a valid day"],
    ] as const) {
      const refused = await admin.send(LIST, { ...TYPED, ...wrong });
      expect([why, refused.status]).toEqual([why, 400]);
      expect(problemsOn(refused)).toEqual({ [Object.keys(wrong)[0] ?? ""]: expect.stringContaining(why) });
      expect(refused.text).toContain('value="the &quot;web&quot;"');
      expect(refused.text).toContain('value="refs/heads/main"');
      expect(refused.text).toContain('<option value="attester" selected>');
      if (!("claims" in wrong)) expect(refused.text).toContain("\nrunner_environment=github-hosted\n");
    }
    const form = { ...formOn(await admin.get(LIST), "Create trust policy"), ...TYPED };
    expect(led(await admin.send(LIST, form))).toEqual({ status: 303, location: `${LIST}/web` });
    expect((await admin.send(LIST, form)).status).toBe(409);
    expect(await policy("web")).toMatchObject({
      description: 'the "web"',
      repository: "acme/web",
      repository_id: null,
      role: "attester",
      flows: ["web", "api"],
      environments: [],
      claims: {
        ref: ["refs/heads/main", "refs/tags/v*"],
        event_name: "push",
        runner_environment: "github-hosted",
      },
      expires_at: Date.parse("2027-02-02") / 1000,
    });
  });

  it("show their workflow and rights, their uses, and the deadline of their first use", async () => {
    const list = async () => {
      const { text } = await admin.get(`${LIST}?format=csv&table=policies`);
      return text.split("\r\n").slice(1, -1);
    };
    expect(await list()).toEqual([
      'web,NOT PINNED,acme/web,attester,"flows web, api",never,0,2027-02-02 00:00:00 UTC',
    ]);
    const seen = await admin.get(`${LIST}/web`);
    expect(seen.text).toContain("Its first use sets the ids.");
    expect(seen.text).toMatch(/If it is not used before .*2027-01-16 08:00 UTC.*, it stops working/s);
    expect((await exchange()).status).toBe(200);
    expect((await list())[0]).toContain("web,WORKS,acme/web,");
    expect((await list())[0]).toContain(",2027-01-15 08:00:00 UTC,1,");
    const { text } = await admin.get(`${LIST}/web`);
    expect(text).toMatch(/<dt>Repository id<\/dt><dd><bdi>4711<\/bdi>/);
    expect(text).toMatch(/<dt>Owner id<\/dt><dd><bdi>815<\/bdi>/);
  });

  it("have an account whose page offers no key and no change, which are refused", async () => {
    for (const key of [service.keys.admin, service.keys.member]) {
      const { status, text } = await (await signedIn(service, key)).get(`/${ORG}/accounts/web`);
      expect(status).toBe(200);
      expect(text).toContain("This account belongs to the trust policy");
      for (const form of ["Create key", "Change the account", "Delete the account", "keys create"]) {
        expect(text).not.toContain(form);
      }
    }
    const own = await admin.get(`/${ORG}/accounts/member`);
    expect(own.text).toContain("Create key");
  });

  it("of an expired first use trusts no token, and shows the next step", async () => {
    await api("POST", `/trust-policies/${ORG}`, {
      name: "late",
      issuer: options.url,
      repository: "acme/late",
      flows: ["web"],
    });
    const start = service.clock.time;
    service.clock.time += DAY + 1;
    const guest = await signedIn(service, service.keys.admin);
    const { text } = await guest.get(`${LIST}/late`);
    service.clock.time = start;
    expect(text).toMatch(/Lapsed<\/span> It was not used within 24 hours/);
    expect(text).toContain("Set the ids, or save the policy");
  });

  it("are disabled and enabled, also when that is sent twice", async () => {
    for (const [button, enabled, word] of [
      ["Disable policy", false, "Disabled"],
      ["Enable policy", true, "Works"],
    ] as const) {
      const form = formOn(await admin.get(`${LIST}/web`), button);
      for (let time = 0; time < 2; time++) {
        expect(led(await admin.send(`${LIST}/web`, form))).toEqual({ status: 303, location: `${LIST}/web` });
        expect(await policy("web")).toMatchObject({
          enabled,
          repository_id: "4711",
          flows: ["web", "api"],
          claims: { event_name: "push" },
        });
      }
      expect((await admin.get(`${LIST}/web`)).text).toContain(`${word}</span>`);
    }
  });

  it("are changed by the form, with nothing else lost", async () => {
    const { text } = await admin.get(`${LIST}/web`);
    for (const shown of [
      'value="4711"',
      'value="web, api"',
      'value="push"',
      "ref=refs/tags/v*\n",
      'value="2027-02-01"',
    ])
      expect(text).toContain(shown);
    const { name: _, ...typed } = TYPED;
    const changed = {
      ...typed,
      act: "change",
      claims: "",
      flows: "",
      repository_id: "4711",
      repository_owner_id: "815",
    };
    const refused = await admin.send(`${LIST}/web`, changed);
    expect([refused.status, refused.text.includes("<details open><summary>Change this policy")]).toEqual([
      400,
      true,
    ]);
    expect((await admin.send(`${LIST}/web`, { ...changed, reach: "all", until: "" })).status).toBe(303);
    expect(await policy("web")).toMatchObject({
      ...{ flows: null, environments: null, expires_at: null, enabled: true, pinned_until: null },
      claims: { ref: "refs/heads/main", event_name: "push" },
    });
  });

  it("of another system name a project and its ids, and its records link the run", async () => {
    const ci = ciIssuer(() => service.clock.time);
    const { issuer, ids } = CI_SYSTEMS.buildkite;
    const project = "acme-inc/super-duper-app";
    const form = {
      ...{ ...TYPED, name: "app", issuer, project, flows: "app", claims: "", ref: "", event: "" },
      ...{ repository: "", jwks: JSON.stringify(ci.jwks), project_ids: "pipeline_id" },
    };
    expect(problemsOn(await admin.send(LIST, form))).toEqual({
      project_ids: expect.stringContaining("is not an id: write name=value, such as project_id=7"),
    });
    const lines = Object.entries(ids).map(([claim, id]) => `${claim}=${id}\r\n`);
    expect(led(await admin.send(LIST, { ...form, project_ids: lines.join("") }))).toMatchObject({
      status: 303,
    });
    const seen = await admin.get(`${LIST}/app`);
    expect(seen.text).toContain(`<dt>Trusts</dt><dd><bdi>${project} of ${issuer}</bdi>`);
    expect(seen.text).toContain(`value="${project}"`);
    expect(seen.text).toContain(lines.join("").replaceAll("\r", "").trimEnd());
    const changed = { ...form, act: "change", project_ids: lines.join(""), description: "changed" };
    expect(led(await admin.send(`${LIST}/app`, changed))).toMatchObject({ status: 303 });
    expect(await policy("app")).toMatchObject({ project, project_ids: ids, pinned_until: null });
    const aud = `${service.address}/${ORG}`;
    const json = { token: ci.token("buildkite", { aud }), org: ORG };
    const { body } = await send(service, { method: "POST", path: "/oidc/token", json, key: null });
    await pipeline(service, body.access_token).attest("app", "v1", {});
    const { text } = await admin.get(`/${ORG}/flows/app/trails/v1`);
    const run = "https://buildkite.com/acme-inc/super-duper-app/builds/5";
    expect(text).toMatch(new RegExp(`Verified</span> Proven by Buildkite: <a [^>]*href="${run}"`));
  });

  it("explain a pasted token, which is not stored, shown or logged", async () => {
    await api("POST", `/trust-policies/${ORG}`, {
      name: "tags",
      issuer: options.url,
      repository: "acme/web",
      claims: { ref: "refs/tags/*" },
    });
    const off = { name: "off", issuer: options.url, repository: "acme/web", enabled: false };
    await api("POST", `/trust-policies/${ORG}`, off);
    const pasted = token(`${service.address}/${ORG}`);
    const form = { ...formOn(await admin.get(LIST), "Explain token"), token: ` ${pasted}\n` };
    const explained = await admin.send(LIST, form);
    expect({ status: explained.status, kept: explained.headers["cache-control"] }).toEqual({
      status: 200,
      kept: "no-store",
    });
    expect(explained.text).toMatch(/Matches<\/span>/);
    expect(explained.text).toContain("is refs/heads/main; the policy &#39;tags&#39; requires refs/tags/*");
    expect(explained.text).toContain("&quot;run_id&quot;");
    const [, without = ""] = /Not evaluated:(.*?)<\/ul>/s.exec(explained.text) ?? [];
    expect(without).toMatch(/<bdi>off<\/bdi><\/a> <span class="verdict unknown">.*Disabled/s);
    expect(without).not.toContain("tags");
    const forged = `${pasted.slice(0, -8)}AAAAAAAA`;
    const refused = await admin.send(LIST, { ...form, token: forged });
    expect([refused.status, refused.text.includes('role="alert"')]).toEqual([400, true]);
    for (const each of [pasted, forged]) {
      expect(explained.text + refused.text + service.logged.join("\n")).not.toContain(each.slice(-60));
      expect(explained.text + refused.text).not.toContain(each.split(".")[1]);
    }
    const long = `eyJ${"secret".repeat(3_000)}`;
    const tooLong = await admin.send(LIST, { ...form, token: long });
    expect([tooLong.status, tooLong.text.includes("secretsecret")]).toEqual([400, false]);
    const log = (await api("GET", `/audit-log/${ORG}?per_page=100`)).text;
    expect(log).not.toContain(pasted.slice(-60));
  });

  it("explain a token of an outsider, whose names run nothing and reverse nothing", async () => {
    const claims = { repository: `${HOSTILE}/x`, ref: HOSTILE, workflow: HOSTILE, [HOSTILE]: HOSTILE };
    const { status, text } = await admin.send(LIST, {
      act: "explain",
      token: token(`${service.address}/${ORG}`, claims),
    });
    expect(status).toBe(200);
    expect(text).toContain("Does not match</span>");
    expect(text).toContain("is &lt;img src=x onerror=alert(1)&gt;");
    expect(text).not.toMatch(/<img|<script>|\u202e/);
  });

  it("are deleted if their name is typed", async () => {
    const wrong = await admin.send(`${LIST}/tags`, { act: "delete", confirm: "web" });
    expect([wrong.status, wrong.text.includes("Type the name of the policy to delete it")]).toEqual([
      400,
      true,
    ]);
    const form = { ...formOn(await admin.get(`${LIST}/tags`), "Delete policy"), confirm: "tags" };
    expect(led(await admin.send(`${LIST}/tags`, form))).toEqual({ status: 303, location: LIST });
    expect((await admin.get(`${LIST}/tags`)).status).toBe(404);
  });
});

describe("trust policies", () => {
  it("are visible to an auditor, without a form; other roles have no link and find none", async () => {
    expect((await auditor.get(`/${ORG}`)).text).toContain(`<a href="${LIST}">Trust policies</a>`);
    for (const path of [LIST, `${LIST}/web`]) {
      const { status, text } = await auditor.get(path);
      expect([path, status, text.includes('<form class="act')]).toEqual([path, 200, false]);
    }
    const proof = formOn(await auditor.get("/settings"), "Sign out");
    for (const fields of [TYPED, { act: "explain", token: "x" }]) {
      expect((await auditor.send("/settings", { ...proof, ...fields, action: LIST })).status).toBe(403);
    }
    for (const role of ["member", "reader", "snapshotter"] as const) {
      const guest = await signedIn(service, service.keys[role]);
      expect((await guest.get(`/${ORG}`)).text).not.toContain(LIST);
      expect([role, (await guest.get(LIST)).status]).toEqual([role, 404]);
      expect([role, (await guest.get(`${LIST}/web`)).status]).toEqual([role, 404]);
    }
  });
});
