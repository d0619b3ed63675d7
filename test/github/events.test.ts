import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeOrigin, trailOf } from "../../src/actions/origin.ts";
import { InputError } from "../../src/api/client/errors.ts";
import { TIME_LIMIT_MS } from "../../src/github/api/github-api.ts";
import { commitOf, describeCommit } from "../../src/github/event/commit.ts";
import { describeRepository } from "../../src/github/event/repository.ts";
import type { Redaction } from "../../src/github/step/redaction.ts";
import type { Runner } from "../../src/github/step/runner.ts";
import { commits, main, type RecordedCommit } from "./events/commits.ts";
import { events, type RecordedEvent } from "./events/table.ts";
import { gitHubServer, json } from "./github-server.ts";
import { runnerFor } from "./runners.ts";

/** The inputs that describe an origin, all empty. */
const notGiven = { description: undefined, userData: undefined, originUrl: undefined };

/** A checkout of depth 1: it has the commits, but not their history. */
const checkout = mkdtempSync(join(tmpdir(), "delivery-evidence-test-"));
beforeAll(() => {
  const git = (args: string[], input = "") =>
    execFileSync("git", args, { cwd: checkout, input }).toString().trim();
  git(["init", "--quiet"]);
  for (const { sha, object } of commits) {
    expect(git(["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], object)).toBe(sha);
  }
  writeFileSync(join(checkout, ".git/shallow"), `${commits.map(({ sha }) => sha).join("\n")}\n`);
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

function runnerOf({ payload, variables }: RecordedEvent, more: NodeJS.ProcessEnv = {}): Runner {
  const file = new URL(`events/${payload}.json`, import.meta.url);
  return runnerFor(JSON.parse(readFileSync(file, "utf8")), {
    PATH: process.env["PATH"],
    GITHUB_REPOSITORY: "acme/web",
    GITHUB_REPOSITORY_ID: "186853002",
    GITHUB_RUN_ID: "289782451",
    GITHUB_RUN_ATTEMPT: "1",
    ...variables,
    ...more,
  });
}

interface Around {
  /** Address of GitHub's API. Without it no request is made. */
  readonly gitHub?: string;
  readonly workspace?: string;
  readonly gitHubTimeLimitMs?: number;
  readonly redact?: Redaction;
}

/** The commit data sent for the event, and the warnings. */
async function describeEvent(event: RecordedEvent, around: Around = {}) {
  const { gitHub, workspace, gitHubTimeLimitMs = 20_000, redact } = around;
  const runner = runnerOf(event, { GITHUB_API_URL: gitHub, GITHUB_WORKSPACE: workspace });
  const warnings: string[] = [];
  const sha = commitOf(runner);
  if (sha === undefined) return { info: undefined, warnings };
  const info = await describeCommit({
    runner,
    sha,
    token: gitHub && "tok",
    redact: new Set(redact && [redact]),
    signal: new AbortController().signal,
    warn: (text) => warnings.push(text),
    gitHubTimeLimitMs,
  });
  return { info, warnings };
}

/** Data from the event alone. */
function byEvent({ commit, branch, describes, host = "https://github.com" }: RecordedEvent) {
  if (commit === undefined) return undefined;
  const { sha, message, name, email, time, login } = commit;
  return {
    sha1: sha,
    ...(describes && { message: message.trimEnd(), author: `${name} <${email}>`, timestamp: time }),
    ...(describes === "whole" && login !== null && { authorUsername: login }),
    ...(branch !== undefined && { branch }),
    url: `${host}/acme/web/commit/${sha}`,
  };
}

/** Data added by a checkout. */
function byClone({ message, name, email, time, parents }: RecordedCommit) {
  return { message: message.trimEnd(), author: `${name} <${email}>`, timestamp: time, parents };
}

/** Data added by GitHub's API. */
function byApi(commit: RecordedCommit) {
  return {
    ...byClone(commit),
    ...(commit.login !== null && { authorUsername: commit.login }),
    verified: commit.signed,
    signatureState: commit.signed ? "VALID" : "UNSIGNED",
  };
}

const api: RequestListener = (request, response) => {
  const commit = commits.find(({ sha }) => request.url === `/repos/acme/web/commits/${sha}?per_page=1`);
  json(commit ? 200 : 404, commit?.answer ?? { message: "Not Found" })(request, response);
};

describe("every event is described correctly", () => {
  test.each(events)("$event", async (event) => {
    const { url: gitHub } = await gitHubServer(api);
    const { commit } = event;
    const info = commit && { ...byEvent(event), ...byApi(commit) };
    expect(await describeEvent(event, { gitHub })).toEqual({ info, warnings: [] });
    expect(await describeEvent(event, { gitHub, workspace: checkout })).toEqual({ info, warnings: [] });
  });

  test.each(events)("$event, without GitHub's API", async (event) => {
    const { commit } = event;
    expect(await describeEvent(event)).toEqual({ info: byEvent(event), warnings: [] });
    expect(await describeEvent(event, { workspace: checkout })).toEqual({
      info: commit && { ...byEvent(event), ...byClone(commit) },
      warnings: [],
    });
  });

  test.each(events)("$event: its repository, its run and its trail", async (event) => {
    const { host = "https://github.com", commit } = event;
    const runner = runnerOf(event);
    const repoInfo = {
      name: "acme/web",
      url: `${host}/acme/web`,
      id: "186853002",
      description: "The shop",
      provider: "github",
    };
    expect(describeRepository(runner)).toEqual(repoInfo);
    const { signal } = new AbortController();
    const values = { commit: "", githubToken: "", redact: [], externalUrls: {} };
    const warn = (text: string) => expect.unreachable(text);
    const origin = await describeOrigin({ ...notGiven, ...values }, { runner, signal, warn });
    expect(origin).toEqual({
      ...(commit && { gitCommitInfo: byEvent(event) }),
      repoInfo,
      originUrl: `${host}/acme/web/actions/runs/289782451`,
    });
    if (commit) expect(trailOf(undefined, origin, {})).toBe(commit.sha);
    else expect(() => trailOf(undefined, origin, {})).toThrow(InputError);
  });
});

/** GitHub's failures, each with the warning. */
const failures: { failure: string; answer: RequestListener; warning: RegExp }[] = [
  {
    failure: "permissions: {} in a public repository",
    answer: json(403, { message: "Resource not accessible by integration" }),
    warning: /may not read the commit \(403\)[\s\S]*\n {2}permissions:\n {4}contents: read$/,
  },
  {
    failure: "permissions: {} in a private repository",
    answer: json(404, { message: "Not Found" }),
    warning: /hidden from the token \(404\)[\s\S]*\n {2}permissions:\n {4}contents: read$/,
  },
  {
    failure: "a rate limit that is used up for an hour",
    answer: json(403, {}, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700003000" }),
    warning: /rate limit is used up until 2023-11-14T23:03:20/,
  },
  { failure: "a failing API", answer: json(503, {}), warning: /GitHub answered 503/ },
  {
    failure: "an API that is down",
    answer: (request) => request.socket.destroy(),
    warning: /the other side closed the connection/,
  },
];

describe.each(failures)("with $failure", ({ answer, warning }) => {
  test.each(events)("$event has the event's data", async (event) => {
    const { url: gitHub } = await gitHubServer(answer);
    const { commit } = event;
    const warnings = commit ? [expect.stringMatching(warning)] : [];
    expect(await describeEvent(event, { gitHub })).toEqual({ info: byEvent(event), warnings });
  });

  test("the clone adds its data", async () => {
    const { url: gitHub } = await gitHubServer(answer);
    const [event] = events.filter(({ commit }) => commit === main);
    const { info } = event ? await describeEvent(event, { gitHub, workspace: checkout }) : {};
    expect(info).toEqual(event && { ...byEvent(event), ...byClone(main) });
  });
});

describe("with an API that never responds", () => {
  test("GitHub is waited for at most five seconds", () => {
    expect(TIME_LIMIT_MS).toBeLessThanOrEqual(5_000);
  });

  test.each(events)("$event has the data of the event and the clone when the time is up", async (event) => {
    const { url: gitHub } = await gitHubServer(() => {});
    const { commit } = event;
    const slow = { gitHub, workspace: checkout, gitHubTimeLimitMs: 40 };
    expect(await describeEvent(event, slow)).toEqual({
      info: commit && { ...byEvent(event), ...byClone(commit) },
      warnings: commit ? [expect.stringContaining("GitHub did not answer within 0.04 s")] : [],
    });
  });
});

describe("redacted data is omitted, whichever source has it", () => {
  const hidden = {
    author: { author: "**REDACTED**", authorUsername: undefined },
    message: { message: "**REDACTED**" },
    branch: { branch: "**REDACTED**" },
  } as const;

  const sources = ["the event", "the clone", "GitHub's API"] as const;

  test.each(
    sources.flatMap((source) =>
      (["author", "message", "branch"] as const).map((redact) => ({ source, redact })),
    ),
  )("$redact by $source", async ({ source, redact }) => {
    const { url } = await gitHubServer(api);
    const around = {
      ...(source === "the clone" && { workspace: checkout }),
      ...(source === "GitHub's API" && { gitHub: url }),
    };
    for (const event of events.filter(({ variables }) =>
      ["push", "pull_request", "merge_group"].includes(variables["GITHUB_EVENT_NAME"] ?? ""),
    )) {
      const whole = await describeEvent(event, around);
      const { info } = await describeEvent(event, { ...around, redact });
      const ofFork = redact === "author" && whole.info?.branch === "linus:main";
      const expected = { ...whole.info, ...hidden[redact], ...(ofFork && { branch: "**REDACTED**:main" }) };
      expect(info).toEqual(whole.info && JSON.parse(JSON.stringify(expected)));
    }
  });
});
