import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SHA, startJob } from "./workspace.ts";

const TEMPLATE = `version: 1
trail:
  attestations: [{name: build, type: generic}]
  artifacts:
    - name: app
      attestations: [{name: unit-test, type: generic}]
`;
const FINGERPRINT = createHash("sha256").update("built").digest("hex");

/** The count and the lines of the checklist in a summary. */
function checklistIn(summary: string): string[] {
  return summary.split("\n").filter((line) => /^\*\*|(missing|passing|failing) \|$/.test(line));
}

function linksIn(summary: string): (string | undefined)[] {
  return [...summary.matchAll(/\]\(<(.+?)>\)/g)].map(([, address]) => address);
}

describe("the composite actions on the embedded service", () => {
  test("the gate passes only when every attestation of the template exists and is compliant", async () => {
    await using job = await startJob();
    await job.write("evidence.yml", TEMPLATE);
    await job.write("build/app.tgz", "built");
    await job.write("reports/junit.xml", '<testsuite name="s" tests="1"/>');
    const gate = () => job.step("assert-artifact", { artifact: "build/app.tgz" });

    const begun = await job.step("begin-trail", { "flow-template-file": "evidence.yml" });
    expect(begun.outputs).toEqual({
      trail: SHA,
      created: "true",
      "trail-url": `${job.address}/acme/flows/web/trails/${SHA}`,
    });
    expect((await gate()).log).toContain("does not exist");

    const reported = await job.step("attest", { kind: "artifact", name: "app", artifact: "build/app.tgz" });
    expect(reported.outputs).toMatchObject({ status: "recorded", fingerprint: FINGERPRINT });

    const missing = await gate();
    expect(missing).toMatchObject({ outcome: "failure", outputs: { compliant: "false", scope: "flow" } });
    expect(missing.annotations[0]?.message).toContain(
      "attestation 'unit-test' (generic) is missing in flow 'web'",
    );
    expect(missing.annotations[0]?.message).toContain(
      "attestation 'build' (generic) is missing in flow 'web'",
    );

    const build = await job.step("attest", { name: "build", compliant: "success" });
    expect(checklistIn(begun.summary)).toEqual([
      "**0 of 3 present**",
      "| build | generic | ⬜ missing |",
      "| app | artifact | ⬜ missing |",
      "| app.unit-test | generic | ⬜ missing |",
    ]);
    expect(checklistIn(build.summary)).toEqual([
      "**2 of 3 present**",
      "| app.unit-test | generic | ⬜ missing |",
      "| build | generic | ✅ passing |",
      "| app | artifact | ✅ passing |",
    ]);
    const pages = `${job.address}/acme/flows/web`;
    const commitPage = `https://github.com/acme/web/commit/${SHA}`;
    const { body: artifact } = await job.client.getArtifact({ flowName: "web", fingerprint: FINGERPRINT });
    const ofArtifact = artifact.htmlUrl ?? "";
    expect(ofArtifact).toContain(`${pages}/artifacts/${FINGERPRINT}?artifact_id=`);
    expect([begun, reported, missing, build].flatMap(({ summary }) => linksIn(summary))).toEqual([
      ...[commitPage, `${pages}/trails/${SHA}`],
      ...[commitPage, `${pages}/trails/${SHA}`],
      ofArtifact,
      ...[commitPage, `${pages}/trails/${SHA}`],
    ]);
    expect(missing.annotations[0]?.message).toContain(`\nThe artifact's page: ${ofArtifact}`);

    await job.step("attest", { name: "app.unit-test", fingerprint: FINGERPRINT, compliant: "failure" });
    const failing = await gate();
    expect(failing.outcome).toBe("failure");
    expect(failing.summary).toContain("attestation 'unit-test' &#40;generic&#41; is not compliant");

    // The latest of a name counts.
    const inputs = {
      name: "app.unit-test",
      fingerprint: FINGERPRINT,
      compliant: "true",
      attachments: "reports/*.xml",
    };
    expect((await job.step("attest", inputs)).outcome).toBe("success");
    expect(await gate()).toMatchObject({
      outcome: "success",
      outputs: { compliant: "true", failures: "[]" },
    });

    const { body } = await job.client.getArtifactAttestation({
      flowName: "web",
      fingerprint: FINGERPRINT.slice(0, 12),
      attestationName: "unit-test",
    });
    expect(body.map(({ isCompliant, hasAuditPackage }) => [isCompliant, hasAuditPackage])).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  test("an attestation for an artifact of the template may precede the artifact", async () => {
    await using job = await startJob();
    const template = TEMPLATE.replace("[{name: build, type: generic}]", "[]");
    const templateFile = { name: "evidence.yml", content: new Blob([template]) };
    const body = { name: "web", description: "" };
    await job.client.createFlowWithTemplate({ body, files: { templateFile } });
    await job.client.beginTrail({ flowName: "web", body: { name: SHA } });
    await job.write("app", "built");
    await job.step("attest", { name: "app.unit-test", compliant: "true" });
    await job.step("attest", { kind: "artifact", name: "app", artifact: "app" });
    expect((await job.step("assert-artifact", { artifact: "app" })).outputs["compliant"]).toBe("true");
  });
});

describe("the steps of one job", () => {
  let job: Awaited<ReturnType<typeof startJob>>;
  beforeAll(async () => {
    job = await startJob();
  });
  afterAll(() => job[Symbol.asyncDispose]());

  test("the workflow's repository is recorded", async () => {
    await job.step("attest", { name: "lint", compliant: "true" });
    const { body } = await job.client.listRepos({ name: "acme/web" });
    expect(body.repos).toEqual([
      expect.objectContaining({
        name: "acme/web",
        repoId: "4711",
        provider: "github",
        url: "https://github.com/acme/web",
      }),
    ]);
  });

  test("a report creates a snapshot only when the running artifacts have changed", async () => {
    const pods = (...names: string[]) =>
      JSON.stringify({
        kind: "PodList",
        items: names.map((name) => ({
          metadata: { name, namespace: "shop", creationTimestamp: "2026-11-20T09:30:00Z" },
          status: {
            phase: "Running",
            containerStatuses: [
              { name: "c", image: `reg/${name}:1`, imageID: `reg/${name}@sha256:${FINGERPRINT}` },
            ],
          },
        })),
      });
    const report = async (content: string) => {
      await job.write("pods.json", content);
      const inputs = { environment: "prod", "pods-file": "pods.json", "create-environment": "true" };
      return (await job.step("report-env", inputs)).outputs["snapshot-created"];
    };
    expect(await report(pods("web"))).toBe("true");
    expect(await report(pods("web"))).toBe("false");
    expect(await report(pods("web", "api"))).toBe("true");
  });

  test("a flow action is created once and then replaced", async () => {
    const set = async () =>
      (await job.step("set-flow-action", { name: "tell", emails: "a@example.com" })).outputs["created"];
    expect([await set(), await set()]).toEqual(["true", "false"]);
  });

  test("a pull request is attested at its head, not at GitHub's trial merge", async () => {
    const head = "1".repeat(40);
    const run = await job.step(
      "attest",
      { name: "lint", compliant: "true" },
      {
        event_name: "pull_request",
        ref: "refs/pull/7/merge",
        head_ref: "feature",
        event: {
          pull_request: { head: { sha: head, ref: "feature" } },
          repository: { id: 4711, full_name: "acme/web" },
        },
      },
    );
    expect(run.outputs["trail"]).toBe(head);
  });

  test("inputs and event data are not executed by a step's shell", async () => {
    const folder = mkdtempSync(join(tmpdir(), "injected-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const ran = join(folder, "ran");
    // This would run in double quotes, in single quotes or without quotes.
    const hostile = `$(touch ${ran}) \`touch ${ran}\` '; touch ${ran}; ' "; touch ${ran}; " \${{ github.token }}`;
    const github = {
      ref: `refs/heads/${hostile}`,
      ref_name: hostile,
      head_ref: hostile,
      event: { head_commit: { id: SHA, message: hostile, author: { name: hostile } } },
    };
    const inputs = { description: hostile, trail: "v1" };
    const begun = await job.step("begin-trail", { ...inputs, "flow-description": hostile }, github);
    const attested = await job.step("attest", { ...inputs, name: "lint", compliant: "true" }, github);
    expect(existsSync(ran)).toBe(false);
    expect([begun.outcome, attested.outcome]).toEqual(["success", "success"]);
    const { body } = await job.client.getTrail({ flowName: "web", trailName: "v1" });
    expect(body).toMatchObject({ description: hostile, gitCommitInfo: { message: hostile } });
  });

  test("no step shows the key, and a failing step still sets every output", async () => {
    const run = await job.step("attest", {
      name: "lint",
      compliant: "true",
      "base-url": "http://127.0.0.1:9",
      retries: "0",
    });
    expect(run.outcome).toBe("failure");
    expect(run.log).toContain("connection refused");
    expect(Object.keys(run.outputs).sort()).toEqual(
      [
        "compliant",
        "expected",
        "fingerprint",
        "receipt",
        "request-id",
        "results",
        "spool-artifact",
        "spool-folder",
        "status",
        "trail",
        "trail-url",
      ].sort(),
    );
    expect(run.log + run.summary).not.toContain(job.apiKey);
  });
});
