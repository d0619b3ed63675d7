import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { COMPILE_CACHE, NO_MAINTENANCE } from "../program-variables.ts";

const SCRIPTS = join(import.meta.dirname, "../../scripts/release");
const VARIABLES = {
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  ...COMPILE_CACHE,
  ...NO_MAINTENANCE,
};
const REPOSITORY = "delivery-evidence/toolkit";

/** Files of a project with the layout of this one. */
const FILES = {
  "package.json": JSON.stringify({ name: "delivery-evidence", version: "1.2.0" }),
  "docs/newest-release.json": JSON.stringify({
    repository: REPOSITORY,
    version: "v0.1.0",
    commit: "FULL_COMMIT_SHA",
  }),
  "README.md": `# Sample

\`\`\`yaml
- uses: ${REPOSITORY}/actions/attest@FULL_COMMIT_SHA # v0.1.0
\`\`\`

<!-- newest-release -->
There is no release yet.
<!-- /newest-release -->
`,
  ".github/workflows/attest-build.yml": "jobs:\n  a:\n    steps:\n      - uses: $/actions/attest\n",
  ".github/workflows/try-release.yml":
    "jobs:\n  a:\n    steps:\n      - uses: $/actions/attest\n      - uses: ./ # the action at the top\n",
} as const;

export interface ScriptRun {
  readonly status: number | null;
  readonly output: string;
  readonly stderr: string;
}

/** A project with a bare remote, as a job of the release has checked it out. */
export function sampleRemote() {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clone = join(folder, "clone");
  const remote = join(folder, "remote.git");
  mkdirSync(clone);

  function git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync("git", args, {
      cwd: clone,
      env: { PATH: process.env["PATH"], ...VARIABLES },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  }

  /** Commits a change of files on `main`, pushes it, and returns the commit. */
  function commit(subject: string, files: Readonly<Record<string, string>> = {}): string {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      writeFileSync(join(clone, path), content);
    }
    git("add", "--all");
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", subject, "--allow-empty");
    git("push", "-q", "origin", "HEAD:main");
    return git("rev-parse", "HEAD");
  }

  spawnSync("git", ["init", "-q", "--bare", "-b", "main", remote]);
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", remote);
  commit("build: the first commit", FILES);

  return {
    folder,
    remote,
    git,
    commit,
    /** Sets the version to release. */
    version: (version: string) =>
      commit(`build: ${version}`, { "package.json": JSON.stringify({ version }) }),
    /** Checks out `main` as it is on the remote, where a new run of the release begins. */
    pull: () => git("pull", "-q", "--ff-only", "origin", "main"),
    /** A ref on the remote, or undefined if it does not exist. */
    ref: (name: string) => git("ls-remote", "origin", name).split("\t")[0] || undefined,
    /** A file of a fetched commit. */
    file: (at: string, path: string) => {
      git("fetch", "-q", "origin", at);
      return git("show", `FETCH_HEAD:${path}`);
    },
    outputs: () => readFileSync(join(folder, "outputs"), "utf8"),
    /** Runs a script of the release in the clone. */
    run(script: string, ...args: readonly string[]): ScriptRun {
      writeFileSync(join(folder, "outputs"), "");
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(SCRIPTS, script), ...args], {
        cwd: clone,
        env: {
          PATH: process.env["PATH"],
          ...VARIABLES,
          GITHUB_REPOSITORY: REPOSITORY,
          GITHUB_OUTPUT: join(folder, "outputs"),
        },
        encoding: "utf8",
      });
      return { status, output: stdout.trim(), stderr };
    },
  };
}
