import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { REFERENCES } from "../../../src/service/store/consistency/references.ts";
import { COPIED_TABLES } from "../../../src/service/store/copy/copied-tables.ts";
import { jsonColumns } from "../../../src/service/store/schema.ts";
import { databaseFile } from "../../../src/service/store/sqlite/open-store.ts";
import { TABLES } from "../../../src/service/store/tables.ts";
import { OPA } from "../../go-programs.ts";
import { send } from "../../service/requests.ts";
import { startTestService, type TestService } from "../../service/running-service.ts";
import { succeedingRequests } from "../../service/succeeding-requests.ts";
import { runHere } from "../terminal.ts";

/** The sha256 of the file `a` that the samples attach. */
const FILE = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
const ID = "[0-9a-f-]+";
const REMOVES = /archive|rename|delete|revoke|detach/i;
const every: readonly OperationShape[] = Object.values(operations);

let service: TestService;
let folder = "";
let data = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-verify-"));
  service = await startTestService({}, { opa: OPA });
  const requestOf = await succeedingRequests(service);
  for (const operation of every) {
    if (/GET|DELETE/.test(operation.method) || REMOVES.test(operation.name)) continue;
    if (OPA === undefined && operation.path.startsWith("/evaluations/")) continue;
    expect((await send(service, requestOf(operation))).status, operation.name).toBeLessThan(300);
  }
});
afterAll(async () => {
  await service.dispose();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  data = await mkdtemp(join(folder, "data-"));
  // As it is while the service runs.
  await cp(service.dataFolder, data, { recursive: true });
});

const pathOf = (sha256: string) => join(data, "files", sha256.slice(0, 2), sha256.slice(2));
const verify = () => runHere(["verify", "--data", data]);

function change(sql: string): void {
  const database = new DatabaseSync(databaseFile(data), { enableForeignKeyConstraints: false });
  database.exec(sql);
  database.close();
}

it.each([
  [
    "a reference",
    "update artifacts set repo_id = 'nowhere' where sequence = 1",
    [`artifacts 1: repo_id "nowhere" is not in repos`],
  ],
  [
    "a reference without a foreign key",
    "update attestations set overridden_id = 'nowhere' where overridden_id is not null",
    [`attestations \\d+: overridden_id "nowhere" is not in attestations`],
  ],
  [
    "duplicated data",
    "update attestation_series set org_id = (select id from organizations where name = 'rival') where name = 'decision'",
    [
      `attestation_series "${ID}": org_id is "${ID}", but org_id of its row in flows is "${ID}"`,
      `attestations \\d+: org_id is "${ID}", but org_id of its row in attestation_series is "${ID}"`,
    ],
  ],
  [
    "a changed row",
    "update attestations set is_compliant = 0 where sequence = 1",
    [
      "attestations 1: is_compliant is 0, but is_compliant of its row in attestation_series is 1",
      `trail ${ID}: stored is {"state":"COMPLIANT".*}, but its records say {"state":"NON-COMPLIANT".*}`,
      `artifact ${ID} in trail ${ID}: stored is {"state":"COMPLIANT".*}, but .*`,
      `artifact ${ID} in trail ${ID}: stored is {"state":"COMPLIANT".*}, but .*`,
    ],
  ],
  [
    "a status",
    "update trails set compliance_state = 'INCOMPLETE' where name = 'sample'",
    [`trail ${ID}: stored is {"state":"INCOMPLETE"}, but its records say {"state":"COMPLIANT"}`],
  ],
  [
    "the latest attestation",
    "delete from latest_attestations where name = 'decision'",
    [`trail ${ID}: stored is {".*decision.*":null}, but its records say {".*decision.*":\\d+}`],
  ],
  [
    "a gap",
    "update snapshots set number = 3 where id = (select latest_snapshot_id from environments where name = 'sample')",
    [`environments "${ID}": expected one of its snapshots for each number from 1 to 3, found \\d`],
  ],
  [
    "a counter",
    "update flows set last_approval_number = 7 where name = 'sample'",
    [`flows "${ID}": last_approval_number is 7, but the highest number of its approvals is \\d`],
  ],
  [
    "JSON",
    "update events set data = '{' where sequence = 1",
    ["events 1: data is not JSON", "events 1: digest does not match its content"],
  ],
  [
    "an event",
    "update events set by = 'somebody else' where sequence = 2",
    ["events 2: digest does not match its content"],
  ],
  [
    "a template",
    "update trails set template = '{' where name = 'sample'",
    [
      `trails "${ID}": template is not JSON`,
      `trail ${ID}: stored is .*, but its records say "nothing, because its template is invalid"`,
    ],
  ],
  [
    "the state of a snapshot",
    "update snapshots set state = iif(state is null, 1, 1 - state), compliant = iif(state is 0, 1, 0) where number = 1 and environment_id = (select id from environments where name = 'sample')",
    [
      `snapshots of environment "${ID}", number 1: state is \\d, but its running artifacts say (null|true|false)`,
    ],
  ],
  [
    "an approval",
    "update approvals set state = iif(state = 'APPROVED', 'UNAPPROVED', 'APPROVED') where number = 1",
    [`approvals "${ID}": state is (UN)?APPROVED, but its reviews say (PENDING|APPROVED|UNAPPROVED)`],
  ],
  [
    "a role",
    "update service_accounts set role = 'owner' where name = 'reader'",
    [`service_accounts "${ID}": role is 'owner', which does not exist`],
  ],
  [
    "a trigger",
    "create trigger spy after insert on trails begin select 1; end",
    ["the database has a trigger 'spy', which the service did not create"],
  ],
  [
    "an entry that was removed from the audit log",
    "delete from audit_log where sequence = 3",
    [`organizations "${ID}": audit_log has \\d+ entries, but \\d+ were recorded`],
  ],
  [
    "an entry of the audit log",
    "update audit_log set account = 'somebody else' where sequence = 3",
    [`organizations "${ID}": an entry of audit_log was changed`],
  ],
  [
    "a policy that was detached",
    "delete from environment_policies",
    [`environments "${ID}": its policies are .*, but its latest snapshot was evaluated with .*`],
  ],
])("reports %s that is wrong, and ends with 1", async (_, sql, lines) => {
  change(sql);
  const { status, stdout, stderr } = await verify();
  const summary = `Verified \\d+ rows and \\d attachments? of ${data}: differences: ${lines.length}`;
  expect([status, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(new RegExp(`^${[...lines, summary].join("\n")}\n$`));
});

/** Changes one page of the file like a disk fault, without SQLite. */
async function damage(owner: string, spoil: (page: Buffer, database: DatabaseSync) => void): Promise<void> {
  const path = databaseFile(data);
  const database = new DatabaseSync(path);
  database.exec("pragma wal_checkpoint(truncate)");
  const { page_size: size } = database.prepare("pragma page_size").get() ?? {};
  const { rootpage } = database.prepare("select rootpage from sqlite_master where name = ?").get(owner) ?? {};
  const file = await readFile(path);
  spoil(file.subarray((Number(rootpage) - 1) * Number(size), Number(rootpage) * Number(size)), database);
  database.close();
  await writeFile(path, file);
}

it.each([
  {
    what: "an empty page",
    owner: "attestations",
    spoil: (page: Buffer) => page.fill(0),
    says: "database disk image is malformed",
  },
  {
    what: "an index that says something else than its table",
    owner: "sqlite_autoindex_flows_1",
    spoil(page: Buffer, database: DatabaseSync) {
      const { id } = database.prepare("select id from flows where name = 'sample'").get() ?? {};
      page.write("!", page.indexOf(String(id)));
    },
    says: "row \\d+ missing from index sqlite_autoindex_flows_1",
  },
])("reports for $what that the database file is damaged, and ends with 1", async ({ owner, spoil, says }) => {
  await damage(owner, spoil);
  const { status, stdout, stderr } = await verify();
  expect(stdout).toMatch(new RegExp(`^the database file is damaged: ${says}$`, "m"));
  expect(stdout).toMatch(/^Verified nothing of .*: differences: \d+\n$/m);
  expect([status, stderr]).toEqual([1, ""]);
});

it("checks every foreign key, and every column that contains JSON", () => {
  const database = new DatabaseSync(databaseFile(data), { readOnly: true });
  const missed: string[] = [];
  for (const { name } of COPIED_TABLES) {
    for (const { from } of database.prepare(`pragma foreign_key_list(${name})`).all()) {
      const isKnown = REFERENCES.some(
        ({ table, column, same }) => table === name && (column === from || Object.hasOwn(same, String(from))),
      );
      if (!isKnown) missed.push(`${name}.${from}`);
    }
    for (const row of database.prepare(`select * from ${name}`).all()) {
      for (const [column, value] of Object.entries(row)) {
        const isJson = typeof value === "string" && /^[[{]/.test(value) && column !== "template_source";
        const known = jsonColumns(TABLES[name]);
        if (isJson && !known.includes(column)) missed.push(`${name}.${column}`);
      }
    }
  }
  database.close();
  expect([...new Set(missed)]).toEqual([]);
});

it("lists changed and missing attachments, and counts those that no record names", async () => {
  expect(await verify()).toMatchObject({
    status: 0,
    stderr: "",
    stdout: expect.stringMatching(/^Verified .*: no difference\n$/),
  });
  const unnamed = "ab".repeat(32);
  await mkdir(join(pathOf(unnamed), ".."), { recursive: true });
  await writeFile(pathOf(unnamed), "x");
  expect(await verify()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/: no difference; files that no record names: 1\n$/),
  });
  await writeFile(pathOf(FILE), "b");
  expect((await verify()).stdout).toMatch(
    new RegExp(
      `^attachment ${FILE} was changed: ${pathOf(FILE)}, named by attestation ${ID}(?: and others)?\n`,
    ),
  );
  await rm(pathOf(FILE));
  expect((await verify()).stdout).toMatch(
    new RegExp(`^attachment ${FILE} is missing: .*\n.*: differences: 1;`),
  );
});

it.each([
  ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
  ["a link to an endless file", (path: string) => symlinkSync("/dev/zero", path)],
  [
    "a file larger than any attachment",
    (path: string) => writeFileSync(path, Buffer.alloc(10 * 1024 * 1024 + 1)),
  ],
])("%s instead of an attachment is a difference, without a hang", async (_, make) => {
  await rm(pathOf(FILE));
  make(pathOf(FILE));
  const { status, stdout } = await verify();
  expect(stdout).toContain(`attachment ${FILE} was changed`);
  expect(status).toBe(1);
  const restored = await runHere(["restore", "--from", data, "--data", `${data}-restored`]);
  expect(restored.stderr).toContain(`Skipped attachment ${FILE}, which was changed`);
});

it("records that are a pipe are refused, and names that lead elsewhere are not looked up", async () => {
  change(`update attachments set sha256 = '../../../../../../etc/passwd' where sha256 = '${FILE}'`);
  expect((await verify()).stdout).toContain("attachment ../../../../../../etc/passwd is missing");
  await rm(databaseFile(data));
  execFileSync("mkfifo", [databaseFile(data)]);
  expect((await verify()).stderr).toContain("evidence.sqlite is not a regular file");
});
