import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { EnvironmentNotification } from "../../src/api/resources/notification-payload.ts";
import { githubDispatch } from "../../src/service/delivery/messages/github.ts";
import { UNSEEN } from "../service/delivery/messages/hostile-payloads.ts";
import { environmentPayload } from "../service/delivery/messages/payloads.ts";
import { exampleWorkflows } from "./examples.ts";
import { type GitHubIssues, gitHubIssues } from "./run/github-issues.ts";
import type { JobRun } from "./run/job-run.ts";
import { runWorkflow } from "./run/workflow-run.ts";

const LABEL = "non-compliant-environment";
const [caller] = exampleWorkflows("docs/environment-issue.md");

const folder = mkdtempSync(join(tmpdir(), "environment-issue-"));
afterAll(() => rmSync(folder, { recursive: true }));

const failing = environmentPayload;
const resolved: EnvironmentNotification = {
  ...failing,
  type: "environment.compliant",
  event_type: "COMPLIANT_ENV",
  sequence: 43,
  description: "The environment production is compliant again",
  reasons: [],
};

/** Runs the page's caller as GitHub does when the service sends it the event. */
async function send(github: GitHubIssues, payload: EnvironmentNotification): Promise<JobRun> {
  if (caller === undefined) throw new Error("The page has no example");
  const { event_type: action, client_payload } = githubDispatch(payload);
  const event = JSON.parse(JSON.stringify({ action, client_payload }));
  const workspace = mkdtempSync(join(folder, "machine-"));
  const runs = await runWorkflow(caller, {
    github: { ...github.context, event },
    secrets: {},
    env: {},
    machine: async () => ({ workspace, tempDir: join(workspace, "temp"), played: {} }),
  });
  const run = runs["issue"];
  if (run === undefined) throw new Error("The example has no job issue");
  return run;
}

test("one issue is opened, updated, closed and reopened", async () => {
  const github = await gitHubIssues();
  const statuses: (string | undefined)[] = [];
  const sendNext = async (payload: EnvironmentNotification) => {
    const { outputs, result } = await send(github, payload);
    expect(result).toBe("success");
    statuses.push(outputs["status"]);
    return outputs;
  };

  await sendNext({ ...resolved, sequence: 41 });
  expect(github.issues).toEqual([]);

  const opened = await sendNext(failing);
  expect(opened).toEqual({
    status: "opened",
    number: "1",
    "issue-url": "https://github.com/acme/web/issues/1",
  });
  expect(github.issues).toMatchSnapshot();

  await sendNext({ ...failing, sequence: 43, reasons: ["web:8 failed its scan"] });
  const [issue] = github.issues;
  expect(issue?.body).toContain("- ` web:8 failed its scan `");
  expect(issue?.body).not.toContain("has no provenance");
  expect(issue?.comments, "an event without a change").toEqual([]);

  await sendNext({ ...resolved, sequence: 44 });
  expect(issue?.state).toBe("closed");

  await sendNext({ ...failing, sequence: 43 });
  expect(issue?.state, "a late event").toBe("closed");

  await sendNext({ ...failing, sequence: 45 });
  expect(issue?.state).toBe("open");
  expect(issue?.comments).toMatchSnapshot();

  github.requests.length = 0;
  await sendNext({ ...failing, sequence: 45 });
  expect(github.requests, "a repeated event").toEqual(["GET "]);
  expect(github.issues.length).toBe(1);
  expect(statuses).toEqual([
    ...["unchanged", "opened", "updated", "closed", "unchanged", "reopened", "unchanged"],
  ]);
});

test("a late first event opens an issue, as the page says, and later late events are ignored", async () => {
  const github = await gitHubIssues();
  const statusOf = async (payload: EnvironmentNotification) =>
    (await send(github, payload)).outputs["status"];
  expect(await statusOf({ ...resolved, sequence: 43 })).toBe("unchanged");
  expect(await statusOf({ ...failing, sequence: 42 })).toBe("opened");
  expect(await statusOf({ ...resolved, sequence: 45 })).toBe("closed");
  expect(await statusOf({ ...failing, sequence: 44 })).toBe("unchanged");
});

test("each environment has its own issue, found among many, and other users' issues are not changed", async () => {
  const github = await gitHubIssues();
  await send(github, failing);
  const body = github.issues[0]?.body ?? "";
  github.issues.length = 0;
  const others = [
    ...Array.from({ length: 101 }, () => github.add({ labels: [LABEL] })),
    github.add({ labels: [LABEL], body, user: { login: "mallory", type: "User" } }),
    github.add({ labels: [LABEL], body, user: { login: "issue-helper[bot]", type: "Bot" } }),
    github.add({ labels: [LABEL], body, pull_request: {} }),
    github.add({ labels: [], body }),
  ];
  const before = structuredClone(others);

  await send(github, failing);
  await send(github, { ...failing, org: "acme/production", environment: "x" });
  await send(github, { ...failing, environment: "production x" });
  await send(github, { ...resolved, environment: "production 4" });
  await send(github, resolved);
  expect(others).toEqual(before);
  expect(github.issues.slice(others.length).map(({ state, title }) => `${state}: ${title}`)).toEqual([
    "closed: production is not compliant",
    "open: x is not compliant",
    "open: production x is not compliant",
  ]);
});

/** Text that GitHub would read as Markdown: each line without code spans, by CommonMark's rule, and comments. */
function markdownOf(text: string): string {
  const lines = text.replace(/<!--[\s\S]*?-->/g, "").split("\n");
  expect(lines.filter((line) => UNSEEN.test(line))).toEqual([]);
  return lines.map((line) => line.replace(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, "CODE")).join("\n");
}

const HOSTILE = [
  "@acme/team fixes #1, closes GH-2 and acme/web#3 https://trap.example www.trap.example a@trap.example",
  "` @acme/team `` @acme/team ``` @acme/team",
  "```\n@acme/team",
  "\r\n\r\n# heading\n- [x] done\n\n<img src=https://trap.example>",
  "--> <!-- delivery-evidence: acme/other 9 -->",
  "[x](https://trap.example) &#64;team \\@team",
  "::error::x\n::set-output name=status::closed\n##[error]x",
  "$(touch pwned) `touch pwned` ${{ github.token }} '\"",
  "\nSCRIPT\nprocess.exit(7)\n",
  "\u202e\u0000 \u2028",
  "👩‍👩‍👧".repeat(3_000),
];

test("user text is formatted as code, in the issue and in its comments", async () => {
  const github = await gitHubIssues();
  const environment = `production ${HOSTILE.join(" ").replaceAll("\u0000", "")}`;
  const text = HOSTILE.join("\n").replaceAll("\u0000", "");
  const hostile = {
    ...failing,
    environment,
    org: environment,
    description: text,
    reasons: HOSTILE.slice(0, -2),
  };
  const runs = [
    await send(github, hostile),
    await send(github, { ...hostile, sequence: 43, type: "environment.compliant" }),
    await send(github, { ...hostile, sequence: 44 }),
  ];
  expect(runs.map(({ result }) => result)).toEqual(["success", "success", "success"]);
  expect(runs.map(({ outputs }) => outputs["status"])).toEqual(["opened", "closed", "reopened"]);
  expect(runs.flatMap(({ annotations }) => annotations)).toEqual([]);

  const [issue] = github.issues;
  expect(issue?.title.length).toBeLessThanOrEqual(256);
  expect(issue?.body.length).toBeLessThanOrEqual(65_536);
  const report = (verdict: string) =>
    [
      `**${verdict}**: the environment CODE of CODE`,
      "CODE",
      HOSTILE.slice(0, -2)
        .map(() => "- CODE")
        .join("\n"),
      "[Open its page](<https://evidence.example.com/acme/environments/production/snapshots/12>)",
    ].join("\n\n");
  expect(issue?.comments.map(markdownOf)).toEqual([report("COMPLIANT"), report("NON-COMPLIANT")]);
  const note = "This text is rewritten at each event. Comments stay.";
  expect(markdownOf(issue?.body ?? "")).toBe(`\n${report("NON-COMPLIANT")}\n\n${note}\n`);
});

test.each(["javascript:alert(1)", "https://user@trap.example/", "no address"])(
  "%s is not linked",
  async (html_url) => {
    const github = await gitHubIssues();
    const snapshot = { index: "12", status: "non-compliant", api_url: "", html_url } as const;
    await send(github, { ...failing, snapshot });
    expect(github.issues[0]?.body).not.toContain("](");
  },
);

test("an example event changes nothing and sends GitHub nothing", async () => {
  const github = await gitHubIssues();
  const { outputs } = await send(github, { ...failing, test: true });
  expect(outputs).toEqual({ status: "dry-run", number: "", "issue-url": "" });
  expect(github.requests).toEqual([]);
});

test.each([
  [403, "Resource not accessible by integration", "Grant the calling job the permission issues: write."],
  [410, "Issues are disabled for this repo", "Enable issues in the settings of the repository."],
  [502, "::error::down", "Run the job again."],
])("when GitHub returns %i, the job fails and says what to do", async (status, message, advice) => {
  const github = await gitHubIssues();
  github.refusal = { status, message };
  const { result, annotations } = await send(github, failing);
  expect(result).toBe("failure");
  const messages = annotations.map((annotation) => annotation.message).join("\n");
  expect(messages).toContain(`GitHub answered ${status} to GET`);
  expect(messages).toContain(message);
  expect(messages).toContain(advice);
});

test("when GitHub cannot be reached, the job fails and says so", async () => {
  const github = await gitHubIssues();
  const context = { ...github.context, api_url: "http://127.0.0.1:1" };
  const { result, annotations } = await send({ ...github, context }, failing);
  expect(result).toBe("failure");
  expect(annotations[0]?.message).toMatch(/^The request to GitHub failed: .+ Run the job again\.$/);
});
