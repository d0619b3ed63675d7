import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { addSecondChange } from "./second-change.ts";

/** A page of the service with content from the demo and a second change. */
interface ShownPage {
  readonly name: string;
  /** Texts of the links to follow from the organization's page. */
  readonly links: readonly RegExp[];
  /** Visible height in CSS pixels. */
  readonly height: number;
}

const SHOWN: readonly ShownPage[] = [
  { name: "page-organization", links: [], height: 750 },
  { name: "page-trail", links: [/^Flows$/, /^greeter$/, /^v1\.1\.0$/], height: 920 },
  { name: "page-environment", links: [/^Environments$/, /^production$/], height: 700 },
];

/**
 * Opens the main pages of a service that the demo has filled, each in light and dark.
 *
 * @param show receives each page with the name of its picture
 */
export async function showServicePages(
  browser: Browser,
  show: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const { address, key, stop } = await startDemo();
  try {
    await addSecondChange({ address, key });
    for (const scheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        colorScheme: scheme,
        // Otherwise pages that fade in would be captured too early.
        reducedMotion: "reduce",
        deviceScaleFactor: 1,
        locale: "en",
        timezoneId: "UTC",
      });
      const page = await context.newPage();
      await page.goto(`${address}/login`);
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      for (const { name, links, height } of SHOWN) {
        await page.setViewportSize({ width: 1280, height });
        await page.goto(`${address}/acme`);
        for (const text of links) await page.getByRole("link", { name: text }).first().click();
        await show(page, `${name}-${scheme}`);
      }
      await context.close();
    }
  } finally {
    stop();
  }
}

/** Runs the demo, which keeps its service running. */
async function startDemo(): Promise<{ address: string; key: string; stop(): void }> {
  const demo = spawn(process.execPath, [fileURLToPath(new URL("../demo.ts", import.meta.url)), "--keep"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  return new Promise((resolve, reject) => {
    // Read to the end, because unread output would end the demo.
    demo.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const [, address, key] = /Open (\S+)\/ and sign in with this key: (\S+)/.exec(output) ?? [];
      if (address !== undefined && key !== undefined) resolve({ address, key, stop: () => demo.kill() });
    });
    demo.once("exit", () => reject(new Error(`The demo ended:\n${output}`)));
  });
}
