import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRunner } from "../../../src/github/step/runner.ts";
import { runnerFor, tempFolder } from "../runners.ts";

describe("the runner's variables", () => {
  test("are read from a job on GitHub Enterprise", () => {
    const runner = runnerFor(
      { action: "opened" },
      {
        GITHUB_EVENT_NAME: "pull_request",
        GITHUB_SHA: "a".repeat(40),
        GITHUB_REF: "refs/pull/7/merge",
        GITHUB_REPOSITORY: "acme/web",
        GITHUB_REPOSITORY_ID: "4711",
        GITHUB_SERVER_URL: "https://ghe.example/",
        GITHUB_API_URL: "https://ghe.example/api/v3",
        GITHUB_RUN_ID: "99",
        GITHUB_RUN_ATTEMPT: "2",
        GITHUB_WORKFLOW: "CI",
        GITHUB_ACTOR: "ada",
        GITHUB_WORKSPACE: "/w",
        RUNNER_TEMP: "/t",
      },
    );
    expect(runner).toMatchObject({
      eventName: "pull_request",
      event: { action: "opened" },
      warnings: [],
      sha: "a".repeat(40),
      ref: "refs/pull/7/merge",
      repository: "acme/web",
      repositoryId: "4711",
      serverUrl: "https://ghe.example",
      apiUrl: "https://ghe.example/api/v3",
      runId: "99",
      runAttempt: 2,
      runUrl: "https://ghe.example/acme/web/actions/runs/99/attempts/2",
      workflow: "CI",
      actor: "ada",
      workspace: "/w",
      tempDir: "/t",
    });
  });

  test("may all be missing, as on a machine without a runner", () => {
    const { serverUrl, apiUrl, event, warnings, childEnv, ...unknown } = readRunner({});
    expect({ serverUrl, apiUrl }).toEqual({
      serverUrl: "https://github.com",
      apiUrl: "https://api.github.com",
    });
    expect({ event, warnings, childEnv }).toEqual({ event: {}, warnings: [], childEnv: {} });
    expect(Object.values(unknown).every((value) => value === undefined)).toBe(true);
  });

  test("count as missing when they are empty", () => {
    const runner = readRunner({ GITHUB_REF: "", GITHUB_SERVER_URL: "", GITHUB_EVENT_PATH: "" });
    expect(runner.ref).toBeUndefined();
    expect(runner.serverUrl).toBe("https://github.com");
    expect(runner.warnings).toEqual([]);
  });

  test.each([
    ["1", "https://github.com/acme/web/actions/runs/99"],
    ["3", "https://github.com/acme/web/actions/runs/99/attempts/3"],
    ["not a number", "https://github.com/acme/web/actions/runs/99"],
  ])("contain the page of the run at attempt %s", (attempt, url) => {
    const runner = readRunner({
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_RUN_ID: "99",
      GITHUB_RUN_ATTEMPT: attempt,
    });
    expect(runner.runUrl).toBe(url);
  });
});

describe("an invalid payload is an empty event and a warning", () => {
  test("when its file is missing", () => {
    const runner = readRunner({ GITHUB_EVENT_PATH: join(tempFolder(), "none.json") });
    expect(runner.event).toEqual({});
    expect(runner.warnings).toEqual([expect.stringContaining("does not exist")]);
  });

  test.each([
    ["{broken", "is not JSON"],
    ["", "is not JSON"],
    ["[1]", "is not a JSON object"],
    ["null", "is not a JSON object"],
  ])("when it contains '%s'", (content, why) => {
    const path = join(tempFolder(), "event.json");
    writeFileSync(path, content);
    const runner = readRunner({ GITHUB_EVENT_PATH: path });
    expect(runner.event).toEqual({});
    expect(runner.warnings).toEqual([expect.stringContaining(why)]);
  });
});

test("a child process gets the environment without our inputs, keys and tokens", () => {
  const { childEnv } = readRunner({
    PATH: "/bin",
    HTTPS_PROXY: "proxy:3128",
    ACTIONS_ID_TOKEN_REQUEST_URL: "https://id.example",
    INPUTS_DIR: "/in",
    UNSET: undefined,
    INPUTS: '{"api-key":"k"}',
    "INPUT_API-KEY": "k",
    Input_Token: "t",
    EVIDENCE_API_KEY: "k",
    EVIDENCE_ORG: "acme",
  });
  expect(childEnv).toEqual({
    PATH: "/bin",
    HTTPS_PROXY: "proxy:3128",
    ACTIONS_ID_TOKEN_REQUEST_URL: "https://id.example",
    INPUTS_DIR: "/in",
  });
});
