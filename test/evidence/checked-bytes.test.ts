import { execFileSync } from "node:child_process";
import { appendFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { checkedBytes } from "../../src/evidence/file-chunks.ts";
import { checkPath, openWorkspace, type UsablePath } from "../../src/evidence/workspace.ts";
import { planted } from "./temporary-directory.ts";

const CONTENT = "x".repeat(200_000);

/** A checked file, and its path. */
async function checkedFile(): Promise<{ path: string; file: UsablePath }> {
  const workspace = planted({ file: CONTENT });
  const path = join(workspace, "file");
  utimesSync(path, 1, 1);
  const file = checkPath(path, await openWorkspace(workspace));
  if ("problem" in file) return expect.fail(file.problem);
  return { path, file };
}

test("an unchanged file is read with its checked content", async () => {
  const { file } = await checkedFile();
  expect((await buffer(checkedBytes(file))).toString()).toBe(CONTENT);
});

const changes: [title: string, change: (path: string) => void][] = [
  ["it grew", (path) => appendFileSync(path, "more")],
  ["its content changed in the same size", (path) => writeFileSync(path, "y".repeat(CONTENT.length))],
  ["it vanished", (path) => rmSync(path)],
  [
    "a link replaced it, to a file that looks the same",
    (path) => replaced(path, (old) => symlinkSync(old, path)),
  ],
  [
    "another file of its size and time replaced it",
    (path) => replaced(path, () => writeFileSync(path, CONTENT)),
  ],
  [
    "a FIFO without a writer replaced it",
    (path) => replaced(path, () => void execFileSync("mkfifo", [path])),
  ],
];

function replaced(path: string, replace: (old: string) => void): void {
  renameSync(path, `${path}.old`);
  replace(`${path}.old`);
  utimesSync(path, 1, 1);
}

test.each(changes)("nothing is read of a file when, after it was checked, %s", async (_, change) => {
  const { path, file } = await checkedFile();
  change(path);
  await expect(buffer(checkedBytes(file))).rejects.toThrow();
});

test("a file that changes while it is read is not read to its end", async () => {
  const { path, file } = await checkedFile();
  const chunks = checkedBytes(file);
  await chunks.next();
  writeFileSync(path, "y".repeat(CONTENT.length));
  await expect(chunks.next()).rejects.toThrow("The file changed");
});
