import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesIn } from "../../../src/cli/operator/package-archive.ts";
import { checkManifest, verifyPackage } from "../../../src/cli/operator/verify-package.ts";
import { newSigner, signNote, verifierKey } from "../../../src/evidence/log/note.ts";
import { newStatementKey, signStatement } from "../../../src/evidence/provenance/statements/dsse.ts";
import { OPA } from "../../go-programs.ts";
import { FP, pipeline, send } from "../../service/requests.ts";
import { ORG, startTestService, type TestService } from "../../service/running-service.ts";
import { succeedingRequests } from "../../service/succeeding-requests.ts";
import { runHere } from "../terminal.ts";

let service: TestService;
let tgz: Uint8Array;
let policy: string;
const unit = /^attestations\/unit-/;
const statement = /\.intoto\.json$/;

beforeAll(async () => {
  service = await startTestService({}, { opa: OPA });
  const { flow, trail, artifact, attest } = pipeline(service);
  await flow("web");
  await trail("web", "v1");
  await artifact("web", "v1");
  await attest("web", "v1", { attestation_name: "unit", user_data: { passed: 3 } }, [
    { name: "r.txt", content: "report" },
  ]);
  await attest("web", "v1", { attestation_name: "scan" });
  await send(service, { method: "POST", path: `/asserts/${ORG}/fingerprint/${FP}` });
  tgz = await packageOf("web", "v1");
  policy = (await send(service, { path: `/log/${ORG}/policy` })).text;
});
afterAll(() => service.dispose());

const packageOf = (flow: string, trail: string) => download(`/trails/${ORG}/${flow}/${trail}/audit_package`);

async function download(path: string): Promise<Uint8Array> {
  const answer = await request(`${service.address}/api/v2${path}`, {
    dispatcher: service.dispatcher,
    headers: { authorization: `Bearer ${service.keys.member}` },
  });
  return answer.body.bytes();
}

type Files = Map<string, Uint8Array>;

async function unpacked(archive = tgz): Promise<Files> {
  const entries = await unpackTar(gunzipSync(archive));
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
}

async function packed(files: Files): Promise<Uint8Array> {
  return gzipSync(
    await packTar([...files].map(([name, body]) => ({ header: { name, size: body.length }, body }))),
  );
}

/** A manifest that lists what is there, as a forger would write it. */
function repaired(files: Files): Files {
  const manifest = JSON.parse(Buffer.from(files.get("manifest.json") ?? []).toString());
  manifest.files = [...files]
    .filter(([name]) => name !== "manifest.json")
    .map(([name, content]) => ({
      ...{ name, size: content.length },
      sha256: digestOf(content),
    }));
  return new Map([...files, ["manifest.json", Buffer.from(JSON.stringify(manifest))]]);
}

function lineAt(content: Uint8Array, at: number): string {
  const text = Buffer.from(content).toString("latin1");
  return text.slice(text.lastIndexOf("\n", at) + 1, at + 20);
}

const textOf = (files: Files, name: string) => Buffer.from(files.get(name) ?? []).toString();
const nameOf = (files: Files, pattern: RegExp) => [...files.keys()].find((name) => pattern.test(name)) ?? "";

/** Signs the same statement by another key, under the ID of the known one. */
function resigned(files: Files, privateKey: string) {
  const { payload, signatures } = JSON.parse(textOf(files, nameOf(files, statement)));
  const keyId = signatures[0].keyid;
  const envelope = signStatement(Buffer.from(payload, "base64").toString(), { keyId, privateKey });
  files.set(nameOf(files, statement), Buffer.from(envelope));
}

async function changed(change: (files: Files) => void, keys = policy) {
  const files = await unpacked();
  change(files);
  return verifyPackage(await packed(repaired(files)), keys);
}

test("a package is proven with the keys of its reader, and undecided with its own", async () => {
  const { status, lines } = verifyPackage(tgz, policy);
  expect([status, lines.filter((line) => line.startsWith("proven")).length]).toEqual([0, 5]);
  expect(lines.at(-1)).toBe("Proven: each record is in the log as it was recorded");
  const own = verifyPackage(tgz);
  expect(own.status).toBe(2);
  expect(own.lines.at(-1)).toBe("Undecided: see the lines above");
  expect(own.lines).toContainEqual(
    expect.stringContaining("Give the keys that you trust with --policy FILE"),
  );
});

test("a package of every kind of record is proven", async () => {
  await succeedingRequests(service);
  const { status, lines } = verifyPackage(await packageOf("sample", "sample"), policy);
  expect(lines.filter((line) => !line.startsWith("proven"))).toEqual([
    "Trail sample of the flow sample",
    expect.stringContaining("entries"),
    expect.stringMatching(/^Proven/),
  ]);
  expect(status).toBe(0);
});

test("a package of an artifact is proven, and a record left out with it is found", async () => {
  const { attest } = pipeline(service);
  await attest("web", "v1", { attestation_name: "sbom", artifact_fingerprint: FP });
  const whole = await download(`/artifacts/${ORG}/web/${FP}/audit_package`);
  const { status, lines } = verifyPackage(whole, policy);
  expect([status, lines.filter((line) => line.startsWith("proven")).length]).toEqual([0, 2]);
  for (const lost of [/^attestations/, /^artifact\.json/]) {
    const files = await unpacked(whole);
    files.delete(nameOf(files, lost));
    expect(verifyPackage(await packed(repaired(files)), policy).status).toBe(1);
  }
});

const digestOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

/** Changes each byte of a file, one after the other. */
function flips(content: Uint8Array, check: (at: number) => void, step = 1): void {
  for (let at = 0; at < content.length; at += step) {
    content[at] = (content[at] ?? 0) ^ 1;
    check(at);
    content[at] = (content[at] ?? 0) ^ 1;
  }
}

test("every changed byte of every file differs from the manifest", () => {
  const files = filesIn(tgz);
  for (const [name, content] of files) {
    if (name === "manifest.json") continue;
    const check = (at: number) => {
      const found: string[] = [];
      checkManifest(files, (problem) => found.push(problem), expect.unreachable);
      expect(found, `${name} at ${at}`).toEqual([`${name}: it differs from the manifest`]);
    };
    flips(content, check, name.endsWith(".html") ? 97 : 1);
  }
});

test("every changed byte of a manifest, and of events and proofs with a repaired manifest, is found", () => {
  // The contents are parts of one tar, which is changed in place: a new package takes longer to write than to verify.
  const files = filesIn(tgz);
  const [manifest = new Uint8Array()] = files.values();
  const tar = Buffer.from(manifest.buffer, manifest.byteOffset - 512, gunzipSync(tgz).length);
  const status = () => verifyPackage(gzipSync(tar, { level: 0 }), policy).status;
  expect(status()).toBe(0);
  flips(manifest, (at) => {
    // Nothing in the log names the organization.
    if (!/"org": "/.test(lineAt(manifest, at))) expect(status(), `manifest.json at ${at}`).toBe(1);
  });
  const listed = Buffer.from(manifest.buffer, manifest.byteOffset, manifest.length);
  for (const [name, content] of files) {
    if (!/^log\/(events|details|checkpoint)|^attachments/.test(name)) continue;
    const digest = digestOf(content);
    const place = listed.indexOf(digest);
    flips(content, (at) => {
      listed.write(digestOf(content), place);
      expect(status(), `${name} at ${at}, repaired`).not.toBe(0);
      listed.write(digest, place);
    });
  }
}, 240_000);

test.each([
  [
    "a record",
    (files: Files) =>
      files.set(
        nameOf(files, unit),
        Buffer.from(
          textOf(files, nameOf(files, unit)).replace('"is_compliant": true', '"is_compliant": false'),
        ),
      ),
    1,
  ],
  [
    "data of a record",
    (files: Files) =>
      files.set(
        nameOf(files, unit),
        Buffer.from(textOf(files, nameOf(files, unit)).replace('"passed": 3', '"passed": 4')),
      ),
    1,
  ],
  [
    "a record that no one made",
    (files: Files) => files.set("attestations/x-y.json", Buffer.from('{"attestation_id":"y"}')),
    1,
  ],
  ["a missing record", (files: Files) => files.delete(nameOf(files, unit)), 1],
  ["a missing event", (files: Files) => files.delete(nameOf(files, /events\/\d+\.json/)), 1],
  ["missing details", (files: Files) => files.delete(nameOf(files, /^log\/details/)), 1],
  ["a missing attachment", (files: Files) => files.delete(nameOf(files, /^attachments/)), 1],
  [
    "another attachment",
    (files: Files) => files.set(nameOf(files, /^attachments/), Buffer.from("forged")),
    1,
  ],
  [
    "a proof of another event",
    (files: Files) => {
      const [first = "", second = ""] = [...files.keys()].filter((name) => name.endsWith(".tlog-proof"));
      files.set(first, files.get(second) ?? new Uint8Array());
    },
    1,
  ],
  ["a missing statement", (files: Files) => files.delete(nameOf(files, statement)), 1],
  ["another signature of a statement", (files: Files) => resigned(files, newStatementKey().privateKey), 1],
  [
    "another statement",
    (files: Files) => {
      const { keyId, publicKey, privateKey } = newStatementKey();
      files.set(nameOf(files, statement), Buffer.from(signStatement("{}", { keyId, privateKey })));
      const keys = [{ keyid: keyId, public_key: publicKey }];
      files.set("statements/evidence-keys.json", Buffer.from(JSON.stringify({ keys })));
    },
    1,
  ],
  [
    "a missing log",
    (files: Files) => {
      for (const name of files.keys()) if (name.startsWith("log/")) files.delete(name);
    },
    2,
  ],
] as const)("%s is found though the manifest was repaired", async (_, change, status) => {
  expect((await changed(change)).status).toBe(status);
});

test("a statement is proven with the keys of its reader, and undecided with other keys", async () => {
  const keys = textOf(await unpacked(), "statements/evidence-keys.json");
  expect(verifyPackage(tgz, policy, { keys }).status).toBe(0);
  const ended = keys.replace('"retired_at":null', '"retired_at":"2020-01-01T00:00:00.000Z"');
  expect(verifyPackage(tgz, policy, { keys: ended }).status, "a key that was retired before").toBe(1);
  const { keyId, publicKey } = newStatementKey();
  const others = JSON.stringify({ keys: [{ keyid: keyId, public_key: publicKey }] });
  const { status, lines } = verifyPackage(tgz, policy, { keys: others });
  expect([status, lines.join("\n")]).toEqual([
    2,
    expect.stringContaining("signed by the unknown key SHA256:"),
  ]);
});

test("a checkpoint of another signer is not trusted, whatever its name", async () => {
  const files = await unpacked();
  const [origin = "", size, root] = textOf(files, "log/checkpoint").split("\n");
  const forger = newSigner(origin);
  const note = signNote(`${origin}\n${size}\n${root}\n`, [forger]);
  const forge = (each: Files) => {
    const before = textOf(each, "log/checkpoint");
    for (const [name, content] of each)
      if (/checkpoint|tlog-proof/.test(name))
        each.set(name, Buffer.from(Buffer.from(content).toString().replace(before, note)));
    each.set("log/policy.txt", Buffer.from(`log ${verifierKey(forger)}\n`));
  };
  expect((await changed(forge)).status).toBe(2);
  expect(
    (await changed(forge, `log ${verifierKey(forger)}\nquorum none\n`)).status,
    "the policy of the forger",
  ).toBe(0);
  const both = `log ${verifierKey(newSigner(origin))}\n${policy}`;
  expect(verifyPackage(tgz, both).status, "after a rotation").toBe(0);
  const witness = newSigner("witness.example");
  const asked = `${policy.replace("quorum none", `witness w ${verifierKey(witness)}\nquorum w`)}`;
  expect(verifyPackage(tgz, asked).lines.join("\n")).toContain("too few witnesses for the quorum w");
});

test.each([
  ["no archive", () => Buffer.from("x")],
  ["a truncated archive", () => tgz.subarray(0, -20)],
  ["a truncated tar", () => gzipSync(gunzipSync(tgz).subarray(0, 1_000))],
  ["data after the tar", () => gzipSync(Buffer.concat([gunzipSync(tgz), Buffer.from("more")]))],
  ["an empty tar", () => gzipSync(Buffer.alloc(1_024))],
])("%s is no package", (_, bytes) => {
  const { status, lines } = verifyPackage(bytes(), policy);
  expect([status, lines[0]]).toEqual([1, expect.stringContaining("the package cannot be read")]);
});

test.each(["../outside", "/etc/passwd", "a//b"])("the name %s is refused", async (name) => {
  const { lines } = await changed((files) => files.set(name, Buffer.from("x")));
  expect(lines[0]).toContain("is outside of the package");
});

test("a package that GNU tar packed again is proven", async () => {
  const folder = await mkdtemp(join(tmpdir(), "evidence-repacked-"));
  await writeFile(join(folder, "p.tgz"), tgz);
  const tar = promisify(execFile);
  await mkdir(join(folder, "p"));
  await tar("tar", ["-xzf", "p.tgz", "-C", "p"], { cwd: folder });
  await tar("tar", ["--format=gnu", "-czf", "again.tgz", "-C", "p", ...(await readdir(join(folder, "p")))], {
    cwd: folder,
  });
  expect(verifyPackage(await readFile(join(folder, "again.tgz")), policy).lines.at(-1)).toMatch(/^Proven/);
  await rm(folder, { recursive: true });
});

test("the command prints a line for each record, and ends with the status", async () => {
  const folder = await mkdtemp(join(tmpdir(), "evidence-verify-package-"));
  const [file, keys] = [join(folder, "p.tgz"), join(folder, "policy.txt")];
  await writeFile(file, tgz);
  await writeFile(keys, policy);
  expect(await runHere(["verify", file, "--policy", keys])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^(proven {5}.*\n){4}Trail v1 of the flow web\nCheckpoint .*\nproven {5}statements.*PASSED\nProven: .*\n$/,
    ),
  });
  expect((await runHere(["verify", file])).status).toBe(2);
  expect(await runHere(["verify", join(folder, "none.tgz")])).toMatchObject({
    stderr: expect.stringContaining("cannot be read"),
  });
  // A file of the reader's own does not make the package a changed one.
  await writeFile(keys, "{}");
  for (const [option, problem] of [
    ["--policy", "the policy has an unknown line: {}"],
    ["--keys", "the keys of the statements are no evidence-keys.json"],
  ] as const) {
    expect(await runHere(["verify", file, option, keys])).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining(problem),
    });
  }
  await rm(folder, { recursive: true });
});
