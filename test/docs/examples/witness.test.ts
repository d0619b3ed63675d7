import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PlayedAction } from "../../../scripts/composite/composite.ts";
import { VERSION } from "../../../src/api/version.ts";
import { newSigner, parseCheckpoint, signerText, verifierKey } from "../../../src/evidence/log/note.ts";
import { CLI } from "../../cli/command.ts";
import { COMMITS, example, recordRuns } from "./example.ts";
import { startReader } from "./reader.ts";
import { endOf } from "./run-end.ts";

const COMMIT = "1".repeat(40);
const TEMPLATE = example("README.md: Deliver").files["evidence.yml"] ?? "";
const { page, left } = recordRuns((title) => COMMITS.test(title));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "witness-page-"));
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "remote");
  push("README.md", "Checkpoints\n");
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes delivery-evidence@${VERSION}" ] || exit 9\nshift 2\n`;
  await writeFile(join(folder, "npx"), `${npx}exec '${process.execPath}' '${CLI}' "$@"\n`);
  await chmod(join(folder, "npx"), 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

const remote = () => join(folder, "remote");
const author = { GIT_AUTHOR_NAME: "ada", GIT_AUTHOR_EMAIL: "ada@acme.example" };
const env = { ...author, GIT_COMMITTER_NAME: "ada", GIT_COMMITTER_EMAIL: "ada@acme.example" };

function git(cwd: string, ...args: string[]): string {
  const quiet = { ...process.env, ...env, GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", args, { cwd, encoding: "utf8", env: quiet, stdio: ["ignore", "pipe", "pipe"] });
}

/** Pushes a file, as another contributor. */
function push(path: string, text: string): void {
  const clone = join(folder, crypto.randomUUID());
  git(folder, "clone", "--quiet", remote(), clone);
  execFileSync("sh", ["-c", 'cat > "$0"', path], { cwd: clone, input: text });
  git(clone, "add", "--all");
  git(clone, "commit", "--quiet", "--message", path);
  git(clone, "push", "--quiet", "origin", "HEAD:main");
}

/** The files of the branch that the pattern matches. */
function files(pattern: RegExp): string[] {
  const all = git(remote(), "ls-tree", "-r", "--name-only", "main").trim().split("\n");
  return all.filter((path) => pattern.test(path));
}

test.each(["docs/witness.md", "docs/reusable-workflows.md"])(
  "commits what it cosigned, and what it refused: %s",
  async (path) => {
    await using reader = await startReader();
    let onCheckout = () => {};
    const checkout: PlayedAction = async ({ workspace }) => {
      git(workspace, "clone", "--quiet", remote(), ".");
      onCheckout();
      return { outcome: "success" };
    };
    const witness = async () => {
      const runs = await reader.run(page(`${path}: Witness`), {
        ...{ commit: COMMIT, checkout, github: { event_name: "schedule", token: "ghs_of_the_job" } },
        secrets: { WITNESS_KEY: signerText(signer) },
        claims: {
          repository: "acme/audit",
          repository_id: "4712",
          sub: "repo:acme/audit:ref:refs/heads/main",
        },
        env: { PATH: `${folder}:${process.env["PATH"]}`, GIT_CONFIG_GLOBAL: "/dev/null" },
      });
      return { ...endOf(runs), status: runs["witness"]?.outputs["status"] };
    };
    const signer = newSigner("acme.example/witness");
    const size = () => {
      const [found = ""] = files(/\/checkpoint$/);
      return parseCheckpoint(git(remote(), "show", `main:${found}`)).size;
    };

    await reader.begin(COMMIT, TEMPLATE);
    await reader.client.getTrailAuditPackage({ flowName: "web", trailName: COMMIT });
    expect(await witness()).toMatchObject({ jobs: "witness", status: "cosigned" });
    const first = size();
    expect(files(/^checkpoints/)).toEqual([
      expect.stringMatching(/^checkpoints\/[0-9a-f]{64}\/checkpoint$/),
      "checkpoints/policy.txt",
    ]);
    await reader.begin("2".repeat(40), TEMPLATE);
    await reader.client.getTrailAuditPackage({ flowName: "web", trailName: "2".repeat(40) });
    onCheckout = () => push("meanwhile", "x");
    expect(await witness()).toMatchObject({ jobs: "witness", status: "cosigned", told: [] });
    expect(size()).toBeGreaterThan(first);
    onCheckout = () => {};
    const commits = () => git(remote(), "log", "--format=%an: %s", "main").trim().split("\n");
    expect(commits()[0]).toBe("github-actions[bot]: Keep a cosigned checkpoint of the evidence log of acme");
    const before = commits();
    expect(await witness()).toMatchObject({ jobs: "witness", status: "unchanged", told: [] });
    expect(commits()).toEqual(before);

    const { origin } = parseCheckpoint(git(remote(), "show", `main:${files(/\/checkpoint$/)[0]}`));
    push("checkpoints/policy.txt", `log ${verifierKey(newSigner(origin))}\n`);
    const refusal = {
      ...{ jobs: "!witness", status: "refused" },
      told: expect.arrayContaining([expect.stringContaining("no key of the policy signed it")]),
    };
    expect(await witness()).toMatchObject(refusal);
    expect(files(/refused/)).toHaveLength(1);
    expect(await witness(), "again").toMatchObject(refusal);
    expect(commits().slice(0, 2)).toEqual([
      "github-actions[bot]: Keep a refused checkpoint of the evidence log of acme",
      "ada: checkpoints/policy.txt",
    ]);
    push("checkpoints/policy.txt", "log nothing\n");
    expect(await witness()).toMatchObject({ jobs: "!witness", status: "failed" });
    expect(files(/witness\.lock/)).toEqual([]);
  },
  120_000,
);

test("every complete example of the pages that commits is one of these", () => {
  expect([...left]).toEqual([]);
});
