import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { gitHubServer, json, repository } from "../github/github-server.ts";
import { runBundle, runHere, SHA } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";

const RUNNING = "a".repeat(40);
const MIDDLE = "b".repeat(40);
const RUNS = { status: 200, body: { commit_sha: RUNNING } };
const RECORDED = { status: 201, body: "OK" };
const QUESTION = { flow: "web", environment: "production", "github-token": "tok" };
const APPROVAL = { ...QUESTION, "github-environment": "live", "record-approval": "approval" };

function commit(sha: string, message: string, login: string) {
  return {
    sha,
    html_url: `https://github.com/acme/web/commit/${sha}`,
    commit: { message, author: { name: login, email: `${login}@example.com`, date: "2026-11-20T10:00:00Z" } },
    author: { login },
  };
}

const AHEAD = {
  status: "ahead",
  ahead_by: 2,
  behind_by: 0,
  commits: [commit(MIDDLE, "Sell | more\n\nlonger", "ada"), commit(SHA, "Sell even more", "grace")],
};

function pullRequest(number: number, changes: object = {}) {
  return {
    number,
    title: `Change ${number}`,
    state: "closed",
    merged_at: "2026-11-20T10:00:00Z",
    html_url: `https://github.com/acme/web/pull/${number}`,
    base: { repo: { full_name: "acme/web" } },
    ...changes,
  };
}

const PROTECTED = {
  protection_rules: [
    { type: "wait_timer", wait_timer: 30 },
    {
      type: "required_reviewers",
      prevent_self_review: true,
      reviewers: [
        { type: "User", reviewer: { login: "ada", html_url: "https://github.com/ada" } },
        { type: "Team", reviewer: { slug: "release", name: "Release", html_url: "https://github.com/t" } },
      ],
    },
  ],
};

const APPROVALS = "/actions/runs/77/approvals";
const APPROVED = {
  state: "approved",
  comment: "Ship it",
  user: { login: "grace" },
  environments: [{ name: "Live" }],
};

/** GitHub's successful responses. */
const GITHUB = {
  [`/compare/${RUNNING}...${SHA}`]: AHEAD,
  [`/commits/${MIDDLE}/pulls`]: [pullRequest(7), pullRequest(6, { merged_at: null })],
  [`/commits/${SHA}/pulls`]: [],
  "/environments/live": PROTECTED,
  [APPROVALS]: [APPROVED],
  "/deployments": [{ id: 11 }],
  "/deployments/11/statuses": [
    {
      state: "in_progress",
      created_at: "2026-11-20T10:10:00Z",
      log_url: "https://github.com/actions/runs/77/job/5",
    },
    {
      state: "waiting",
      created_at: "2026-11-20T10:00:00Z",
      log_url: "https://github.com/actions/runs/77/job/5",
    },
  ],
  [`/commits/${SHA}`]: commit(SHA, "Sell even more", "grace"),
};

function trail(name: string, state: string, changes: object = {}) {
  return {
    name,
    last_modified_at: 1_795_169_000,
    created_at: 1_795_169_000,
    compliance_status: { status: state },
    template: {},
    compliance_state: state,
    is_compliant: state === "COMPLIANT",
    created_by: "ci",
    flow: { name: "web" },
    html_url: `https://evidence.example/acme/flows/web/trails/${name}`,
    ...changes,
  };
}

const TRAILS = {
  status: 200,
  body: {
    data: [trail("other", "COMPLIANT"), trail(MIDDLE, "NON-COMPLIANT"), trail(RUNNING, "COMPLIANT")],
    pagination: { total: 3, page: 1, per_page: 100, page_count: 1 },
  },
};

/** Runs the action against GitHub and a service with these responses. */
async function runAction(
  inputs: Record<string, string>,
  answers: Parameters<typeof recordingServer>[0],
  github: Record<string, unknown> = GITHUB,
  env: Record<string, string> = {},
  by = runHere,
) {
  await using server = await recordingServer(answers);
  const { url, requests } = await gitHubServer(repository(github));
  const surroundings = { GITHUB_API_URL: url, GITHUB_ACTOR: "ada", ...env };
  const run = await by("running-commit", { server, inputs, env: surroundings });
  return {
    ...run,
    service: server.requests.map((request) => request.split("\n")[0]),
    /** The last request as JSON. */
    sent: () => JSON.parse(/\{.*\}/.exec(server.requests.at(-1) ?? "")?.[0] ?? "null"),
    github: requests.map((request) => decodeURIComponent(request.url ?? "").replace("/repos/acme/web", "")),
  };
}

describe("comparing a candidate with the running commit", () => {
  test("returns commits, their authors, pull requests and evidence, and the required reviewers", async () => {
    const inputs = { ...QUESTION, "github-environment": "live" };
    const run = await runAction(inputs, [RUNS, TRAILS], GITHUB, {}, runBundle);
    expect(run.snapshot).toMatchSnapshot();
    expect(run.status).toBe(0);
    expect(run.outputs).toMatchObject({
      "commit-sha": RUNNING,
      "candidate-sha": SHA,
      comparison: "ahead",
      "ahead-by": "2",
      "commits-complete": "true",
      "compare-url": `https://github.com/acme/web/compare/${RUNNING}...${SHA}`,
      approved: "false",
    });
    const commits: unknown = JSON.parse(run.outputs["commits"] ?? "");
    expect(commits).toMatchObject([
      { sha: SHA, username: "grace", pull_requests: [], evidence: "NONE", trail: null },
      { sha: MIDDLE, subject: "Sell | more", pull_requests: [{ number: 7, state: "merged" }] },
    ]);
    expect(commits).toMatchObject([{}, { evidence: "NON-COMPLIANT", trail: MIDDLE }]);
  });

  test("reports no change when the candidate is already running", async () => {
    const run = await runAction({ ...QUESTION, candidate: RUNNING }, [RUNS, TRAILS]);
    expect(run.outputs).toMatchObject({
      comparison: "same",
      "ahead-by": "0",
      commits: "[]",
      "commits-complete": "true",
      "candidate-evidence": "COMPLIANT",
      reviewers: "",
    });
    expect(run.github).toEqual([]);
  });

  test("reports that no commit is running", async () => {
    const run = await runAction(QUESTION, [{ status: 200, body: { commit_sha: null } }, TRAILS]);
    expect(run.status).toBe(0);
    expect(run.outputs).toMatchObject({
      "commit-sha": "",
      comparison: "unknown",
      "ahead-by": "",
      commits: "[]",
      "commits-complete": "false",
      "compare-url": "",
      "candidate-evidence": "NONE",
    });
    expect(run.snapshot).toContain("No commit of flow 'web' is known to run in 'production'.");
    expect(run.snapshot).toContain("| Running now | no known commit of this flow |");
  });

  test("fails for an unknown environment and lists the known ones", async () => {
    const message = "Environment named 'production' does not exist for organization 'acme'";
    const run = await runAction(QUESTION, [{ status: 404, body: { message } }]);
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(message);
    expect(run.stdout).toContain("not a GitHub environment of the repository");
    expect(run.outputs).toMatchObject({ comparison: "unknown", commits: "[]", approved: "false" });
  });

  test("reports unknown for data that GitHub hides from the token, and does not fail", async () => {
    const refused = json(403, { message: "Resource not accessible by integration" });
    const run = await runAction({ ...QUESTION, "github-environment": "live" }, [RUNS, TRAILS], {
      [`/compare/${RUNNING}...${SHA}`]: AHEAD,
      [`/commits/${MIDDLE}/pulls`]: refused,
      [`/commits/${SHA}/pulls`]: refused,
      "/environments/live": refused,
    });
    expect(run.status).toBe(0);
    expect(run.outputs).toMatchObject({ comparison: "ahead", reviewers: "" });
    expect(JSON.parse(run.outputs["commits"] ?? "")).toMatchObject([
      { pull_requests: null },
      { pull_requests: null, evidence: "NON-COMPLIANT" },
    ]);
    expect(run.stdout.match(/::warning::/g)).toHaveLength(2);
    expect(run.stdout).toContain("pull-requests: read");
    expect(run.stdout).toContain("actions: read");
    expect(run.snapshot).toContain("| Required reviewers | unknown |");
  });

  test("works without GitHub when it is down", async () => {
    const env = { GITHUB_API_URL: "http://127.0.0.1:9" };
    const run = await runAction({ ...QUESTION, "github-environment": "live" }, [RUNS, TRAILS], {}, env);
    expect(run.status).toBe(0);
    expect(run.outputs).toMatchObject({ "commit-sha": RUNNING, comparison: "unknown", commits: "[]" });
    expect(run.stdout).toContain(`returned no comparison of ${RUNNING} with ${SHA}`);
  });

  test("accepts only a full commit SHA for the candidate, and sends nothing otherwise", async () => {
    const run = await runAction({ ...QUESTION, candidate: "main" }, [RUNS]);
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("candidate: must be a full commit SHA of 40 hexadecimal digits, not 'main'");
    expect(run.service).toEqual([]);
  });

  test("sends the service nothing in a dry run", async () => {
    const run = await runAction({ ...QUESTION, "dry-run": "true" }, [RUNS]);
    expect(run.status).toBe(0);
    expect(run.service).toEqual([]);
    expect(run.outputs).toMatchObject({ "commit-sha": "", comparison: "unknown", "candidate-sha": SHA });
  });
});

describe("an approval", () => {
  test("by a person is recorded on the candidate's trail as compliant", async () => {
    const run = await runAction(APPROVAL, [RUNS, RECORDED], GITHUB, {}, runBundle);
    expect(run.snapshot).toMatchSnapshot();
    expect(run.status).toBe(0);
    expect(run.outputs).toMatchObject({ approved: "true", "approved-by": "grace" });
    expect(run.service).toEqual([
      "GET /api/v2/approvals/acme/web/artifact-commit/production",
      `POST /api/v2/attestations/acme/web/trail/${SHA}/generic`,
    ]);
    expect(run.sent()).toMatchObject({
      attestation_name: "approval",
      is_compliant: true,
      git_commit_info: { sha1: SHA },
      user_data: {
        approval: {
          github_environment: "live",
          approved_by: ["grace"],
          self_approved: false,
          reviews: [{ username: "grace", state: "approved", comment: "Ship it", released_at: 1_795_169_400 }],
          run_id: "77",
          started_by: "ada",
          running_commit: RUNNING,
          ahead_by: 2,
        },
      },
    });
  });

  test.each([
    ["GITHUB_ACTOR", { GITHUB_ACTOR: "Grace" }],
    ["GITHUB_TRIGGERING_ACTOR", { GITHUB_ACTOR: "ada", GITHUB_TRIGGERING_ACTOR: "grace" }],
  ])("by the person who started the run (%s) is marked", async (_, env) => {
    const run = await runAction(APPROVAL, [RUNS, RECORDED], GITHUB, env);
    expect(run.outputs["approved"]).toBe("true");
    expect(run.sent()).toMatchObject({
      is_compliant: true,
      user_data: { approval: { self_approved: true } },
    });
  });

  test("has a receipt on request, and fails the step without one", async () => {
    const event = JSON.stringify({ type: "attestation.recorded", subject_id: "1" });
    const leaf = `sha256:${createHash("sha256").update(event).digest("hex")}`;
    const recorded = { ...RECORDED, headers: { "X-Evidence-Leaf": leaf, "X-Evidence-Event": "e1" } };
    const proof = { index: 6, size: 8, event, proof: "tlog-proof\n\ncheckpoint" };
    const approval = { attestation_id: "1", attestation_name: "approval", attestation_type: "generic" };
    const listed = { status: 200, body: { data: [{ ...approval, created_at: 1 }] } };
    const inputs = { ...APPROVAL, receipt: "true" };
    const run = await runAction(inputs, [RUNS, recorded, { status: 200, body: proof }, listed]);
    expect(run.stdout).not.toContain("could not be made");
    expect([run.status, run.service[2]]).toEqual([0, "GET /api/v2/log/acme/proof?event_id=e1"]);
    expect(run.outputs["receipt"]).toMatch(/receipt-[\w-]+\.json$/);
    expect(run.snapshot).toContain("In the evidence log at index 6");
    const none = await runAction(inputs, [
      RUNS,
      recorded,
      { status: 404, body: { message: "No checkpoint" } },
    ]);
    expect([none.status, none.outputs["approved"], none.outputs["receipt"]]).toEqual([1, "true", ""]);
    expect(none.stdout).toContain("The receipt could not be made");
    expect(await runAction({ ...QUESTION, receipt: "true" }, [])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("receipt: is used only with record-approval"),
    });
  });

  test("is recorded on the given trail and commit", async () => {
    const inputs = { ...APPROVAL, candidate: MIDDLE, trail: "release-7" };
    const run = await runAction(inputs, [RUNS, RECORDED]);
    expect(run.service.at(-1)).toBe("POST /api/v2/attestations/acme/web/trail/release-7/generic");
    expect(run.sent()).toMatchObject({ git_commit_info: { sha1: MIDDLE } });
    expect(run.outputs["trail-url"]).toMatch(/\/acme\/flows\/web\/trails\/release-7$/);
  });

  test.each([
    ["is missing", []],
    ["was given for another environment", [{ ...APPROVED, environments: [{ name: "staging" }] }]],
  ])("that %s is recorded as not compliant, and fails the step", async (_, given) => {
    const run = await runAction(APPROVAL, [RUNS, RECORDED], { ...GITHUB, [APPROVALS]: given });
    expect(run.status).toBe(1);
    expect(run.outputs).toMatchObject({ approved: "false", "approved-by": "" });
    expect(run.sent()).toMatchObject({ is_compliant: false });
    expect(run.stdout).toContain("GitHub lists no approval of this run for 'live'");
  });

  test("that GitHub lists only on a second request counts", async () => {
    let reads = 0;
    const late = (...both: Parameters<ReturnType<typeof json>>) =>
      json(200, ++reads === 1 ? [] : [APPROVED])(...both);
    const run = await runAction(APPROVAL, [RUNS, RECORDED], { ...GITHUB, [APPROVALS]: late });
    expect(run.outputs["approved"]).toBe("true");
    expect(reads).toBe(2);
  });

  test("that GitHub does not return is not recorded, and fails the step", async () => {
    const refused = json(403, { message: "Resource not accessible by integration" });
    const run = await runAction(APPROVAL, [RUNS, RECORDED], { ...GITHUB, [APPROVALS]: refused });
    expect(run.status).toBe(1);
    expect(run.outputs).toMatchObject({ approved: "false", "approved-by": "", "trail-url": "" });
    expect(run.service).toHaveLength(1);
    expect(run.stdout).toContain("actions: read");
    expect(run.stdout).toContain("Nothing was recorded");
  });

  test("that the service refuses to record does not pass the gate", async () => {
    const run = await runAction(APPROVAL, [RUNS, { status: 403, body: { message: "no" } }]);
    expect(run.status).toBe(1);
    expect(run.outputs["approved"]).toBe("false");
  });

  test("is shown and not recorded in a dry run, and the gate fails", async () => {
    const run = await runAction({ ...APPROVAL, "dry-run": "true" }, [RUNS]);
    expect(run.status).toBe(1);
    expect(run.service).toEqual([]);
    expect(run.outputs["approved"]).toBe("false");
    expect(run.stdout).toContain("Dry run: would send attestGeneric");
  });

  test("requires github-environment", async () => {
    const run = await runAction({ ...QUESTION, "record-approval": "approval" }, [RUNS]);
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("github-environment: is required with record-approval");
    expect(run.service).toEqual([]);
  });

  test("requires a token", async () => {
    const run = await runAction({ ...APPROVAL, "github-token": "" }, [RUNS]);
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("github-token: is required");
  });
});
