import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runBundle, runHere } from "./bundle-run.ts";
import { type Answer, recordingServer } from "./recording-server.ts";
import { annotationsIn, sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: { message: "OK" } };
const [A, B] = ["a".repeat(64), "b".repeat(64)];
const file = (name: string, hex: string) => ({ name, digest: `sha256:${hex}`, kind: "file" });
const listOf = (...subjects: unknown[]) => JSON.stringify({ version: 1, subjects });

interface Asked {
  inputs?: Record<string, string>;
  env?: Record<string, string>;
  files?: Record<string, string>;
  answers?: readonly Answer[];
  /** Default: no process starts. */
  by?: typeof runBundle;
}

async function attest({ inputs = {}, env = {}, files = {}, answers = [RECORDED], by = runHere }: Asked) {
  await using server = await recordingServer(answers);
  const given = { flow: "web", kind: "artifact", ...inputs };
  const run = await by("attest", { server, inputs: given, env, files });
  const results: unknown = JSON.parse(run.outputs["results"] || "null");
  return { ...run, results, sent: server.requests.map(sent), errors: annotationsIn(run.stdout, "error") };
}

const listed = (list: string, inputs: Record<string, string> = {}, by = runHere) =>
  attest({ inputs, env: { GITHUB_ARTIFACTS_LIST: "list.json" }, files: { "list.json": list }, by });

describe("attest of an artifact without a subject", () => {
  test("records each artifact that earlier steps declared", async () => {
    const image = { name: "ghcr.io/acme/shop:1.2", digest: `sha256:${B}`, kind: "oci" };
    const run = await listed(listOf(file("app_1.tar.gz", A), image, file("app_1.tar.gz", A)), {}, runBundle);
    expect(run).toMatchObject({ status: 0, outputs: { status: "recorded" } });
    const bodies = run.sent.map(({ data }) => data);
    expect(bodies).toHaveLength(2);
    expect(bodies).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ fingerprint: A, filename: "app_1.tar.gz", template_reference_name: "app_1-tar-gz" },
        }),
        expect.objectContaining({
          ...{ fingerprint: B, filename: "ghcr.io/acme/shop:1.2", template_reference_name: "shop" },
        }),
      ]),
    );
    expect(run.results).toMatchObject([{ name: "app_1-tar-gz" }, { name: "shop" }]);
  });

  test("uses the name of the template for a single artifact", async () => {
    const run = await listed(listOf(file("my app.tgz", A)), { name: "app" });
    expect(run.sent.map(({ data }) => data)).toMatchObject([
      { fingerprint: A, filename: "app", template_reference_name: "app" },
    ]);
  });

  test.each([
    ...["", "[", "null", '{"version":2,"subjects":[]}', '{"version":1}', '{"version":1,"subjects":{}}'].map(
      (list): [string, string] => [list, "GITHUB_ARTIFACTS_LIST: is not a list of version 1"],
    ),
    [listOf(), "GITHUB_ARTIFACTS_LIST: lists no artifacts"],
    [listOf({ name: "a" }), "GITHUB_ARTIFACTS_LIST: has an entry 1 without"],
    [listOf({ ...file("a", A), digest: "sha512:00" }), "GITHUB_ARTIFACTS_LIST: has an entry 1 without"],
    [listOf({ ...file("a", A), kind: "dir" }), "GITHUB_ARTIFACTS_LIST: has an entry 1 without"],
    [listOf(file("a", A), file("a", B)), "GITHUB_ARTIFACTS_LIST: lists 'a' with two digests"],
    [listOf(file("a", A), file("b", A)), "GITHUB_ARTIFACTS_LIST: lists one digest as 'a' and as 'b'"],
    [listOf(file("a.b", A), file("a-b", B)), "name: would be 'a-b' for 'a.b' and for 'a-b': rename one"],
    [listOf(file("…", A)), "name: is required: '…' has no usable letters"],
  ])("refuses the list %j", async (list, problem) => {
    const run = await listed(list);
    expect(run.errors).toEqual([expect.stringContaining(problem)]);
    expect([run.status, run.sent]).toEqual([1, []]);
  });

  test("refuses one name for several artifacts, and inputs that do not apply", async () => {
    const several = await listed(listOf(file("a", A), file("b", B)), { name: "app" });
    expect(several.errors).toEqual([
      expect.stringContaining("name: names one artifact, and the job declared 2"),
    ]);
    const misplaced = await listed(listOf(file("a", A)), { compliant: "true" });
    expect(misplaced.errors).toEqual([expect.stringContaining("compliant: is not used by kind: artifact")]);
  });

  test("is refused by a runner without a list, and for a list that is missing", async () => {
    const without = await attest({});
    expect(without.errors.join()).toContain("fingerprint: is required, or set `artifact` instead");
    const missing = await attest({ env: { GITHUB_ARTIFACTS_LIST: "none.json" } });
    expect(missing.errors.join()).toContain("GITHUB_ARTIFACTS_LIST: ");
    expect([without.status, missing.status]).toEqual([1, 1]);
  });
});

describe("attest of an artifact that the step fingerprints", () => {
  // A process keeps what its step has declared until it ends.
  async function declaring({ inputs = {}, files = {}, env = {} }: Asked, before = "") {
    const folder = await mkdtemp(join(tmpdir(), "declared-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "artifacts");
    await writeFile(path, before);
    const run = await attest({
      inputs: { name: "app", ...inputs },
      files,
      env: { GITHUB_ARTIFACTS: path, ...env },
      by: runBundle,
    });
    return { ...run, declared: (await readFile(path, "utf8")).slice(before.length) };
  }
  const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

  test("declares the file for later steps", async () => {
    const run = await declaring({ inputs: { artifact: "dist/app.tgz" }, files: { "dist/app.tgz": "abc" } });
    expect([run.status, run.declared]).toEqual([0, "dist/app.tgz\n"]);
  });

  test.each([
    ["a directory", { artifact: "dist", "artifact-type": "dir" }, { "dist/app": "x" }],
    ["a given fingerprint", { fingerprint: A }, {}],
    ["a file that the runner would take for a comment", { artifact: "#app" }, { "#app": "x" }],
  ])("declares nothing for %s", async (_, inputs: Record<string, string>, files) => {
    const run = await declaring({ inputs, files });
    expect([run.status, run.declared]).toEqual([0, ""]);
  });

  test("declares nothing that the runner would refuse", async () => {
    const inputs = { artifact: "app" };
    const files = { app: "abc" };
    const full = await declaring({ inputs, files }, "#".repeat(1024 * 1024));
    const withList = (...subjects: object[]) =>
      declaring({
        inputs,
        files: { ...files, "list.json": listOf(...subjects) },
        env: { GITHUB_ARTIFACTS_LIST: "list.json" },
      });
    const other = await withList(file("app", B));
    const same = await withList(file("app", digestOf("abc")));
    const crowded = await withList(...Array.from({ length: 500 }, (_, index) => file(`a${index}`, A)));
    const unwritable = await declaring({ inputs, files, env: { GITHUB_ARTIFACTS: "/none/here" } });
    const runs = [full, other, same, crowded, unwritable];
    expect(runs.map(({ status, declared }) => [status, declared])).toEqual(Array(5).fill([0, ""]));
    expect(other.stdout).toContain("the job declared another artifact named 'app'");
    expect(crowded.stdout).toContain("the job declared 500 artifacts already");
    expect(unwritable.stdout).toContain("was not declared in GITHUB_ARTIFACTS");
    expect(annotationsIn(unwritable.stdout, "warning")).toEqual([]);
  });

  test("declares each name once, for the entries of a manifest too", async () => {
    const manifest =
      "- { name: one, kind: artifact, artifact: a/app }\n- { name: two, kind: artifact, artifact: b/app }\n";
    await using server = await recordingServer([RECORDED]);
    const folder = await mkdtemp(join(tmpdir(), "declared-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "artifacts");
    await writeFile(path, "");
    const run = await runBundle("attest", {
      server,
      inputs: { flow: "web", manifest: "evidence.yml" },
      files: { "evidence.yml": manifest, "a/app": "1", "b/app": "2" },
      env: { GITHUB_ARTIFACTS: path },
    });
    expect(run.status).toBe(0);
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(2);
  });
});
