import { readdirSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runBundle } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const BUNDLE = join(DIST, "attest");
/** What a step compiles before it can begin: the half of its start-up time. */
const MAX_BYTES = 490 * 1024;
/** What any bundle may compile at its start, and may have as a whole: what the libraries alone have, halved and tripled. */
const MAX_START_BYTES = 560_000;
const MAX_BUNDLE_BYTES = 3_360_000;

/** The files of the bundle that a step loads. */
async function loadedBy(
  inputs: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "loaded-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const list = join(folder, "list");
  const hook = join(folder, "hook.mjs");
  await writeFile(
    hook,
    `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:")) appendFileSync(${JSON.stringify(list)}, url + "\\n");
    return next(url, context);
  },
});`,
  );
  await using server = await recordingServer([{ status: 201, body: "OK" }]);
  const run = await runBundle("attest", {
    server,
    inputs: { flow: "web", name: "lint", ...inputs },
    files,
    env: { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` },
  });
  expect(run.status).toBe(0);
  const urls = (await readFile(list, "utf8")).trim().split("\n");
  return urls.map((url) => basename(url)).filter((name) => readdirSync(BUNDLE).includes(name));
}

test("a fact loads no more than what asks the local git, and all of it is small", async () => {
  const loaded = await loadedBy({ compliant: "true" });
  expect(loaded).toEqual(["index.js", expect.stringMatching(/^\d+\.index\.js$/)]);
  expect(await readFile(join(BUNDLE, loaded[1] ?? ""), "utf8")).toContain("cat-file");
  expect(sizeOf(BUNDLE, loaded)).toBeLessThan(MAX_BYTES);
});

test("no bundle is larger than its bound, at its start or as a whole", () => {
  const bundles = readdirSync(DIST, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of bundles) {
    const folder = join(DIST, name);
    const programs = readdirSync(folder).filter((file) => file.endsWith(".js"));
    expect(sizeOf(folder, ["index.js"]), name).toBeLessThanOrEqual(MAX_START_BYTES);
    expect(sizeOf(folder, programs), name).toBeLessThanOrEqual(MAX_BUNDLE_BYTES);
  }
  expect(bundles.length).toBeGreaterThan(0);
});

function sizeOf(folder: string, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

test("another kind loads its own part, and not a parser that it does not use", async () => {
  const results = '[{"name": "s", "failures": 0, "errors": 0, "skipped": 0, "total": 1, "duration": 1}]';
  const given = await loadedBy({ kind: "junit", data: results });
  const read = await loadedBy(
    { kind: "junit", "test-results": "a.xml" },
    { "a.xml": '<testsuite name="s"><testcase name="t"/></testsuite>' },
  );
  expect(given.length).toBeGreaterThan(1);
  expect(read.length).toBeGreaterThan(given.length);
});
