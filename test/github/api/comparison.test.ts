import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import {
  type ComparisonQuestion,
  compareCommits,
  MAX_COMPARED_COMMITS,
} from "../../../src/github/api/comparison.ts";
import { readRunner } from "../../../src/github/step/runner.ts";
import { emptyCommit, git } from "../clones.ts";
import { gitHubServer, json, Pages, repository } from "../github-server.ts";
import { tempFolder } from "../runners.ts";

const base = "1".repeat(40);
const head = "2".repeat(40);
const compared = `/compare/${base}...${head}`;

const commit = {
  sha: head,
  html_url: `https://github.com/acme/web/commit/${head}`,
  commit: {
    message: "Sort the cart\n\nBy price",
    author: { name: "Grace Hopper", email: "grace@example.com", date: "2023-11-14T22:13:20Z" },
  },
  author: { login: "grace" },
  parents: [{ sha: base }],
};
const answer = { status: "ahead", ahead_by: 1, behind_by: 0, total_commits: 1, commits: [commit] };

async function compare(
  answers: Parameters<typeof repository>[0] | undefined,
  changes: Partial<ComparisonQuestion> = {},
  env: NodeJS.ProcessEnv = {},
) {
  const github = answers && (await gitHubServer(repository(answers)));
  const warnings: string[] = [];
  const comparison = await compareCommits({
    runner: readRunner({
      PATH: process.env["PATH"],
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_API_URL: github?.url,
      ...env,
    }),
    base,
    head,
    token: github && "tok",
    signal: new AbortController().signal,
    warn: (text) => warnings.push(text),
    ...changes,
  });
  return { comparison, warnings, requests: github?.requests ?? [] };
}

const url = `https://github.com/acme/web/compare/${base}...${head}`;

describe("GitHub's comparison of two commits", () => {
  test("returns their relation and the commits between them", async () => {
    const { comparison, warnings, requests } = await compare({ [compared]: answer });
    expect(comparison).toEqual({
      status: "ahead",
      aheadBy: 1,
      behindBy: 0,
      commits: [
        {
          sha: head,
          subject: "Sort the cart",
          author: "Grace Hopper",
          username: "grace",
          timestamp: 1_700_000_000,
          url: commit.html_url,
        },
      ],
      complete: true,
      url,
    });
    expect(warnings).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ["identical", "same"],
    ["ahead", "ahead"],
    ["behind", "behind"],
    ["diverged", "diverged"],
  ])("maps %s to %s", async (status, shown) => {
    const { comparison } = await compare({ [compared]: { ...answer, status } });
    expect(comparison.status).toBe(shown);
  });

  test("is read to its last page", async () => {
    const page = { ...answer, ahead_by: 2 };
    const second = { ...page, commits: [{ ...commit, sha: base }] };
    const { comparison } = await compare({ [compared]: new Pages(page, second) });
    expect(comparison.commits.map(({ sha }) => sha)).toEqual([head, base]);
    expect(comparison).toMatchObject({ aheadBy: 2, complete: true });
  });

  test("is not read beyond the limit, and says so", async () => {
    const page = { ...answer, ahead_by: 5_000, commits: Array.from({ length: 100 }, () => commit) };
    const pages = new Pages(...Array.from({ length: 50 }, () => page));
    const { comparison, requests } = await compare({ [compared]: pages });
    expect(comparison.commits).toHaveLength(MAX_COMPARED_COMMITS);
    expect(comparison).toMatchObject({ aheadBy: 5_000, complete: false });
    expect(requests).toHaveLength(MAX_COMPARED_COMMITS / 100);
  });

  test("omits the unknown fields of a commit", async () => {
    const bare = { sha: head, commit: { message: "", author: null }, author: null };
    const { comparison } = await compare({ [compared]: { ...answer, commits: [bare] } });
    expect(comparison.commits).toEqual([
      { sha: head, subject: "", url: `https://github.com/acme/web/commit/${head}` },
    ]);
  });

  test("links to the host of the job", async () => {
    const env = { GITHUB_SERVER_URL: "https://ghe.example" };
    const { comparison } = await compare({ [compared]: answer }, {}, env);
    expect(comparison.url).toBe(`https://ghe.example/acme/web/compare/${base}...${head}`);
  });
});

test("a commit equals itself without a request", async () => {
  const { comparison, requests } = await compare({}, { head: base });
  expect(comparison).toEqual({
    status: "same",
    aheadBy: 0,
    behindBy: 0,
    commits: [],
    complete: true,
    url: `https://github.com/acme/web/compare/${base}...${base}`,
  });
  expect(requests).toEqual([]);
});

describe("without GitHub and without history the comparison is unknown", () => {
  const unknown = { status: "unknown", commits: [], complete: false, url };

  test("and the missing permission is named, with the lines to add", async () => {
    const { comparison, warnings } = await compare({ [compared]: json(403, {}) });
    expect(comparison).toEqual(unknown);
    expect(warnings).toEqual([
      expect.stringMatching(/fetch-depth: 0[\s\S]*\n {2}permissions:\n {4}contents: read$/),
    ]);
  });

  test.each([{ status: "sideways", commits: [] }, { ...answer, commits: "none" }, [], "text"])(
    "for a response like %j",
    async (given) => {
      const { comparison, warnings } = await compare({ [compared]: given });
      expect(comparison).toEqual(unknown);
      expect(warnings).toEqual([expect.stringContaining("GitHub's response is not a comparison")]);
    },
  );

  test("when its time is up", async () => {
    const { comparison, warnings } = await compare({ [compared]: () => {} }, { timeLimitMs: 50 });
    expect(comparison).toEqual(unknown);
    expect(warnings).toEqual([expect.stringContaining("GitHub did not answer within 0.05 s")]);
  });

  test("and no warning is logged when there was nothing to ask", async () => {
    expect(await compare(undefined)).toMatchObject({ comparison: unknown, warnings: [] });
    const outside = await compare(undefined, {}, { GITHUB_REPOSITORY: "" });
    expect(outside.comparison).toEqual({ status: "unknown", commits: [], complete: false });
  });
});

test("an interrupt ends the comparison with the interrupt's own reason", async () => {
  const controller = new AbortController();
  const answers = { [compared]: () => controller.abort(new Error("interrupted")) };
  await expect(compare(answers, { signal: controller.signal })).rejects.toThrow("interrupted");
});

describe("the clone's history replaces GitHub's", () => {
  /** main: first – second – third; feature: first – side. */
  function clone() {
    const folder = tempFolder();
    git(folder, ["init", "--quiet", "--initial-branch=main"]);
    const first = emptyCommit(folder, "first");
    const second = emptyCommit(folder, "second: Größe\n\nBody", { GIT_AUTHOR_NAME: "Zoë" });
    const third = emptyCommit(folder, "third");
    git(folder, ["checkout", "--quiet", "-b", "feature", first]);
    const side = emptyCommit(folder, "side");
    return { folder, first, second, third, side };
  }
  const inClone = async (workspace: string, from: string, to: string) =>
    (await compare(undefined, { base: from, head: to }, { GITHUB_WORKSPACE: workspace })).comparison;

  test("with the added commits, oldest first", async () => {
    const { folder, first, second, third } = clone();
    const page = (sha: string) => `https://github.com/acme/web/commit/${sha}`;
    expect(await inClone(folder, first, third)).toEqual({
      status: "ahead",
      aheadBy: 2,
      behindBy: 0,
      commits: [
        {
          sha: second,
          author: "Zoë",
          timestamp: 1_700_000_000,
          subject: "second: Größe",
          url: page(second),
        },
        { sha: third, author: "Ada Lovelace", timestamp: 1_700_000_000, subject: "third", url: page(third) },
      ],
      complete: true,
      url: `https://github.com/acme/web/compare/${first}...${third}`,
    });
  });

  test("when the head is behind or has diverged", async () => {
    const { folder, first, third, side } = clone();
    expect(await inClone(folder, third, first)).toMatchObject({ status: "behind", aheadBy: 0, behindBy: 2 });
    expect(await inClone(folder, third, side)).toMatchObject({ status: "diverged", aheadBy: 1, behindBy: 2 });
  });

  test("also after GitHub returned an error", async () => {
    const { folder, first, third } = clone();
    const env = { GITHUB_WORKSPACE: folder };
    const { comparison, warnings } = await compare({}, { base: first, head: third }, env);
    expect(comparison.status).toBe("ahead");
    expect(warnings).toHaveLength(1);
  });

  test("but not when it is shallow, or lacks one of them", async () => {
    const { folder, first, third } = clone();
    const shallow = join(tempFolder(), "shallow");
    const from = pathToFileURL(folder).href;
    git(folder, ["clone", "--quiet", "--depth=2", "--branch=main", from, shallow]);
    expect(await inClone(shallow, git(shallow, ["rev-parse", "HEAD~1"]), third)).toMatchObject({
      status: "unknown",
    });
    expect(await inClone(folder, first, base)).toMatchObject({ status: "unknown" });
  });

  test("and runs nothing that the clone's configuration names", async () => {
    const { folder, first, third } = clone();
    const mark = join(tempFolder(), "ran");
    git(folder, ["config", "log.showSignature", "true"]);
    git(folder, ["config", "core.fsmonitor", `touch ${mark}`]);
    git(folder, ["config", "core.pager", `touch ${mark}`]);
    git(folder, ["config", "i18n.logOutputEncoding", "ISO-8859-1"]);
    const { commits } = await inClone(folder, first, third);
    expect(commits.map(({ subject }) => subject)).toEqual(["second: Größe", "third"]);
    expect(() => git(folder, ["hash-object", mark])).toThrow();
  });
});
