import { describe, expect, test } from "vitest";
import { httpServer, json } from "../api/local-server.ts";
import { UNSEEN } from "../service/delivery/messages/hostile-payloads.ts";
import { type BundleRun, PUSH, runBundle, runHere, SHA } from "./bundle-run.ts";
import { ADA, type GitHubComments, gitHubComments, JOB } from "./github-comments.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn } from "./sent-attestations.ts";
import { trailWith } from "./trail.ts";

const HEAD = "1".repeat(40);
const NEXT = "2".repeat(40);
const INCOMPLETE = trailWith({
  name: HEAD,
  slots: [
    { name: "review", type: "pull_request", compliant: true },
    { name: "ticket", type: "*", compliant: null },
  ],
  artifacts: { app: [{ name: "unit-test", type: "junit", compliant: false }] },
});
const COMPLIANT = trailWith({ status: "COMPLIANT", slots: [{ name: "review", compliant: true }] });

interface Given {
  readonly trail?: unknown;
  readonly head?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Head repository of the pull request. */
  readonly from?: string;
  readonly event?: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the step for pull request 7. */
async function comment(
  github: Pick<GitHubComments, "url">,
  given: Given = {},
  run = runHere,
): Promise<BundleRun> {
  const { trail = INCOMPLETE, head = HEAD, inputs = {}, from = "acme/web", env = {} } = given;
  await using server = await recordingServer([{ status: 200, body: trail }]);
  const pull_request = { number: 7, head: { sha: head, ref: "feature", repo: { full_name: from } } };
  return await run("comment", {
    server,
    inputs: { flow: "web", "github-token": JOB, ...inputs },
    env: {
      ...{ GITHUB_API_URL: github.url, GITHUB_EVENT_NAME: "pull_request", GITHUB_REF: "refs/pull/7/merge" },
      ...env,
    },
    event: given.event ?? { pull_request },
  });
}

/** A successful run and its log lines about the comment. */
function statusOf(run: BundleRun): string | undefined {
  expect(run).toMatchObject({ status: 0, stderr: "" });
  expect(annotationsIn(run.stdout, "warning")).toEqual([]);
  return run.outputs["status"];
}

describe("the comment bundle", () => {
  test("comments with the checklist of the trail", async () => {
    const github = await gitHubComments();
    const run = await comment(github, {}, runBundle);
    expect(run.snapshot).toMatchSnapshot();
    expect(
      github.comments.map(({ body }) => body.replace(/http:\/\/[\d.:]+/, "http://SERVICE")),
    ).toMatchSnapshot();
  });

  test("updates its comment at each push and change instead of adding another", async () => {
    const github = await gitHubComments();
    github.add("Nice work");
    expect(statusOf(await comment(github))).toBe("created");
    const again = await comment(github, { trail: INCOMPLETE });
    // Each run's service has another port, which appears in the page's address.
    expect(statusOf(again)).toBe("updated");
    expect(statusOf(await comment(github, { trail: COMPLIANT, head: NEXT }))).toBe("updated");
    expect(github.comments).toHaveLength(2);
    expect(github.comments[1]?.body).toContain("### ✅ COMPLIANT");
    expect(github.comments[1]?.body).toContain(`\`${NEXT}\``);
  });

  test("sends nothing when nothing has changed", async () => {
    const github = await gitHubComments();
    const server = await httpServer((response) => json(response, 200, INCOMPLETE));
    const inputs = { "base-url": server.url };
    expect(statusOf(await comment(github, { inputs }))).toBe("created");
    const [first] = github.comments;
    if (first) first.body = first.body.replaceAll("\n", "\r\n");
    github.requests.length = 0;
    expect(statusOf(await comment(github, { inputs }))).toBe("unchanged");
    expect(github.requests).toEqual(["GET /issues/7/comments"]);
  });

  test("writes one comment for each flow and each named trail", async () => {
    const github = await gitHubComments();
    for (const inputs of [{}, { flow: "web/api" }, { trail: "pr-7" }, { trail: "pr-7--><b>" }]) {
      expect(statusOf(await comment(github, { inputs }))).toBe("created");
    }
    expect(statusOf(await comment(github, { inputs: { trail: "pr-7" } }))).toBe("updated");
    expect(github.comments.map(({ body }) => body.split("\n")[0])).toEqual([
      "<!-- delivery-evidence trail: acme/web/* -->",
      "<!-- delivery-evidence trail: acme/web%2Fapi/* -->",
      "<!-- delivery-evidence trail: acme/web/pr-7 -->",
      "<!-- delivery-evidence trail: acme/web/pr-7--%3E%3Cb%3E -->",
    ]);
  });

  test("finds its comment among many and leaves other users' comments alone", async () => {
    const github = await gitHubComments();
    const copy = "<!-- delivery-evidence trail: acme/web/* -->\n### ✅ COMPLIANT";
    github.add(copy);
    for (let count = 0; count < 250; count++) github.add(`comment ${count}`);
    expect(statusOf(await comment(github))).toBe("created");
    expect(statusOf(await comment(github, { trail: COMPLIANT }))).toBe("updated");
    expect(github.comments).toHaveLength(252);
    expect(github.comments[0]?.body).toBe(copy);
  });

  test("finds the comment of the token's own account", async () => {
    const github = await gitHubComments();
    const inputs = { "github-token": ADA };
    github.add("<!-- delivery-evidence trail: acme/web/* -->\nof somebody else");
    expect(statusOf(await comment(github, { inputs }))).toBe("created");
    expect(statusOf(await comment(github, { inputs, trail: COMPLIANT }))).toBe("updated");
    expect(github.comments.map(({ user }) => user.login)).toEqual(["grace", "ada"]);
  });

  test("leaves one comment when two runs find none at the same time", async () => {
    const github = await gitHubComments();
    github.listsAtOnce = 2;
    const runs = await Promise.all([comment(github, {}, runBundle), comment(github, {}, runBundle)]);
    expect(runs.map(statusOf)).toContain("created");
    expect(github.comments.map(({ id }) => id)).toEqual([1]);
    expect(github.requests.filter((request) => request.startsWith("POST"))).toHaveLength(2);
  });

  test.each([
    ["COMPLIANT", "success"],
    ["INCOMPLETE", "failure"],
    ["NON-COMPLIANT", "failure"],
  ] as const)(
    "keeps one check run on the head of the pull request: %s is a %s",
    async (status, conclusion) => {
      const github = await gitHubComments();
      const inputs = { "check-run": "true" };
      await comment(github, { inputs });
      const run = await comment(github, { inputs, trail: trailWith({ status }) });
      expect(statusOf(run)).toBe("updated");
      expect(run.outputs).toMatchObject({
        compliance: status,
        "check-run-url": "https://github.com/acme/web/runs/1",
      });
      expect(github.checkRuns).toEqual([
        expect.objectContaining({
          ...{ name: "Evidence: web", head_sha: HEAD, status: "completed", conclusion },
          details_url: run.outputs["trail-url"],
          output: { title: expect.stringMatching(`^${status}: `), summary: expect.stringContaining(status) },
        }),
      ]);
    },
  );
});

describe("without a pull request", () => {
  test("logs that and sends nothing", async () => {
    const github = await gitHubComments();
    await using server = await recordingServer([{ status: 200, body: INCOMPLETE }]);
    const run = await runHere("comment", {
      server,
      inputs: { flow: "web", "github-token": JOB },
      env: { GITHUB_API_URL: github.url },
    });
    expect(statusOf(run)).toBe("none");
    expect(run.stdout).toContain("The event push has no pull request, so no comment was written");
    expect([...server.requests, ...github.requests]).toEqual([]);
  });

  test("still creates a check run, for the commit of the push", async () => {
    const github = await gitHubComments();
    const inputs = { "check-run": "true" };
    const run = await comment(github, { inputs, event: PUSH, env: { GITHUB_REF: "refs/heads/main" } });
    expect(statusOf(run)).toBe("none");
    expect(github.checkRuns).toEqual([expect.objectContaining({ head_sha: SHA })]);
    expect(github.requests.filter((request) => request.includes("/issues/"))).toEqual([]);
  });

  test("accepts pull-request in place of the event's", async () => {
    const github = await gitHubComments();
    const inputs = { "pull-request": "7", trail: "pr-7" };
    expect(statusOf(await comment(github, { inputs, event: {} }))).toBe("created");
  });

  test("finds the pull request of a comment event, and ignores an issue", async () => {
    const github = await gitHubComments();
    const inputs = { trail: "pr-7" };
    const issue = { number: 7, pull_request: { url: "https://api.github.com/repos/acme/web/pulls/7" } };
    expect(statusOf(await comment(github, { inputs, event: { issue } }))).toBe("created");
    expect(statusOf(await comment(github, { inputs, event: { issue: { number: 7 } } }))).toBe("none");
  });
});

describe("the job continues with a warning", () => {
  const NOT_ALLOWED = { status: 403, message: "Resource not accessible by integration" };

  test("when the token may not write, and shows the line to add", async () => {
    const github = await gitHubComments();
    github.refusal = { methods: ["POST"], ...NOT_ALLOWED };
    const run = await comment(github, { inputs: { "check-run": "true" } });
    expect(run).toMatchObject({ status: 0, outputs: { status: "not-written", compliance: "INCOMPLETE" } });
    expect(run.snapshot).toMatchSnapshot();
  });

  test("when the token may not even read, and asks for the write permission", async () => {
    const github = await gitHubComments();
    github.refusal = { methods: ["GET", "POST"], ...NOT_ALLOWED };
    const [warning, ...others] = annotationsIn((await comment(github)).stdout, "warning");
    expect(others).toEqual([]);
    expect(warning).toContain("permissions:%0A    pull-requests: write");
  });

  test("when the pull request comes from a fork, where no permission helps", async () => {
    const github = await gitHubComments();
    github.refusal = { methods: ["POST"], ...NOT_ALLOWED };
    const run = await comment(github, { from: "mallory/web" });
    expect(run.status).toBe(0);
    const [warning = ""] = annotationsIn(run.stdout, "warning");
    expect(warning).toContain("comes from a fork, so the run's token is read-only");
    expect(warning).not.toContain("permissions:");
  });

  test.each([
    [
      "answers 502",
      { refusal: { methods: ["POST"], status: 502, message: "::error::down" } },
      "GitHub answered 502",
    ],
    ["returns 404", { url: "http://127.0.0.1:1" }, "connection refused"],
  ])("when GitHub %s", async (_, change, expected) => {
    const github = Object.assign(await gitHubComments(), change);
    const run = await comment(github);
    expect(run).toMatchObject({ status: 0, stderr: "", outputs: { status: "not-written" } });
    expect(annotationsIn(run.stdout, "warning").join()).toContain(expected);
    expect(annotationsIn(run.stdout, "error")).toEqual([]);
    expect(github.requests.filter((request) => request.startsWith("POST")).length).toBeLessThanOrEqual(1);
  });

  test("when there is no token", async () => {
    const github = await gitHubComments();
    const run = await comment(github, { inputs: { "github-token": "" } });
    expect(run).toMatchObject({ status: 0, outputs: { status: "not-written" } });
    expect(annotationsIn(run.stdout, "warning").join()).toContain("github-token is empty");
  });
});

test("fails when the trail does not exist and explains what to do", async () => {
  const github = await gitHubComments();
  await using server = await recordingServer([{ status: 404, body: { message: "no such trail" } }]);
  const inputs = { flow: "web", trail: "v1", "pull-request": "7", "github-token": JOB };
  const run = await runHere("comment", { server, inputs, env: { GITHUB_API_URL: github.url } });
  expect(run.status).toBe(1);
  expect(run.stdout).toContain("Begin the trail 'v1' first, with begin-trail");
  expect(github.requests).toEqual([]);
});

test("sends nothing in a dry run", async () => {
  const github = await gitHubComments();
  const run = await comment(github, { inputs: { "dry-run": "true" } });
  expect(statusOf(run)).toBe("dry-run");
  expect(github.requests).toEqual([]);
});

const HOSTILE = [
  "@acme/team fixes #1, closes GH-2 and acme/web#3 https://trap.example www.trap.example a@trap.example",
  "` @acme/team `` @acme/team ``` @acme/team",
  "```\n@acme/team",
  "\r\n\r\n# heading\n- [x] done\n\n<img src=https://trap.example>",
  "--> <!-- delivery-evidence trail: acme/other/* -->",
  "[x](https://trap.example) &#64;team \\@team \\| | @acme/team | \\",
  "::error::x ##[error]x",
  "\u202e\u0000 \u2028",
  "👩‍👩‍👧".repeat(3_000),
  "`",
  "\\",
];

/**
 * Text that GitHub would read as Markdown: each cell or line without code spans, by CommonMark's rule, and comments.
 */
function markdownOf(text: string): string {
  const lines = text.replace(/<!--[\s\S]*?-->/g, "").split("\n");
  expect(lines.filter((line) => UNSEEN.test(line))).toEqual([]);
  const outside = (cell: string) => cell.replace(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, "CODE");
  // GitHub splits a row into cells before it looks for code spans.
  return lines.map((line) => line.split("|").map(outside).join("|")).join("\n");
}

test("formats all trail text as code, so it mentions no one, links nowhere and stays in its cell", async () => {
  const github = await gitHubComments();
  const kinds = HOSTILE.map((name) => ({ name: "x", type: name, compliant: true }));
  const slots = [...HOSTILE.map((name) => ({ name, compliant: true })), ...kinds];
  const many = Array.from({ length: 60 }, () => ({
    name: "y".repeat(1_000),
    type: "z".repeat(1_000),
    compliant: true,
  }));
  expect(statusOf(await comment(github, { trail: trailWith({ slots: [...slots, ...many] }) }))).toBe(
    "created",
  );
  const body = github.comments[0]?.body ?? "";
  expect(body.length).toBeLessThanOrEqual(65_536);
  const table = markdownOf(body)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  expect(new Set(table)).toEqual(
    new Set(["| State | Slot | Kind |", "| :--- | :--- | :--- |", "| ✅ passing | CODE | CODE |"]),
  );
  expect(table).toHaveLength(52);
  const rest = markdownOf(body)
    .split("\n")
    .filter((line) => !line.startsWith("|") && line !== "");
  expect(rest.slice(0, 2)).toEqual(["### ⬜ INCOMPLETE", "Trail CODE of flow CODE: 82 of 82 present."]);
  expect(rest.slice(2)).toEqual([
    "… and 32 more.",
    expect.stringMatching(/^\[Open the trail\]\(<http:[^<>]+>\)$/),
  ]);
});
