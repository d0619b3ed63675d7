import { readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { actions } from "../../src/actions/actions.ts";
import { fixture } from "../evidence/fixtures/fixture.ts";
import { runBundle } from "./bundle-run.ts";
import { loadedFiles } from "./loaded-files.ts";
import { recordingServer } from "./recording-server.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
/** Code that a step compiles at startup, which takes half of its startup time. */
const MAX_BYTES = 360_000;
/** Sizes of one action's folder with the shared files, and of all actions. */
const MAX_ACTION_BYTES = 1_250_000;
const MAX_DIST_BYTES = 4_000_000;

/** Bundle files that a step loads. */
async function loadedBy(
  inputs: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
) {
  const { env, loaded } = await loadedFiles();
  await using server = await recordingServer([{ status: 201, body: "OK" }]);
  const run = await runBundle("attest", {
    server,
    inputs: { flow: "web", name: "lint", ...inputs },
    files,
    env,
  });
  expect(run.status).toBe(0);
  return loaded();
}

test("a generic attestation loads only the code that sends it, and little of it", async () => {
  const loaded = await loadedBy({ compliant: "true" });
  expect(loaded).toEqual([
    "attest/index.js",
    "shared/core.js",
    "shared/http.js",
    "shared/rolldown-runtime.js",
  ]);
  expect(sizeOf(loaded)).toBeLessThan(MAX_BYTES);
});

test("no action exceeds its size limit, and neither do all together", () => {
  const sizes = filesIn(".").map((file) => [file, sizeOf([file])] as const);
  const total = (folders: readonly string[]) =>
    sizes.filter(([file]) => folders.includes(dirname(file))).reduce((sum, [, size]) => sum + size, 0);
  for (const { name } of actions) expect(total([name, "shared"]), name).toBeLessThanOrEqual(MAX_ACTION_BYTES);
  expect(sizeOf(filesIn("."))).toBeLessThanOrEqual(MAX_DIST_BYTES);
});

function filesIn(folder: string): string[] {
  return readdirSync(join(DIST, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(DIST, join(entry.parentPath, entry.name)));
}

function sizeOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + statSync(join(DIST, path)).size, 0);
}

test("another kind loads its own part, and no parser that it does not use", async () => {
  const results = '[{"name": "s", "failures": 0, "errors": 0, "skipped": 0, "total": 1, "duration": 1}]';
  const given = await loadedBy({ kind: "junit", data: results });
  const read = await loadedBy(
    { kind: "junit", "test-results": "a.xml" },
    { "a.xml": '<testsuite name="s"><testcase name="t"/></testsuite>' },
  );
  expect(given.length).toBeGreaterThan(1);
  expect(read.length).toBeGreaterThan(given.length);
  const others = ["trx", "nunit", "xunit-net", "tap", "go-test", "json-report", "test-counter", "xml-tests"];
  for (const name of others) expect(read).not.toContain(`shared/${name}.js`);
});

test.each([
  ["test", "test-results/mstest.trx", "trx"],
  ["test", "test-results/nunit3.xml", "nunit"],
  ["test", "test-results/xunit-net.xml", "xunit-net"],
  ["test", "test-results/go-test.jsonl", "go-test"],
  ["test", "test-results/node.tap", "tap"],
  ["test", "test-results/ctrf.json", "json-report"],
  ["scan", "scan-results/trivy.json", "trivy-json"],
  ["scan", "scan-results/grype.json", "grype-json"],
  ["scan", "scan-results/snyk.json", "snyk-json"],
  ["scan", "scan-results/checkov.json", "checkov-json"],
])("kind: %s reads %s and loads only the reader of its format", async (kind, file, reader) => {
  const loaded = await loadedBy(
    { kind, [`${kind}-results`]: "report" },
    { report: fixture(file).toString() },
  );
  const readers = ["trx", "nunit", "xunit-net", "tap", "go-test", "json-report"];
  const scanners = ["trivy-json", "grype-json", "snyk-json", "checkov-json"];
  const names = loaded.map((path) => path.replace(/^shared\/|\.js$/g, ""));
  expect(names.filter((name) => [...readers, ...scanners].includes(name))).toEqual([reader]);
});
