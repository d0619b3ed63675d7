import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { headOfTrialMerge, withClone } from "../../src/ci/clone.ts";
import { readCi } from "../../src/ci/context.ts";
import type { CommitFacts } from "../../src/github/api/commit-facts.ts";
import { emptyCommit, git } from "../github/clones.ts";
import { tempFolder } from "../github/runners.ts";
import { HEAD } from "./contexts.ts";

const env = { PATH: process.env["PATH"] ?? "" };

/** Facts of a job from its variables and from the clone around a folder. */
async function known(variables: Record<string, string>, folder: string, fromClone?: ("commit" | "branch")[]) {
  const ci = readCi(variables);
  if (ci === undefined) throw new Error("The job is one of GitHub Actions");
  const { advice: _advice, system: _system, ...found } = await withClone(ci, fromClone, { folder, env });
  return found;
}

function newClone(remote?: string): string {
  const folder = tempFolder();
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  if (remote) git(folder, ["remote", "add", "origin", remote]);
  return folder;
}

const repository = { name: "acme/web", url: "https://github.com/acme/web", provider: "github" };
const commitPages = "https://github.com/acme/web/commit/";
const all: ("commit" | "branch")[] = ["commit", "branch"];

describe("a clone outside of any CI system", () => {
  test("has commit, branch and repository, without the credentials of its remote, also from a folder within", async () => {
    const workspace = newClone("https://ada:secret@github.com/acme/web.git");
    const commit = emptyCommit(workspace, "Sell more");
    const facts = { commit, branch: "main", repository, commitPages, workspace };
    expect(await known({}, workspace, all)).toEqual(facts);
    const folder = join(workspace, "packages", "basket");
    mkdirSync(folder, { recursive: true });
    expect(await known({}, folder, all)).toEqual(facts);
  });

  test("has no branch while a commit is checked out, and no repository without a remote", async () => {
    const workspace = newClone();
    const commit = emptyCommit(workspace, "Sell more");
    git(workspace, ["checkout", "--quiet", "--detach"]);
    expect(await known({}, workspace, all)).toEqual({ commit, workspace });
  });

  test("has the repository of its only remote, whatever its name", async () => {
    const workspace = newClone();
    git(workspace, ["remote", "add", "upstream", "git@github.com:acme/web.git"]);
    const commit = emptyCommit(workspace, "Sell more");
    expect(await known({}, workspace, all)).toEqual({
      ...{ commit, branch: "main", repository, commitPages, workspace },
    });
  });

  test("has nothing before the first commit, and nothing is known of a plain folder", async () => {
    const workspace = newClone("git@github.com:acme/web.git");
    expect(await known({}, workspace, all)).toEqual({ workspace });
    expect(await known({}, tempFolder(), all)).toEqual({});
  });
});

describe("the clone of a job", () => {
  const remote = "git@github.com:acme/web.git";
  const job = (commit: string) => ({ CIRCLECI: "true", CIRCLE_SHA1: commit, CIRCLE_BRANCH: "feature" });

  test("adds the repository if no variable has it, but never another branch", async () => {
    const workspace = newClone(remote);
    const commit = emptyCommit(workspace, "Sell more");
    const facts = { commit, branch: "feature", repository, commitPages, workspace, run: {} };
    expect(await known(job(commit), workspace)).toEqual(facts);
    const elsewhere = { ...job(commit), CIRCLE_WORKING_DIRECTORY: workspace };
    expect(await known(elsewhere, tempFolder())).toEqual(facts);
  });

  test("adds nothing if it does not have the commit, because it may be another repository", async () => {
    const workspace = newClone("git@github.com:acme/other.git");
    emptyCommit(workspace, "Something else");
    expect(await known(job(HEAD), workspace)).toEqual({
      commit: HEAD,
      branch: "feature",
      workspace,
      run: {},
    });
  });

  test("supplies the commit where the system names only HEAD", async () => {
    const workspace = newClone();
    const commit = emptyCommit(workspace, "Sell more");
    const variables = { BUILDKITE: "true", BUILDKITE_COMMIT: "HEAD", BUILDKITE_BRANCH: "feature" };
    expect(await known(variables, workspace, ["commit"])).toMatchObject({ commit, branch: "feature" });
  });

  test("has no branch if the ref of a pull request is checked out", async () => {
    const workspace = newClone();
    const commit = emptyCommit(workspace, "Sell more");
    git(workspace, ["checkout", "--quiet", "-b", "pull/7/head"]);
    const build = { TEAMCITY_VERSION: "2025.11", BUILD_VCS_NUMBER: commit };
    expect(await known(build, workspace, all)).toEqual({ commit, workspace, run: {} });
  });

  test("in which Jenkins merged a pull request has its head, also if the clone is shallow", async () => {
    const origin = newClone();
    emptyCommit(origin, "base");
    git(origin, ["checkout", "--quiet", "-b", "feature"]);
    const head = emptyCommit(origin, "Add a basket");
    git(origin, ["checkout", "--quiet", "main"]);
    const target = emptyCommit(origin, "Sell more");
    git(origin, ["checkout", "--quiet", "--detach", head]);
    git(origin, ["merge", "--quiet", "--no-edit", target]);
    const merge = git(origin, ["rev-parse", "HEAD"]);
    git(origin, ["branch", "merged"]);
    const workspace = join(tempFolder(), "clone");
    const from = pathToFileURL(origin).href;
    git(origin, ["clone", "--quiet", "--depth=1", "--branch=merged", from, workspace]);

    const build = { JENKINS_URL: "https://jenkins.example", GIT_COMMIT: merge, CHANGE_ID: "7" };
    expect(await known(build, workspace, ["commit"])).toMatchObject({ commit: head });
    const { CHANGE_ID: _, ...branch } = build;
    expect(await known(branch, workspace, ["commit"])).toMatchObject({ commit: merge });
  });
});

describe("the head of a merge", () => {
  const [base, other] = ["1".repeat(40), "2".repeat(40)];
  const trial = `Merge ${HEAD} into ${base}`;
  const byJenkins = `Merge commit '${base}' into HEAD`;
  test.each([
    ["of a code host", { message: trial, parents: [base, HEAD] }, false, HEAD],
    ["of a code host, with a line break", { message: `${trial}\n`, parents: [base, HEAD] }, true, HEAD],
    ["of a code host, in another order", { message: trial, parents: [HEAD, base] }, false, HEAD],
    ["that names another commit", { message: trial, parents: [base, other] }, false, undefined],
    ["with a longer message", { message: `${trial}\n\nfor real`, parents: [base, HEAD] }, false, undefined],
    ["of Jenkins", { message: byJenkins, parents: [HEAD, base] }, true, HEAD],
    ["outside of pull requests", { message: byJenkins, parents: [HEAD, base] }, false, undefined],
    ["of Jenkins that names another commit", { message: byJenkins, parents: [HEAD, other] }, true, undefined],
    ["of a person", { message: "Merge branch 'main'", parents: [HEAD, base] }, true, undefined],
    ["of three commits", { message: trial, parents: [base, HEAD, other] }, true, undefined],
    ["that is none", { message: trial, parents: [base] }, true, undefined],
    ["without facts", {}, true, undefined],
  ] as [string, CommitFacts, boolean, string | undefined][])("%s", (_name, facts, isPullRequest, head) => {
    expect(headOfTrialMerge(facts, isPullRequest)).toBe(head);
  });
});
