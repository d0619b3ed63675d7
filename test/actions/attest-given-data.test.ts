import { describe, expect, test } from "vitest";
import { runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn, sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };

async function attest(inputs: Record<string, string>, files: Record<string, string> = {}) {
  await using server = await recordingServer([RECORDED]);
  const run = await runHere("attest", { server, inputs: { flow: "web", trail: "v1", ...inputs }, files });
  return { ...run, ...sent(server.requests[0]), requests: server.requests };
}

describe("kind: jira", () => {
  const issue = (id: string, exists: boolean) => ({
    issue_id: id,
    issue_url: `https://jira.example/${id}`,
    issue_exists: exists,
  });
  const jira = (...issues: readonly unknown[]) =>
    attest({ name: "issues", kind: "jira", data: JSON.stringify({ jira_results: issues }) });

  test("records the issues", async () => {
    const run = await jira(issue("SHOP-1", true), issue("SHOP-2", true));
    expect(run.snapshot).toMatchSnapshot();
    expect(run.status).toBe(0);
  });

  test.each([
    [
      "an issue that does not exist",
      [issue("SHOP-1", true), issue("SHOP-9", false)],
      "issues that do not exist: SHOP-9",
    ],
    ["no issue", [], "no issue was found"],
  ])("is not compliant with %s", async (_, issues, reason) => {
    const run = await jira(...issues);
    expect(run.outputs["compliant"]).toBe("false");
    expect(run.stdout).toContain(`not compliant: ${reason}.`);
  });

  test("accepts a bare list from a file", async () => {
    const inputs = { name: "issues", kind: "jira", data: "jira.json" };
    const run = await attest(inputs, { "jira.json": JSON.stringify([issue("SHOP-1", true)]) });
    expect(run.data["jira_results"]).toEqual([issue("SHOP-1", true)]);
  });

  test("lists missing fields before anything is sent", async () => {
    const run = await jira({ issue_id: "SHOP-1" });
    expect(run.status).toBe(1);
    expect(run.requests).toEqual([]);
    expect(run.stdout).toContain("jira_results[0].issue_url");
  });
});

describe("kind: sonar", () => {
  const analysis = (status: string | undefined) => ({
    analysedAt: "2026-11-20T10:00:00+0000",
    revision: "0dcf2a8",
    project: { key: "web", name: "Web", url: "https://sonar.example/web" },
    ...(status !== undefined && { qualityGate: { name: "way", status, conditions: [] } }),
    properties: { "sonar.extra": "kept" },
  });

  test("records the analysis of the scanner's webhook, including the scanner's own fields", async () => {
    const run = await attest({ name: "gate", kind: "sonar", data: JSON.stringify(analysis("OK")) });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.data["sonar_results"]).toEqual(analysis("OK"));
    expect(run.outputs["compliant"]).toBe("true");
  });

  test.each([
    ["ERROR", "the quality gate is ERROR"],
    [undefined, "the quality gate is not part of the analysis"],
  ])("is not compliant when the gate is %s", async (status, reason) => {
    const run = await attest({ name: "gate", kind: "sonar", data: JSON.stringify(analysis(status)) });
    expect(run.outputs["compliant"]).toBe("false");
    expect(run.stdout).toContain(`not compliant: ${reason}.`);
  });
});

describe("kind: custom", () => {
  const custom = { name: "cov", kind: "custom", "type-name": "coverage" };

  test("records the data with exact numbers and names, and leaves compliance to the service", async () => {
    const data = '{"lines_covered": 12345678901234567890, "inCamel": {"deep_er": [1.50]}}';
    const run = await attest({ ...custom, data, attachments: "report.txt" }, { "report.txt": "r" });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.requests[0]).toContain('"lines_covered":12345678901234567890');
    expect(run.outputs["compliant"]).toBe("");
  });

  test("reports the position of a JSON syntax error", async () => {
    const run = await attest({ ...custom, data: "cov.json" }, { "cov.json": '{"a": 1,\n "b": }' });
    expect(run.status).toBe(1);
    expect(annotationsIn(run.stdout)[0]).toMatch(
      /^::error title=input.invalid,file=cov.json,line=2::data: 'cov.json', line 2, column 7: the JSON /,
    );
    expect(run.requests).toEqual([]);
  });
});

describe("kind: override", () => {
  const override = { name: "unit", kind: "override" };
  const data = { reason: "Flaky, see SHOP-1", original_attestation_type: "junit" };

  test("records a new result with its reason as JSON, not as multipart", async () => {
    const run = await attest({ ...override, compliant: "true", data: JSON.stringify(data) });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.data).toMatchObject({ ...data, attestation_name: "unit", new_compliance_status: true });
    expect(run.outputs["compliant"]).toBe("true");
  });

  test("takes compliance from the data and shows the reason when it is not compliant", async () => {
    const run = await attest({
      ...override,
      data: JSON.stringify({ ...data, new_compliance_status: false }),
    });
    expect(run.data["new_compliance_status"]).toBe(false);
    expect(run.outputs["compliant"]).toBe("false");
    expect(run.stdout).toContain("not compliant: Flaky, see SHOP-1.");
  });

  test.each([
    ["no compliance", {}, data, "compliant: is required, unless `data` has new_compliance_status"],
    [
      "two different results",
      { compliant: "true" },
      { ...data, new_compliance_status: false },
      "compliant: differs from new_compliance_status in `data`: set one",
    ],
    ["an unknown field", { compliant: "true" }, { ...data, more: 1 }, "data: contains 'more'; allowed:"],
    ["a list", { compliant: "true" }, [data], "data: "],
    ["no reason", { compliant: "true" }, { original_attestation_type: "junit" }, "reason"],
    ["no type", { compliant: "true" }, { reason: "r" }, "original_attestation_type"],
  ])("sends nothing with %s", async (_, inputs, given, problem) => {
    const run = await attest({ ...override, ...inputs, data: JSON.stringify(given) });
    expect(run.status).toBe(1);
    expect(annotationsIn(run.stdout).join()).toContain(problem);
    expect(run.requests).toEqual([]);
  });
});
