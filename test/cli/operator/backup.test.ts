import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, FormData, request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attestingClients } from "../../service/attesting-clients.ts";
import { BUCKET, type S3Server, s3Server } from "../../service/store/blobs/bucket/s3-server.ts";
import { environmentOf } from "../../service/store/blobs/bucket/stores.ts";
import { type ServedProgram, serveProgram, startProgram } from "../program.ts";
import { serveHere } from "../served-here.ts";
import { runHere } from "../terminal.ts";

const KEY = `de_${"k".repeat(43)}`;
const authorization = `Bearer ${KEY}`;
const BACKUPS = `s3://${BUCKET}/backups`;

let folder = "";
let dispatcher: Agent;
let store: S3Server;
const running: { close(): Promise<unknown> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-backup-"));
  dispatcher = new Agent();
  store = await s3Server();
});
afterEach(async () => {
  await dispatcher.destroy();
  for (const service of running.splice(0)) await service.close();
  await store.close();
  await rm(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const environment = () => environmentOf(store.url);

/** Serves a data folder in a separate program. */
async function serve(...args: string[]): Promise<ServedProgram> {
  const env = { EVIDENCE_ADMIN_KEY: KEY, ...environment() };
  const service = await serveProgram([...args, "--org", "acme", "--log", "text"], { env });
  running.push({ close: () => service.stop("SIGKILL") });
  return service;
}

/** Serves a data folder from this process. */
async function keepServing(name: string): Promise<{ address: string }> {
  const service = await serveHere(at(name), { org: "acme", adminKey: KEY });
  running.push(service);
  return service;
}

const reportOf = (trail: string) => `the report of ${trail}, ${"x".repeat(2_000)}`;

async function attest(address: string, trail: string): Promise<number> {
  const body = new FormData();
  body.append("data_json", JSON.stringify({ attestation_name: "unit", is_compliant: true }));
  body.append("attachment_file", new Blob([reportOf(trail)]), "report.txt");
  const answer = await request(`${address}/api/v2/attestations/acme/web/trail/${trail}/generic`, {
    ...{ method: "POST", body, dispatcher, headers: { authorization } },
  });
  await answer.body.dump();
  return answer.statusCode;
}

/** The sha256 of the file of a trail's attestation, as the service returns it. */
async function attached(address: string, trail: string): Promise<string> {
  const get = (path: string) =>
    request(`${address}/api/v2/attestations/acme/web/trail/${trail}${path}`, {
      ...{ dispatcher, headers: { authorization } },
    });
  const listed = await (await get("/unit")).body.json();
  const id: string = Object(listed)[0]?.attestation_id;
  return sha256(await (await get(`/attestation/${id}/evidence`)).body.text());
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("a backup during many writes", () => {
  it("contains every attestation that was answered before it, each with its file", async () => {
    const service = await serve("--data", at("data"));
    const { answered, stop } = attestingClients((trail) => attest(service.address, trail));
    await expect.poll(() => answered.length).toBeGreaterThan(60);
    const before = [...answered];
    const { status, stdout } = await startProgram(["backup", "--data", at("data"), "--to", at("backup")])
      .ended;
    const during = answered.length - before.length;
    await stop();
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^Backed up [\d,]+ rows in \d+ tables and \d+ attachments \(.*\) to .*backup\n$/),
    ]);
    expect(during).toBeGreaterThan(0);

    const restored = await runHere(["restore", "--from", at("backup"), "--data", at("restored")]);
    expect([restored.status, restored.stderr]).toEqual([0, ""]);
    const verified = await runHere(["verify", "--data", at("restored")]);
    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining(": no difference\n")]);
    const { address } = await serve("--data", at("restored"));
    const found = await Promise.all(before.map((trail) => attached(address, trail)));
    expect(found).toEqual(before.map((trail) => sha256(reportOf(trail))));
    // The copy continues, and the backup is unchanged.
    expect(await attest(address, "later")).toBe(201);
    expect((await runHere(["verify", "--from", at("backup")])).stdout).toContain(": no difference\n");
  });

  it("is not written to an occupied path, and a folder of another database is not restored over", async () => {
    await keepServing("data");
    for (const command of [
      ["backup", "--data", at("data"), "--to", at("data")],
      ["restore", "--from", at("data"), "--data", at("data")],
    ]) {
      const { status, stderr } = await runHere(command);
      expect([status, stderr]).toEqual([
        1,
        `delivery-evidence: ${at("data")} is not empty: choose an empty or a new folder\n`,
      ]);
    }
  });
});

describe("a misleading path", () => {
  it.each(["s3:bucket/x", "s3:/bucket/x"])("%s, which lacks a slash, is not a folder", async (place) => {
    await keepServing("data");
    const { status, stderr } = await runHere(["backup", "--data", at("data"), "--to", place]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`'${place}' lacks a slash. Use s3://bucket/prefix for a bucket`),
    ]);
  });

  it.each(["incoming", "files"])("%s of a data folder, which is emptied, accepts no backup", async (name) => {
    await keepServing("data");
    const to = join(at("data"), name, "backup");
    const { status, stderr } = await runHere(["backup", "--data", at("data"), "--to", to]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`${to} is in the data folder ${at("data")}`),
    ]);
  });
});

describe("the encryption key of notification secrets", () => {
  it("is copied from folder to folder, and otherwise reported as missing", async () => {
    const service = await keepServing("data");
    const putRule = async (targets: object[]) => {
      const headers = { authorization, "content-type": "application/json" };
      const body = JSON.stringify({ name: "told", targets });
      const answer = await request(`${service.address}/api/v2/actions/acme/flows`, {
        ...{ method: "PUT", body, dispatcher, headers },
      });
      await answer.body.dump();
      expect(answer.statusCode).toBeLessThan(300);
    };
    await putRule([{ type: "EMAIL", emails: ["ada@example.org"] }]);
    const copies = [
      ["backup", "--data", at("data"), "--to", at("before")],
      ["backup", "--data", at("data"), "--to", at("backup")],
      ["restore", "--from", at("backup"), "--data", at("restored")],
      ["backup", "--data", at("data"), "--to", BACKUPS],
      ["restore", "--from", BACKUPS, "--data", at("elsewhere")],
    ];
    const output = [];
    for (const [index, args] of copies.entries()) {
      const { status, stderr } = await runHere(args, { env: environment() });
      expect(status).toBe(0);
      output.push(stderr);
      if (index === 0) await putRule([{ type: "WEBHOOK", webhook: "https://hooks.example/one" }]);
    }
    const missing = expect.stringMatching(
      /^The copy does not include the key .* rotateSecrets and setTargetToken\n$/,
    );
    expect(output).toEqual(["", "", "", missing, missing]);
    const key = await readFile(join(at("data"), "secret.key"), "utf8");
    expect(await readFile(join(at("restored"), "secret.key"), "utf8")).toBe(key);
    expect((await stat(join(at("restored"), "secret.key"))).mode & 0o777).toBe(0o600);
    expect(await readdir(at("elsewhere"))).not.toContain("secret.key");
  });
});

describe("backups in a bucket", () => {
  const backup = () => runHere(["backup", "--data", at("data"), "--to", BACKUPS], { env: environment() });
  const files = () => [...store.objects.keys()].filter((key) => key.startsWith("backups/sha256/"));
  const uploads = () => store.requests.filter((line) => line.startsWith("PUT /evidence/backups/sha256/"));

  it("share their files, and each can be restored", async () => {
    const service = await keepServing("data");
    for (const trail of ["t1", "t2"]) expect(await attest(service.address, trail)).toBe(201);
    const first = await backup();
    const [, name = ""] = /as (\S+)\n$/.exec(first.stdout) ?? [];
    expect([first.status, first.stdout]).toEqual([0, expect.stringContaining(" and 2 attachments (")]);
    expect(await attest(service.address, "t3")).toBe(201);
    const uploaded = uploads().length;
    const second = await backup();
    expect([second.status, second.stdout]).toEqual([
      0,
      expect.stringMatching(/ and 1 attachment \(.*\), with 2 more that were there already to /),
    ]);
    expect([uploads().length - uploaded, files().length]).toEqual([1, 3]);

    const env = environment();
    const restore = (...args: string[]) => runHere(["restore", "--from", BACKUPS, ...args], { env });
    expect(await restore("--data", at("latest"))).toMatchObject({ status: 0, stderr: "" });
    expect(await restore("--at", name, "--data", at("first"))).toMatchObject({ status: 0, stderr: "" });
    const latest = await keepServing("latest");
    const earlier = await keepServing("first");
    expect(await attached(latest.address, "t3")).toBe(sha256(reportOf("t3")));
    expect(await attached(earlier.address, "t2")).toBe(sha256(reportOf("t2")));
    expect(await attached(earlier.address, "t3")).not.toBe(sha256(reportOf("t3")));
    expect((await restore("--at", "never", "--data", at("other"))).stderr).toMatch(
      /^delivery-evidence: Backup never not found in s3:\S+: the latest is \S+\n$/,
    );
    // A bucket with this database's backups accepts no other's, and no service stores its attachments there.
    const other = await runHere(["backup", "--data", at("latest"), "--to", BACKUPS], { env });
    expect([other.status, other.stderr]).toEqual([
      1,
      expect.stringContaining(": set --to to another prefix"),
    ]);
  });

  it("whose restore was killed are not served half, and are restored elsewhere", async () => {
    const service = await keepServing("data");
    for (const trail of ["t1", "t2"]) expect(await attest(service.address, trail)).toBe(201);
    expect((await backup()).status).toBe(0);
    const restore = (folder: string) => ["restore", "--from", BACKUPS, "--data", at(folder)];
    const env = environment();
    const before = store.requests.length;
    expect(await runHere(restore("whole"), { env })).toMatchObject({ status: 0, stderr: "" });
    const requests = store.requests.slice(before).filter((line) => line.startsWith("GET"));
    const isAttachment = (line: string) => line.startsWith("GET /evidence/backups/sha256/");

    // Everything before the attachments is returned; they are not. The store fails no list.
    const isList = (line: string) => line.includes("list-type=");
    const first = requests.slice(0, requests.findIndex(isAttachment)).filter((line) => !isList(line));
    const others = first.map(() => ({ kind: "none" as const }));
    store.fail("GET", ...others, { kind: "silence" }, { kind: "silence" });
    const start = store.requests.length;
    const killed = startProgram(restore("half"), { env });
    await expect.poll(() => store.requests.slice(start).filter(isAttachment).length).toBe(2);
    killed.child.kill("SIGKILL");
    await killed.ended;
    for (const command of [
      ["verify", "--data", at("half")],
      ["serve", "--port", "0", "--data", at("half")],
    ]) {
      expect(await runHere(command)).toEqual({
        ...{ status: 1, stdout: "" },
        stderr:
          `delivery-evidence: The records in ${at("half")} are an incomplete copy: ` +
          "copy again to an empty place, and remove this incomplete copy\n",
      });
    }
    expect(await runHere(restore("half"), { env })).toMatchObject({
      ...{ status: 1, stdout: "" },
      stderr: `delivery-evidence: ${at("half")} is not empty: choose an empty or a new folder\n`,
    });

    await rm(at("half"), { recursive: true });
    expect(await runHere(restore("half"), { env })).toMatchObject({ status: 0, stderr: "" });
    expect((await runHere(["verify", "--data", at("half")])).stdout).toContain(": no difference\n");
    const { address } = await keepServing("half");
    expect(await attached(address, "t2")).toBe(sha256(reportOf("t2")));
  });

  it("that are damaged or incomplete are not restored", async () => {
    const service = await keepServing("data");
    for (const trail of ["t1", "t2"]) expect(await attest(service.address, trail)).toBe(201);
    const env = environment();
    store.fail("PUT", { kind: "silence" });
    const cutOff = startProgram(["backup", "--data", at("data"), "--to", BACKUPS], { env });
    await expect.poll(uploads).not.toEqual([]);
    cutOff.child.kill("SIGKILL");
    await cutOff.ended;
    const restore = () => runHere(["restore", "--from", BACKUPS, "--data", at("restored")], { env });
    expect((await restore()).stderr).toBe(
      `delivery-evidence: Backup not found in ${BACKUPS}: it has no complete backup\n`,
    );
    expect((await backup()).status).toBe(0);
    const [part = ""] = [...store.objects.keys()].filter((key) => key.endsWith("/0001.gz"));
    const stored = store.objects.get(part) ?? Buffer.alloc(0);
    store.objects.set(part, Buffer.concat([stored, Buffer.from("x")]));
    expect((await restore()).stderr).toMatch(
      /^delivery-evidence: The backup is damaged: \S+0001\.gz was changed\n$/,
    );
    store.objects.set(part, stored);
    const [file = ""] = files();
    store.objects.set(file, Buffer.from("another"));
    const { status, stdout, stderr } = await restore();
    expect([status, stdout]).toEqual([1, expect.stringContaining(" and 1 attachment (")]);
    expect(stderr).toMatch(/^delivery-evidence: Skipped attachment \w{64}, which was changed\n$/);
  });
});

describe("an interrupted copy", () => {
  const attachments = `s3://${BUCKET}/team`;

  it("is not served when it was killed before its first write", async () => {
    const service = await keepServing("data");
    expect(await attest(service.address, "t1")).toBe(201);
    // Ends the process when it opens the first database of the copy.
    const killer = `const sqlite = process.getBuiltinModule("node:sqlite"), { DatabaseSync } = sqlite;
      sqlite.DatabaseSync = class extends DatabaseSync {
        constructor(file, options) {
          if (String(file).startsWith(${JSON.stringify(at("backup"))})) process.kill(process.pid, "SIGKILL");
          super(file, options);
        }
      };`;
    const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(killer)}"` };
    const killed = startProgram(["backup", "--data", at("data"), "--to", at("backup")], { env });
    expect((await killed.ended).status).toBe(null);
    expect(await readdir(at("backup"))).toHaveLength(1);
    const { status, stderr } = await runHere(["serve", "--port", "0", "--data", at("backup")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("are an incomplete copy")]);
  });

  it("is not served when it was killed, and leaves nothing when it was interrupted", async () => {
    const service = await serve("--data", at("data"), "--attachments", attachments);
    for (const trail of ["t1", "t2"]) expect(await attest(service.address, trail)).toBe(201);
    // The service reads nothing else from the bucket after that.
    await expect.poll(() => [...store.objects.keys()].join()).toContain("team/checkpoint-");
    const begin = async (...faults: Parameters<S3Server["fail"]>[1][]) => {
      // First it looks up the owner of the attachments.
      store.fail("GET", { kind: "none" }, ...faults);
      const requests = store.requests.length;
      const from = ["--data", at("data"), "--attachments", attachments];
      const program = startProgram(["backup", ...from, "--to", at("backup")], { env: environment() });
      const isReading = () =>
        store.requests.slice(requests).some((line) => line.startsWith("GET /evidence/team/sha256/"));
      await expect.poll(isReading).toBe(true);
      return program;
    };
    const interrupted = await begin({ kind: "reset" }, { kind: "reset" });
    interrupted.child.kill("SIGINT");
    expect(await interrupted.ended).toMatchObject({
      ...{ status: 130, stdout: "" },
      stderr: expect.stringMatching(/delivery-evidence: Interrupted\.\n$/),
    });
    expect(await readdir(folder)).toEqual(["data"]);

    const killed = await begin({ kind: "silence" }, { kind: "silence" });
    killed.child.kill("SIGKILL");
    await killed.ended;
    const unfinished =
      `delivery-evidence: The records in ${at("backup")} are an incomplete copy: ` +
      "copy again to an empty place, and remove this incomplete copy\n";
    for (const command of [
      ["serve", "--port", "0", "--data", at("backup")],
      ["restore", "--from", at("backup"), "--data", at("restored")],
      ["verify", "--data", at("backup")],
      ["keys", "list", "--data", at("backup")],
    ]) {
      expect(await runHere(command)).toEqual({ status: 1, stdout: "", stderr: unfinished });
    }
    expect(await readdir(folder)).not.toContain("restored");
  });
});
