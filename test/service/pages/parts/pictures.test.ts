/*
 * Compares pictures of all parts of the pages with those in this folder. To record them again, because a change of the
 * look is intended, run this file with RECORD_PARTS=true, and look at what changed.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageRoute } from "../../../../src/service/pages/page.ts";
import { routes } from "../../../../src/service/pages/routes.ts";
import { isPinnedBrowser, startBrowser } from "../../../browser.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { signedIn } from "../visitor.ts";
import { partsPage } from "./parts-page.ts";

const WIDTHS = [390, 768, 1280] as const;
const LOOKS = WIDTHS.flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => [width, scheme] as const),
);
type Look = (typeof LOOKS)[number];
/** A picture of it takes half the time of the widest. */
const SMALLEST: Look = [390, "light"];

/** Largest difference of two colors that are equal, from 0 to 1: three of 255 steps of a light gray. */
const SAME_COLOR = 0.01;
/** Pixels that may differ in any square of 32 by 32, besides those of edges that are smoothed otherwise. */
const MAX_DIFFERENT = { side: 32, pixels: 8 };

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Style rules for one page, one after the other. Without any it looks as before the others. */
const CHANGES = {
  "a color": ":root { --line: light-dark(#dde0e5, #29303a); }",
  "a padding": ".tile { padding-inline: 13px 14px; }",
  "a radius": ":root { --radius: 7px; }",
  "a height": ".card { padding-block-end: 13px; }",
  nothing: "/* as before */",
};

const isRecording = process.env["RECORD_PARTS"] === "true";

let service: TestService;
let browser: Browser;
let cookie: { name: string; value: string };
beforeAll(async () => {
  if (isRecording && process.env["CI"]) throw new Error("Pictures of the parts are not recorded in CI");
  service = await withPartsPage(() => startTestService());
  const admin = await signedIn(service, service.keys.admin);
  const [[name = "", value = ""] = []] = [...admin.cookies];
  cookie = { name, value };
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.dispose();
});

/** Adds the page to those that a new service serves. */
async function withPartsPage<T>(start: () => Promise<T>): Promise<T> {
  const all = routes as PageRoute[];
  all.push(partsPage);
  try {
    return await start();
  } finally {
    all.pop();
  }
}

/** Opens the page with the form refused, at a fixed time, without a blinking cursor. */
async function onParts<T>([width, colorScheme]: Look, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({
    bypassCSP: true,
    colorScheme,
    locale: "en",
    reducedMotion: "reduce",
    timezoneId: "UTC",
    viewport: { width, height: 900 },
  });
  try {
    await context.addCookies([{ ...cookie, url: service.address }]);
    const page = await context.newPage();
    await page.clock.setFixedTime(service.clock.time * 1000);
    await page.goto(`${service.address}/${ORG}/parts`);
    await page.getByLabel("Name", { exact: true }).fill("zoe b");
    await page.getByLabel("Events since").fill("soon");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").first().waitFor();
    return await work(page);
  } finally {
    await context.close();
  }
}

/** A picture of the whole page. The screen is as high as the page, so that nothing is stuck to its edges. */
async function pictureOf(page: Page): Promise<PNG> {
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height });
  return PNG.sync.read(await page.screenshot({ animations: "disabled", caret: "hide" }));
}

const fileOf = ([width, scheme]: Look) => new URL(`parts-${width}-${scheme}.png`, import.meta.url);

/** Text compresses best without a filter. */
const bytesOf = (picture: PNG) =>
  PNG.sync.write(picture, { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 });

const recorded = async (look: Look) => PNG.sync.read(await readFile(fileOf(look)));

/** A picture in which the differences are red; undefined if there are none. */
function difference(former: PNG, actual: PNG): PNG | undefined {
  const { width, height } = actual;
  if (former.width === width && former.data.equals(actual.data)) return undefined;
  // Pictures of other sizes have no common pixels: all of them differ.
  if (former.width !== width || former.height !== height) return actual;
  const red = new PNG({ width, height });
  const options = { threshold: SAME_COLOR, windowSize: MAX_DIFFERENT.side };
  const pixels = pixelmatch(former.data, actual.data, red.data, width, height, options);
  return pixels > MAX_DIFFERENT.pixels ? red : undefined;
}

/** Paths of a picture and its differences, for a developer who looks at them. */
async function saved(look: Look, actual: PNG, differences: PNG): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `parts-${look.join("-")}-`));
  await writeFile(join(folder, "actual.png"), bytesOf(actual));
  await writeFile(join(folder, "difference.png"), bytesOf(differences));
  return folder;
}

// The fonts of other machines have other widths.
describe.runIf(isPinnedBrowser)("the parts of pages", () => {
  it.each(LOOKS)("look as recorded, %i pixels wide and %s", async (...look) => {
    const actual = await onParts(look, pictureOf);
    if (isRecording) await writeFile(fileOf(look), bytesOf(actual));
    const differences = difference(await recorded(look), actual);
    const folder = differences && (await saved(look, actual, differences));
    expect(
      folder,
      `The parts look different. See actual.png and difference.png in ${folder}`,
    ).toBeUndefined();
  });

  it.each(["light", "dark"] as const)("have no fault that axe knows, %s", async (scheme) => {
    const faults = await onParts([1280, scheme], async (page) => {
      await page.evaluate(AXE);
      return page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))",
      );
    });
    expect(faults).toEqual([]);
  });

  it("look different with a color, a padding, a radius or a height changed a little", async () => {
    const former = await recorded(SMALLEST);
    const changed = await onParts(SMALLEST, async (page) => {
      const pictures: Record<string, PNG> = {};
      for (const [what, content] of Object.entries(CHANGES)) {
        const style = await page.addStyleTag({ content });
        pictures[what] = await pictureOf(page);
        await style.evaluate((element) => element.parentNode?.removeChild(element));
        await page.setViewportSize({ width: SMALLEST[0], height: 900 });
      }
      return pictures;
    });
    const { nothing, ...others } = changed;
    expect(nothing && difference(former, nothing), "the page is as before").toBeUndefined();
    for (const [what, picture] of Object.entries(others)) {
      expect(difference(former, picture), what).toBeDefined();
    }
  });

  it("look the same with edges of letters that are smoothed otherwise", async () => {
    const smoothed = await onParts(SMALLEST, async (page) => {
      // A layer of its own is drawn in another way.
      await page.addStyleTag({ content: "main { will-change: transform; }" });
      return pictureOf(page);
    });
    const before = await recorded(SMALLEST);
    expect(smoothed.data.equals(before.data)).toBe(false);
    expect(difference(before, smoothed)).toBeUndefined();
  });
});
