import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../../browser.ts";
import { ORG, type TestService } from "../running-service.ts";
import { companyService } from "./company.ts";
import { filterCases } from "./filter-cases.ts";

let service: TestService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Clicks and keys that submit a form, since the home page. */
let steps = 0;
beforeAll(async () => {
  service = await companyService();
  browser = await startBrowser();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en" });
  page = await context.newPage();
  await page.goto(`${service.address}/login`);
  await page.getByText("Sign in with an API key").click();
  await page.getByLabel("API key").fill(service.keys.admin);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${service.address}/${ORG}`);
}, 240_000);
afterAll(async () => {
  await browser.close();
  await service.dispose();
});

async function home(): Promise<void> {
  await page.goto(`${service.address}/${ORG}`);
  steps = 0;
}

async function follow(name: string | RegExp): Promise<void> {
  await page
    .getByRole("link", { name, exact: typeof name === "string" })
    .first()
    .click();
  steps++;
}

async function press(name: string): Promise<void> {
  await page.locator("main").getByRole("button", { name }).click();
  steps++;
}

async function search(text: string): Promise<void> {
  await page.locator("header").getByRole("searchbox").fill(text);
  await page.keyboard.press("Enter");
  await page.waitForURL(/search|trails/);
  steps++;
}

const main = () => page.locator("main").innerText();

describe("the everyday tasks", () => {
  it("is it getting better: on the home page, without a click", async () => {
    await home();
    const text = await main();
    expect(text).toMatch(
      /Trails compliant\s+\d+%\s+last week, \d+ points? (more|fewer) than the week before/,
    );
    expect(
      await page
        .getByRole("group", { name: /Trails of the last 12 weeks/ })
        .getByRole("link")
        .count(),
    ).toBe(12);
    expect(text).toMatch(/Fix production: it runs artifacts that its policies refuse/);
    expect(steps).toBe(0);
  });

  it("why is my gate shut, what do I do: on the page that the job links", async () => {
    const bad = await page.request.get(
      `${service.address}/api/v2/trails/${ORG}?compliance_state=NON-COMPLIANT`,
      { headers: { authorization: `Bearer ${service.keys.reader}` } },
    );
    const [trail] = (await bad.json()).data;
    await page.goto(trail.html_url);
    const band = page.locator(".band");
    expect(await band.innerText()).toMatch(/Non-compliant \S+.* failed: .+\./);
    expect(await band.getByRole("link").allInnerTexts()).toEqual([
      expect.stringMatching(/^[\w-]+$/),
      "Open the run",
      expect.stringMatching(/^Override /),
      "See how to fix it",
    ]);
  });

  it("what runs in production, who approved it: one page", async () => {
    await home();
    await follow("production");
    const rows = await page.locator("#running tbody tr").allInnerTexts();
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(row).toMatch(/reviewed by|Not reviewed|Unknown origin|unknown origin/);
    expect(rows.some((row) => /approved by \w+/.test(row))).toBe(true);
    expect(rows.join()).not.toContain("external://");
    expect(await page.locator(".band").innerText()).toMatch(/\d+ of 13 artifacts may not run here\./);
    expect(steps).toBe(1);
  });

  it("deployments without a review last quarter: one page, two filters", async () => {
    await home();
    await follow("Deployments");
    await page.getByLabel("Review", { exact: true }).selectOption("None");
    await page.getByLabel("Period", { exact: true }).selectOption("Last quarter");
    await press("Apply");
    const rows = await page.locator("#deployments tbody tr").allInnerTexts();
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) expect(row).toContain("Not reviewed");
    const { pathname, search: query } = new URL(page.url());
    const csv = await page.request.get(`${service.address}${pathname}${query}&format=csv&table=deployments`);
    const total = Number(/of (\d+)/.exec(await main())?.[1]);
    expect((await csv.text()).trim().split("\r\n")).toHaveLength(total + 1);
    expect(steps).toBe(2);
  });

  it("what changed between two snapshots: two picks", async () => {
    await home();
    await follow("production");
    await page.getByLabel("from snapshot 30").check();
    await page.getByLabel("to snapshot 40").check();
    await press("Compare the two picked snapshots");
    const [row = ""] = await page.locator("#changed tbody tr").allInnerTexts();
    expect(row).toMatch(/^\S+\s+[0-9a-f]{7}\s+[0-9a-f]{7}\s+Commits/);
    expect(steps).toBe(2);
  });

  it.each([
    ["a release, by the subject of its commit", "score refunds", /search/],
    ["all trails of a Jira ticket", "core-596", /search/],
    ["a pull request", "#496", /search/],
  ])("%s: a search", async (_, text, where) => {
    await home();
    await search(text);
    await page.waitForURL(where);
    const [first = ""] = await page.locator("#found-trail tbody tr").allInnerTexts();
    expect(first.toLowerCase()).toContain(text);
    expect(steps).toBe(1);
  });

  it("who changed the policy, and what: two clicks", async () => {
    const form = new FormData();
    form.set("payload", JSON.stringify({ name: "production", description: "", comment: "also tests" }));
    form.set(
      "policy_file",
      new Blob([
        "_schema: https://evidence.example.com/api/v2/schemas/environment-policy/v1\nartifacts:\n  provenance:\n    required: true\n",
      ]),
      "policy.yml",
    );
    const headers = { authorization: `Bearer ${service.keys.admin}` };
    const changed = await fetch(`${service.address}/api/v2/policies/${ORG}`, {
      method: "PUT",
      body: form,
      headers,
    });
    expect(changed.ok).toBe(true);
    await home();
    await follow("Policies");
    await page.locator("main").getByRole("link", { name: "production" }).click();
    const text = await main();
    expect(text).toContain("Changes from version 1");
    expect(text).toMatch(/By admin .*: also tests/);
    expect(text).toMatch(/-\s+only in the version before:\s+trail-compliance:/);
  });

  it("rotate a leaked key: paste it, see its row", async () => {
    const headers = { authorization: `Bearer ${service.keys.admin}`, "content-type": "application/json" };
    const accounts = `${service.address}/api/v2/service-accounts/${ORG}`;
    await fetch(accounts, {
      method: "POST",
      headers,
      body: JSON.stringify({ name: "robot", privilege: "member" }),
    });
    const body = JSON.stringify({ description: "for the pipelines" });
    const made = await fetch(`${accounts}/robot/api-keys`, { method: "POST", headers, body });
    const { key, id } = (await made.json()) as { key: string; id: string };
    await home();
    await follow("Service accounts");
    await page.getByLabel("API key").fill(key);
    await press("Find key");
    expect(new URL(page.url()).hash).toBe(`#key-${id}`);
    expect(await page.locator("tr", { has: page.locator(":target") }).innerText()).toContain(
      "for the pipelines",
    );
    expect(steps).toBe(2);
    expect(await page.content()).not.toContain(key);
    await search(key);
    expect(await main()).toContain("This is an API key.");
    expect(await page.content()).not.toContain(key);
    expect(service.logged.join()).not.toContain(key);
  });

  it("a report for an auditor: its sample is the same for the same seed", async () => {
    await home();
    await follow("Reports");
    await page.getByLabel("Environment", { exact: true }).selectOption("production");
    await press("Apply");
    const sample = () => page.locator("#sample tbody tr").allInnerTexts();
    const first = await sample();
    expect(first).toHaveLength(25);
    await press("Apply");
    expect(await sample()).toEqual(first);
    await page.getByLabel("Seed", { exact: true }).fill("43");
    await press("Apply");
    expect(await sample()).not.toEqual(first);
    const archive = await page.request.get(`${page.url()}&format=archive`);
    expect(archive.headers()["content-type"]).toBe("application/gzip");
    await page.goto(`${service.address}/${ORG}/reports?from=2027-01-10&to=2027-01-01`);
    expect(await page.getByRole("alert").innerText()).toBe("The filter was not accepted. Check To.");
    expect(await page.getByLabel("To", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByText("The period ends before it begins").isVisible()).toBe(true);
  });

  it("what a colleague delivered last quarter: one list, and back to all by removing it", async () => {
    await home();
    await follow("Flows");
    await follow("checkout");
    await page.getByLabel("Author", { exact: true }).fill("zoe");
    await page.getByLabel("Period", { exact: true }).selectOption("From and to");
    await page.getByLabel("From", { exact: true }).fill("2026-10-01");
    await page.getByLabel("To", { exact: true }).fill("2026-12-31");
    await press("Apply");
    const rows = () => page.locator("#trails tbody tr").allInnerTexts();
    const found = await rows();
    expect(found.length).toBeGreaterThan(0);
    for (const row of found) expect(row).toContain("Zoe Braun");
    expect(await page.getByLabel("Author", { exact: true }).inputValue()).toBe("zoe");
    await follow(/^Remove Author/);
    expect((await rows()).length).toBeGreaterThan(found.length);
    await follow("Clear");
    expect(await page.locator("#trails .position").innerText()).toMatch(/^1–\d+ of \d+$/);
    expect(steps).toBe(5);
  });

  it("which services of a namespace may not run: one page, one filter", async () => {
    await home();
    await follow("production");
    await page.getByLabel("Namespace", { exact: true }).selectOption("shop");
    expect(await page.getByRole("status").innerText()).toBe("Updates are paused.");
    await page.getByLabel("Result", { exact: true }).selectOption("Non-compliant");
    await press("Apply");
    expect(await page.locator("#running .position").innerText()).toBe("1–1 of 1, 13 in all");
    expect(await page.locator(".band").innerText()).toContain("1 of 13 artifacts may not run here.");
    expect(steps).toBe(2);
  });
});

describe("on a phone", () => {
  const LISTS = {
    ...{ "/flows": "flows", "/flows/checkout": "trails", "/flows/checkout/artifacts": "artifacts" },
    ...{ "/environments": "environments", "/environments/production/snapshots": "snapshots" },
    ...{ "/environments/production": "running", "/deployments": "deployments", "/audit-log": "entries" },
    ...{ "/repos": "repos", "/policies": "policies", "/controls": "controls", "/accounts": "accounts" },
  };

  it("a list begins on the first screen, its filter unfolds, and its order can be changed", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, id] of Object.entries(LISTS)) {
      await page.goto(`${service.address}/${ORG}${path}`);
      const row = await page.locator(`#${id} tbody tr`).first().boundingBox();
      expect([path, row && row.y + 24 < 844]).toEqual([path, true]);
      const apply = page.getByRole("button", { name: "Apply" });
      expect([path, await apply.isVisible()]).toEqual([path, false]);
      await page.locator(".filter summary").click();
      expect([path, await apply.isVisible()]).toEqual([path, true]);
      const width = await page.locator("html").evaluate(({ scrollWidth }) => scrollWidth);
      expect([path, width]).toEqual([path, 390]);
    }
    await page.goto(`${service.address}/${ORG}/flows`);
    await page.getByRole("link", { name: "Latest activity" }).click();
    await page.waitForURL(/sort=latest_activity/);
    await page.locator(".filter summary").click();
    await page.getByLabel("Part of the name").fill("checkout");
    await press("Apply");
    await page.waitForURL(/name=checkout/);
    expect(page.url()).toContain("sort=latest_activity");
    expect(await page.locator("#flows tbody tr").count()).toBe(1);
  });

  it("bars begin with the latest week in view", async () => {
    await page.goto(`${service.address}/${ORG}/deployments`);
    const bars = page.locator("figure.recent a");
    const [first, last] = [await bars.first().boundingBox(), await bars.last().boundingBox()];
    expect([first && first.x < 0, last && last.x > 0 && last.x + last.width <= 390]).toEqual([true, true]);
  });
});

// Last, because they add records.
describe("the filters of lists", () => filterCases(() => service));
