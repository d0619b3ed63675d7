import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { HOSTILE_EVALUATION } from "./hostile-records.ts";
import { signedIn, type Visitor, visitor } from "./visitor.ts";

const HOSTILE = `<script>alert(1)</script>"onload='x'\u202e`;
const SHOWN = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;onload=&#39;x&#39;\\u202e";
const TEMPLATE = "version: 1\ntrail:\n  attestations:\n    - name: unit\n      type: generic\n";

let service: TestService;
let reader: Visitor;
let admin: Visitor;
beforeAll(async () => {
  service = await startTestService();
  [reader, admin] = [
    await signedIn(service, service.keys.reader),
    await signedIn(service, service.keys.admin),
  ];
});
afterAll(() => service.dispose());

const ask = (method: string, path: string, json: object) =>
  send(service, { method, path, json, key: service.keys.admin });

async function flow(name: string, description = "") {
  await send(service, {
    method: "PUT",
    path: `/flows/${ORG}/template_file`,
    form: { name, description },
    files: [{ part: "template_file", name: "t.yml", content: TEMPLATE }],
  });
}

const trail = (flowName: string, name: string, branch = "main") =>
  send(service, {
    method: "PUT",
    path: `/trails/${ORG}/${flowName}`,
    form: {
      name,
      git_commit_info: { sha1: "a".repeat(40), message: `${HOSTILE}\nmore`, author: HOSTILE, branch },
    },
  });

const attest = (flowName: string, trailName: string, isCompliant: boolean) =>
  send(service, {
    method: "POST",
    path: `/attestations/${ORG}/${flowName}/trail/${trailName}/generic`,
    form: { attestation_name: "unit", is_compliant: isCompliant },
  });

describe("the page of an organization", () => {
  it("without records says so, and how to start", async () => {
    const { status, text } = await reader.get(`/${ORG}`);
    expect(status).toBe(200);
    expect(text).toContain("Nothing has been recorded yet.");
    expect(text).not.toContain("Nothing needs you");
    expect(text).toContain("No trails yet.");
    expect(text).toContain("actions/begin-trail@FULL_COMMIT_SHA");
  });

  it("lists tasks: non-compliant trails, expiring keys", async () => {
    await flow("shop");
    await trail("shop", "bad");
    await attest("shop", "bad", false);
    const account = `/service-accounts/${ORG}/attention`;
    await ask("POST", `/service-accounts/${ORG}`, { name: "attention" });
    await ask("POST", `${account}/api-keys`, {
      description: "ends tomorrow",
      expires_at: Math.floor(service.clock.time) + 86_400,
    });
    const seen = (await admin.get(`/${ORG}`)).text;
    expect(seen).toContain(`<a href="/${ORG}/flows/shop/trails/bad">`);
    expect(seen).toContain("ends tomorrow");
    for (const key of [service.keys.reader, service.keys.auditor]) {
      const { text } = await (await signedIn(service, key)).get(`/${ORG}`);
      expect(text, "may only read").not.toContain("Needs you");
    }
    const attester = (await (await signedIn(service, service.keys.attester)).get(`/${ORG}`)).text;
    expect(attester).toContain("Look at");
    expect(attester, "may not manage accounts").not.toContain("ends tomorrow");
  });

  it("counts environments with a result, and those without", async () => {
    await ask("PUT", `/environments/${ORG}`, { name: "new", type: "K8S", description: "" });
    expect((await reader.get(`/${ORG}`)).text).toMatch(
      /<p class="figure">–<\/p>\s*<p class="quiet">1 without a result yet<\/p>/,
    );
  });
});

describe("the page of a flow", () => {
  it("shows its result first, its trails, and its template with line numbers", async () => {
    await flow("web", HOSTILE);
    await trail("web", "v1");
    await attest("web", "v1", true);
    const { status, text } = await reader.get(`/${ORG}/flows/web`);
    expect(status).toBe(200);
    expect(text.indexOf("Compliant</span> Latest trail")).toBeGreaterThan(0);
    expect(text.indexOf("Compliant</span> Latest trail")).toBeLessThan(text.indexOf('<table id="trails">'));
    expect(text).toContain("<span>version: 1</span>");
    expect(text).toContain(SHOWN);
    expect(text).not.toContain("<script>alert");
  });

  it("shows the trails of one state, by page, and as CSV", async () => {
    await flow("many");
    await trail("many", "t0");
    // The others began later, so they are all on the first page.
    service.clock.time += 1;
    for (let number = 1; number < 51; number++) await trail("many", `t${number}`);
    await attest("many", "t7", true);
    const first = await reader.get(`/${ORG}/flows/many?state=INCOMPLETE`);
    const [, next = ""] = /<a rel="next" href="([^"]+)">/.exec(first.text.replaceAll("&amp;", "&")) ?? [];
    expect(next).toBe("");
    const all = await reader.get(`/${ORG}/flows/many`);
    expect(all.text.replaceAll("&amp;", "&")).toContain('<a rel="next" href="?page=2">');
    const { headers, text } = await reader.get(`/${ORG}/flows/many?page=2&format=csv&table=trails`);
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(text.split("\r\n").slice(0, 2)).toEqual([
      "Trail,State,Commit,Author,Branch,Created,Last changed",
      expect.stringMatching(/^t0,INCOMPLETE,a{40},/),
    ]);
  });

  it("archives the flow for those with the right who type its name", async () => {
    await flow("old");
    expect((await reader.get(`/${ORG}/flows/old`)).text).not.toContain("Archive this flow");
    const wrong = await admin.send(`/${ORG}/flows/old`, { confirm: "ol" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Type the name of the flow to archive it");
    const right = await admin.send(`/${ORG}/flows/old`, { confirm: "old" });
    expect({ status: right.status, location: right.headers["location"] }).toEqual({
      status: 303,
      location: `/${ORG}/flows`,
    });
    expect((await reader.get(`/${ORG}/flows`)).text).not.toContain(`/${ORG}/flows/old"`);
    const token = (await reader.get("/login")).text;
    expect(token).not.toContain("form_token");
  });

  it("ignores a form that is not from a page of the session, or from another site", async () => {
    await flow("kept");
    const page = `/${ORG}/flows/kept`;
    const forged = await admin.send(page, { confirm: "kept", form_token: "0".repeat(43) });
    const foreign = await admin.send(page, { confirm: "kept" }, { "sec-fetch-site": "cross-site" });
    const old = await admin.send(
      page,
      { confirm: "kept" },
      { "sec-fetch-site": "", origin: "https://evil.example" },
    );
    expect([forged.status, foreign.status, old.status]).toEqual([403, 403, 403]);
    expect((await reader.get(page)).text).not.toContain("It is archived");
  });
});

describe("the badge of a flow", () => {
  it("shows the latest trail of all, or of a branch", async () => {
    await flow("badged");
    await trail("badged", "good");
    await attest("badged", "good", true);
    service.clock.time += 1;
    await trail("badged", "bad", "feature");
    await attest("badged", "bad", false);
    const word = async (query: string) => {
      const { headers, text } = await reader.get(`/${ORG}/flows/badged/badge.svg${query}`);
      expect(headers["content-type"]).toBe("image/svg+xml");
      return /aria-label="delivery evidence: ([^"]+)"/.exec(text)?.[1];
    };
    expect(await word("")).toBe("non-compliant");
    expect(await word("?branch=main")).toBe("compliant");
    expect(await word("?branch=none")).toBe("unknown");
  });

  it("is visible with a link to it, and not otherwise", async () => {
    await flow("linked");
    const { body } = await ask("POST", `/share-links/${ORG}`, {
      kind: "badge",
      place: "linked",
      expires_at: service.clock.time + 60,
    });
    expect((await visitor(service).get(body.url)).status).toBe(200);
    expect((await visitor(service).get(body.url.replace("linked", "web"))).status).toBe(303);
    expect((await visitor(service).get(`/${ORG}/flows/linked/badge.svg`)).status).toBe(303);
  });
});

describe("policies and controls", () => {
  it("show their versions and decisions", async () => {
    await send(service, {
      method: "PUT",
      path: `/policies/${ORG}`,
      formPart: "payload",
      form: { name: "production", description: HOSTILE, comment: "first" },
      files: [
        {
          part: "policy_file",
          name: "p.yml",
          content:
            "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts:\n  provenance:\n    required: true\n",
        },
      ],
    });
    await ask("PUT", `/environments/${ORG}`, {
      name: "prod",
      type: "K8S",
      description: "",
      policies: ["production"],
    });
    expect((await reader.get(`/${ORG}/policies`)).text).toContain(`<a href="/${ORG}/policies/production">`);
    const { status, text } = await reader.get(`/${ORG}/policies/production`);
    expect(status).toBe(200);
    expect(text).toContain("Attached to one environment.");
    expect(text).toContain("<span>    required: true</span>");
    expect(text).toContain(SHOWN);
  });

  it("show decisions with their result and trail", async () => {
    await ask("POST", `/controls/${ORG}`, {
      identifier: "SDLC-7",
      name: HOSTILE,
      links: { handbook: "https://handbook.example/sdlc" },
    });
    await flow("decided");
    await trail("decided", "v1");
    await send(service, {
      method: "POST",
      path: `/attestations/${ORG}/decided/trail/v1/system`,
      form: {
        attestation_name: "review",
        type_name: "decision",
        control: "SDLC-7",
        attestation_data: { is_compliant: false, evaluation: HOSTILE_EVALUATION },
      },
    });
    const { status, text } = await reader.get(`/${ORG}/controls/SDLC-7`);
    expect(status).toBe(200);
    expect(text).toMatch(/Non-compliant<\/span> Latest decision/);
    expect(text).toContain(`<a href="/${ORG}/flows/decided/trails/v1">`);
    expect(text).toContain('<a href="https://handbook.example/sdlc" rel="noreferrer noopener nofollow ugc">');
    expect(text).toContain(SHOWN);
    expect((await reader.get(`/${ORG}/controls/none`)).status).toBe(404);
    const { body } = await send(service, { path: `/attestations/${ORG}/decided/trail/v1/review` });
    const path = `/flows/decided/trails/v1/attestations/${body[0].attestation_id}`;
    const shown = (await reader.get(`/${ORG}${path}`)).text;
    for (const each of [
      "Denied",
      "no review",
      "&lt;img src=x",
      "not published",
      "0".repeat(12),
      "opa 1.22.2",
    ])
      expect(shown.slice(shown.indexOf("<h2>Evaluation</h2>"))).toContain(each);
  });
});

describe("lists", () => {
  it("are sorted by their headings, in either direction", async () => {
    await flow("a-quiet");
    await flow("z-busy");
    await trail("z-busy", "v1");
    const names = async (query: string) =>
      (await reader.get(`/${ORG}/flows?format=csv&table=flows${query}`)).text
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",")[0])
        .filter((name) => name === "a-quiet" || name === "z-busy");
    const heads = async (query: string) =>
      [
        ...(await reader.get(`/${ORG}/flows${query}`)).text.matchAll(
          /<th scope="col"( aria-sort="\w+")?><a class="sort" href="([^"]+)">([\w ]+)/g,
        ),
      ].map(([, sort = "", href = "", head]) => `${head}${sort} ${href.replaceAll("&amp;", "&")}`);
    expect(await heads("")).toEqual([
      'Name aria-sort="ascending" ?direction=desc',
      "Latest activity ?sort=latest_activity",
    ]);
    expect(await heads("?sort=latest_activity&direction=desc")).toEqual([
      `Name /${ORG}/flows`,
      'Latest activity aria-sort="descending" ?sort=latest_activity',
    ]);
    expect(await names("&direction=desc")).toEqual(["z-busy", "a-quiet"]);
    expect(await names("&sort=latest_activity&direction=desc")).toEqual(["z-busy", "a-quiet"]);
    expect(await names("")).toEqual(["a-quiet", "z-busy"]);
  });
});

describe("an error", () => {
  it("is a page for people and JSON for programs, by their Accept header and path", async () => {
    const page = await reader.get(`/${ORG}/flows/nothing-such`);
    expect(page.status).toBe(404);
    expect(page.headers["content-type"]).toContain("text/html");
    for (const [path, accept] of [
      [`/${ORG}/flows/nothing-such`, "application/json"],
      [`/api/v2/flows/${ORG}/nothing-such`, "text/html"],
    ] as const) {
      const { headers, text } = await reader.get(path, { accept });
      expect([path, headers["content-type"]]).toEqual([path, "application/json"]);
      expect(JSON.parse(text)).toHaveProperty("message");
    }
  });
});
