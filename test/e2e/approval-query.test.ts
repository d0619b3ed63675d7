import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { gitHubServer, repository } from "../github/github-server.ts";
import { SHA, startJob } from "./workspace.ts";

const OLD = "1".repeat(40);
const FINGERPRINT = createHash("sha256").update("built").digest("hex");
const TEMPLATE = `version: 1
trail:
  attestations: [{name: approval, type: generic}]
  artifacts: [{name: app}]
`;

const APPROVALS = "/actions/runs/77/approvals";

/** GitHub's data: one commit since the running one, by one pull request, and one approval of the run. */
const GITHUB = {
  [`/compare/${OLD}...${SHA}`]: {
    status: "ahead",
    ahead_by: 1,
    behind_by: 0,
    commits: [
      { sha: SHA, commit: { message: "Sell more", author: { name: "Ada" } }, author: { login: "ada" } },
    ],
  },
  [`/commits/${SHA}/pulls`]: [
    { number: 7, title: "Sell more", state: "closed", merged_at: "2026-11-20T10:00:00Z" },
  ],
  "/environments/live": {
    protection_rules: [
      { type: "required_reviewers", reviewers: [{ type: "User", reviewer: { login: "grace" } }] },
    ],
  },
  [APPROVALS]: [
    { state: "approved", comment: "Ship it", user: { login: "grace" }, environments: [{ name: "live" }] },
  ],
};

/** A job after the artifact of an older commit was deployed and the newer one was built. */
async function startDeployedJob() {
  const job = await startJob();
  /** A step of a run for which GitHub returns this data. */
  const step = async (
    action: string,
    inputs: Record<string, string>,
    github: Record<string, unknown> = GITHUB,
  ) => {
    const { url } = await gitHubServer(repository(github));
    return await job.step(action, inputs, { api_url: url, token: "tok", actor: "ada" });
  };
  await job.write("evidence.yml", TEMPLATE);
  for (const [commit, artifact] of [
    [OLD, { fingerprint: FINGERPRINT }],
    [SHA, { fingerprint: "b".repeat(64) }],
  ] as const) {
    await step("begin-trail", { "flow-template-file": "evidence.yml", commit });
    await step("attest", { kind: "artifact", name: "app", commit, ...artifact });
  }
  const pod = {
    metadata: { name: "web-1", namespace: "shop", creationTimestamp: "2026-11-20T09:30:00Z" },
    status: {
      phase: "Running",
      containerStatuses: [{ name: "c", image: "reg/web:1", imageID: `reg/web@sha256:${FINGERPRINT}` }],
    },
  };
  await job.write("pods.json", JSON.stringify({ kind: "PodList", items: [pod] }));
  await step("report-env", {
    environment: "production",
    "pods-file": "pods.json",
    "create-environment": "true",
  });
  return { ...job, step, [Symbol.asyncDispose]: () => job[Symbol.asyncDispose]() };
}

const QUERY = { environment: "production", "github-environment": "live" };
const GATE = { fingerprint: "b".repeat(64) };

test("only a person's approval makes the candidate compliant, and it is recorded with its evidence", async () => {
  await using job = await startDeployedJob();

  const query = await job.step("running-commit", QUERY);
  expect(query.outcome).toBe("success");
  expect(query.outputs).toMatchObject({
    "commit-sha": OLD,
    "candidate-sha": SHA,
    comparison: "ahead",
    "candidate-evidence": "INCOMPLETE",
    approved: "false",
  });
  expect(JSON.parse(query.outputs["commits"] ?? "")).toMatchObject([
    { sha: SHA, username: "ada", pull_requests: [{ number: 7 }], evidence: "INCOMPLETE", trail: SHA },
  ]);
  expect(query.summary).toContain("| Required reviewers | grace |");
  expect((await job.step("assert-artifact", GATE)).outputs["compliant"]).toBe("false");

  const candidate = query.outputs["candidate-sha"] ?? "";
  const inputs = { ...QUERY, candidate, "record-approval": "approval" };
  const unapproved = await job.step("running-commit", inputs, { ...GITHUB, [APPROVALS]: [] });
  expect(unapproved).toMatchObject({ outcome: "failure", outputs: { approved: "false" } });
  const gate = await job.step("assert-artifact", GATE);
  expect(gate).toMatchObject({ outcome: "failure", outputs: { compliant: "false" } });
  expect(gate.annotations[0]?.message).toContain("attestation 'approval' (generic) is not compliant");

  const approval = await job.step("running-commit", inputs);
  expect(approval.outcome).toBe("success");
  expect(approval.outputs).toMatchObject({ approved: "true", "approved-by": "grace" });
  expect((await job.step("assert-artifact", GATE)).outputs["compliant"]).toBe("true");

  const { body } = await job.client.getTrail({ flowName: "web", trailName: SHA });
  expect(body.complianceState).toBe("COMPLIANT");
  const { body: attestations } = await job.client.listTrailAttestations({
    flowName: "web",
    trailName: SHA,
    attestationName: "approval",
  });
  expect(attestations).toMatchObject([
    {
      isCompliant: true,
      userData: {
        approval: { approved_by: ["grace"], running_commit: OLD, reviews: [{ comment: "Ship it" }] },
      },
    },
    { isCompliant: false },
  ]);
});
