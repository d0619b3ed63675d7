import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../../src/api/resources/operations.ts";
import { startBrowser } from "../../browser.ts";
import { startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

async function get(path: string, method = "GET") {
  const answer = await request(`${service.address}/api/v2${path}`, {
    method,
    dispatcher: service.dispatcher,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

/** The files that the page names. */
function namedIn(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, name = ""]) => name);
}

describe("the reference page", () => {
  it("is public, and may load and request nothing from elsewhere", async () => {
    const { status, headers, text } = await get("/doc/");
    expect({ status, type: headers["content-type"] }).toEqual({
      status: 200,
      type: "text/html; charset=utf-8",
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(text, "no inline script in the page").not.toMatch(/<script(?![^>]*\bsrc=)/);
  });

  it("is found without its last slash", async () => {
    const { status, headers } = await get("/doc");
    expect(status).toBe(308);
    expect(new URL(String(headers.location), `${service.address}/api/v2/doc`).pathname).toBe("/api/v2/doc/");
  });

  it("has files that browsers may cache forever, since their names change with their content", async () => {
    const names = namedIn((await get("/doc/")).text);
    expect(names.length).toBe(4);
    for (const name of names) {
      const { status, headers, text } = await get(`/doc/${name}`);
      expect({ name, status, nosniff: headers["x-content-type-options"] }).toEqual({
        name,
        status: 200,
        nosniff: "nosniff",
      });
      expect(name).toMatch(/\.[0-9a-f]{16}\.(js|css)$/);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(headers["content-type"]).toMatch(name.endsWith(".js") ? /^text\/javascript/ : /^text\/css/);
      expect(text.length).toBeGreaterThan(50);
    }
  });

  it("has no other files", async () => {
    for (const name of ["package.json", "..%2fpackage.json", "swagger-ui.css"]) {
      expect((await get(`/doc/${name}`)).status).toBe(404);
    }
  });
});

it("shows every operation in a browser, with nothing blocked by its policy and no foreign request", async () => {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(100_000);
    const complaints: string[] = [];
    const requested = new Set<string>();
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (sent) => {
      if (/^(https?|wss?):/.test(sent.url())) requested.add(new URL(sent.url()).origin);
    });
    await page.goto(`${service.address}/api/v2/doc`);
    await page.waitForSelector(".opblock");
    // A long list is rendered as far as it is visible.
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          const shown = await page.locator(".opblock-summary-operation-id").allInnerTexts();
          for (const name of shown) seen.add(name.replaceAll(/\s|\u200b/g, ""));
          await page.mouse.wheel(0, 400);
          return [...seen].sort();
        },
        { timeout: 100_000, interval: 20 },
      )
      .toEqual(Object.keys(operations).sort());
    const one = page.getByText("attestGeneric", { exact: true });
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, -400);
          return one.count();
        },
        { timeout: 100_000, interval: 20 },
      )
      .toBe(1);
    await one.click();
    await page.waitForSelector(".opblock-body .responses-wrapper");
    expect(await page.locator(".opblock-body").innerText()).toContain("data_json");
    expect(complaints).toEqual([]);
    expect([...requested]).toEqual([service.address]);
  } finally {
    await browser.close();
  }
}, 150_000); // A browser on a busy machine is slow.
