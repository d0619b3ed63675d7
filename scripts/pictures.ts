/*
 * Makes the pictures of the docs, from the output of actions in real runs and from the pages of a service with the
 * records of a company: npm run pictures. Each picture exists for light and for dark pages. Pictures of actions come
 * with their text, which a test compares with the current output of the actions.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startBrowser } from "../test/browser.ts";
import { pageOf } from "./pictures/page.ts";
import { makeScenes } from "./pictures/scenes.ts";
import { showServicePages } from "./pictures/service-pages.ts";
import { smallScreenshot } from "./pictures/small-png.ts";
import { textOf } from "./pictures/text.ts";

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
await mkdir(folder, { recursive: true });
const scenes = await makeScenes();
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 760, height: 100 }, deviceScaleFactor: 1.5 });
  for (const scene of scenes) {
    await writeFile(`${folder}${scene.name}.md`, textOf(scene));
    for (const scheme of ["light", "dark"] as const) {
      await page.setContent(pageOf(scene, scheme));
      const picture = await smallScreenshot(page);
      await writeFile(`${folder}${scene.name}-${scheme}.png`, picture);
      process.stdout.write(`${scene.name}-${scheme}.png ${Math.round(picture.length / 1000)} kB\n`);
    }
  }
  await showServicePages(browser, async (shown, name) => {
    const picture = await smallScreenshot(shown, { fullPage: false });
    await writeFile(`${folder}${name}.png`, picture);
    process.stdout.write(`${name}.png ${Math.round(picture.length / 1000)} kB\n`);
  });
} finally {
  await browser.close();
}
