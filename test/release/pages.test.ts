import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newestRelease } from "../../scripts/release/newest-release.ts";
import { releaseNote } from "../../scripts/release/pin.ts";
import { VERSION } from "../../src/api/version.ts";
import { blocksOf, pages, pinned, root } from "../docs/pages.ts";
import { isPinned } from "../workflows/pinned.ts";

const PIN = `@${newestRelease.commit} # ${newestRelease.version}`;
const AS_ABOVE = `\`\`\`yaml
uses: ${newestRelease.repository}/actions/attest@… # as above
uses: other/action@… # as above
\`\`\`
`;

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("npm and the pages know the project under one name, and its sources know its version", () => {
  // npm publishes only what comes from the repository that is named here.
  expect(manifest.repository.url).toBe(`git+https://github.com/${newestRelease.repository}.git`);
  expect(manifest.version).toBe(VERSION);
});

test("every page leads to that repository and no other, in examples of the newest release", () => {
  const [owner = ""] = newestRelease.repository.split("/");
  // The scope of our packages at npm has the name of the owner.
  const named = pages.flatMap(({ path, text }) =>
    [
      ...pinned(text).matchAll(
        new RegExp(String.raw`(?<!@)\b${owner}/[\w-]+(?:[\w./-]*@\S+(?: # \S+)?)?`, "g"),
      ),
    ].map(([reference]) => ({ path, reference })),
  );
  const wrong = named.filter(({ reference }) =>
    reference.includes("@") ? !isPinned(reference) : reference !== newestRelease.repository,
  );
  expect(wrong).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});

test.each(pages.filter(({ text }) => text.includes(PIN)).map((page) => [page.path, page] as const))(
  "%s has the pin in one example, and says which release that is, or what to do before there is one",
  (_, page) => {
    const shown = page.text.split("```").filter((part) => part.includes(PIN));
    expect(shown).toHaveLength(1);
    const [, note] = /<!-- newest-release -->\n([\s\S]*?)\n<!-- \/newest-release -->/.exec(page.text) ?? [];
    expect(note).toBe(releaseNote(newestRelease));
    expect(page.text.replace(note ?? "", "").split(newestRelease.commit)).toHaveLength(
      (shown[0] ?? "").split(newestRelease.commit).length,
    );
  },
);

test("an example that refers to the pin comes after it", () => {
  const early = pages.filter(({ text }) => {
    const [above] = text.split("@… # as above");
    return above !== text && !above?.includes(PIN);
  });
  expect(early.map(({ path }) => path)).toEqual([]);
  expect(blocksOf({ path: "page", text: AS_ABOVE }).map(({ text }) => text)).toEqual([
    `uses: ${newestRelease.repository}/actions/attest${PIN}\nuses: other/action@… # as above\n`,
  ]);
});
