import { readFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runBundle, runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { COMPLIANT, DIGEST } from "./verdict.ts";

const slot = (name: string, status: string, compliant: boolean | null) => ({
  attestation_name: name,
  attestation_type: "generic",
  status,
  is_compliant: compliant,
  unexpected: false,
});
const slots = [
  slot("unit-test", "MISSING", null),
  slot("lint", "COMPLETE", false),
  slot("build", "COMPLETE", true),
];
const status = { status: "NON-COMPLIANT", is_compliant: false, attestations_statuses: slots };
const FAILING = {
  ...COMPLIANT,
  compliant: false,
  compliance_status: status,
  flows: [
    { flow: "web", trail: "v1", compliant: false, compliance_status: status, html_url: COMPLIANT.html_url },
  ],
};
const BY_POLICY = {
  ...COMPLIANT,
  compliant: false,
  scope: "environment",
  environment: "prod",
  policy_evaluations: [
    {
      policy_name: "prod",
      policy_version: 2,
      status: "NON-COMPLIANT",
      rule_evaluations: [
        { rule: { type: "provenance", definition: { required: true } }, satisfied: true, ignored: false },
        {
          rule: {
            type: "attestation",
            definition: {
              if: null,
              name: "*",
              type: "decision",
              must_be_compliant: true,
              for_control: "CTL-1",
            },
          },
          satisfied: false,
          ignored: false,
          resolutions: [{ type: "missing_attestation", context: { flow_name: "web", trail_name: "v1" } }],
        },
      ],
    },
  ],
};

const suite = (total: number, failures: number, errors: number) => ({ total, failures, errors, skipped: 0 });
const RECORD = {
  ...{ attestation_name: "unit", attestation_type: "junit", is_compliant: false, created_at: 1 },
};

describe("the assert-artifact bundle", () => {
  test("rejects a result for another artifact", async () => {
    const body = { ...COMPLIANT, fingerprint: "b".repeat(64) };
    await using server = await recordingServer([{ status: 200, body }]);
    const run = await runBundle("assert-artifact", { server, inputs: { fingerprint: DIGEST } });
    expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
    expect(run.stdout).toContain(`reported on artifact ${"b".repeat(64)} instead of ${DIGEST}`);
  });

  test("passes when the service says compliant", async () => {
    await using server = await recordingServer([{ status: 200, body: COMPLIANT }]);
    const run = await runHere("assert-artifact", {
      server,
      inputs: { fingerprint: `sha256:${DIGEST}`, flow: "web" },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(run).toMatchObject({ status: 0, outputs: { compliant: "true", scope: "flow" } });
  });

  test("writes the signed statement and its predicate on request, if they agree with the step", async () => {
    const predicate = { verificationResult: "PASSED" };
    const payload = Buffer.from(JSON.stringify({ predicate })).toString("base64");
    const envelope = { payload, payloadType: "application/vnd.in-toto+json", signatures: [] };
    const signed = async (verdict: object, inputs: Record<string, string>, body: unknown = envelope) => {
      await using server = await recordingServer([
        { status: 200, body: verdict },
        { status: 200, body },
      ]);
      await using folder = await mkdtempDisposable(join(tmpdir(), "statement-"));
      const run = await runHere("assert-artifact", {
        server,
        inputs: { fingerprint: DIGEST, ...inputs },
        env: { RUNNER_TEMP: folder.path },
      });
      const { "statement-file": statement = "", "predicate-file": ofStatement = "" } = run.outputs;
      const contents = [statement, ofStatement].map((file) => file && JSON.parse(readFileSync(file, "utf8")));
      return { ...run, contents, asked: server.requests.flatMap((text) => /^POST .*/.exec(text) ?? []) };
    };
    const passed = await signed(COMPLIANT, {
      statement: "vsa",
      "resource-uri": "ghcr.io/acme/web",
      flow: "web",
    });
    const path = `/api/v2/asserts/acme/fingerprint/${DIGEST}`;
    const query = "flow_name=web&statement=vsa&resource_uri=ghcr.io%2Facme%2Fweb";
    expect(passed).toMatchObject({
      status: 0,
      contents: [envelope, predicate],
      asked: [`POST ${path}?${query}`],
    });
    expect(await signed(FAILING, { statement: "svr" })).toMatchObject({
      status: 1,
      contents: ["", ""],
      asked: [],
    });
    const failed = await signed(FAILING, { statement: "vsa", "fail-on-non-compliant": "false" });
    expect(failed).toMatchObject({ status: 0, contents: [envelope, predicate] });
    expect(await signed(COMPLIANT, {})).toMatchObject({ status: 0, asked: [] });
    const broken = await signed(COMPLIANT, { statement: "vsa" }, { message: "OK" });
    expect(broken.status).toBe(1);
    expect(broken.stdout).toContain("The service returned no signed statement");
  });

  test("explains what to do about an unknown fingerprint", async () => {
    await using server = await recordingServer([{ status: 404, body: { message: "Artifact not found" } }]);
    const run = await runHere("assert-artifact", { server, inputs: { fingerprint: DIGEST } });
    expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
    expect(run.stdout).toContain(`%0Afingerprint: ${DIGEST}%0A`);
    expect(run.stdout).toContain(
      "Set `fingerprint` or `artifact` to an artifact that attest recorded in this organization and flow",
    );
  });

  test("fails and lists missing and non-compliant evidence", async () => {
    await using server = await recordingServer([{ status: 200, body: FAILING }]);
    const run = await runHere("assert-artifact", { server, inputs: { fingerprint: DIGEST } });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.status).toBe(1);
  });

  test("shows why an attestation is not compliant", async () => {
    const failed = { ...slot("unit", "COMPLETE", false), attestation_type: "junit", attestation_id: "a1" };
    const compliance = { ...status, attestations_statuses: [failed] };
    const flow = { flow: "web", trail: "v1", compliant: false, compliance_status: compliance };
    const suites = [suite(40, 10, 2), suite(20, 2, 0)];
    const record = { ...RECORD, attestation_id: "a1", junit_results: suites };
    await using server = await recordingServer([
      { status: 200, body: { ...FAILING, compliance_status: compliance, flows: [flow] } },
      { status: 200, body: { data: [record] } },
    ]);
    const run = await runHere("assert-artifact", { server, inputs: { fingerprint: DIGEST } });
    expect(server.requests[1]).toContain("GET /api/v2/attestations/acme?attestation_id=a1");
    expect(run.stdout).toContain(
      "attestation 'unit' (junit) is not compliant in flow 'web', trail 'v1': 14 of 60 tests failed",
    );
  });

  test("names the failing policy, rule and control for an environment", async () => {
    await using server = await recordingServer([{ status: 200, body: BY_POLICY }]);
    const run = await runHere("assert-artifact", {
      server,
      inputs: { fingerprint: DIGEST, environment: "prod" },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(JSON.parse(run.outputs["failures"] ?? "")).toEqual([
      expect.objectContaining({ reason: "rule", policy: "prod", rule: "attestation", control: "CTL-1" }),
    ]);
  });

  test("passes with fail-on-non-compliant: false without claiming compliance", async () => {
    await using server = await recordingServer([{ status: 200, body: FAILING }]);
    const inputs = { fingerprint: DIGEST, "fail-on-non-compliant": "false" };
    const run = await runHere("assert-artifact", { server, inputs });
    expect(run).toMatchObject({ status: 0, outputs: { compliant: "false" } });
    expect(run.stdout).toContain("attestation 'unit-test' (generic) is missing in flow 'web', trail 'v1'");
  });

  test("checks every policy in the input", async () => {
    await using server = await recordingServer([{ status: 200, body: { ...COMPLIANT, scope: "policy" } }]);
    await runHere("assert-artifact", { server, inputs: { fingerprint: DIGEST, policies: "a, b" } });
    expect(server.requests[0]).toContain(
      `GET /api/v2/asserts/acme/fingerprint/${DIGEST}?policy_name=a&policy_name=b\n`,
    );
  });

  describe("for an artifact that a flow's template does not list", () => {
    const unexpected = { ...COMPLIANT.compliance_status, unexpected: true };
    const flows = [
      { flow: "web", trail: "v1", compliant: true, compliance_status: COMPLIANT.compliance_status },
      { flow: "shop", trail: "v2", compliant: true, compliance_status: unexpected },
    ];
    const VERDICT = { status: 200, body: { ...COMPLIANT, flows } };
    const trail = (template: unknown) => ({
      name: "v2",
      last_modified_at: 1,
      created_at: 1,
      compliance_status: {
        status: "COMPLIANT",
        artifacts_statuses: { wbe: { artifact_fingerprint: DIGEST, status: "COMPLIANT", unexpected: true } },
      },
      template,
      compliance_state: "COMPLIANT",
      is_compliant: true,
      created_by: "ci",
      flow: { name: "shop" },
      html_url: "https://evidence.example/t",
    });
    const inputs = { fingerprint: DIGEST, retries: "0" };

    test("fails and compares the template's names with the reported one", async () => {
      const body = trail({ trail: { artifacts: [{ name: "web" }, { name: "api" }] } });
      await using server = await recordingServer([VERDICT, { status: 200, body }]);
      const run = await runHere("assert-artifact", { server, inputs });
      expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
      const [failure, ...others] = JSON.parse(run.outputs["failures"] ?? "");
      expect(others).toEqual([]);
      expect(failure).toMatchObject({ reason: "unexpected", flow: "shop", trail: "v2" });
      expect(failure.text).toContain(
        "the template in flow 'shop', trail 'v2' lists the artifacts 'web', 'api'; this one was reported as 'wbe'",
      );
      expect(server.requests).toHaveLength(2);
    });

    test.each([
      ["cannot be read", { status: 403, body: { message: "no" } }, "getTrail"],
      [
        "has an unexpected shape",
        { status: 200, body: trail({ trail: { artifacts: {} } }) },
        "cannot be read",
      ],
    ])("fails when the template %s", async (_, answer, expected) => {
      await using server = await recordingServer([VERDICT, answer]);
      const run = await runHere("assert-artifact", { server, inputs });
      expect(run).toMatchObject({ status: 1, outputs: { compliant: "false" } });
      expect(run.stdout).toContain(expected);
    });

    test("reads no template with fail-on-non-compliant: false", async () => {
      await using server = await recordingServer([VERDICT]);
      const run = await runHere("assert-artifact", {
        server,
        inputs: { ...inputs, "allow-unexpected": "true" },
      });
      expect(run).toMatchObject({ status: 0, outputs: { compliant: "true" } });
      expect(server.requests).toHaveLength(1);
    });
  });
});
