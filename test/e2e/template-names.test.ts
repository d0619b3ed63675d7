import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { SHA, startJob } from "./workspace.ts";

type Job = Awaited<ReturnType<typeof startJob>>;

const TEMPLATE = `version: 1
trail:
  attestations: [{name: review, type: generic}]
  artifacts:
    - name: app
      attestations: [{name: unit-test, type: junit}]
`;
const FINGERPRINT = createHash("sha256").update("built").digest("hex");
const REPORT = '<testsuite name="s"><testcase name="t"/></testsuite>';
const FAILED =
  '<testsuite name="s"><testcase name="t"><failure message="off by one"/></testcase></testsuite>';

/** A flow with a template, and a trail of the job's commit with that template. */
async function begin(job: Job, template: string, flow = "web") {
  const templateFile = { name: "evidence.yml", content: new Blob([template]) };
  await job.client.createFlowWithTemplate({ body: { name: flow, description: "" }, files: { templateFile } });
  await job.client.beginTrail({ flowName: flow, body: { name: SHA } });
}

async function report(
  job: Job,
  { as, flow = "web", trail = SHA }: { as: string; flow?: string; trail?: string | null },
) {
  await job.client.reportArtifact({
    flowName: flow,
    body: {
      fingerprint: FINGERPRINT,
      filename: "app.tgz",
      templateReferenceName: as,
      buildUrl: "https://ci.example.com/1",
      commitUrl: "https://git.example.com/1",
      gitCommit: SHA,
      ...(trail !== null && { trailName: trail }),
    },
  });
}

/** The gate's message about the artifact. */
const gate = (job: Job, inputs: Readonly<Record<string, string>> = {}) =>
  job.step("assert-artifact", { fingerprint: FINGERPRINT, ...inputs });

describe("an artifact under a name that the template does not list", () => {
  test("fails the gate, which names both, in every scope, unless fail-on-non-compliant is false", async () => {
    await using job = await startJob();
    await begin(job, TEMPLATE.replace("[{name: review, type: generic}]", "[]"));
    await report(job, { as: "ap" });
    await job.client.createEnvironment({ body: { name: "prod", type: "K8S", description: "" } });
    const policyFile = {
      name: "p.yml",
      content: new Blob(["_schema: https://app.kosli.com/schemas/policy/environment/v1\n"]),
    };
    await job.client.putPolicy({ body: { name: "any" }, files: { policyFile } });
    const text = `the template in flow 'web', trail '${SHA}' lists the artifact 'app'; this one was reported as 'ap'`;

    for (const scope of [{}, { environment: "prod" }, { policies: "any" }]) {
      const shut = await gate(job, scope);
      expect(shut).toMatchObject({ outcome: "failure", outputs: { compliant: "false" } });
      expect(shut.annotations[0]?.message).toContain(text);
      expect(JSON.parse(shut.outputs["failures"] ?? "")).toEqual([
        { reason: "unexpected", flow: "web", trail: SHA, text: expect.stringContaining(text) },
      ]);
    }
    const open = await gate(job, { "allow-unexpected": "true" });
    expect(open).toMatchObject({ outcome: "success", outputs: { compliant: "true", failures: "[]" } });

    const artifact = { artifactFingerprint: FINGERPRINT, artifactName: "app", description: "INC-42" };
    await job.client.allowArtifact({ envName: "prod", body: artifact });
    expect((await gate(job, { environment: "prod" })).outputs["compliant"]).toBe("true");
  });

  test("fails it without a trail, too, but not in another flow that expects it", async () => {
    await using job = await startJob();
    await begin(job, TEMPLATE.replace("[{name: review, type: generic}]", "[]"));
    await report(job, { as: "ap", trail: null });
    await begin(job, "version: 1\ntrail: {artifacts: [{name: app}]}\n", "other");
    await report(job, { as: "app", flow: "other" });
    const shut = await gate(job);
    expect(shut.annotations[0]?.message).toContain(
      "the template in flow 'web' lists the artifact 'app'; this one was reported as 'ap', without a trail",
    );
    expect((await gate(job, { flow: "other" })).outcome).toBe("success");
  });

  test("passes without a trail in a flow without a template", async () => {
    await using job = await startJob();
    await job.client.createFlowWithTemplate({ body: { name: "web", description: "" } });
    await report(job, { as: "app", trail: null });
    expect(await gate(job)).toMatchObject({ outcome: "success", outputs: { compliant: "true" } });
  });

  test("passes where the template names no artifact", async () => {
    await using job = await startJob();
    await begin(job, "version: 1\ntrail: {attestations: [{name: review, type: generic}]}\n");
    await report(job, { as: "ap" });
    const missing = await gate(job);
    expect(missing.annotations[0]?.message).not.toContain("reported as");
    await job.step("attest", { name: "review", compliant: "true" });
    expect(await gate(job)).toMatchObject({ outcome: "success", outputs: { compliant: "true" } });
  });
});

describe("a record that matches no slot of the template", () => {
  test("is reported with the nearest slot and the change to make, and the gate names the recorded one", async () => {
    await using job = await startJob();
    await begin(job, TEMPLATE);
    await job.write("junit.xml", REPORT);
    const warned = async (inputs: Readonly<Record<string, string>>) => {
      const { outcome, outputs, annotations } = await job.step("attest", inputs);
      expect([outcome, outputs["status"]]).toEqual(["success", "recorded"]);
      return [outputs["expected"], annotations.map(({ message }) => message.split("\n")[0])];
    };
    const no = (what: string) => `Recorded, but the template of trail '${SHA}' lists no ${what}.`;
    const nearest = (slot: string, change: string) => `; the closest match is ${slot}: use \`${change}\``;
    const tests = { kind: "junit", "test-results": "junit.xml" };

    expect(await warned({ kind: "artifact", name: "ap", fingerprint: "0".repeat(64) })).toEqual([
      "false",
      [no(`artifact 'ap'${nearest("'app'", "name: app")}`)],
    ]);
    expect(await warned({ kind: "artifact", name: "app", fingerprint: FINGERPRINT })).toEqual(["true", []]);
    expect(await warned({ name: "app.unit-test", fingerprint: FINGERPRINT, compliant: "true" })).toEqual([
      "false",
      [
        no(
          `attestation 'app.unit-test' of type generic${nearest("'app.unit-test' of type junit", "kind: test")}`,
        ),
      ],
    ]);
    expect(await warned({ name: "reviews", compliant: "true" })).toEqual([
      "false",
      [no(`attestation 'reviews' of type generic${nearest("'review' of type generic", "name: review")}`)],
    ]);
    expect(await warned({ ...tests, name: "unit-test", "check-template": "false" })).toEqual(["", []]);

    const shut = (await gate(job)).annotations[0]?.message;
    const missing = (slot: string) => `attestation ${slot} is missing in flow 'web', trail '${SHA}'`;
    expect(shut).toContain(`${missing("'unit-test' (junit)")}; recorded instead: 'app.unit-test' (generic)`);
    expect(shut).toContain(`${missing("'review' (generic)")}; recorded instead: 'reviews' (generic)`);

    expect(await warned({ ...tests, name: "app.unit-test", fingerprint: FINGERPRINT })).toEqual(["true", []]);
    expect(await warned({ name: "review", compliant: "true" })).toEqual(["true", []]);
    expect((await gate(job)).outcome).toBe("success");
  });

  test("is reported in one warning for a manifest, and in each of its results", async () => {
    await using job = await startJob();
    await begin(job, TEMPLATE);
    await job.write(
      "evidence.yml",
      `- {name: app, kind: artifact, fingerprint: ${FINGERPRINT}}
- {name: app.unit-tests, fingerprint: ${FINGERPRINT}, compliant: true}
- {name: review, compliant: true}
- {name: revue, compliant: true}
`,
    );
    const run = await job.step("attest", { manifest: "evidence.yml" });
    expect(run.outputs["expected"]).toBe("false");
    const results: { name: string; expected: string }[] = JSON.parse(run.outputs["results"] ?? "");
    expect(results.map(({ name, expected }) => [name, expected])).toEqual([
      ["app", "true"],
      ["app.unit-tests", "false"],
      ["review", "true"],
      ["revue", "false"],
    ]);
    expect(run.annotations.map(({ message }) => message.split("\n"))).toEqual([
      [
        "2 records match no slot of the template:",
        expect.stringContaining("lists no attestation 'app.unit-tests'"),
        expect.stringContaining("lists no attestation 'revue'"),
        expect.stringContaining("check-template: false"),
      ],
    ]);
  });
});

describe("fail-on-non-compliant", () => {
  const inputs = {
    kind: "junit",
    name: "unit",
    "test-results": "junit.xml",
    "fail-on-non-compliant": "true",
  };

  test("fails the step after recording, with every output and the summary", async () => {
    await using job = await startJob();
    await job.write("junit.xml", FAILED);
    const run = await job.step("attest", inputs);
    expect(run).toMatchObject({
      outcome: "failure",
      outputs: { status: "recorded", compliant: "false", trail: SHA },
    });
    expect(run.annotations.map(({ message }) => message)).toContain(
      "'unit' is not compliant: 1 of 1 test failed",
    );
    expect(run.summary).toContain("not compliant");
    const place = { flowName: "web", trailName: SHA, attestationName: "unit" };
    expect((await job.client.listTrailAttestations(place)).body).toHaveLength(1);

    await job.write("junit.xml", REPORT);
    expect((await job.step("attest", inputs)).outcome).toBe("success");
  });

  test("fails for any entry of a manifest, after all of them, and for results of the service alone", async () => {
    await using job = await startJob();
    await job.client.createCustomAttestationType({
      body: { name: "coverage", evaluator: { contentType: "jq", rules: [".percent > 80"] } },
    });
    await job.write(
      "evidence.yml",
      `- {name: lint, compliant: false}
- {name: build, compliant: true}
- {name: coverage, kind: custom, type-name: coverage, data: {percent: 40}}
`,
    );
    const run = await job.step("attest", { manifest: "evidence.yml", "fail-on-non-compliant": "true" });
    expect(run).toMatchObject({ outcome: "failure", outputs: { status: "recorded", compliant: "false" } });
    expect(run.annotations.map(({ message }) => message)).toContain(
      "- 'lint' is not compliant\n- 'coverage' is not compliant",
    );
  });
});
