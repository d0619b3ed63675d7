import { readdirSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runBundle } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";

const BUNDLE = fileURLToPath(new URL("../../dist/attest", import.meta.url));
/** What a step compiles before it can begin: the half of its start-up time. */
const MAX_BYTES = 490 * 1024;

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
  expect(sizeOf(loaded)).toBeLessThan(MAX_BYTES);
});

function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + statSync(join(BUNDLE, name)).size, 0);
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
