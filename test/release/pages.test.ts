import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newestRelease } from "../../scripts/release/newest-release.ts";
import { releaseNote } from "../../scripts/release/pin.ts";
import { VERSION } from "../../src/api/version.ts";
import { pages, root } from "../docs/pages.ts";
import { isPinned } from "../workflows/pinned.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("npm and the pages know the project under one name, and its sources know its version", () => {
  // npm publishes only what comes from the repository that is named here.
  expect(manifest.repository.url).toBe(`git+https://github.com/${newestRelease.repository}.git`);
  expect(manifest.version).toBe(VERSION);
});

test("every page leads to that repository and no other, in examples of the newest release", () => {
  const [owner = ""] = newestRelease.repository.split("/");
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(String.raw`\b${owner}/[\w-]+(?:[\w./-]*@\S+(?: # \S+)?)?`, "g"))].map(
      ([reference]) => ({ path, reference }),
    ),
  );
  const wrong = named.filter(({ reference }) =>
    reference.includes("@") ? !isPinned(reference) : reference !== newestRelease.repository,
  );
  expect(wrong).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});

test("the README says which release its examples name, or what to do before there is one", () => {
  const readme = pages.find(({ path }) => path === "README.md")?.text ?? "";
  const [, note] = /<!-- newest-release -->\n([\s\S]*?)\n<!-- \/newest-release -->/.exec(readme) ?? [];
  expect(note).toBe(releaseNote(newestRelease));
});
