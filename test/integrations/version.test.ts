import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { VERSION } from "../../src/api/version.ts";

const root = join(import.meta.dirname, "../..");

/** The versions that the files of other CI systems and of the witness name. */
function versionsIn(folder: string): string[] {
  const files = ["integrations/**/{*.*,Dockerfile}", "docs/{other-ci,ci/*}.md"];
  const found = globSync(files, { cwd: folder }).flatMap((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    // Versions of others have another name before them.
    return text.replaceAll("artifacts-buildkite-plugin#v1.9.4", "").match(/\d+\.\d+\.\d+(?=\D)/g) ?? [];
  });
  const ofWitness = [".github/workflows/witness.yml", "docs/witness.md"].map((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    return /delivery-evidence@(\d+\.\d+\.\d+)/.exec(text)?.[1] ?? path;
  });
  return [...found, ...ofWitness];
}

test("the files for other CI systems name the version, and follow it", () => {
  expect(new Set(versionsIn(root))).toEqual(new Set([VERSION]));
  const folder = mkdtempSync(join(tmpdir(), "versions-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of [
    "integrations",
    "docs",
    ".github/workflows/witness.yml",
    "src/api/version.ts",
    "scripts/bundle/client-package",
    "scripts/release/write-version.ts",
  ])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    '{"name":"delivery-evidence","version":"9.8.7","type":"module"}',
  );
  execFileSync(process.execPath, ["scripts/release/write-version.ts"], { cwd: folder });
  expect(new Set(versionsIn(folder))).toEqual(new Set(["9.8.7"]));
});
