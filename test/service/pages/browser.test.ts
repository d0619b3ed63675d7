import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginPersonSession } from "../../../src/service/people/members/person-sessions.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import { startBrowser } from "../../browser.ts";
import { pipeline } from "../requests.ts";
import { ORG, type TestService } from "../running-service.ts";
import { byParameters, crawl, kindOf } from "./crawl.ts";
import { adminClient, filledService } from "./filled.ts";
import { inviteTo } from "./people-records.ts";
import { signedIn } from "./visitor.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

let service: TestService;
let browser: Browser;
/** One page of each kind: the first that was found. */
let paths: string[];
let cookie: { name: string; value: string };
beforeAll(async () => {
  service = await filledService();
  const admin = await signedIn(service, service.keys.admin);
  const found = await crawl(admin, "/", byParameters);
  const isPage = ({ status, headers }: (typeof found)[number]) =>
    status === 200 && String(headers["content-type"]).startsWith("text/html");
  const pages = found.filter(isPage).map(({ path }) => path);
  const proven = pages.filter((path) => path.includes("/flows/proven/trails/t1"));
  paths = [
    ...new Set([
      ...new Map(pages.map((path) => [kindOf(path) + (path.includes("diff?") ? "?" : ""), path])).values(),
      ...proven,
    ]),
  ];
  const client = adminClient(service);
  paths.push("/login", "/login/device", await inviteTo(client).finally(() => client.close()));
  const [[name = "", value = ""] = []] = [...admin.cookies];
  cookie = { name, value };
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.dispose();
});

interface Look {
  readonly javaScriptEnabled?: boolean;
}

/** A browser in which the administrator is signed in. */
async function look(more: Look = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    colorScheme: "light",
    viewport: { width: 1280, height: 900 },
    locale: "en",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...more,
  });
  await context.addCookies([{ ...cookie, url: service.address }]);
  return context;
}

/** Opens every page, one after the other. */
async function onEach(context: BrowserContext, work: (page: Page, path: string) => Promise<unknown>) {
  const page = await context.newPage();
  for (const path of paths) {
    await page.goto(service.address + path);
    await work(page, path);
  }
  await context.close();
}

/** A page after load, in four variants: two of the same width differ only by colors. */
const LOOKS = [
  ["light", 1280, "all"],
  ["dark", 1280, "colors"],
  ["dark", 320, "colors"],
  ["light", 320, "all"],
] as const;
const RULES = {
  all: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  colors: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

async function faultsOf(page: Page, path: string, rules: keyof typeof RULES): Promise<string[]> {
  const options = JSON.stringify({ runOnly: RULES[rules], resultTypes: ["violations"], selectors: false });
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run(${options}).then((r) => r.violations)`,
  );
  return found.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`);
}

/** Notes the focus at the beginning of each press of a key, which is where the press before has moved it. */
const NOTE_FOCUS = `globalThis.focused = [];
  globalThis.noteFocus = () => { const e = document.activeElement; const s = getComputedStyle(e); const r = e.getBoundingClientRect();
    focused.push(e.type === "date" ? "a part of a date " + focused.length :
      e === document.body ? "nothing" : s.outlineStyle === "none" ? "without outline: " + e.outerHTML.slice(0, 80) : [r.x, r.y, e.outerHTML.slice(0, 80)].join(" ")); };
  addEventListener("keydown", noteFocus, true);`;

/** Elements that the Tab key does not reach, or reaches without an outline. */
async function unseenSteps(page: Page, path: string): Promise<string[]> {
  const unseen: string[] = [];
  const steps = await page.locator("a:visible, button:visible, input:visible, select:visible").count();
  // A page may focus a message or a field, from which Tab goes on.
  const before = Number(
    await page.evaluate(
      `[...document.querySelectorAll("a, button, input, select")].filter((e) => e.checkVisibility()
        && document.activeElement !== document.body && !(document.activeElement.compareDocumentPosition(e) & 4)).length`,
    ),
  );
  await page.evaluate(NOTE_FOCUS);
  const tabs = Math.min(steps - before, 25);
  for (let step = 0; step < tabs; step++) await page.keyboard.press("Tab");
  const focused: string[] = tabs > 0 ? await page.evaluate("noteFocus(), focused.slice(1)") : [];
  for (const [step, at] of focused.entries()) {
    if (at === "nothing" || at.startsWith("without outline")) unseen.push(`${path} step ${step}: ${at}`);
    if (at === focused[step - 1]) unseen.push(`${path} step ${step}: the focus does not move from ${at}`);
  }
  expect(focused).toHaveLength(Math.max(tabs, 0));
  return unseen;
}

/** The visible text of a page, with times as they are recorded. */
async function textOf(page: Page, path: string): Promise<string> {
  await page.evaluate(
    "for (const time of document.querySelectorAll('time')) time.textContent = time.dateTime;",
  );
  const text = `${path}: ${await page.locator("main").innerText()}`;
  const ofScripts = /Pause This page updates automatically\./g;
  return text.replaceAll(/\s+/g, " ").replaceAll(ofScripts, "").replaceAll(/\s+/g, " ");
}

describe("every kind of page", () => {
  // A browser is slow for each page, so that one visit checks everything.
  const faults = LOOKS.map((): string[] => []);
  const wide: string[] = [];
  const violations: string[] = [];
  const unseen: string[] = [];
  const texts: string[] = [];
  beforeAll(async () => {
    const context = await look();
    await context.exposeFunction("violated", (text: string) => violations.push(text));
    await context.addInitScript(
      "document.addEventListener('securitypolicyviolation', (e) => violated(`${location.pathname} ${e.violatedDirective} ${e.blockedURI}`))",
    );
    context.on("page", (page) => {
      page.on("dialog", (dialog) => violations.push(`a dialog: ${dialog.message()}`));
      page.on("pageerror", (error) => violations.push(`${page.url()}: ${error.message}`));
      page.on("request", (request) => {
        if (!request.url().startsWith(service.address)) violations.push(`asked ${request.url()}`);
      });
    });
    await onEach(context, async (page, path) => {
      texts.push(await textOf(page, path));
      unseen.push(...(await unseenSteps(page, path)));
      await page.evaluate(AXE);
      for (const [index, [colorScheme, width, rules]] of LOOKS.entries()) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        faults[index]?.push(...(await faultsOf(page, path, rules)));
      }
      const needed = await page.evaluate("document.documentElement.scrollWidth");
      if (Number(needed) > 320) wide.push(`${path}: ${needed}`);
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  }, 240_000);

  it.each(LOOKS.map(([...look], index) => [...look, index] as const))(
    "has no fault that axe knows, %s and %i pixels wide",
    (_, __, ___, index) => expect(faults[index]).toEqual([]),
  );

  it("fits a screen of 320 pixels: only elements with a scroll bar are wider", () => {
    expect(wide).toEqual([]);
  });

  it("runs nothing that users wrote, and needs nothing that its policy forbids", () => {
    expect(violations).toEqual([]);
  });

  it("shows the same without JavaScript", async () => {
    const without: string[] = [];
    await onEach(await look({ javaScriptEnabled: false }), async (page, path) =>
      without.push(await textOf(page, path)),
    );
    expect(without).toEqual(texts);
  });

  it("can be used by keyboard, with a visible focus", () => {
    expect(unseen).toEqual([]);
  });
});

describe("shortcuts", () => {
  it("a slash focuses the search, and the first Tab a link that skips the navigation", async () => {
    const context = await look();
    const page = await context.newPage();
    await page.goto(`${service.address}/${ORG}/flows`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("q");
    await context.close();
  });

  it("an environment refreshes itself, but not while the reader uses it, nor when switched off", async () => {
    const context = await look();
    const page = await context.newPage();
    await page.clock.install({ time: service.clock.time * 1000 });
    await page.goto(`${service.address}/${ORG}/environments/prod`);
    const latest = page.locator("#snapshots tbody tr").first().locator("th");
    const { report } = pipeline(service);
    let count = 0;
    const next = () =>
      report("prod", [
        {
          podName: `p${++count}`,
          namespace: "n",
          digests: { [`new:${count}`]: count.toString(16).padStart(64, "0") },
          creationTimestamp: 1,
        },
      ]);
    const before = Number(await latest.innerText());
    await next();
    await page.clock.runFor(20_000);
    await expect.poll(() => latest.innerText()).toBe(String(before + 1));
    expect(await page.getByRole("status").innerText()).toBe("Changed from Compliant to Non-compliant.");
    await next();
    await latest.getByRole("link").focus();
    await page.clock.runFor(20_000);
    expect(await page.evaluate("document.activeElement.textContent")).toBe(String(before + 1));
    await page.getByRole("button", { name: "Pause" }).click();
    await page.clock.runFor(20_000);
    expect(await latest.innerText()).toBe(String(before + 1));
    await page.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => latest.innerText()).toBe(String(before + 2));
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Pause");
    await context.close();
  });

  it("a user signs in and out by keyboard only", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.address}/${ORG}/flows`);
    await page.locator("summary", { hasText: "Sign in with an API key" }).press("Enter");
    await page.getByLabel("API key").fill(service.keys.reader);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.address}/${ORG}/flows`);
    expect(await page.locator("h1").innerText()).toBe("Flows");
    await context.close();
  });
});

it("results stay on screen beside a subject and a branch of one long word", async () => {
  const git_commit_info = { sha1: "c".repeat(40), message: "s".repeat(200), branch: "b".repeat(200) };
  await pipeline(service).attest("long-words", "v1", { attestation_name: "unit" });
  await pipeline(service).trail("long-words", "v1", { git_commit_info });
  const context = await look();
  const page = await context.newPage();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${service.address}/${ORG}/flows/long-words`);
    const box = await page.locator("table .verdict").first().boundingBox();
    expect(box && box.x + box.width, `at ${width} pixels`).toBeLessThan(width);
  }
  await context.close();
});

it("the page for the code of a command line has no fault for a person", async () => {
  const store = await openDataFolder(service.dataFolder);
  const token = await store.write(async (db) => {
    const person = await db.selectFrom("people").select("id").executeTakeFirstOrThrow();
    return beginPersonSession(db, {
      ...{ kind: "browser", personId: person.id, now: service.clock.time, client: null, address: null },
      ...{ provider: "company", provider_session: null, id_token: null },
    });
  });
  await store.close();
  const context = await look();
  await context.addCookies([{ name: cookie.name, value: token, url: service.address }]);
  const page = await context.newPage();
  const faults: string[] = [];
  for (const [colorScheme, width, rules] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${service.address}/login/device`);
    expect(await page.getByLabel("Code", { exact: true }).count()).toBe(1);
    await page.evaluate(AXE);
    faults.push(...(await faultsOf(page, `${colorScheme} ${width}`, rules)));
  }
  await context.close();
  expect(faults).toEqual([]);
});
