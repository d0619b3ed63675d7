import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startService } from "../../../../src/service/service.ts";
import { postgresDialect } from "../../../../src/service/store/postgres/dialect.ts";
import { databaseFile } from "../../../../src/service/store/sqlite/open-store.ts";
import { runHere } from "../../../cli/terminal.ts";
import { askPostgres, newDatabase } from "../../../records.ts";

/*
 * `former-records.sql` has the tables and rows of a service of commit 9d0b8513, the last before the baseline, without
 * indexes. It had a flow, a trail, an attestation with a file, an environment and a report.
 */

const KEY = `de_${"k".repeat(43)}`;
const OWNER = '{"database":"646d7b8f-f802-4121-afa5-41fd14c6","place":"b1e89a8a-0073-46e1-8ca0-42d032a7"}';
const SHA256 = "8ecc5f94c57b05d6c5e0ee316bee4875427e1845bbeef3ead59df29c72aab36e";

let folder = "";
/** The records in command-line form, and the attachment options of a database. */
let records = "";
let attachments: string[] = [];
let run: (statement: string) => Promise<void>;
const to = () => join(folder, "new");

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-former-"));
  const data = join(folder, "data");
  const place = join(data, "files");
  await mkdir(join(place, SHA256.slice(0, 2)), { recursive: true });
  await writeFile(join(place, "owner.json"), OWNER);
  await writeFile(join(place, SHA256.slice(0, 2), SHA256.slice(2)), "fine\n");
  const statements = await readFile(new URL("former-records.sql", import.meta.url), "utf8");
  const database = process.env["TEST_ENGINE"] === "postgres" ? { url: await newDatabase() } : undefined;
  records = database?.url ?? data;
  attachments = database ? ["--attachments-from", place] : [];
  const sqlite = new DatabaseSync(databaseFile(data));
  sqlite.exec(statements);
  sqlite.close();
  run = async (statement) => {
    if (database !== undefined) return void (await askPostgres(records, statement));
    const opened = new DatabaseSync(databaseFile(data));
    opened.exec(statement);
    opened.close();
  };
  if (database !== undefined) await run(inPostgres(statements));
});
afterEach(() => rm(folder, { recursive: true }));

function inPostgres(statements: string): string {
  return statements
    .split("\n")
    .map((line) => (line.startsWith("insert") ? line : postgresDialect.withNativeTypes(line.toLowerCase())))
    .join("\n");
}

const move = () => runHere(["move", "--from", records, ...attachments, "--to", to()]);

describe("records from before the baseline", () => {
  it("are copied whole by move, and served from there", async () => {
    const moved = await move();
    expect(moved).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Moved .* and 1 attachment/) });
    expect(await runHere(["verify", "--data", to()])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/: no difference$/m),
    });
    const options = { dataFolder: to(), host: "127.0.0.1", port: 0, version: "1", log: () => {} };
    const service = await startService(options);
    const ask = async (path: string) => {
      const headers = { authorization: `Bearer ${KEY}` };
      return (await fetch(`${service.address}/api/v2${path}`, { headers })).json();
    };
    expect(await ask("/flows/acme/web")).toMatchObject({ name: "web", description: "The shop" });
    expect(await ask("/attestations/acme")).toMatchObject({
      data: [{ attestation_name: "unit", is_compliant: true }],
    });
    expect(await ask("/audit-log/acme")).toMatchObject({ data: { length: 6 } });
    const common = { flow_id: "250bbb96-57f5-4f71-a003-48131ce1", git_commit_info: null, repo_info: null };
    expect(await ask("/trails/acme/web/t1")).toMatchObject({
      events: [
        { ...common, type: "trail_reported", setting_user_id: "admin", trail_data_json: { name: "t1" } },
        { ...common, type: "trail_attestation_reported", template_reference_name: "unit" },
      ],
    });
    expect(await ask("/environments/acme/prod/events")).toMatchObject([{ snapshot_index: 1 }]);
    await service.close();
  });

  it("keep their deployments: one for all names, and none of unknown artifacts", async () => {
    const fingerprint = "d".repeat(64);
    const columns = `id, environment_id, name, fingerprint, since, until, change, instances_before, instance_count, ended,
      compliant, allowed, origins, instances, decisions, flows`;
    const interval = (id: number, name: string, digest: string, since: number) =>
      `(${id}, '72d06a50-8f21-4c8e-8ad2-a896fbcd', '${name}', '${digest}', ${since}, null, null, 0, 1, 0, null, 0, '[]',
        '[]', '[]', '[]')`;
    const more = [
      interval(2, "/opt/app-2", fingerprint, 1),
      interval(3, "/opt/app-3", fingerprint, 2),
      interval(4, "/opt/unknown", "", 1),
    ];
    await run(`insert into running_intervals (${columns}) values ${more.join()}`);
    expect(await move()).toMatchObject({ status: 0 });
    const copy = new DatabaseSync(databaseFile(to()));
    const found = copy.prepare("select name from running_intervals where is_deployment = 1").all();
    copy.close();
    expect(found).toEqual([{ name: "/opt/app" }]);
  });

  it("are refused by all other commands, with the next step", async () => {
    const where = attachments.length === 0 ? ["--data", records] : ["--database-url", records];
    const more = attachments.length === 0 ? [] : ["--attachments", attachments[1] ?? ""];
    for (const args of [
      ["serve", "--port", "0", ...where, ...more],
      ["keys", "list", ...where],
      ["verify", ...where, ...more],
      ["backup", "--to", to(), ...where, ...more],
    ]) {
      const { status, stderr } = await runHere(args);
      expect([args[0], status, stderr]).toEqual([
        args[0],
        1,
        expect.stringContaining(`delivery-evidence move --from ${records} --to NEW-PLACE`),
      ]);
    }
  });

  it("are not moved if rows would be left behind", async () => {
    await run("create table other (id text); insert into other values ('1')");
    expect(await move()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/The 1 rows of other in .* have no table in this version/),
    });
  });

  it("are not moved from an earlier version, which must be upgraded first", async () => {
    await run("delete from kysely_migration where name > '0040'");
    expect(await move()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/first start commit 9d0b8513 of the service on these records/),
    });
  });

  it("are restored from a backup", async () => {
    expect(await runHere(["restore", "--from", join(folder, "data"), "--data", to()])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("1 attachment"),
    });
    expect(await runHere(["verify", "--data", to()])).toMatchObject({ status: 0 });
  });
});
