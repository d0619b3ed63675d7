import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHA } from "../actions/bundle-run.ts";
import { readParts } from "../api/multipart-reader.ts";
import { emptyCommit, git } from "../github/clones.ts";
import { commits } from "../github/events/commits.ts";
import { events } from "../github/events/table.ts";
import { gitHubServer, json } from "../github/github-server.ts";
import { isAlive } from "./clusters.ts";
import { contentService, expectSuccess, runSample, sampleOf } from "./samples.ts";
import { annotations, type StepCall } from "./step.ts";

/** Runs attest, or another action that describes a commit, and returns the step and the JSON that it sent. */
async function describing(call: Partial<StepCall> = {}, sample = sampleOf("attest")) {
  const server = await contentService(sample);
  const step = await runSample(sample, { ...call, baseUrl: server.url });
  expectSuccess(sample, { ...step, stdout: step.stdout.replace(/^::warning.*\n/gm, "") });
  // The following requests are for the summary.
  const [request, ...others] = server.received;
  expect(others.filter(({ method }) => method !== "GET")).toEqual([]);
  const type = request?.headers["content-type"] ?? "";
  const body = request?.body ?? Buffer.alloc(0);
  const text = type.startsWith("multipart/") ? (await readParts(type, body))[0]?.bytes : body;
  const data = JSON.parse(String(text));
  return {
    path: request?.path ?? "",
    data,
    commit: data.git_commit_info,
    warnings: annotations(step.stdout, "warning"),
  };
}

/** One event whose payload describes the commit, one whose payload names another commit, and one without a commit. */
const DESCRIBED = [
  "push by a bot whose address belongs to no account",
  "pull_request from a fork's main branch",
  "schedule",
];
const payloadOf = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../github/events/${name}.json`, import.meta.url), "utf8"));
const variablesOf = ({ variables }: (typeof events)[number]) =>
  Object.fromEntries(
    Object.entries(variables).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

describe.each(["attest", "begin-trail"])("%s describes the commit and its origin", (action) => {
  test.each(events.filter(({ event }) => DESCRIBED.includes(event)))(
    "for the event $event",
    async (event) => {
      const { commit: wanted, branch, host = "https://github.com", payload } = event;
      const github = await gitHubServer((request, response) => {
        const found = commits.find(({ sha }) => request.url?.includes(`/commits/${sha}`));
        json(found ? 200 : 404, found?.answer ?? { message: "Not Found" })(request, response);
      });
      const call = {
        event: payloadOf(payload),
        env: { ...variablesOf(event), GITHUB_API_URL: github.url },
        inputs: { "github-token": "tok", ...(wanted ? {} : { trail: "nightly" }) },
      };
      const { data, commit, path, warnings } = await describing(call, sampleOf(action));
      expect(warnings).toEqual([]);
      expect(data.origin_url).toBe(`${host}/acme/web/actions/runs/77`);
      expect(data.repo_info).toMatchObject({ name: "acme/web", url: `${host}/acme/web`, provider: "github" });
      expect(github.requests).toHaveLength(wanted ? 1 : 0);
      expect(commit?.sha1).toBe(wanted?.sha);
      expect(commit?.branch).toBe(wanted ? branch : undefined);
      if (wanted) {
        expect(commit).toMatchObject({
          message: wanted.message.trimEnd(),
          author: `${wanted.name} <${wanted.email}>`,
          url: `${host}/acme/web/commit/${wanted.sha}`,
        });
        if (wanted.login === null) expect(commit).not.toHaveProperty("author_username");
        expect(action === "attest" ? path : data.name).toContain(wanted.sha);
      }
    },
  );
});

test.each<[string, number, Record<string, string>, string]>([
  ["it may not be read (403)", 403, {}, "the job needs the permission `contents: read`"],
  ["it requires a wait of an hour", 429, { "retry-after": "3600" }, "the token's rate limit is used up"],
])(
  "a step continues without the facts GitHub withholds, and says so: %s",
  async (_, status, headers, expected) => {
    const github = await gitHubServer(json(status, { message: "no" }, headers));
    const { commit, warnings } = await describing({
      env: { GITHUB_API_URL: github.url },
      inputs: { "github-token": "tok" },
    });
    expect(warnings).toEqual([expect.stringContaining(expected)]);
    expect(commit).toMatchObject({ sha1: SHA, message: "Sell more" });
    expect(commit).not.toHaveProperty("verified");
    expect(github.requests).toHaveLength(1);
  },
);

test("no host of github.com is contacted or named on a GitHub Enterprise host", async () => {
  const github = await gitHubServer(json(404, {}));
  const env = { GITHUB_API_URL: `${github.url}/api/v3`, GITHUB_SERVER_URL: "https://ghe.example" };
  const { data } = await describing({ env, event: {}, inputs: { "github-token": "tok" } });
  expect(JSON.stringify(data)).not.toContain("github.com");
  expect(data.origin_url).toBe("https://ghe.example/acme/web/actions/runs/77");
  expect(github.requests.map(({ url }) => url)).toEqual([`/api/v3/repos/acme/web/commits/${SHA}?per_page=1`]);
});

describe("git reads a checkout without running anything that its configuration names:", () => {
  /** A clone in the workspace, whose settings run a program wherever git allows one. */
  function hostile(at: string): { sha: string; ran: string } {
    git(at, ["init", "--quiet"]);
    const sha = emptyCommit(at, "Of the clone");
    const ran = join(at, "ran");
    const program = `sh -c 'touch ${ran}' #`;
    const settings = `
[core]
  fsmonitor = "${program}"
  pager = "${program}"
  editor = "${program}"
  sshCommand = "${program}"
  askPass = "${program}"
  alternateRefsCommand = "${program}"
[pager]
  cat-file = "${program}"
[credential]
  helper = "!${program}"
[gpg]
  program = "${program}"
[diff]
  external = "${program}"
[alias]
  cat-file = "!${program}"
[uploadpack]
  packObjectsHook = "${program}"
[log]
  showSignature = true
`;
    appendFileSync(join(at, ".git/config"), settings);
    return { sha, ran };
  }

  /** A PATH with a git that runs a script before it runs git. */
  function gitBefore(at: string, script: string): string {
    const bin = join(at, "../bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\nexec /usr/bin/git "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);
    return `${bin}:/usr/bin:/bin`;
  }

  test("with settings that name programs", async () => {
    let clone = { sha: "", ran: "" };
    const run = await describing({
      prepare: (at) => {
        clone = hostile(at);
      },
      envOf: () => ({ GITHUB_SHA: clone.sha, GIT_DIR: "/nonexistent", GIT_PAGER: "false" }),
      event: {},
    });
    expect(run.commit).toMatchObject({ sha1: clone.sha, message: "Of the clone" });
    expect(existsSync(clone.ran)).toBe(false);
  });

  test.each(["with this version of git", "with a git that cannot disable it"])(
    "a clone that would fetch missing objects with its own program, %s",
    async (which) => {
      let clone = { sha: "", ran: "" };
      const run = await describing({
        prepare: (at) => {
          clone = hostile(at);
          rmSync(join(at, ".git/objects"), { recursive: true });
          mkdirSync(join(at, ".git/objects"));
          const settings = {
            "core.repositoryformatversion": "1",
            "extensions.partialClone": "origin",
            "remote.origin.promisor": "true",
            "remote.origin.url": at,
            "remote.origin.uploadpack": `touch ${clone.ran}; git-upload-pack`,
            "protocol.allow": "always",
          };
          for (const [name, value] of Object.entries(settings)) git(at, ["config", name, value]);
        },
        envOf: (at) => ({
          GITHUB_SHA: clone.sha,
          PATH: gitBefore(at, which.startsWith("with a git") ? "unset GIT_NO_LAZY_FETCH" : ""),
        }),
        event: {},
      });
      expect(run.commit).not.toHaveProperty("message");
      expect(existsSync(clone.ran)).toBe(false);
    },
  );

  test("a worktree, whose .git is a file, is read as well", async () => {
    let sha = "";
    const { commit } = await describing({
      prepare: (at) => {
        const main = join(at, "../main");
        mkdirSync(main);
        git(main, ["init", "--quiet"]);
        sha = emptyCommit(main, "Of the main clone");
        rmSync(at, { recursive: true });
        git(main, ["worktree", "add", "--quiet", "--detach", at]);
        writeFileSync(join(at, "report.txt"), "all is well\n");
      },
      envOf: () => ({ GITHUB_SHA: sha }),
      event: {},
    });
    expect(commit).toMatchObject({ sha1: sha, message: "Of the main clone" });
  });

  test("a clone whose files are pipes does not block the step, and git is stopped", {
    timeout: 40_000,
  }, async () => {
    let pid = "";
    const { commit } = await describing({
      prepare: (at) => {
        pid = join(at, "../pid");
        git(at, ["init", "--quiet"]);
        rmSync(join(at, ".git/config"));
        execFileSync("mkfifo", [join(at, ".git/config")]);
      },
      envOf: (at) => ({ PATH: gitBefore(at, `echo $$ >'${at}/../pid'`) }),
    });
    expect(commit).toMatchObject({ sha1: SHA, message: "Sell more" });
    expect(isAlive(readFileSync(pid, "utf8").trim())).toBe(false);
  });
});
