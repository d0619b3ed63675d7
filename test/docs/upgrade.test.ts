import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { VERSION } from "../../src/api/version.ts";
import { openStore } from "../../src/service/store/sqlite/open-store.ts";
import { runProgram, serveProgram } from "../cli/program.ts";
import { serveHere } from "../cli/served-here.ts";
import { upgradeProgram } from "../service/store/next-migration.ts";
import { blocksOf, codeIn, tablesOf } from "./pages.ts";
import { blockIn, pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommandsIn } from "./shell-commands.ts";

const page = pageNamed("docs/upgrade.md");
const FORMER = new URL("../service/store/copy/former-records.sql", import.meta.url);
const messages = tablesOf(page)
  .filter(({ header }) => header[0] === "Message")
  .flatMap(({ rows }) => rows.map(([message = ""]) => codeIn(message)[0] ?? ""));

/** The attachment of the former records, and the file that names their owner. */
const SHA256 = "8ecc5f94c57b05d6c5e0ee316bee4875427e1845bbeef3ead59df29c72aab36e";
const OWNER = '{"database":"646d7b8f-f802-4121-afa5-41fd14c6","place":"b1e89a8a-0073-46e1-8ca0-42d032a7"}';

let folder = "";
let data = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  data = join(folder, "evidence");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a service on a folder of records, and stops it. */
async function serve(path: string): Promise<void> {
  await (await serveHere(path, { org: "acme" })).close();
}

/** The message of the page with which a service refuses a folder. */
function refusalOf(path: string): string | undefined {
  const { status, stderr } = runProgram(["serve", "--data", path, "--port", "0"]);
  expect(status).toBe(1);
  return messages.find((message) => message.split("…").every((part) => stderr.includes(part.trim())));
}

test("the backup before an upgrade has no difference, also of a running service, and PostgreSQL's way back copies it, here to another folder", async () => {
  const service = await serveHere(data, { org: "acme" });
  const printed = await runCommandsIn(folder, blockIn(page, "Before you upgrade", "sh").text);
  expect(printed).toContain("no difference");
  await service.close();
  const command = blocksOf(sectionOf(page, "Roll back")).at(-1)?.text ?? "";
  const [, places = ""] =
    /--from \.\/backup (--to \S+ \\\n {2}--attachments \S+ --database-password-file \S+)/.exec(command) ?? [];
  expect(places).not.toBe("");
  await runCommandsIn(folder, command.replace(places, "--to ./before"));
  await serve(join(folder, "before"));
});

test("the way back from an upgrade of SQLite serves the records of before", async () => {
  await serve(data);
  // The next version changes the records; programs that are started here are the older one.
  upgradeProgram();
  await (await openStore(join(data, "evidence.sqlite"))).close();
  expect(refusalOf(data)).toContain("were written by a version newer than");
  const commands = blockIn(page, "Roll back", "sh").text;
  expect(commands).toContain("evidence-before-0.2.0.sqlite");
  await runCommandsIn(data, commands.replace("0.2.0", VERSION));
  expect(readdirSync(join(data, "newer"))).toContain("evidence.sqlite");
  const older = await serveProgram(["--data", data, "--org", "acme"]);
  expect(await older.stop()).toBe(0);
});

test("records from before the first release are refused, and served once they are moved", async () => {
  const files = join(data, "files");
  mkdirSync(join(files, SHA256.slice(0, 2)), { recursive: true });
  writeFileSync(join(files, "owner.json"), OWNER);
  writeFileSync(join(files, SHA256.slice(0, 2), SHA256.slice(2)), "fine\n");
  const sqlite = new DatabaseSync(join(data, "evidence.sqlite"));
  sqlite.exec(readFileSync(FORMER, "utf8"));
  sqlite.close();
  expect(refusalOf(data)).toContain("from before the first release");
  const commands = blockIn(page, "Records from before the first release", "sh").text;
  expect(await runCommandsIn(folder, commands)).toContain("no difference");
  await serve(join(folder, "new"));
});

test("the tests above run every command of the page that needs no cluster", () => {
  const commands = blocksOf(page).filter(({ language }) => language === "sh");
  expect(commands.filter(({ text }) => !text.includes("docker compose"))).toHaveLength(4);
});
