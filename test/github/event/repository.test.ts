import { describe, expect, test } from "vitest";
import { describeRepository } from "../../../src/github/event/repository.ts";
import { readRunner } from "../../../src/github/step/runner.ts";
import { runnerFor } from "../runners.ts";

const described = {
  id: 4711,
  full_name: "acme/web",
  html_url: "https://github.com/acme/web",
  description: "The shop",
};

describe("the repository of a job", () => {
  test("is described by the event's payload", () => {
    const runner = runnerFor({ repository: described }, { GITHUB_REPOSITORY: "acme/web" });
    expect(describeRepository(runner)).toStrictEqual({
      name: "acme/web",
      url: "https://github.com/acme/web",
      id: "4711",
      description: "The shop",
      provider: "github",
    });
  });

  test("has no description when it has none at GitHub", () => {
    const runner = runnerFor({ repository: { ...described, description: null } });
    expect(describeRepository(runner)).not.toHaveProperty("description");
  });

  test("is read from the runner's variables when the payload omits it", () => {
    const runner = readRunner({
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_REPOSITORY_ID: "4711",
      GITHUB_SERVER_URL: "https://ghe.example",
    });
    expect(describeRepository(runner)).toStrictEqual({
      name: "acme/web",
      url: "https://ghe.example/acme/web",
      id: "4711",
      provider: "github",
    });
  });

  test("ignores a payload that describes another repository", () => {
    const runner = runnerFor({ repository: described }, { GITHUB_REPOSITORY: "acme/other" });
    expect(describeRepository(runner)).toStrictEqual({
      name: "acme/other",
      url: "https://github.com/acme/other",
      provider: "github",
    });
  });

  test("has the server's address when the payload's is not a web address", () => {
    const runner = runnerFor({ repository: { ...described, html_url: "javascript:alert(1)" } });
    expect(describeRepository(runner)?.url).toBe("https://github.com/acme/web");
  });

  test("keeps the valid parts of a payload with fields of other types", () => {
    const runner = runnerFor({ repository: { ...described, id: "x", description: { text: "y" } } });
    expect(describeRepository(runner)).toStrictEqual({
      name: "acme/web",
      url: "https://github.com/acme/web",
      provider: "github",
    });
  });

  test("is unknown outside GitHub", () => {
    expect(describeRepository(readRunner({}))).toBeUndefined();
  });
});
