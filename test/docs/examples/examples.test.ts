import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { PlayedAction } from "../../../scripts/composite/composite.ts";
import type { ContextValue } from "../../../scripts/composite/expressions.ts";
import { githubDispatch } from "../../../src/service/delivery/messages/github.ts";
import { fakeAzure, MANAGEMENT, site } from "../../actions/clouds/fake-azure.ts";
import { fakeGoogle, job } from "../../actions/clouds/fake-google.ts";
import { fakeAttestations, TOKEN } from "../../actions/fake-attestations.ts";
import { gitHubComments, JOB } from "../../actions/github-comments.ts";
import { answerOf, SESSION } from "../../clouds/aws/fake-account.ts";
import { fakeAws } from "../../clouds/aws/fake-aws.ts";
import { sigstoreInstance, statement } from "../../evidence/provenance/sigstore-instance.ts";
import { environmentPayload } from "../../service/delivery/messages/payloads.ts";
import { gitHubIssues } from "../../workflows/run/github-issues.ts";
import { BUILDS, COMMITS, example, recordRuns } from "./example.ts";
import { gitHubOfApproval, gitHubOfReview, gitHubWithoutArtifacts } from "./github.ts";
import { FLOW, startReader } from "./reader.ts";
import { endOf, printed } from "./run-end.ts";
import { fingerprintOf } from "./sample-repository.ts";

const COMMIT = "1".repeat(40);
const NEXT = "2".repeat(40);
const DIGEST = "a".repeat(64);
const FAILED_TESTS = ["unit-test (junit): COMPLETE"];
const DEPLOYED = "deploy it here\n";
const FAILED_STEP = "Process completed with exit code 1.";
const TEMPLATE = example("README.md: Deliver").files["evidence.yml"] ?? "";

const { page, left } = recordRuns((title) => !BUILDS.test(title) && !COMMITS.test(title));

describe("an example, run as written on its page,", () => {
  test.each(["docs/ghes-and-self-hosted.md: push", "docs/attest-results.md: Test"])(
    "opens the gate for an artifact of another job, and shuts it: %s",
    async (title) => {
      await using reader = await startReader();
      for (const commit of [COMMIT, NEXT]) {
        await reader.begin(commit, TEMPLATE);
        await reader.report(commit);
      }
      expect(endOf(await reader.run(page(title), { commit: COMMIT }))).toMatchObject({ told: [] });
      expect(await reader.reasons(COMMIT)).toEqual([]);
      const { told } = endOf(await reader.run(page(title), { commit: NEXT, testsPass: false }));
      expect(await reader.lacking(NEXT), told.join("\n")).toEqual(FAILED_TESTS);
    },
  );

  test.each([
    "docs/reusable-workflows.md: Release",
    "docs/release-gate.md: Release",
    "docs/release-gate.md: Deploy",
  ])("deploys only artifacts that pass the gate: %s", async (title) => {
    await using reader = await startReader();
    for (const commit of [COMMIT, NEXT]) {
      await reader.begin(commit, TEMPLATE);
      await reader.report(commit);
      await reader.test(commit, { failures: commit === NEXT ? 1 : 0 });
    }
    await reader.deploy(COMMIT);
    const release = async (commit: string) => {
      const fingerprint = fingerprintOf(commit);
      const vars = { RELEASE_FINGERPRINT: fingerprint };
      return await reader.run(page(title), { commit, inputs: { fingerprint }, vars });
    };
    const open = await release(COMMIT);
    expect(endOf(open)).toEqual({ jobs: "gate, deploy", told: [] });
    expect(printed(open)).toBe(DEPLOYED);
    const shut = await release(NEXT);
    expect(shut["deploy"]?.result).toBe("skipped");
    expect(shut["gate"]?.outputs["failures"]).toContain("attestation 'unit-test' (junit) is not compliant");
  });

  test("works with a key and no right to a token as well: docs/release-gate.md: Release", async () => {
    await using reader = await startReader();
    await reader.begin(COMMIT, TEMPLATE);
    await reader.report(COMMIT);
    await reader.test(COMMIT, { failures: 0 });
    await reader.deploy(COMMIT);
    const keyless = page("docs/release-gate.md: Release");
    const text = keyless.workflow.text
      .replace(/ {4}permissions:\n {6}id-token: .*\n/, "    permissions: {}\n")
      .replace(/( {4}uses: .*\n)/, "$1    secrets:\n      api-key: ${{ secrets.EVIDENCE_API_KEY }}\n");
    expect(text).toContain("permissions: {}\n    uses:");
    const inputs = { fingerprint: fingerprintOf(COMMIT) };
    const withKey = { ...keyless, workflow: { ...keyless.workflow, text } };
    expect(endOf(await reader.run(withKey, { commit: COMMIT, inputs })).jobs).toBe("gate, deploy");
  });

  test.each([
    { title: "docs/reusable-workflows.md: Deploy to production", environment: "production-approval" },
    { title: "docs/approval-query.md: Deploy", environment: "production" },
  ])("deploys only artifacts that a person approved: $title", async ({ title, environment }) => {
    await using reader = await startReader();
    await reader.begin(COMMIT, TEMPLATE);
    await reader.report(COMMIT);
    await reader.deploy(COMMIT);
    for (const isApproved of [true, false]) {
      const github = await gitHubOfApproval({ running: COMMIT, candidate: NEXT, environment, isApproved });
      const pending = await reader.run(page(title), { commit: NEXT, inputs: { candidate: "" }, github });
      expect(pending["approval"]?.outputs["approved"]).toBe(String(isApproved));
      expect(printed(pending).includes(`deploy ${NEXT} here`)).toBe(isApproved);
    }
  });

  test("keeps the gate shut until a person has approved: docs/attest-changes.md: Review", async () => {
    await using reader = await startReader();
    const template = "version: 1\ntrail:\n  attestations: [{name: review, type: pull_request}]\n";
    for (const [commit, state, isCompliant] of [
      [COMMIT, "APPROVED", true],
      [NEXT, "COMMENTED", false],
    ] as const) {
      await reader.begin(commit, template);
      const github = await gitHubOfReview(commit, state);
      await reader.run(page("docs/attest-changes.md: Review"), { commit, github });
      const { body } = await reader.client.getTrail({ flowName: FLOW, trailName: commit });
      expect(body.complianceStatus.attestationsStatuses).toMatchObject([{ status: "COMPLETE", isCompliant }]);
    }
  });

  test.each([
    { title: "actions/assert-artifact/README.md: Deploy", good: "deploy", bad: "!deploy" },
    { title: "docs/release-gate.md: Attested", good: "gate, deploy", bad: "!gate, -deploy" },
  ])("deploys artifacts that GitHub proves the workflow built: $title", async ({ title, good, bad }) => {
    await using reader = await startReader();
    const attested = page(title);
    const [sigstore, github] = await Promise.all([sigstoreInstance("private"), fakeAttestations()]);
    const trusted = { ".github/trusted_root.jsonl": JSON.stringify(sigstore.trustedRoot) };
    const run = { signer: "https://github.com/mallory/web/.github/workflows/build.yml@refs/heads/main" };
    for (const [commit, signing, told] of [
      [COMMIT, {}, []],
      [
        NEXT,
        { run },
        [expect.stringContaining("signer: mallory/web/.github/workflows/build.yml"), FAILED_STEP],
      ],
    ] as const) {
      await reader.begin(commit, TEMPLATE);
      await reader.report(commit);
      await reader.test(commit, { failures: 0 });
      const fingerprint = fingerprintOf(commit);
      github.listed.set(fingerprint, [{ bundle: await sigstore.sign(statement(fingerprint), signing) }]);
      const job = { api_url: github.url, token: TOKEN };
      const own = { ...attested, files: { ...attested.files, ...trusted } };
      const runs = await reader.run(own, { commit, inputs: { fingerprint }, github: job });
      expect(endOf(runs)).toEqual({ jobs: told.length > 0 ? bad : good, told });
      expect(printed(runs)).toBe(told.length > 0 ? "" : DEPLOYED);
    }
  });

  test("shows on the pull request what its trail lacks: actions/comment/README.md: Review", async () => {
    await using reader = await startReader();
    await reader.begin(COMMIT, TEMPLATE);
    const comments = await gitHubComments();
    const event = { pull_request: { number: 7, head: { sha: COMMIT } } };
    const github = { event_name: "pull_request", event, api_url: comments.url, token: JOB };
    const runs = await reader.run(page("actions/comment/README.md: Review"), { commit: COMMIT, github });
    expect(endOf(runs)).toEqual({ jobs: "evidence", told: [] });
    expect(comments.comments).toMatchObject([
      { body: expect.stringContaining("⬜ missing | `app.unit-test`") },
    ]);
    expect(comments.checkRuns).toMatchObject([{ head_sha: COMMIT, conclusion: "failure" }]);
  });

  test("records the reports of a fork's run: docs/security.md", async () => {
    await using reader = await startReader();
    await reader.upload("reports", COMMIT);
    const github = {
      event_name: "workflow_run",
      event: {
        workflow_run: { id: 76, event: "pull_request", head_sha: NEXT, head_branch: "change" },
        repository: { id: 4711, full_name: "acme/web" },
      },
    };
    const title = "docs/security.md: Attest what pull requests report";
    const runs = await reader.run(page(title), { commit: COMMIT, github });
    const created = expect.stringContaining("Flow 'pull-requests' did not exist");
    expect(endOf(runs)).toEqual({ jobs: "attest", told: [created] });
    const { body } = await reader.client.getTrail({ flowName: "pull-requests", trailName: NEXT });
    expect(body.complianceState).toBe("COMPLIANT");
  });

  test.each(["docs/reusable-workflows.md", "docs/report-kubernetes.md"])(
    "reports the listed environments: %s: Report what runs",
    async (path) => {
      await using reader = await startReader();
      const runs = await reader.run(page(`${path}: Report what runs`), { commit: COMMIT });
      expect(endOf(runs)).toEqual({ jobs: "report", told: [] });
      const { body } = await reader.client.listEnvironments({ sort: "name" });
      expect(body).toMatchObject([{ name: "production" }, { name: "staging" }]);
    },
  );

  test.each([
    [
      "docs/reusable-workflows.md",
      ["123456789012-ecs-shop-prod", "123456789012-lambda-eu-central-1", "site"],
    ],
    ["docs/report-clouds.md", ["functions", "shop", "site"]],
  ])("reports what an account of AWS has: %s: Report clouds", async (path, names) => {
    await using reader = await startReader();
    const account = {
      tasks: [{ id: "1", cluster: "shop-prod" }],
      functions: ["shop-api"],
      content: { "index.html": "<p>" },
      tags: { "arn:aws:s3:::acme-site": { "evidence:environment": "site" } },
      broken: [],
    };
    const { url } = await fakeAws((request) => answerOf(account, request), { keys: [SESSION] });
    if (path === "docs/reusable-workflows.md") {
      const body = { name: "clouds", repository: "acme/web", role: "snapshotter" } as const;
      await reader.client.createTrustPolicy({ body });
    }
    const env = { AWS_ENDPOINT_URL: url };
    const runs = await reader.run(page(`${path}: Report clouds`), { commit: COMMIT, env });
    expect(endOf(runs)).toEqual({ jobs: "report", told: [] });
    const { body } = await reader.client.listEnvironments({ sort: "name" });
    expect(body).toMatchObject(names.map((name) => ({ name })));
  });

  test("reports what runs in Azure: docs/report-clouds-azure.md", async () => {
    await using reader = await startReader();
    const { env } = await fakeAzure({
      instead({ host, path }) {
        if (host === "login.microsoftonline.com")
          return { body: { access_token: MANAGEMENT, expires_in: 3599 } };
        if (!path.includes("/33333333-3333-3333-3333-333333333333/resourceGroups/shop/")) return undefined;
        return { body: { value: [site("web", { linux: `DOCKER|shop.azurecr.io/web@sha256:${DIGEST}` })] } };
      },
    });
    const title = "docs/report-clouds-azure.md: Report what runs in Azure";
    const runs = await reader.run(page(title), { commit: COMMIT, env });
    expect(endOf(runs)).toEqual({ jobs: "report", told: [] });
    const { body } = await reader.client.getSnapshot({ envName: "production", snapshotExpression: "-1" });
    expect(body.artifacts).toMatchObject([{ fingerprint: DIGEST }]);
  });

  test("reports what runs in Google Cloud: docs/report-clouds-google.md", async () => {
    await using reader = await startReader();
    const { env } = await fakeGoogle({ jobs: [job("nightly", `gcr.io/shop/job@sha256:${DIGEST}`)] });
    const title = "docs/report-clouds-google.md: Report what runs in Google Cloud";
    const runs = await reader.run(page(title), { commit: COMMIT, env });
    expect(endOf(runs)).toEqual({ jobs: "report", told: [] });
    const { body } = await reader.client.getSnapshot({ envName: "production", snapshotExpression: "-1" });
    expect(body.artifacts).toMatchObject([{ fingerprint: DIGEST }]);
  });

  describe("an example, started by the service for a non-compliant environment,", () => {
    const { event_type: action, client_payload } = githubDispatch(environmentPayload);
    const event: ContextValue = JSON.parse(JSON.stringify({ action, client_payload }));

    test("reports it: docs/notifications.md", async () => {
      await using reader = await startReader();
      const title = "docs/notifications.md: Environment state";
      const said = await reader.run(page(title), { commit: COMMIT, github: { event } });
      expect(printed(said)).toBe(
        `production is NON-COMPLIANT, see ${environmentPayload.snapshot?.html_url}\n`,
      );
    });

    test.each(["docs/reusable-workflows.md", "docs/environment-issue.md"])(
      "opens an issue: %s",
      async (path) => {
        await using reader = await startReader();
        const issues = await gitHubIssues();
        const github = { ...issues.context, event };
        const runs = await reader.run(page(`${path}: Environment issue`), { commit: COMMIT, github });
        expect(endOf(runs)).toEqual({ jobs: "issue", told: [] });
        expect(issues.issues).toMatchObject([{ title: "production is not compliant", state: "open" }]);
      },
    );
  });

  test("signs the verdict for an attestation of GitHub: docs/statements.md: Gate", async () => {
    await using reader = await startReader();
    await reader.begin(COMMIT, TEMPLATE);
    await reader.report(COMMIT);
    await reader.test(COMMIT, { failures: 0 });
    const stored: Readonly<Record<string, string>>[] = [];
    const attest: PlayedAction = async ({ with: given }) => {
      const predicate = JSON.parse(await readFile(given["predicate-path"] ?? "", "utf8"));
      stored.push({ ...given, result: predicate.verificationResult });
      return { outcome: "success" };
    };
    const fingerprint = fingerprintOf(COMMIT);
    const runs = await reader.run(page("docs/statements.md: Gate"), {
      ...{ commit: COMMIT, inputs: { fingerprint }, played: { "actions/attest": attest } },
    });
    expect(endOf(runs)).toEqual({ jobs: "gate", told: [] });
    expect(stored).toMatchObject([{ "subject-digest": `sha256:${fingerprint}`, result: "PASSED" }]);
  });

  test.each(["docs/reusable-workflows.md", "docs/rotate-key.md"])("rotates a key: %s", async (path) => {
    await using reader = await startReader();
    const apiKey = await reader.newKey("ci");
    const runs = await reader.run(page(`${path}: Rotate the key`), { commit: COMMIT, apiKey });
    expect(endOf(runs)).toEqual({ jobs: "rotate", told: [] });
    const { body } = await reader.client.listApiKeys({ name: "ci" });
    expect(body.map(({ id }) => id)).toContain(runs["rotate"]?.outputs["key-id"]);
  });

  test("replays on a schedule: actions/replay/README.md", async () => {
    await using reader = await startReader();
    const github = { ...(await gitHubWithoutArtifacts()), event_name: "schedule" };
    const runs = await reader.run(page("actions/replay/README.md: schedule"), { commit: COMMIT, github });
    expect(endOf(runs)).toEqual({ jobs: "replay", told: [] });
  });

  test("every complete example of the pages that builds nothing is one of these", () => {
    expect([...left]).toEqual([]);
  });
});
