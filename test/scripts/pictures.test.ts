import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { makeScenes } from "../../scripts/pictures/scenes.ts";
import { textOf } from "../../scripts/pictures/text.ts";
import { pages, root } from "../docs/pages.ts";

/** Small enough that a page with several of them loads quickly. */
const MOST_BYTES = 60_000;
const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Pictures of the pages: one for light mode and one for dark mode. */
const shown = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/<picture>([\s\S]*?)<\/picture>/g)].map(([, picture = ""]) => {
    const at = (pattern: RegExp) => posix.join(posix.dirname(path), pattern.exec(picture)?.[1] ?? "");
    return {
      page: path,
      alt: /alt="([^"]+)"/.exec(picture)?.[1],
      light: at(/<img[^>]* src="([^"]+)"/),
      dark: at(/prefers-color-scheme: dark\)" srcset="([^"]+)"/),
    };
  }),
);

test("every picture of a page exists for light and dark mode, with alternative text", () => {
  for (const { page, alt, light, dark } of shown) {
    expect(alt, page).toBeDefined();
    expect(dark, page).toBe(light.replace("-light.png", "-dark.png"));
    for (const path of [light, dark]) {
      const content = readFileSync(root + path);
      expect(content.subarray(0, PNG.length), path).toEqual(PNG);
      expect(content.length, path).toBeLessThan(MOST_BYTES);
    }
  }
  const pictures = readdirSync(`${root}docs/pictures`).filter((name) => name.endsWith(".png"));
  const used = new Set(shown.flatMap(({ light, dark }) => [light, dark]));
  expect(pictures.filter((name) => !used.has(`docs/pictures/${name}`))).toEqual([]);
});

test("the pictures show the actions' current output. If not, run npm run pictures", async () => {
  const scenes = await makeScenes();
  expect(scenes.map(({ name }) => name)).toEqual(["trail", "gate-shut", "approval-query"]);
  for (const scene of scenes)
    expect(textOf(scene)).toBe(readFileSync(`${root}docs/pictures/${scene.name}.md`, "utf8"));
});
