import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { PlayedAction, PlayedActions } from "../../scripts/composite/composite.ts";
import { uploadArtifact } from "../../scripts/composite/upload-artifact.ts";
import { COMPILE_CACHE, NO_MAINTENANCE } from "../program-variables.ts";
import { type JobRuns, runWorkflow } from "../workflows/run/workflow-run.ts";
import { type NamedText, workflowFiles } from "../workflows/workflow-files.ts";
import { sampleRegistry } from "./sample-registry.ts";
import { sampleRemote } from "./sample-remote.ts";

const PROJECT = join(import.meta.dirname, "../..");
const FAKE_GH = join(import.meta.dirname, "fake-gh.ts");
/** Each run starts a program for each step of nine jobs. */
const SEVERAL_RUNS_MS = 240_000;
const PROVENANCE = "https://slsa.dev/provenance/v1";
const SBOM = "https://cyclonedx.org/bom";

/** Makes small packages in place of the project's. */
const BUILD_PACKAGES = `import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const folder = process.argv[2];
const root = new URL("..", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
for (const [place, name] of [["service", "delivery-evidence"], ["client", "@delivery-evidence/client"]]) {
  mkdirSync(folder + "/" + place, { recursive: true });
  writeFileSync(folder + "/" + place + "/package.json", JSON.stringify({ name, version }));
  cpSync(new URL("README.md", root), folder + "/" + place + "/README.md");
}
writeFileSync(folder + "/cli.js", "the program");
`;

/** Replaces the jobs of CI and the steps that only GitHub can run. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/ {4}uses: \$\/\.github\/workflows\/ci\.yml\n {4}secrets:\n.*\n/, "    steps:\n      - run: 'true'\n"],
  [/ {4}strategy:\n[\s\S]*?(?= {4}steps:)/, ""],
  [/\$\{\{ matrix\.bundle \}\}/g, "attest"],
  // The sample has nothing to install.
  [/ +npm ci --ignore-scripts\n +npm rebuild node\n/, "          true\n"],
  // npm signs with an identity that only GitHub's machines have.
  [/NPM_CONFIG_PROVENANCE: "true"/, 'NPM_CONFIG_PROVENANCE: "false"'],
];

function releaseWorkflow(): NamedText {
  const file = workflowFiles.find(({ name }) => name.endsWith("/release.yml"));
  if (file === undefined) throw new Error("There is no release.yml");
  const text = REPLACED.reduce((before, [pattern, after]) => {
    expect(before).toMatch(pattern);
    return before.replace(pattern, after);
  }, file.text);
  return { ...file, text };
}

test(
  "from the start to a release: the next run completes a failed one, and no step runs twice",
  async () => {
    const project = sampleRemote();
    const at = (name: string) => join(project.folder, name);
    const clone = at("clone");
    for (const path of ["scripts/release", "scripts/workflows"]) {
      cpSync(join(PROJECT, path), join(clone, path), { recursive: true });
    }
    const sha256 = createHash("sha256").update("program").digest("hex");
    const components = [{ name: "index.js", hashes: [{ alg: "SHA-256", content: sha256 }] }];
    const manifest = (version: string) => ({
      "package.json": JSON.stringify({
        name: "delivery-evidence",
        version,
        type: "module",
      }),
      "scripts/build-packages.ts": BUILD_PACKAGES,
    });
    const commit = project.commit("attest: faster", {
      ...manifest("1.2.0"),
      "dist/attest/index.js": "program",
      "dist/attest/sbom.cdx.json": JSON.stringify({ metadata: { component: { components } } }),
    });

    const registry = await sampleRegistry();
    writeFileSync(at("npmrc"), registry.config);
    mkdirSync(at("bin"));
    writeFileSync(at("bin/gh"), `#!/bin/sh\nexec '${process.execPath}' '${FAKE_GH}' "$@"\n`, { mode: 0o755 });
    const [statePath, artifacts] = [at("state.json"), at("artifacts")];
    const state = () => JSON.parse(readFileSync(statePath, "utf8"));
    const put = (changes: object) => writeFileSync(statePath, JSON.stringify({ ...state(), ...changes }));
    writeFileSync(statePath, "{}");
    put({ isImmutable: true, attested: [], runs: [], ends: "failure", changes: [] });

    const checkout: PlayedAction = async ({ with: { ref = commit, "ssh-key": key = "" }, workspace }) => {
      const git = (...args: readonly string[]) => spawnSync("git", args, { cwd: workspace });
      git("clone", "--quiet", project.remote, ".");
      git("-c", "advice.detachedHead=false", "checkout", "--quiet", ref);
      // Only the key may push.
      if (key !== "the deploy key") git("remote", "set-url", "--push", "origin", "/nowhere");
      return { outcome: "success" };
    };
    const attest: PlayedAction = async ({
      with: { "subject-checksums": checksums = "", "sbom-path": sbom },
    }) => {
      const paths = readFileSync(checksums, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split("  ")[1]);
      const predicate = sbom === undefined ? PROVENANCE : SBOM;
      put({ attested: [...state().attested, ...paths.map((path) => `${path} ${predicate}`)] });
      return { outcome: "success" };
    };
    const played: PlayedActions = {
      "actions/checkout": checkout,
      "actions/setup-node": async () => ({ outcome: "success" }),
      "actions/attest": attest,
      "actions/upload-artifact": async (use) => {
        const { name = "", overwrite } = use.with;
        if (overwrite === "true") rmSync(join(artifacts, name), { recursive: true, force: true });
        return await uploadArtifact(artifacts)(use);
      },
      "actions/download-artifact": async ({ with: { name = "", path = "." }, workspace }) => {
        cpSync(join(artifacts, name), resolve(workspace, path), { recursive: true });
        return { outcome: "success" };
      },
    };

    let machines = 0;
    const run = (version = "1.2.0"): Promise<JobRuns> =>
      runWorkflow(releaseWorkflow(), {
        github: { sha: commit, repository: "delivery-evidence/toolkit", ref: "refs/heads/main", token: "t" },
        secrets: { RELEASE_DEPLOY_KEY: "the deploy key", EVIDENCE_API_KEY: "" },
        inputs: { version },
        env: {
          ...COMPILE_CACHE,
          ...NO_MAINTENANCE,
          PATH: `${at("bin")}:${process.env["PATH"]}`,
          GH_STATE: statePath,
          NPM_CONFIG_USERCONFIG: at("npmrc"),
          TRIAL_PAUSE_MS: "1",
          PUBLISH_PAUSE_MS: "1",
        },
        machine: async () => {
          const workspace = at(`machine-${++machines}`);
          mkdirSync(workspace);
          return { workspace, tempDir: at("temp"), played };
        },
      });
    const resultsOf = (runs: JobRuns) =>
      Object.fromEntries(Object.entries(runs).map(([id, { result }]) => [id, result]));
    const done = { plan: "success", check: "success", pack: "success", tag: "success", attest: "success" };
    const published = { ...done, github: "success", npm: "success" };

    // A new project: npm does not know the package, so nothing is tagged or published.
    const nothing = await run();
    expect(nothing["plan"]).toMatchObject({ result: "failure" });
    expect(nothing["plan"]?.printed).toContain("node scripts/release/reserve-name.ts");
    expect([project.ref("refs/tags/v1.2.0"), registry.published, state().changes]).toEqual([
      undefined,
      [],
      [],
    ]);
    // Asynchronous, because the registry is in this process.
    const reserved = await promisify(execFile)(process.execPath, ["scripts/release/reserve-name.ts"], {
      cwd: clone,
      env: { PATH: process.env["PATH"], NPM_CONFIG_USERCONFIG: at("npmrc"), PUBLISH_PAUSE_MS: "1" },
    });
    expect(reserved.stdout, reserved.stderr).toContain("client@0.0.0 is published");
    expect(reserved.stdout).toContain("\ndelivery-evidence@0.0.0 is published");

    expect(resultsOf(await run())).toEqual({ ...published, try: "failure", announce: "skipped" });
    const tagged = project.ref("refs/tags/v1.2.0");
    expect(project.ref("refs/tags/v1"), "no link leads to a release whose trial failed").toBeUndefined();
    expect(project.ref("refs/heads/main")).toBe(commit);

    // main has moved on. A rerun still releases its own commit.
    project.commit("docs: something else");
    put({ ends: "success" });
    const again = await run();
    const printed = Object.values(again).map((job) => job.printed);
    expect(resultsOf(again), printed.join("")).toEqual({ ...published, try: "success", announce: "success" });
    expect(state().attested).toEqual([`dist/attest/index.js ${PROVENANCE}`, `dist/attest/index.js ${SBOM}`]);
    const named = (version: string) => [
      `@delivery-evidence/client@${version}`,
      `delivery-evidence@${version}`,
    ];
    expect(registry.published).toEqual([...named("0.0.0"), ...named("1.2.0")]);
    const trial = "workflow run try-release.yml --ref v1.2.0 --field package=delivery-evidence@1.2.0";
    expect(state().changes).toEqual([
      "release create v1.2.0 --draft --verify-tag --title v1.2.0 --notes-file changelog.md",
      "release upload v1.2.0 package/delivery-evidence-1.2.0.tgz package/delivery-evidence-client-1.2.0.tgz package/cli.js --clobber",
      "release edit v1.2.0 --draft=false",
      ...[trial, trial],
    ]);
    expect([project.ref("refs/tags/v1.2.0"), project.ref("refs/tags/v1")]).toEqual([tagged, tagged]);
    expect(project.file("main", "README.md")).toContain(`@${tagged} # v1.2.0`);

    // The page on npm names the release, and anyone can pack the same bytes from the tag.
    const file = join(artifacts, "npm-package/delivery-evidence-1.2.0.tgz");
    const readme = spawnSync("tar", ["-xOf", file, "package/README.md"], { encoding: "utf8" }).stdout;
    expect(readme).toContain("The examples name the release [v1.2.0]");
    expect(readme).not.toContain("There is no release yet");
    project.git("fetch", "-q", "--tags", "origin");
    project.git("worktree", "add", "-q", "--detach", at("tagged"), "v1.2.0");
    mkdirSync(at("packed"));
    spawnSync(process.execPath, ["scripts/build-packages.ts", at("built")], { cwd: at("tagged") });
    spawnSync("npm", ["pack", at("built/service"), "--pack-destination", at("packed")]);
    expect(readFileSync(at("packed/delivery-evidence-1.2.0.tgz")).equals(readFileSync(file))).toBe(true);
  },
  SEVERAL_RUNS_MS,
);
