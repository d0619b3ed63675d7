import { describe, expect, test } from "vitest";
import type { ContextValue } from "../../../scripts/composite/expressions.ts";
import { githubDispatch } from "../../../src/service/delivery/messages/github.ts";
import { fakeAttestations, TOKEN } from "../../actions/fake-attestations.ts";
import { gitHubComments, JOB } from "../../actions/github-comments.ts";
import { sigstoreInstance, statement } from "../../evidence/provenance/sigstore-instance.ts";
import { environmentPayload } from "../../service/delivery/messages/payloads.ts";
import { gitHubIssues } from "../../workflows/run/github-issues.ts";
import type { JobRuns } from "../../workflows/run/workflow-run.ts";
import { blocksOf } from "../pages.ts";
import { pageNamed } from "../reference-pages.ts";
import { type Example, example, examples } from "./example.ts";
import { gitHubOfApproval, gitHubOfReview, gitHubWithoutArtifacts } from "./github.ts";
import { FLOW, startReader } from "./reader.ts";
import { fingerprintOf } from "./sample-repository.ts";

const COMMIT = "1".repeat(40);
const NEXT = "2".repeat(40);
const FAILED_TESTS = ["unit-test (junit): COMPLETE"];
const DEPLOYED = "deploy it here\n";

const FAILED_STEP = "Process completed with exit code 1.";

const DELIVER = "README.md: Deliver";
/** The run named by the tokens of the examples. */
const ORIGIN = "github:acme/web build.yml run 77 attempt 1";

const run = new Set<string>();
/** An example of a page, recorded as run. */
function page(title: string): Example {
  run.add(title);
  return example(title);
}

const MARKS = { success: "", failure: "!", skipped: "-" };

/** The jobs, with `!` before failed ones and `-` before skipped ones, and the summary of the run. */
function endOf(runs: JobRuns): { jobs: string; told: string[] } {
  const jobs = Object.entries(runs).map(([id, { result }]) => `${MARKS[result]}${id}`);
  const annotations = Object.values(runs).flatMap((each) => each.annotations);
  return { jobs: jobs.join(", "), told: annotations.map(({ message }) => message) };
}

/** Output of the jobs' own commands. */
function printed(runs: JobRuns): string {
  return Object.values(runs)
    .map((each) => each.printed)
    .join("");
}

/** The page of the tutorial, and the files that its commands make. */
function tutorialProject(): { text: string; files: Record<string, string> } {
  const { text } = pageNamed("docs/tutorial.md");
  const files = [...text.matchAll(/^cat > (\S+) <<'END'\n([\s\S]*?)^END$/gm)];
  return { text, files: Object.fromEntries(files.map(([, path = "", content = ""]) => [path, content])) };
}

/** The workflow of the tutorial for a reader who chose a key. */
function withKey(workflow: string, tutorial: string): string {
  const [, line = ""] = /^env:\n( {2}EVIDENCE_API_KEY: .*\n)/m.exec(tutorial) ?? [];
  const changed = workflow.replace("env:\n", `env:\n${line}`).replace(/^ *id-token: write.*\n/gm, "");
  return changed.replace("permissions:\n    steps:", "permissions: {}\n    steps:");
}

describe("an example, run as written on its page,", () => {
  test.each([
    { title: DELIVER, good: "build, deploy", bad: "!build, -deploy" },
    { title: "docs/migration.md: push", good: "evidence", bad: "!evidence" },
    { title: "docs/reusable-workflows.md: Build", good: "build, evidence", bad: "!build, evidence" },
    { title: "docs/attest-build.md: Build", good: "build, evidence", bad: "!build, evidence" },
    { title: "docs/attest-build.md: Container", good: "build, evidence", bad: "!build, evidence" },
  ])("opens the gate only for artifacts that pass their tests: $title", async ({ title, good, bad }) => {
    await using reader = await startReader();
    expect(endOf(await reader.run(page(title), { commit: COMMIT }))).toEqual({ jobs: good, told: [] });
    expect(await reader.gate(COMMIT)).toBe("");

    const failing = await reader.run(page(title), { commit: NEXT, testsPass: false });
    const { jobs, told } = endOf(failing);
    expect(jobs, told.join("\n")).toBe(bad);
    expect(printed(failing)).not.toContain(DEPLOYED);
    expect(await reader.lacking(NEXT)).toEqual(FAILED_TESTS);
  });

  test("leaves records that prove their run: the README's", async () => {
    await using reader = await startReader();
    await reader.run(page(DELIVER), { commit: COMMIT });
    const { body } = await reader.client.getTrail({ flowName: FLOW, trailName: COMMIT });
    expect(body).toMatchObject({ origin: { state: "verified", policy: "acme-web", name: ORIGIN } });
  });

  test("refuses until its tests are recorded, without a key and with one: docs/tutorial.md", async () => {
    const tutorial = page("docs/tutorial.md: Deliver");
    const { files, text } = tutorialProject();
    const refused = text.split("```text\n")[1]?.split("…")[0] ?? "";
    for (const [commit, next, adapted] of [
      ["3".repeat(40), "4".repeat(40), (workflow: string) => workflow],
      ["5".repeat(40), "6".repeat(40), (workflow: string) => withKey(workflow, text)],
    ] as const) {
      await using reader = await startReader();
      const run = (workflow: string, of: string) =>
        reader.run(
          {
            ...tutorial,
            files: { ...tutorial.files, ...files },
            workflow: { ...tutorial.workflow, text: adapted(workflow) },
          },
          { commit: of },
        );
      const state = async (trailName: string) =>
        (await reader.client.getTrail({ flowName: FLOW, trailName })).body.complianceState;
      const shut = await run(tutorial.workflow.text, commit);
      expect(endOf(shut)).toEqual({
        jobs: "build, !deploy",
        told: [expect.stringContaining(refused), FAILED_STEP],
      });
      expect(await state(commit)).toBe("INCOMPLETE");
      const steps = blocksOf({ path: "", text: text.slice(text.indexOf("## 6.")) })[0]?.text ?? "";
      const whole = tutorial.workflow.text.replace("\n  deploy:", `${steps.replace(/^(?=.)/gm, "      ")}$&`);
      const open = await run(whole, next);
      expect(endOf(open)).toEqual({ jobs: "build, deploy", told: [] });
      expect(printed(open)).toContain("deploy app.tgz here\n");
      expect(await state(next)).toBe("COMPLIANT");
    }
  });

  test.each(["docs/ghes-and-self-hosted.md: push", "docs/attest-results.md: Test"])(
    "opens the gate for an artifact of another job, and shuts it: %s",
    async (title) => {
      await using reader = await startReader();
      const template = page(DELIVER).files["evidence.yml"] ?? "";
      for (const commit of [COMMIT, NEXT]) {
        await reader.begin(commit, template);
        await reader.report(commit);
      }
      expect(endOf(await reader.run(page(title), { commit: COMMIT }))).toMatchObject({ told: [] });
      expect(await reader.gate(COMMIT)).toBe("");
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
      await reader.begin(commit, page(DELIVER).files["evidence.yml"] ?? "");
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
    await reader.begin(COMMIT, page(DELIVER).files["evidence.yml"] ?? "");
    await reader.report(COMMIT);
    await reader.test(COMMIT, { failures: 0 });
    await reader.deploy(COMMIT);
    const keyless = page("docs/release-gate.md: Release");
    const text = keyless.workflow.text
      .replace(/ {4}permissions:\n {6}id-token: .*\n/, "    permissions: {}\n")
      .replace(/( {4}uses: .*\n)/, "$1    secrets:\n      api-key: ${{ secrets.EVIDENCE_API_KEY }}\n");
    expect(text).toContain("permissions: {}\n    uses:");
    const inputs = { fingerprint: fingerprintOf(COMMIT) };
    const example = { ...keyless, workflow: { ...keyless.workflow, text } };
    expect(endOf(await reader.run(example, { commit: COMMIT, inputs })).jobs).toBe("gate, deploy");
  });

  test.each([
    { title: "docs/reusable-workflows.md: Deploy to production", environment: "production-approval" },
    { title: "docs/approval-query.md: Deploy", environment: "production" },
  ])("deploys only artifacts that a person approved: $title", async ({ title, environment }) => {
    await using reader = await startReader();
    await reader.begin(COMMIT, page(DELIVER).files["evidence.yml"] ?? "");
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
    const example = page(title);
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
      await reader.begin(commit, page(DELIVER).files["evidence.yml"] ?? "");
      await reader.report(commit);
      await reader.test(commit, { failures: 0 });
      const fingerprint = fingerprintOf(commit);
      github.listed.set(fingerprint, [{ bundle: await sigstore.sign(statement(fingerprint), signing) }]);
      const job = { api_url: github.url, token: TOKEN };
      const own = { ...example, files: { ...example.files, ...trusted } };
      const runs = await reader.run(own, { commit, inputs: { fingerprint }, github: job });
      expect(endOf(runs)).toEqual({ jobs: told.length > 0 ? bad : good, told });
      expect(printed(runs)).toBe(told.length > 0 ? "" : DEPLOYED);
    }
  });

  test("shows on the pull request what its trail lacks: actions/comment/README.md: Review", async () => {
    await using reader = await startReader();
    await reader.begin(COMMIT, page(DELIVER).files["evidence.yml"] ?? "");
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

  test("every complete example of the pages is one of these", () => {
    expect(examples.map(({ title }) => title).filter((title) => !run.has(title))).toEqual([]);
  });
});
