import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send } from "../requests.ts";
import { ORG, OTHER_ORG, type TestService } from "../running-service.ts";
import { byParameters, crawl, type Found } from "./crawl.ts";
import { adminClient, filledService } from "./filled.ts";
import { inviteTo } from "./people-records.ts";
import { signedIn, type Visitor, visitor } from "./visitor.ts";

let service: TestService;
let admin: Visitor;
let pages: Found[];
/** Pages that no page links to. */
let entries: Found[];
beforeAll(async () => {
  service = await filledService();
  admin = await signedIn(service, service.keys.admin);
  pages = await crawl(admin, "/");
  const client = adminClient(service);
  const invitation = await inviteTo(client).finally(() => client.close());
  const guest = visitor(service);
  const from = "a person";
  entries = [
    { path: "/login", from, ...(await guest.get("/login")) },
    { path: "/login/device", from, ...(await admin.get("/login/device")) },
    { path: invitation, from, ...(await guest.get(invitation)) },
    { path: "/invitations/used", from, ...(await guest.get("/invitations/used")) },
  ];
});
afterAll(() => service.dispose());

/** Prepares the rules once for all pages: the library's own loader reads the table of elements for each page. */
class SameRules extends StaticConfigLoader {
  private prepared: ReturnType<StaticConfigLoader["getConfigFor"]> | undefined;

  override getConfigFor(page: string) {
    this.prepared ??= super.getConfigFor(page);
    return this.prepared;
  }
}

const isHtml = ({ status, headers }: Found) =>
  status === 200 && String(headers["content-type"]).startsWith("text/html");
const html = () => pages.filter(isHtml);
/** One page for each path and each set of parameters. */
const distinct = () => [...new Map(html().map((page) => [byParameters(page.path), page])).values()];

describe("every linked page", () => {
  it("exists", () => {
    expect(html().length).toBeGreaterThan(50);
    const proven = html().filter(({ text }) => text.includes("<dt>Origin</dt><dd><span"));
    const kinds = proven.map(({ path }) => path.replaceAll(/[0-9a-f-]{32,}|proven|\d+/g, "*"));
    expect([...new Set(kinds)].sort()).toEqual([
      `/${ORG}/approvals/*/*`,
      `/${ORG}/environments/*/snapshots/*`,
      `/${ORG}/flows/*/artifacts/*`,
      `/${ORG}/flows/*/trails/t*`,
      `/${ORG}/flows/*/trails/t*/attestations/*`,
    ]);
    const missing = pages.filter(({ status }) => status !== 200 && status !== 303 && status !== 302);
    expect(missing.map(({ path, from, status }) => `${status} ${path} (from ${from})`)).toEqual([]);
  });

  it("is found also if it is about people", () => {
    const found = html().map(({ path }) => path.replace(/[0-9a-f-]{32,}/, "*"));
    const wanted = ["people", "people/*", "accounts", "login-providers"].map((step) => `/${ORG}/${step}`);
    expect(found).toEqual(expect.arrayContaining(wanted));
  });

  it("is valid HTML", async () => {
    const rules = new SameRules({
      extends: ["html-validate:recommended"],
      rules: {
        // The doctype and void elements are in the shortest form that the standard has.
        "doctype-style": "off",
        "void-style": "off",
        "no-trailing-whitespace": "off",
        // Texts of users may have any length.
        "long-title": "off",
        "attribute-boolean-style": "off",
        // A scrollable region takes the focus, so that it can be scrolled by keyboard.
        "no-redundant-role": "error",
        // Several options of one name may be selected.
        "form-dup-name": ["error", { shared: ["radio", "checkbox", "button", "reset", "submit"] }],
      },
    });
    const validator = new HtmlValidate(rules);
    const problems: string[] = [];
    expect(entries.map(({ status }) => status)).toEqual([200, 403, 200, 404]);
    for (const { path, text } of [...distinct(), ...entries]) {
      const { results } = await validator.validateString(text);
      for (const { messages } of results) {
        for (const { ruleId, message, line } of messages)
          problems.push(`${path}:${line} ${ruleId}: ${message}`);
      }
    }
    expect(problems.slice(0, 40)).toEqual([]);
  });

  it("runs nothing and forges nothing from users' text", () => {
    const wrong = html().flatMap(({ path, text }) => {
      // The values of fields are unchanged.
      const shown = text.replaceAll(
        /<(?:input|button|option)\b[^>]*>|<textarea\b[^>]*>[^<]*<\/textarea>/g,
        "",
      );
      const at = shown.search(
        /<img|<script(?! src="\/assets\/page\.[0-9a-f]{16}\.js" type="module"><\/script>)|href="(?!\/|\?|#|https?:\/\/)|javascript:[^<]*"|\u202e|\sstyle=|\son\w+="/i,
      );
      return at === -1 ? [] : [`${path}: ${shown.slice(Math.max(0, at - 40), at + 60)}`];
    });
    expect(wrong).toEqual([]);
  });

  it("shows how to get it as JSON, and how to create or read it in a workflow or on the command line", () => {
    const without = (wanted: RegExp) => html().filter(({ text }) => !wanted.test(text));
    // Queries that were not sent yet have no result.
    const isSomething = ({ path }: Found) => !/^\/acme\/(diff|search)$/.test(path);
    const asJson = without(/<summary>This page as JSON<\/summary>[\s\S]*?<code>curl -H/).filter(isSomething);
    expect(asJson.map(({ path }) => path)).toEqual([]);
    const howTo = without(/<footer>\s*<details><summary>(?!This page as JSON)/);
    expect(howTo.map(({ path }) => path)).toEqual(["/settings"]);
  });

  it("has one heading and a unique title", () => {
    const odd = html().filter(({ text }) => text.split("<h1>").length !== 2);
    expect(odd.map(({ path }) => path)).toEqual([]);
    const untitled = html().filter(({ text }) => !/<title>[^<]+<\/title>/.test(text));
    expect(untitled.map(({ path }) => path)).toEqual([]);
  });

  it("is sent with all headers that prevent scripts and leaks", () => {
    for (const { path, headers } of html()) {
      expect([path, headers["content-security-policy"]]).toEqual([
        path,
        expect.stringMatching(
          /^default-src 'none'; script-src 'self'; style-src 'self';.*trusted-types 'none'$/,
        ),
      ]);
      expect([path, headers["x-content-type-options"]]).toEqual([path, "nosniff"]);
      expect([path, headers["cache-control"]]).toEqual([path, expect.stringMatching(/^private|^no-store/)]);
    }
  });
});

describe("a visitor without access to a page", () => {
  it("is redirected to sign-in if anonymous", async () => {
    const guest = visitor(service);
    for (const { path } of distinct()) {
      if (path === "/login") continue;
      const { status, headers } = await guest.get(path);
      expect([path, status, headers["location"]]).toEqual([
        path,
        303,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
    }
  });

  it("of another organization gets the same response as for a missing page", async () => {
    const stranger = await signedIn(service, service.keys.stranger);
    const nothing = (await stranger.get("/nobody/flows")).text;
    for (const { path } of distinct().filter((each) => each.path.startsWith(`/${ORG}`))) {
      const { status, text } = await stranger.get(path);
      expect([path, status, text === nothing]).toEqual([path, 404, true]);
    }
    expect((await stranger.get(`/${OTHER_ORG}`)).status).toBe(200);
  });

  it.each(["reader", "snapshotter", "member"] as const)("as a %s can open every link", async (role) => {
    const found = await crawl(await signedIn(service, service.keys[role]), "/", byParameters);
    const missing = found.filter(({ status }) => status !== 200 && status !== 303 && status !== 302);
    expect(missing.map(({ path, from, status }) => `${status} ${path} (from ${from})`)).toEqual([]);
  });

  it.each([
    ["trail", "web", "v1", "/flows/web/trails/v1"],
    ["environment", "prod", undefined, "/environments/prod"],
  ])(
    "with a share link of a %s can open every link, and has no form for other pages",
    async (kind, place, name, path) => {
      const { body } = await send(service, {
        method: "POST",
        path: `/share-links/${ORG}`,
        key: service.keys.admin,
        json: { kind, place, expires_at: service.clock.time + 3600, ...(name && { name }) },
      });
      const guest = visitor(service);
      await guest.get(body.url);
      const found = await crawl(guest, `/${ORG}${path}`);
      expect(found.length).toBeGreaterThan(3);
      const missing = found.filter(({ status }) => status !== 200 && status !== 303);
      expect(missing.map(({ path, from, status }) => `${status} ${path} (from ${from})`)).toEqual([]);
      const forms = found.flatMap(({ text }) => [...text.matchAll(/<form [^>]*>/g)].map(([form]) => form));
      expect(forms.filter((form) => !form.startsWith('<form class="filter" method="get" aria-'))).toEqual([]);
    },
  );
});
