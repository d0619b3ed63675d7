import { describe, expect, test } from "vitest";
import { type RunApprovalsQuestion, readRunApprovals } from "../../../src/github/api/run-approvals.ts";
import { gitHubServer, json, repository } from "../github-server.ts";

const sha = "1".repeat(40);
const runId = "289782451";
const page = `https://github.com/acme/web/actions/runs/${runId}/job/5`;

const approval = {
  state: "approved",
  comment: "Ship it",
  user: { login: "ada", type: "User" },
  environments: [{ id: 3, name: "production", updated_at: "2020-01-01T00:00:00Z" }],
};

/** GitHub's list, the newest first. */
const statuses = [
  { state: "success", created_at: "2023-11-14T23:00:00Z", log_url: page },
  { state: "in_progress", created_at: "2023-11-14T22:13:30Z", log_url: page },
  { state: "queued", created_at: "2023-11-14T22:13:20Z", log_url: page },
  { state: "waiting", created_at: "2023-11-14T22:13:20Z", log_url: page },
];

const approvals = `/actions/runs/${runId}/approvals`;
const answers = {
  [approvals]: [approval],
  "/deployments": [{ id: 11 }],
  "/deployments/11/statuses": statuses,
};

async function read(given: Record<string, unknown>, changes: Partial<RunApprovalsQuestion> = {}) {
  const github = await gitHubServer(repository(given));
  const warnings: string[] = [];
  const result = await readRunApprovals({
    apiUrl: github.url,
    repository: "acme/web",
    token: "tok",
    runId,
    sha,
    signal: new AbortController().signal,
    env: {},
    warn: (text) => warnings.push(text),
    ...changes,
  });
  const paths = github.requests.map(({ url = "" }) => url.replace("/repos/acme/web", ""));
  return { result, warnings, paths };
}

const expected = {
  username: "ada",
  state: "approved",
  comment: "Ship it",
  environments: ["production"],
};

describe("an approval of a run", () => {
  test("is returned with its reviewer, comment and time, and not with the time of the environment's settings", async () => {
    const { result, warnings, paths } = await read(answers);
    expect(result).toEqual({ answer: [{ ...expected, releasedAt: 1_700_000_000 }] });
    expect(warnings).toEqual([]);
    expect(paths).toEqual([
      approvals,
      `/deployments?sha=${sha}&environment=production&per_page=20`,
      "/deployments/11/statuses?per_page=100",
    ]);
  });

  test("is found among the deployments of other runs of the commit", async () => {
    const other = statuses.map((status) => ({ ...status, log_url: `${page.replace(runId, `${runId}0`)}` }));
    const given = {
      ...answers,
      "/deployments": [{ id: 10 }, { id: 11 }],
      "/deployments/10/statuses": other.map((status) => ({ ...status, created_at: "2024-01-01T00:00:00Z" })),
    };
    expect((await read(given)).result).toEqual({ answer: [{ ...expected, releasedAt: 1_700_000_000 }] });
  });

  test.each([
    ["is still pending", statuses.slice(-1)],
    ["never waited", statuses.slice(0, 3)],
    ["is of another run", statuses.map((status) => ({ ...status, log_url: "https://github.com/x" }))],
    ["has statuses of another shape", { message: "?" }],
  ])("has no time when the deployment %s", async (_, given) => {
    const { result, warnings } = await read({ ...answers, "/deployments/11/statuses": given });
    expect(result).toEqual({ answer: [expected] });
    expect(warnings).toEqual([]);
  });

  test("has no time of its own when the environment was approved twice", async () => {
    const { result, paths } = await read({ ...answers, [approvals]: [approval, approval] });
    expect(result).toEqual({ answer: [expected, expected] });
    expect(paths).toEqual([approvals]);
  });

  test("has no time, and a warning, when the token may not read deployments", async () => {
    const { result, warnings } = await read({ ...answers, "/deployments": json(403, {}) });
    expect(result).toEqual({ answer: [expected] });
    expect(warnings).toEqual([
      expect.stringMatching(/without their times[\s\S]*permissions:\n {4}deployments: read$/),
    ]);
  });

  test("has no time, and a warning, when GitHub does not return deployments in time", async () => {
    // The first request of a process loads the client, which takes a slow machine longer than a response.
    await read({ [approvals]: [] });
    const { result, warnings } = await read({ ...answers, "/deployments": () => {} }, { timeLimitMs: 2_000 });
    expect(result).toEqual({ answer: [expected] });
    expect(warnings).toEqual([expect.stringContaining("GitHub did not answer within 2 s")]);
  });

  test("is returned without its time when the commit is unknown", async () => {
    const { result, paths } = await read(answers, { sha: undefined });
    expect(result).toEqual({ answer: [expected] });
    expect(paths).toEqual([approvals]);
  });
});

test("a rejection is returned without a release time", async () => {
  const rejection = { ...approval, state: "rejected", comment: "", user: null };
  const { result } = await read({ ...answers, [approvals]: [rejection] });
  expect(result).toEqual({ answer: [{ ...expected, state: "rejected", comment: "", username: "ghost" }] });
});

test("a run without required approvals is not a fault", async () => {
  expect((await read({ [approvals]: [] })).result).toEqual({ answer: [] });
});

describe("when the approvals cannot be read", () => {
  test("the missing permission is named, with the lines to add", async () => {
    const { result } = await read({ [approvals]: json(403, {}) });
    expect(result).toMatchObject({
      fault: {
        message:
          "the token may not read the run 289782451 (403); the job needs the permission `actions: read`",
        advice: expect.stringMatching(/\n {2}permissions:\n {4}actions: read$/),
      },
    });
  });

  test.each([[{ message: "?" }], [[{ state: "approved?" }]], [["x"]]])(
    "a response like %j is not mistaken for an empty list",
    async (given) => {
      const { result } = await read({ [approvals]: given });
      expect(result).toMatchObject({ fault: { message: "GitHub's response is not a list of approvals" } });
    },
  );
});
