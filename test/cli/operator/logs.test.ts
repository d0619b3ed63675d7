import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent, request } from "undici";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { databaseFile } from "../../../src/service/store/sqlite/open-store.ts";
import { serveHere } from "../served-here.ts";
import { runHere } from "../terminal.ts";

const KEY = `de_${"k".repeat(43)}`;

let folder = "";
let dispatcher: Agent;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-fsck-"));
  dispatcher = new Agent();
});
afterEach(async () => {
  await dispatcher.destroy();
  await rm(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const fsck = (name: string) => runHere(["log", "fsck", "--data", at(name)]);

/** Records flows and proves the last one, while a service runs. @returns the response with the proof */
async function recordAndProve(name: string, flows: readonly string[]) {
  const service = await serveHere(at(name), { org: "acme", adminKey: KEY });
  const ask = async (method: "GET" | "PUT" | "POST", path: string, body?: object) => {
    const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await request(`${service.address}/api/v2${path}`, {
      method,
      dispatcher,
      headers,
      ...sent,
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  try {
    for (const flow of flows) {
      const json = { name: flow, description: "", visibility: "private", template: [] };
      expect((await ask("PUT", "/flows/acme", json)).status).toBe(201);
      if (flow === "three") await signStatement(ask);
    }
    const database = new DatabaseSync(databaseFile(at(name)), { readOnly: true });
    const { id } = database.prepare("select id from events order by sequence desc limit 1").get() ?? {};
    database.close();
    const proof = await ask("GET", `/log/acme/proof?event_id=${id}`);
    const checkpoint = await ask("GET", "/log/acme/checkpoint");
    const policy = await ask("GET", "/log/acme/policy");
    return { ...proof, checkpoint: checkpoint.text, policy: policy.text };
  } finally {
    await service.close();
  }
}

type Ask = (method: "POST", path: string, body: object) => Promise<{ status: number; text: string }>;

/** Signs the statement of a new artifact. */
async function signStatement(ask: Ask): Promise<void> {
  const fingerprint = "a".repeat(64);
  const commit = "b".repeat(40);
  const artifact = { fingerprint, filename: "web", git_commit: commit, trail_name: "v1" };
  const urls = { commit_url: "https://example.com/c", build_url: "https://example.com/b" };
  expect((await ask("POST", "/artifacts/acme/three", { ...artifact, ...urls })).status).toBe(201);
  expect((await ask("POST", `/asserts/acme/fingerprint/${fingerprint}`, {})).status).toBe(200);
}

/** Waits until `/health` shows the state of the job that signs checkpoints. */
async function requireLogJob(name: string, state: { failing: boolean }): Promise<void> {
  const service = await serveHere(at(name), { org: "acme", adminKey: KEY });
  const check = async () => {
    const answer = await request(`${service.address}/health`, { dispatcher });
    expect(Object(await answer.body.json()).jobs.log).toMatchObject(state);
  };
  try {
    await vi.waitFor(check, { timeout: 20_000 });
  } finally {
    await service.close();
  }
}

function change(name: string, statement: string): void {
  const database = new DatabaseSync(databaseFile(at(name)));
  database.exec(statement);
  database.close();
}

test("fsck finds each change of events, log and checkpoints", async () => {
  // Only logs of 16 entries and more have hashes halfway to the root of a tile.
  const others = Array.from({ length: 12 }, (_, index) => `flow-${index}`);
  await recordAndProve("original", ["one", "two", "three", ...others]);
  expect(await fsck("original")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Checked \d+ events: no difference\n$/),
  });
  const changes: readonly (readonly [statement: string, message: RegExp])[] = [
    ["update events set subject_name = 'four' where subject_name = 'two'", /the event \S+ was changed/],
    [
      "update events set digest = salt || salt where subject_name = 'two'",
      /was changed\n.*tile 0 on level 0 differs/,
    ],
    [
      "delete from events where subject_name = 'two'",
      /tile 0 on level 0 differs[\s\S]*entries, but there are \d+ events/,
    ],
    ["update logs set size = size + 1", /entries, but there are \d+ events/],
    ["update log_tiles set hashes = replace(hashes, substr(hashes, 5, 1), '+')", /tile 0 on level 0 differs/],
    [
      "update log_tiles set halfway = replace(halfway, substr(halfway, 5, 1), '+')",
      /tile 0 on level 0 differs/,
    ],
    ["delete from log_tiles", /tile 0 on level 0 differs/],
    [
      "update logs set checkpoint = replace(checkpoint, 'acme', 'acne')",
      /the checkpoint in the records is not signed/,
    ],
    ["delete from statements", /the statement \S+ differs from its event/],
    [
      "update statements set envelope = replace(envelope, substr(envelope, 20, 2), 'AA')",
      /the statement \S+ differs from its event/,
    ],
    ["delete from log_keys", /is not signed by a key of the log/],
  ];
  for (const [statement, message] of changes) {
    await cp(at("original"), at("copy"), { recursive: true });
    change("copy", statement);
    const { status, stdout } = await fsck("copy");
    expect([status, stdout], statement).toEqual([1, expect.stringMatching(message)]);
    await rm(at("copy"), { recursive: true });
  }
});

test("a restored service signs nothing until it has proven that it continues the last checkpoint", async () => {
  const before = await recordAndProve("original", ["one"]);
  expect((await runHere(["backup", "--data", at("original"), "--to", at("backup")])).status).toBe(0);
  const after = await recordAndProve("original", ["two"]);
  expect((await runHere(["restore", "--from", at("backup"), "--data", at("restored")])).status).toBe(0);
  const refused = await recordAndProve("restored", ["three"]);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("log.refused")]);
  expect(refused.checkpoint).toBe(before.checkpoint);
  await requireLogJob("restored", { failing: true });
  const resume = async (checkpoint: string) => {
    await writeFile(at("checkpoint"), checkpoint);
    return runHere([
      "log",
      "continue",
      "--data",
      at("restored"),
      "--org",
      "acme",
      "--checkpoint",
      at("checkpoint"),
    ]);
  };
  expect(await resume(after.checkpoint)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("has another root"),
  });
  expect(await resume(before.checkpoint.replace("acme", "acne"))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("is not signed by a key of the log"),
  });
  // The new place has no checkpoint, so nothing says which one was lost.
  const replaced = (...more: string[]) =>
    runHere(["log", "replace", "--data", at("restored"), "--org", "acme", ...more]);
  expect(await replaced()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("is not known. Give it"),
  });
  expect(await resume(before.checkpoint)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("The records continue this checkpoint"),
  });
  expect((await recordAndProve("restored", ["four"])).status).toBe(200);
  await requireLogJob("restored", { failing: false });
  expect(await resume(before.checkpoint)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/has \d+ entries, but the service has one of \d+\. Give a later one/),
  });
  await writeFile(at("checkpoint"), after.checkpoint);
  const [origin, size, root] = after.checkpoint.split("\n");
  expect((await replaced("--checkpoint", at("checkpoint"))).status).toBe(0);
  expect(actsOf("restored", "log.replaced")).toEqual([{ former: origin, size: Number(size), root }]);
});

test("when the latest events are lost, a new log begins under another name", async () => {
  const first = ["log", "replace", "--data", at("original"), "--org", "acme"];
  await recordAndProve("original", ["one"]);
  expect(await runHere(first)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /The records continue the last checkpoint of acme\.\S+\. .* needs no other/,
    ),
  });
  await cp(databaseFile(at("original")), at("backup"));
  const lost = await recordAndProve("original", ["two"]);
  await cp(at("backup"), databaseFile(at("original")));
  expect((await recordAndProve("original", ["three"])).text).toContain("log.refused");
  const [, origin = ""] = /^(\S+)\n/.exec(lost.checkpoint) ?? [];
  const otherKey = { env: { EVIDENCE_SECRET_KEY: Buffer.alloc(32, 1).toString("base64") } };
  expect(await runHere(first, otherKey)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("The key for secrets is missing, or is another one"),
  });
  const replaced = await runHere(first);
  const again = await recordAndProve("original", ["four"]);
  expect(replaced).toEqual(
    expect.objectContaining({
      status: 0,
      stdout: `The log is now ${origin}~2. Its policy:\n${again.policy}`,
    }),
  );
  expect(again).toMatchObject({ status: 200, checkpoint: expect.stringMatching(/^acme\.\S+~2\n/) });
  const [, size, root] = lost.checkpoint.split("\n");
  expect(actsOf("original", "log.replaced")).toEqual([{ former: origin, size: Number(size), root }]);
  expect((await fsck("original")).status).toBe(0);
});

test("a new key signs beside the former one until that is retired", async () => {
  await recordAndProve("original", ["one"]);
  const run = (...args: string[]) => runHere(["log", ...args, "--data", at("original"), "--org", "acme"]);
  const ids = (checkpoint: string) =>
    [...checkpoint.matchAll(/^— \S+ (\S+)$/gm)].map(([, signature = ""]) =>
      Buffer.from(signature, "base64").subarray(0, 4).toString("hex"),
    );
  const [former = ""] = ids((await recordAndProve("original", ["two"])).checkpoint);
  expect(await run("retire-key", former)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("This is the only key. Create another one first"),
  });
  const added = await run("new-key");
  const [, latter = ""] = /^log acme\.\S+?\+([\da-f]{8})\+\S+\n$/.exec(added.stdout) ?? [];
  const both = await recordAndProve("original", ["three"]);
  expect(ids(both.checkpoint).sort()).toEqual([former, latter].sort());
  expect((await run("retire-key", former)).status).toBe(0);
  const one = await recordAndProve("original", ["four"]);
  expect(ids(one.checkpoint)).toEqual([latter]);
  expect(actsOf("original", "log_key.retired")).toEqual([{ key: expect.stringContaining(`+${former}+`) }]);
  expect(one.policy).toMatch(
    new RegExp(`^# Retired 20.*\nlog \\S+\\+${former}\\+\\S+\nlog \\S+\\+${latter}`),
  );
  expect((await fsck("original")).status).toBe(0);
});

/** The details of all acts of a type. */
function actsOf(name: string, type: string): unknown[] {
  const database = new DatabaseSync(databaseFile(at(name)), { readOnly: true });
  const rows = database.prepare("select data from events where type = ?").all(type);
  database.close();
  return rows.map(({ data }) => JSON.parse(String(data)).details);
}

test("a moved service continues its log", async () => {
  const before = await recordAndProve("original", ["one"]);
  expect((await runHere(["move", "--from", at("original"), "--to", at("moved")])).status).toBe(0);
  const after = await recordAndProve("moved", ["two"]);
  expect(after.status).toBe(200);
  expect(JSON.parse(after.text).size).toBeGreaterThan(JSON.parse(before.text).size);
  expect((await fsck("moved")).status).toBe(0);
});
