import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyPackage } from "../../../../src/cli/operator/verify-package.ts";
import { LOCK } from "../../../../src/cli/operator/witness/folder.ts";
import {
  cosignatureLine,
  cosignedAt,
  newSigner,
  parseCheckpoint,
  parseSigner,
  signerText,
  signNote,
  verifierKey,
} from "../../../../src/evidence/log/note.ts";
import { lockFolder } from "../../../../src/service/store/sqlite/folder-lock.ts";
import { httpServer } from "../../../api/local-server.ts";
import { COMPILE_CACHE } from "../../../program-variables.ts";
import { pipeline } from "../../../service/requests.ts";
import { CLI } from "../../command.ts";
import { serveHere } from "../../served-here.ts";
import { runHere } from "../../terminal.ts";

const ADMIN_KEY = `de_${"k".repeat(43)}`;

let scratch: string;
let service: Awaited<ReturnType<typeof serveHere>>;
let dispatcher: Agent;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "evidence-witness-"));
  dispatcher = new Agent();
});
afterEach(async () => {
  await dispatcher.destroy();
  await service?.close();
  await rm(scratch, { recursive: true });
});

const at = (...names: string[]) => join(scratch, ...names);
const serve = async (data: string) => {
  await service?.close();
  service = await serveHere(at(data), { org: "acme", adminKey: ADMIN_KEY });
};
const environment = (address = service.address) => ({
  ...{ EVIDENCE_BASE_URL: address, EVIDENCE_ORG: "acme", EVIDENCE_API_KEY: ADMIN_KEY },
});
const witness = (...args: string[]) =>
  runHere(["witness", "--folder", at("kept"), "--key-file", at("key"), "--retries", "0", ...args], {
    env: environment(),
  });
const newKey = () => runHere(["witness", "--new-key", at("key"), "--name", "acme.example/witness"]);

async function get(path: string): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const answer = await request(`${service.address}/api/v2${path}`, { dispatcher, headers });
  expect(answer.statusCode).toBe(200);
  return answer.body.bytes();
}

/** Begins trails of a flow. Their events are in the log when this returns. */
async function record(...names: string[]): Promise<void> {
  const reached = { address: service.address, dispatcher, keys: { admin: ADMIN_KEY, member: ADMIN_KEY } };
  const { flow, trail } = pipeline(reached, ADMIN_KEY);
  await flow("web");
  for (const name of names) expect((await trail("web", name)).status).toBe(201);
  await packageOf(names.at(-1) ?? "");
}

const packageOf = (trail: string) => get(`/trails/acme/web/${trail}/audit_package`);

/** The checkpoint that the witness kept. */
async function kept(): Promise<{ path: string; note: string; size: number }> {
  const [folder = ""] = (await readdir(at("kept"))).filter((name) => /^[0-9a-f]{64}$/.test(name));
  const path = at("kept", folder, "checkpoint");
  const note = await readFile(path, "utf8");
  return { path, note, size: parseCheckpoint(note).size };
}
const refused = async () => {
  const names = await readdir(at("kept", "refused")).catch(() => []);
  return Promise.all(names.map((name) => readFile(at("kept", "refused", name), "utf8")));
};

test("a witness follows a log, and refuses the same log after it was restored or forked", async () => {
  await serve("data");
  await record("a", "b");
  const created = await newKey();
  expect(created.stdout).toMatch(/^acme\.example\/witness\+[0-9a-f]{8}\+B\S+\n$/);
  expect((await stat(at("key"))).mode & 0o777).toBe(0o600);
  expect((await newKey()).stderr, "no key is replaced").toContain("An existing key is never replaced");

  expect(await witness()).toMatchObject({ status: 1, stderr: expect.stringContaining("--trust-first") });
  expect(await witness("--trust-first")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("its first checkpoint here"),
    stderr: expect.stringContaining("warning: trusts the keys that the service had now"),
  });
  const first = await kept();
  expect(await witness(), "again").toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^No new entries/),
  });
  expect((await kept()).note).toBe(first.note);
  await service.close();
  await cp(at("data"), at("older"), { recursive: true });
  await cp(at("data"), at("fork"), { recursive: true });

  for (const names of [["c"], ["d", "e", "f"], ["g"]]) {
    await serve("data");
    await record(...names);
    const before = (await kept()).size;
    expect(await witness()).toMatchObject({ status: 0, stdout: expect.stringContaining(`${before} before`) });
  }
  const last = await kept();
  const signer = parseSigner((await readFile(at("key"), "utf8")).trim());
  expect(Math.abs((cosignedAt(last.note, signer) ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  expect(await readFile(at("kept/policy.txt"), "utf8")).toMatch(
    /^log \S+\nwitness own acme\.example\/witness\+\S+\nquorum own\n$/,
  );

  await serve("older");
  expect(await witness()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`entries, but the last one had ${last.size}`),
    stdout: expect.stringContaining("The refused checkpoint is in"),
  });
  // The restored log has the key and the former checkpoint, so the service signs what comes next.
  await serve("fork");
  await record("x");
  while (parseCheckpoint(await checkpoint()).size < last.size) await record(`x${Math.random()}`);
  expect(await witness()).toMatchObject({ status: 1, stderr: expect.stringContaining("another root") });
  await record("y");
  expect(await witness()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`do not begin with the ${last.size} entries`),
  });
  expect((await kept()).note, "the last checkpoint stays").toBe(last.note);
  const found = (await refused()).map((note) => parseCheckpoint(note).size - last.size);
  expect(found.sort((a, b) => a - b)).toEqual([first.size - last.size, 0, 1]);
}, 60_000);

const checkpoint = async () => Buffer.from(await get("/log/acme/checkpoint")).toString();

test("an audit package is proven offline with the checkpoint of a witness, before and after it", async () => {
  await serve("data");
  await newKey();
  await record("v1");
  const unseen = await packageOf("v1");
  await record("v2");
  await witness("--trust-first");
  const policy = await readFile(at("kept/policy.txt"), "utf8");
  const { note, size } = await kept();
  const sizeOf = (tgz: Uint8Array) =>
    Number(/, (\d+) entries/.exec(verifyPackage(tgz, policy).lines.join())?.[1]);
  const proof = async (from: number, to: number) =>
    Buffer.from(await get(`/log/acme/consistency?from=${from}&to=${to}`)).toString();
  const lastLine = (tgz: Uint8Array, more?: { checkpoint: string; consistency?: string }) => {
    const { status, lines } = verifyPackage(tgz, policy, { kept: more });
    return { status, said: lines.filter((line) => !line.startsWith("proven")).join("\n") };
  };

  expect(lastLine(unseen), "without the checkpoint").toMatchObject({
    status: 2,
    said: expect.stringContaining("too few witnesses for the quorum own"),
  });
  const former = sizeOf(unseen);
  expect(lastLine(unseen, { checkpoint: note })).toMatchObject({
    status: 2,
    said: expect.stringContaining(`getLogConsistency from=${former} to=${size} > consistency.json`),
  });
  const consistency = await proof(former, size);
  expect(lastLine(unseen, { checkpoint: note, consistency })).toMatchObject({
    status: 0,
    said: expect.stringMatching(/Your checkpoint, \d+ entries, seen by own at 2\S+Z: the same log\nProven/),
  });
  expect(lastLine(unseen, { checkpoint: note, consistency: await proof(1, size) })).toMatchObject({
    status: 2,
    said: expect.stringContaining(`not one from ${former} to ${size} entries`),
  });
  const wrong = JSON.stringify({ from: former, to: size, proof: [Buffer.alloc(32).toString("base64")] });
  expect(lastLine(unseen, { checkpoint: note, consistency: wrong })).toMatchObject({
    status: 1,
    said: expect.stringContaining("does not begin with"),
  });

  await record("v3");
  const later = await packageOf("v3");
  const sizes = [size, sizeOf(later)] as const;
  expect(lastLine(later, { checkpoint: note, consistency: await proof(...sizes) })).toMatchObject({
    status: 2,
    said: expect.stringContaining(`your checkpoint of ${size} entries does not have it yet`),
  });
  const [text = "", signatures = ""] = note.split("\n\n");
  const signer = parseSigner(await readFile(at("key"), "utf8").then((key) => key.trim()));
  const tomorrow = cosignatureLine(`${text}\n`, signer, Math.floor(Date.now() / 1000) + 86_400);
  const seenLater = `${text}\n\n${signatures.split("\n")[0]}\n${tomorrow}`;
  expect(lastLine(later, { checkpoint: seenLater, consistency: await proof(...sizes) }).said).toMatch(
    /^note .* does not have it, though it claims to be earlier$/m,
  );
  await witness();
  const [file, policyFile] = [at("package.tgz"), at("kept/policy.txt")];
  await writeFile(file, later);
  const args = ["verify", file, "--policy", policyFile, "--checkpoint", (await kept()).path];
  expect(await runHere(args), "of one size").toMatchObject({ status: 0, stderr: "" });
  expect(await runHere(["verify", "--checkpoint", file])).toMatchObject({ status: 1 });

  const other = newSigner("elsewhere");
  const foreign = signNote(`elsewhere\n3\n${"A".repeat(43)}=\n`, [other]);
  expect(lastLine(later, { checkpoint: foreign }).said).toContain("it is of another log: elsewhere");
  expect(lastLine(later, { checkpoint: "x" }).said).toContain("your checkpoint: it is not a checkpoint");
}, 60_000);

describe("a log with keys of the test", () => {
  const origin = "log.example/acme";
  const [former, next, stranger] = [newSigner(origin), newSigner(origin), newSigner(origin)];
  const root = `${"A".repeat(43)}=`;
  const text = `${origin}\n3\n${root}\n`;
  const policy = [former, next].map((key) => `log ${verifierKey(key)}\n`).join("");

  /** One run against a server that serves a note. */
  async function run(note: string | undefined, ...args: string[]) {
    const { url } = await httpServer((response) => {
      if (note === undefined) response.destroy();
      else response.end(note);
    });
    await mkdir(at("kept"), { recursive: true });
    await writeFile(at("kept/policy.txt"), policy);
    const signer = newSigner("acme.example/witness");
    await writeFile(at("key"), signerText(signer), { flag: "wx" }).catch(() => {});
    const base = ["witness", "--folder", at("kept"), "--key-file", at("key"), "--retries", "0"];
    return runHere([...base, ...args], { env: environment(url) });
  }

  test.each([
    ["its former key", signNote(text, [former]), 1],
    ["its next key", signNote(text, [next]), 1],
    ["both", signNote(text, [former, next]), 2],
    ["its key and an unknown one", signNote(text, [next, stranger]), 1],
  ])("is cosigned with a signature of %s", async (_, note, signatures) => {
    expect(await run(note)).toMatchObject({ status: 0, stderr: "" });
    const lines = (await kept()).note.split("\n\n")[1]?.trimEnd().split("\n");
    expect(lines?.map((line) => line.split(" ")[1])).toEqual([
      ...Array(signatures).fill(origin),
      "acme.example/witness",
    ]);
  });

  test.each([
    ["an unknown key", signNote(text, [stranger]), "no key of the policy signed it"],
    ["a wrong signature", signNote(text, [former, next]).replace("\n3\n", "\n4\n"), "its signature is wrong"],
    ["the name of another log", signNote(`x${text}`, [former]), "the policy has no key of this log"],
    ["no signature", text, "it is not a signed checkpoint"],
    ["another text", "::error::x\n\n", "it is not a signed checkpoint"],
  ])("is refused with %s, which is kept", async (_, note, reason) => {
    expect(await run(note)).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) });
    expect(await refused()).toEqual([note]);
    expect((await readdir(at("kept"))).sort()).toEqual(["policy.txt", "refused", LOCK]);
  });

  test("is undecided if the service does not answer, or the clock was set back", async () => {
    expect(await run(undefined)).toMatchObject({ status: 2, stderr: expect.stringContaining("Undecided") });
    expect((await run(undefined, "--base-url", "nowhere")).status, "a mistake of the user").toBe(1);
    await run(signNote(text, [next]));
    const { path } = await kept();
    const signer = parseSigner(await readFile(at("key"), "utf8"));
    const ahead = Math.floor(Date.now() / 1000) + 3_600;
    const future = `${origin}\n0\n${EMPTY}\n`;
    const ofFuture = `${signNote(future, [next])}${cosignatureLine(future, signer, ahead)}`;
    await writeFile(path, ofFuture);
    const { url } = await httpServer((response, { path: asked }) => {
      const answer = asked.includes("consistency")
        ? JSON.stringify({ from: 0, to: 3, proof: [] })
        : signNote(text, [next]);
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    });
    const back = await runHere(["witness", "--folder", at("kept"), "--key-file", at("key")], {
      env: environment(url),
    });
    expect(back).toMatchObject({ status: 2, stderr: expect.stringContaining("Set the clock") });
    expect(await readFile(path, "utf8")).toBe(ofFuture);
  });

  test("is not cosigned by two witnesses of one folder at once", async () => {
    await mkdir(at("kept"));
    const unlock = lockFolder(at("kept"), "", LOCK);
    const busy = await run(signNote(text, [next]));
    expect(busy).toMatchObject({ status: 1, stderr: expect.stringContaining("Another witness is using") });
    unlock();
    expect((await run(signNote(text, [next]))).status).toBe(0);
  });

  test("stays as it was, or is complete, whenever the witness is killed", async () => {
    await run(signNote(text, [next]));
    const { path } = await kept();
    const empty = signNote(`${origin}\n0\n${EMPTY}\n`, [next]);
    const signer = parseSigner(await readFile(at("key"), "utf8"));
    let kill = () => {};
    const { url } = await httpServer((response, { path: asked }) => {
      const isLast = asked.includes("consistency");
      response.end(isLast ? '{"from":0,"to":3,"proof":[]}' : signNote(text, [next]));
      if (isLast) kill();
    });
    let isDone = false;
    for (let wait = 0; !isDone; wait = 2 * wait + 1) {
      await writeFile(path, empty);
      const args = [CLI, "witness", "--folder", at("kept"), "--key-file", at("key")];
      const child = spawn(process.execPath, args, { env: { ...COMPILE_CACHE, ...environment(url) } });
      kill = () => void setTimeout(() => child.kill("SIGKILL"), wait);
      await once(child, "exit");
      const note = await readFile(path, "utf8");
      isDone = cosignedAt(note, signer) !== undefined;
      expect(isDone ? parseCheckpoint(note).size : note).toBe(isDone ? 3 : empty);
    }
    expect((await run(signNote(text, [next]))).status, "no lock is left").toBe(0);
  }, 60_000);
});

/** The root of a tree without leaves. */
const EMPTY = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
