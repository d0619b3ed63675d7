import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../../../browser.ts";
import { startLoginProvider, type TestProvider } from "../../../identity/login-provider.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

let provider: TestProvider;
let service: TestService;
let browser: Browser;
beforeAll(async () => {
  provider = await startLoginProvider();
  service = await startTestService({}, { loginProviders: [provider.settings()] });
  await provider.allow(service.address);
  browser = await startBrowser();
}, 240_000);
afterAll(async () => {
  await browser.close();
  await service.dispose();
  await provider.close();
});

async function newPage(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: "en" });
  return { context, page: await context.newPage() };
}

/** Fills the provider's own forms. */
async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("x");
  await page.locator("button[type=submit]").click();
  await page.locator("button[type=submit]").click();
}

const main = (page: Page) => page.locator("main").innerText();

describe("a colleague", () => {
  it("is invited, signs in, gets another role, and loses the access", async () => {
    const { page: admin } = await newPage();
    await admin.goto(`${service.address}/login`);
    await admin.getByText("Sign in with an API key").click();
    await admin.getByLabel("API key").fill(service.keys.admin);
    await admin.keyboard.press("Enter");
    await admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "People" }).click();
    await admin.getByLabel("Email").fill("zoe@");
    await admin.getByRole("button", { name: "Create invitation" }).click();
    expect(await admin.getByLabel("Email").evaluate((field) => field.matches(":invalid"))).toBe(true);
    await admin.getByLabel("Email").fill("zoe@example.com");
    await admin.getByLabel("Role", { exact: true }).selectOption("reader");
    await admin.getByRole("button", { name: "Create invitation" }).click();
    const link = await admin.getByLabel("Invitation of zoe@example.com", { exact: true }).inputValue();

    provider.people.set("zoe", { name: "Zoe Braun" });
    const { page: zoe } = await newPage();
    await zoe.goto(link);
    expect(await main(zoe)).toMatch(/Join acme as reader\?[\s\S]*reader[\s\S]*zoe@example.com/);
    await zoe.getByRole("link", { name: "Sign in with Acme" }).click();
    await signInAtProvider(zoe, "zoe");
    await zoe.waitForURL(`${service.address}/${ORG}`);
    expect(await zoe.getByRole("link", { name: "People" }).count()).toBe(0);

    await admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "People" }).click();
    await admin.getByRole("link", { name: "Zoe Braun" }).click();
    expect(await admin.locator("#memberships tbody").innerText()).toMatch(/invited by admin\s+reader/);
    await admin.getByText("Change role").click();
    await admin.getByLabel("Role", { exact: true }).selectOption("member");
    await admin.getByRole("button", { name: "Save" }).click();
    expect(await admin.locator("#memberships tbody").innerText()).toMatch(/given by admin\s+member/);
    await zoe.reload();
    expect(await zoe.getByRole("link", { name: "People" }).count()).toBe(1);

    await admin.locator("summary", { hasText: "End access" }).click();
    await admin.getByLabel("Type Zoe Braun to confirm").fill("Zoe");
    await admin.getByRole("button", { name: "End access" }).click();
    expect(await main(admin)).toContain("Type the name of the person to end the access");
    await admin.getByLabel("Type Zoe Braun to confirm").fill("Zoe Braun");
    await admin.getByRole("button", { name: "End access" }).click();
    await admin.waitForURL(`${service.address}/${ORG}/people`);
    expect(await main(admin)).not.toContain("Zoe Braun");

    await zoe.getByRole("link", { name: "Flows" }).click();
    expect(await main(zoe)).toMatch(/^Sign in\b/);
    await zoe.goto(link);
    expect(await main(zoe)).toContain("was used or revoked, or has expired");
  });
});
