import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");
const reporter = join(import.meta.dirname, "../closing-line.ts");

const SKIPPED = "Skipped, as what it needs is not here: needs a program";

/** Runs one test that passes and one that is skipped. */
function runTests(ci: string) {
  const folder = mkdtempSync(join(tmpdir(), "evidence-closing-line-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "vitest.config.mjs"),
    `export default { test: { globals: true, reporters: [${JSON.stringify(reporter)}] } };`,
  );
  writeFileSync(join(folder, "one.test.mjs"), "it('runs', () => {}); it.skip('needs a program', () => {});");
  const { status, stdout } = spawnSync(process.execPath, [vitest, "run", "--root", folder], {
    encoding: "utf8",
    env: { ...process.env, CI: ci },
  });
  return { status, lines: stdout.trim().split("\n") };
}

test("a run with a skipped test fails where everything can be installed", () => {
  const { status, lines } = runTests("true");
  expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last: "1 passed, 1 failed" });
  expect(lines).toContain(SKIPPED);
});

test("elsewhere it passes", () => {
  const { status, lines } = runTests("");
  expect({ status, last: lines.at(-1) }).toEqual({ status: 0, last: "1 passed, 0 failed" });
  expect(lines).toContain(SKIPPED);
});
