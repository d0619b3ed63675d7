import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runComposite } from "../../scripts/composite/composite.ts";
import { temporaryFolder } from "../spool/fixtures.ts";

const UPLOAD = join(import.meta.dirname, "../../scripts/act/upload-artifact");
const FILES = [
  "build/app.tgz",
  "build/notes.md",
  "reports/unit/junit.xml",
  "reports/unit/junit.log",
  "reports/.cache/x",
  "reports/scan.sarif",
  "LICENSE",
];

/** The files of an artifact uploaded from a workspace by `path`, or what the step printed. */
async function uploaded(path: string): Promise<string[] | string> {
  await using folder = await temporaryFolder();
  const [workspace, artifacts] = [join(folder.path, "work space"), join(folder.path, "artifacts")];
  for (const file of FILES) {
    await mkdir(dirname(join(workspace, file)), { recursive: true });
    await writeFile(join(workspace, file), file);
  }
  const { outcome, log } = await runComposite({
    actionFolder: UPLOAD,
    with: { name: "kept", path },
    env: { ACT_ARTIFACTS: artifacts },
    workspace,
    tempDir: join(folder.path, "temp"),
    github: {},
    uses: {},
    masks: [],
  });
  if (outcome === "failure") return log;
  const entries = await readdir(join(artifacts, "kept"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) expect(FILES).toContain(await readFile(file, "utf8"));
  return files.map((file) => file.slice(join(artifacts, "kept").length + 1)).sort();
}

test.each<[what: string, path: string, files: string[]]>([
  ["a folder", "build", ["app.tgz", "notes.md"]],
  ["a file", "build/app.tgz\n", ["app.tgz"]],
  [
    "several, below their common folder",
    "build/app.tgz\nreports\n",
    ["build/app.tgz", "reports/scan.sarif", "reports/unit/junit.log", "reports/unit/junit.xml"],
  ],
  ["a glob, below its fixed part", "reports/**/*.xml", ["unit/junit.xml"]],
  [
    "globs and exclusions",
    "  reports/**\n  !reports/**/*.log\n  LICENSE",
    ["LICENSE", "reports/scan.sarif", "reports/unit/junit.xml"],
  ],
])("the replacement for actions/upload-artifact keeps %s", async (_what, path, files) => {
  expect(await uploaded(path)).toEqual(files);
});

test("it fails when there is nothing to upload", async () => {
  expect(await uploaded("build/*.zip\nnowhere")).toContain("No files were found with the provided path");
});
