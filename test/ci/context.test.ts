import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readCi } from "../../src/ci/context.ts";

describe("the CI system of a job", () => {
  test.each([
    ["forgejo", { FORGEJO_ACTIONS: "true", GITHUB_ACTIONS: "true" }],
    ["forgejo", { GITEA_ACTIONS: "true", GITHUB_ACTIONS: "true" }],
    ["gitlab", { GITLAB_CI: "true", CI: "true" }],
    ["bitbucket", { BITBUCKET_BUILD_NUMBER: "1", CI: "true" }],
    ["azure", { TF_BUILD: "True" }],
    ["circleci", { CIRCLECI: "true", CI: "true" }],
    ["buildkite", { BUILDKITE: "true", CI: "true" }],
    ["buildkite", { BUILDKITE: "true", CODEBUILD_BUILD_ID: "runner:1" }],
    ["gitlab", { GITLAB_CI: "true", CODEBUILD_BUILD_ID: "runner:1" }],
    ["woodpecker", { CI: "woodpecker" }],
    ["teamcity", { TEAMCITY_VERSION: "2025.11", BUILD_URL: "https://teamcity.example/1" }],
    ["codebuild", { CODEBUILD_BUILD_ID: "web:1" }],
    ["jenkins", { JENKINS_URL: "https://jenkins.example/", CI: "true" }],
    ["git", { CI: "true" }],
    ["git", {}],
    ["git", { GITLAB_CI: "", GITHUB_ACTIONS: "", TF_BUILD: "" }],
  ])("is %s with %j", (system, variables) => {
    expect(readCi(variables)?.system).toBe(system);
  });

  test.each([
    { GITHUB_ACTIONS: "true", CI: "true" },
    { GITHUB_ACTIONS: "true", CODEBUILD_BUILD_ID: "runner:1" },
    { GITHUB_SHA: "0".repeat(39) },
  ])("is GitHub Actions with %j", (variables) => {
    expect(readCi(variables)).toBeUndefined();
  });
});

describe("the table of a CI system's variables", () => {
  const folder = new URL("../../src/ci/", import.meta.url);
  const systems = readdirSync(folder).filter((file) =>
    /: CiSystem = \{/.test(readFileSync(new URL(file, folder), "utf8")),
  );

  test("is there for each", () => {
    expect(systems).toHaveLength(11);
  });

  test.each(systems.filter((file) => file !== "plain-git.ts"))("lists what %s reads", (file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    const table = text.match(/^ \* \| .*$/gm)?.join("") ?? "";
    const code = text.replace(/^ {2}detect:.*?,$/ms, "");
    const names = (found: string, pattern: RegExp) =>
      [...new Set([...found.matchAll(pattern)].map(([, name = ""]) => name))].sort();
    const listed = names(table, /`([A-Z][A-Z0-9_]*)/g).filter((name) => name !== OF_EVENT);
    expect(listed).toEqual(names(code, /(?:variable\(\s*|startsWith\()"([A-Z0-9_]+)"/g));
  });
});

/** Read for all systems, because the payload of an event is a file. */
const OF_EVENT = "GITHUB_EVENT_PATH";
