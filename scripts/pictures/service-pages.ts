import type { Browser, Page } from "playwright-core";
import { companyService } from "../../test/service/pages/company.ts";
import { ORG } from "../../test/service/running-service.ts";

/** A page of a service with the records of a company. */
interface ShownPage {
  readonly name: string;
  /** Below the organization. */
  readonly path: string;
  /** Text of a link to follow from there. */
  readonly link?: RegExp;
  /** Visible height in CSS pixels. */
  readonly height: number;
}

const SHOWN: readonly ShownPage[] = [
  { name: "page-organization", path: "", height: 960 },
  { name: "page-deployments", path: "/deployments?env=production", height: 900 },
  { name: "page-flow", path: "/flows/payments-api", height: 900 },
  { name: "page-trail", path: "/flows/payments-api?state=NON-COMPLIANT", link: /^PAY-/, height: 960 },
  { name: "page-environment", path: "/environments/production", height: 900 },
  { name: "page-compare", path: "/diff?a=production%2330&b=production%2340", height: 800 },
  { name: "page-search", path: "/search?q=refunds", height: 800 },
  { name: "page-reports", path: "/reports?env=production", height: 960 },
  { name: "page-policy", path: "/policies/production", height: 800 },
  { name: "page-environments", path: "/environments", height: 500 },
];

/**
 * Opens the main pages of a service with a company's records, each in light and dark.
 *
 * @param show receives each page with the name of its picture
 */
export async function showServicePages(
  browser: Browser,
  show: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const service = await companyService();
  try {
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
      // The records end at the clock of the service.
      await page.clock.setFixedTime(service.clock.time * 1000);
      await page.goto(`${service.address}/login`);
      await page.getByLabel("API key").fill(service.keys.admin);
      await page.getByRole("button", { name: "Sign in" }).click();
      for (const { name, path, link, height } of SHOWN) {
        await page.setViewportSize({ width: 1280, height });
        await page.goto(`${service.address}/${ORG}${path}`);
        if (link) await page.locator("main").getByRole("link", { name: link }).first().click();
        await show(page, `${name}-${scheme}`);
      }
      await context.close();
    }
  } finally {
    await service.dispose();
  }
}
