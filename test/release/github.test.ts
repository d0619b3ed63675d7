import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMPILE_CACHE } from "../program-variables.ts";
import { sampleRegistry } from "./sample-registry.ts";

const SCRIPTS = join(import.meta.dirname, "../../scripts/release");
const FAKE_GH = join(import.meta.dirname, "fake-gh.ts");

/** A machine on which the release scripts find a fake `gh`. */
function machine(knows: Readonly<Record<string, unknown>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [bin, statePath, outputs] = ["bin", "state.json", "outputs"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  writeFileSync(join(bin, "gh"), `#!/bin/sh\nexec '${process.execPath}' '${FAKE_GH}' "$@"\n`, {
    mode: 0o755,
  });
  const usual = { isImmutable: true, attested: [], runs: [], ends: "success", changes: [] };
  writeFileSync(statePath, JSON.stringify({ ...usual, ...knows }));
  const state = () => JSON.parse(readFileSync(statePath, "utf8"));
  writeFileSync(join(folder, "package.tgz"), "ours");
  return {
    folder,
    state,
    packaged: `sha512-${createHash("sha512").update("ours").digest("base64")}`,
    put: (changes: object) => writeFileSync(statePath, JSON.stringify({ ...state(), ...changes })),
    async run(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
      writeFileSync(outputs, "");
      const child = spawn(process.execPath, [join(SCRIPTS, script), ...args], {
        cwd: folder,
        env: {
          ...COMPILE_CACHE,
          PATH: `${bin}${delimiter}${process.env["PATH"]}`,
          HOME: folder,
          GH_STATE: statePath,
          GITHUB_OUTPUT: outputs,
          GITHUB_REPOSITORY: "delivery-evidence/toolkit",
          GITHUB_SHA: "1".repeat(40),
          TRIAL_PAUSE_MS: "1",
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [output, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { status, output: output.trim(), stderr, outputs: readFileSync(outputs, "utf8") };
    },
  };
}

test("an interrupted release is completed: it is published with all of its files, and created once", async () => {
  const { run, state, packaged } = machine({ failsAt: "release upload" });
  const args = ["v1.2.0", "notes.md", "package.tgz", packaged];
  expect(await run("github-release.ts", args)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("connection reset by peer"),
  });
  expect(state().release).toEqual({ isDraft: true, files: [] });

  expect(await run("github-release.ts", args)).toMatchObject({ status: 0, output: "v1.2.0 is published" });
  expect(state().release).toEqual({ isDraft: false, files: ["package.tgz"] });
  expect(state().changes.map((change: string) => change.split(" ")[1])).toEqual(["create", "upload", "edit"]);
});

test("a release that can still be changed fails the run", async () => {
  const { run, packaged } = machine({ isImmutable: false });
  const { status, output } = await run("github-release.ts", ["v1.2.0", "notes.md", "package.tgz", packaged]);
  expect(status).toBe(1);
  expect(output).toContain('::error::v1.2.0 is not immutable: turn on "Enable release immutability"');
});

describe("the trial of a release", () => {
  const ARGS = ["v1.2.0", "2".repeat(40), "delivery-evidence@1.2.0"];
  const STARTED = "workflow run try-release.yml --ref v1.2.0 --field package=delivery-evidence@1.2.0";

  test("that failed fails the release, and starts again when the release is rerun", async () => {
    const { run, state, put } = machine({ ends: "failure" });
    const failed = await run("trial.ts", ARGS);
    expect(failed).toMatchObject({
      status: 1,
      output: "::error::The trial of v1.2.0 failed: see run 7 of try-release.yml",
    });
    put({ ends: "success" });
    expect(await run("trial.ts", ARGS)).toMatchObject({ status: 0, stderr: "" });
    expect((await run("trial.ts", ARGS)).output).toBe("The trial of v1.2.0 has already succeeded");
    expect(state().changes).toEqual([STARTED, STARTED]);
  });

  test("that is already running is waited for", async () => {
    const { run, state } = machine({ runs: [{ databaseId: 5, status: "queued", conclusion: "" }] });
    expect((await run("trial.ts", ARGS)).status).toBe(0);
    expect(state().changes).toEqual([]);
  });
});

test("a bundle is attested with all the files of its SBOM, and once per run", async () => {
  const provenance = "dist/attest/index.js https://slsa.dev/provenance/v1";
  const { run, folder } = machine({ attested: [provenance] });
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const digest = (content: string) => createHash("sha256").update(content).digest("hex");
  const components = [
    { name: "index.js", hashes: [{ alg: "SHA-256", content: digest("program") }] },
    { name: "../shared/core.js", hashes: [{ alg: "SHA-256", content: digest("core") }] },
  ];
  put("dist/attest/index.js", "program");
  put("dist/shared/core.js", "core");
  put("dist/attest/sbom.cdx.json", JSON.stringify({ metadata: { component: { components } } }));
  const subjects = () => run("bundle-subjects.ts", ["dist/attest"], { RUNNER_TEMP: folder });

  const { outputs } = await subjects();
  expect(outputs).toBe(`checksums=${join(folder, "attest.sha256")}\nprovenance=true\nsbom=false\n`);
  expect(readFileSync(join(folder, "attest.sha256"), "utf8")).toBe(
    `${digest("program")}  dist/attest/index.js\n${digest("core")}  dist/shared/core.js\n`,
  );

  put("dist/shared/core.js", "changed");
  const changed = await subjects();
  expect(changed.status).toBe(1);
  expect(changed.stderr).toContain("dist/shared/core.js is not the file that the bill of materials lists");
});

test("a package already published with other content is rejected", async () => {
  const [name, version, integrity] = ["delivery-evidence", "1.2.0", "sha512-another"];
  const versions = { [version]: { name, version, dist: { integrity, tarball: "http://127.0.0.1/a.tgz" } } };
  const registry = await sampleRegistry({ name, "dist-tags": { latest: version }, versions });
  const { folder, run, packaged } = machine();
  writeFileSync(join(folder, ".npmrc"), registry.config);
  const { status, output } = await run("publish.ts", [`${name}@${version}`, "package.tgz", packaged]);
  expect(output).toBe(
    `::error::delivery-evidence@1.2.0 is already published with another file: sha512-another, not ${packaged}`,
  );
  expect(status).toBe(1);
  expect(registry.published).toEqual([]);
});

test("only the packed file is published", async () => {
  const registry = await sampleRegistry();
  const { folder, run, state } = machine();
  writeFileSync(join(folder, ".npmrc"), registry.config);
  const refused = {
    status: 1,
    output: expect.stringContaining("package.tgz is not the file that was packed"),
  };
  const args = ["package.tgz", "sha512-another"];
  expect(await run("publish.ts", ["delivery-evidence@1.2.0", ...args])).toMatchObject(refused);
  expect(await run("github-release.ts", ["v1.2.0", "notes.md", ...args])).toMatchObject(refused);
  expect([registry.published, state().changes]).toEqual([[], []]);
});
