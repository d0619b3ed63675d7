import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent, FormData, request } from "undici";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { VERSION } from "../../../src/api/version.ts";
import type { Log } from "../../../src/service/kernel/log.ts";
import { createOrganization } from "../../../src/service/people/accounts/organizations.ts";
import { startService } from "../../../src/service/service.ts";
import { lockFolder } from "../../../src/service/store/sqlite/folder-lock.ts";
import { openStore } from "../../../src/service/store/sqlite/open-store.ts";
import { asOrdinaryUser } from "../../evidence/ordinary-user.ts";
import { firstSweep } from "../../service/running-service.ts";
import { NEXT, upgradeProgram } from "../../service/store/next-migration.ts";
import { type ServedProgram, serveProgram } from "../program.ts";
import { serveHere } from "../served-here.ts";
import { runHere } from "../terminal.ts";

const KEY = `de_${"k".repeat(43)}`;

let data = "";
let file = "";
let service: ServedProgram | undefined;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "evidence-data-"));
  file = join(data, "evidence.sqlite");
});
afterEach(async () => {
  await service?.stop("SIGKILL");
  service = undefined;
  await rm(data, { recursive: true });
});

/** Records as this version leaves them, and a next version that changes their tables. */
async function makeOlderRecords(): Promise<void> {
  const store = await openStore(file);
  await store.write((db) => createOrganization(db, "acme", 1));
  await store.close();
  upgradeProgram();
}

/** Records of a version with one more migration than this one. */
async function makeNewerRecords(): Promise<void> {
  await (await openStore(file)).close();
  const database = new DatabaseSync(file);
  database.exec("insert into schema_migrations values ('9999-future', 1)");
  database.close();
}

/** Simulates a machine failure: the last writes are in the log beside the file, and in the log only. */
async function leaveInLog(statement: string): Promise<void> {
  const aside = `${file}.as-it-was`;
  const database = new DatabaseSync(file);
  database.exec(statement);
  await copyFile(file, aside);
  await copyFile(`${file}-wal`, `${aside}-wal`);
  database.close();
  for (const end of ["", "-wal"]) {
    await copyFile(aside + end, file + end);
    await rm(aside + end);
  }
}

const hashOf = async (path: string) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");

/** Every file with records, by content. An empty log changes nothing. */
async function records(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(data)).sort()) {
    const path = join(data, name);
    if (!name.includes("sqlite") || name.endsWith("-shm") || (await stat(path)).size === 0) continue;
    found[name] = await hashOf(path);
  }
  return found;
}

function appliedIn(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("select name from schema_migrations order by name").all();
  database.close();
  return rows.map(({ name }) => name);
}

const copies = async () => (await readdir(data)).filter((name) => /^evidence-before-.*\.sqlite$/.test(name));

describe("records of an older version", () => {
  beforeEach(makeOlderRecords);

  it("are unchanged after a newer service is refused because another one serves them", async () => {
    const before = await records();
    const unlock = lockFolder(data);
    const refused = await runHere(["serve", "--data", data, "--port", "0"]);
    unlock();
    expect(refused.stderr).toBe(`delivery-evidence: Another service is using ${data}\n`);
    expect([refused.status, await records()]).toEqual([1, before]);
  });

  it("are copied aside before a newer service changes them, and the copy serves the older one", async () => {
    await leaveInLog("insert into organizations (id, name, created_at) values ('p', 'late', 2)");
    const logged: string[] = [];
    const start = async () => {
      const log: Log = (entry) => "message" in entry && logged.push(entry.message);
      const options = { dataFolder: data, host: "127.0.0.1", port: 0, version: VERSION, log };
      await (await startService(options)).close();
    };
    await start();
    const [copy = "", ...more] = await copies();
    expect(copy).toMatch(/^evidence-before-\d+\.\d+\.\d+\.sqlite$/);
    expect([more, (await stat(join(data, copy))).mode & 0o777]).toEqual([[], 0o600]);
    expect(logged).toContainEqual(expect.stringContaining(`the copy from before is ${join(data, copy)}`));
    expect(appliedIn(file)).toContain(NEXT);
    expect(appliedIn(join(data, copy))).not.toContain(NEXT);
    const copied = new DatabaseSync(join(data, copy), { readOnly: true });
    expect(copied.prepare("select name from organizations order by name").all()).toMatchObject([
      { name: "acme" },
      { name: "late" },
    ]);
    copied.close();
    await start();
    expect(await copies(), "a start that changes nothing makes no copy").toEqual([copy]);
  });

  it("have one complete copy of their last state, however often an upgrade fails", async () => {
    const database = new DatabaseSync(file);
    database.exec(
      "create trigger refused before insert on schema_migrations begin select raise(abort, 'broken'); end",
    );
    await writeFile(join(data, "evidence-before-0.0.1.sqlite.partial"), "cut off");
    const failToUpgrade = async (name: string) => {
      database.exec(`insert into organizations (id, name, created_at) values ('${name}', '${name}', 2)`);
      await expect(openStore(file)).rejects.toThrow(
        "could not be upgraded to this version: nothing was changed",
      );
    };
    await failToUpgrade("early");
    // Copies used to be named by the second.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_100 });
    onTestFinished(() => void vi.useRealTimers());
    await failToUpgrade("late");
    database.close();
    expect((await readdir(data)).filter((name) => name.startsWith("evidence-before-"))).toEqual([
      `evidence-before-${VERSION}.sqlite`,
    ]);
    const copied = new DatabaseSync(join(data, `evidence-before-${VERSION}.sqlite`), { readOnly: true });
    expect(copied.prepare("select name from organizations order by name").all()).toMatchObject([
      { name: "acme" },
      { name: "early" },
      { name: "late" },
    ]);
    copied.close();
  });

  it.each([["list"], ["create", "--account", "ci"]])(
    "are unchanged after keys %s, which says what to do",
    async (...args) => {
      const before = await records();
      expect(await runHere(["keys", ...args, "--data", data])).toEqual({
        status: 1,
        stdout: "",
        stderr: `delivery-evidence: The records in ${data} were written by a version older than ${VERSION}: use that version, or first start version ${VERSION} of the service on these records, which upgrades them\n`,
      });
      expect(await records()).toEqual(before);
    },
  );
});

describe("records of a newer version", () => {
  it("are unchanged by every command, which fails in one line", async () => {
    await makeNewerRecords();
    await leaveInLog("insert into organizations (id, name, created_at) values ('p', 'late', 2)");
    const before = await records();
    expect(Object.keys(before)).toEqual(["evidence.sqlite", "evidence.sqlite-wal"]);
    for (const args of [
      ["serve", "--port", "0"],
      ["keys", "list"],
    ]) {
      expect(await runHere([...args, "--data", data])).toEqual({
        status: 1,
        stdout: "",
        stderr: `delivery-evidence: The records in ${data} were written by a version newer than ${VERSION}: start that version, or restore the copy from before the upgrade\n`,
      });
      expect(await records()).toEqual(before);
    }
  });
});

describe("records of this version", () => {
  it("are unchanged by a second service and by keys commands that change nothing", async () => {
    service = await serveProgram(["--data", data]);
    const { address } = service;
    expect((await request(`${address}/ready`)).statusCode).toBe(200);
    await firstSweep({ address });
    const before = await records();
    expect((await runHere(["serve", "--data", data, "--port", "0"])).status).toBe(1);
    expect(await runHere(["keys", "list", "--data", data])).toMatchObject({ status: 0, stderr: "" });
    expect(await runHere(["keys", "revoke", "nobody's", "--data", data])).toMatchObject({ status: 1 });
    expect(await records()).toEqual(before);
  });
});

describe("an unusable folder", () => {
  it.each([
    [
      "/proc/none/data",
      /^delivery-evidence: The folder \/proc\/none\/data cannot be created\n {2}because: .*ENOENT/,
    ],
    [
      "/proc/self",
      /^delivery-evidence: \/proc\/self contains '\w+' and no records\. Use an empty or a new folder for --data\n$/,
    ],
    ["/dev/null", /^delivery-evidence: \/dev\/null is not a folder\n$/],
  ])("is reported at once, such as %s", async (folder, message) => {
    const { status, stderr } = await runHere(["serve", "--port", "0", "--data", folder]);
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
  });

  it("is reported as read-only or unreadable, and not as empty", async () => {
    const stderrOf = async (...args: string[]) => (await runHere([...args, "--data", data])).stderr;
    await chmod(data, 0o555);
    const served = await asOrdinaryUser(() => stderrOf("serve", "--port", "0"));
    expect(served).toContain(`delivery-evidence: The folder ${data} is not writable\n  because: `);
    await chmod(data, 0o000);
    for (const args of [["keys", "list"], ["verify"], ["backup", "--to", join(data, "copy")]]) {
      const refused = await asOrdinaryUser(() => stderrOf(...args));
      expect(refused).toMatch(
        `delivery-evidence: The folder ${data} cannot be read\n  because: Error: EACCES`,
      );
    }
    await chmod(data, 0o700);
  });

  it("contains other files; those of a file system and of a service are no reason to refuse it", async () => {
    await mkdir(join(data, "lost+found"));
    await writeFile(join(data, ".DS_Store"), "");
    const start = async () => (await serveHere(data, {})).close();
    await start();
    await rm(file);
    await writeFile(join(data, "notes.txt"), "");
    await start();
    await rm(join(data, "service.lock"));
    await rm(join(data, "secret.key"), { force: true });
    await rm(file);
    const before = await readdir(data);
    const { status, stderr } = await runHere(["serve", "--port", "0", "--data", data]);
    expect(stderr).toBe(
      `delivery-evidence: ${data} contains 'notes.txt' and no records. Use an empty or a new folder for --data\n`,
    );
    expect([status, await readdir(data)]).toEqual([1, before]);
  });
});

/** Sends one file as evidence. */
async function attest(address: string): Promise<number> {
  // Without its own agent a form may wait forever, once Node's undici has been used in this process.
  const dispatcher = new Agent();
  const form = new FormData();
  form.append("data_json", JSON.stringify({ attestation_name: "unit", is_compliant: true }));
  form.append("attachment_file", new Blob(["fine"]), "report.txt");
  const answer = await request(`${address}/api/v2/attestations/default/web/trail/t1/generic`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}` },
    body: form,
    dispatcher,
  });
  await answer.body.dump();
  await dispatcher.close();
  return answer.statusCode;
}

/** The permissions of all files and folders below the data folder. */
async function modes(): Promise<{ files: Set<string>; folders: Set<string>; names: string[] }> {
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  const found = {
    files: new Set<string>(),
    folders: new Set<string>(),
    names: entries.map(({ name }) => name),
  };
  for (const entry of entries) {
    const mode = ((await stat(join(entry.parentPath, entry.name))).mode & 0o777).toString(8);
    (entry.isDirectory() ? found.folders : found.files).add(mode);
  }
  return found;
}

describe("a data folder is accessible to its owner only", () => {
  it.each(["000", "177"])("with a umask of %s", async (umask) => {
    await chmod(data, 0o755);
    service = await serveProgram(["--data", data], {
      before: `umask ${umask}`,
      env: { EVIDENCE_ADMIN_KEY: KEY },
    });
    expect(await attest(service.address)).toBe(201);
    await firstSweep(service);
    const { files, folders, names } = await modes();
    expect(names).toEqual(
      expect.arrayContaining(["evidence.sqlite", "evidence.sqlite-wal", "evidence.sqlite-shm"]),
    );
    expect({ files: [...files], folders: [...folders] }).toEqual({ files: ["600"], folders: ["700"] });
  });

  it("also when an earlier version left it open to others", async () => {
    await mkdir(join(data, "open"));
    data = join(data, "open");
    file = join(data, "evidence.sqlite");
    await writeFile(join(data, "service.lock"), "", { mode: 0o644 });
    await makeOlderRecords();
    await chmod(file, 0o644);
    const here = await serveHere(data, {});
    await firstSweep(here);
    expect([...(await modes()).files]).toEqual(["600"]);
    await here.close();
  });
});
