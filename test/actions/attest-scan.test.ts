import { describe, expect, test } from "vitest";
import { runBundle, runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn, commandNames, sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };

interface Found {
  /** CVSS scores: 9 is critical, 7 high, 4 medium, anything above 0 low. */
  score: string;
  message?: string;
  rule?: string;
  uri?: string;
}

/** SARIF of a scanner with these findings. */
function sarif(found: readonly Found[], run: object = {}): string {
  const results = found.map(({ score, message = "Bad", rule = "R1", uri = "src/app.ts" }) => ({
    ruleId: rule,
    message: { text: message },
    properties: { "security-severity": score },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 4 } } }],
  }));
  const tool = { driver: { name: "Trivy", version: "0.60.0" } };
  return JSON.stringify({ version: "2.1.0", runs: [{ tool, results, ...run }] });
}

async function attest(
  inputs: Record<string, string>,
  found: readonly Found[],
  run: object = {},
  by = runHere,
) {
  await using server = await recordingServer([RECORDED]);
  const step = await by("attest", {
    server,
    inputs: { flow: "web", name: "scan", "scan-results": "scan.sarif", ...inputs },
    files: { "scan.sarif": sarif(found, run), "src/app.ts": "" },
  });
  return { ...step, requests: server.requests };
}

test("evaluates a scan, attaches it and annotates the sources", async () => {
  const run = await attest(
    {},
    [{ score: "9.8", rule: "CVE-1" }, { score: "5" }, { score: "2" }],
    {},
    runBundle,
  );
  expect(run.snapshot).toMatchSnapshot();
  expect(run.status).toBe(0);
});

test("counts findings from fail-level on, high by default", async () => {
  const scores = { critical: "9.0", high: "8.9", medium: "6.9", low: "3.9", nothing: "0.0" };
  const failing = {
    critical: ["critical"],
    high: ["critical", "high"],
    medium: ["critical", "high", "medium"],
    low: ["critical", "high", "medium", "low"],
    none: [],
    "": ["critical", "high"],
  };
  const cases = Object.entries(failing).flatMap(([level, severities]: [string, readonly string[]]) =>
    Object.keys(scores).map((severity) => ({
      entry: {
        name: `${severity}-from-${level || "default"}`,
        "scan-results": `${severity}.sarif`,
        ...(level !== "" && { "fail-level": level }),
      },
      compliant: !severities.includes(severity),
    })),
  );
  await using server = await recordingServer([RECORDED]);
  const run = await runHere("attest", {
    server,
    inputs: { flow: "web", manifest: "evidence.yml" },
    files: {
      "evidence.yml": JSON.stringify(cases.map(({ entry }) => entry)),
      ...Object.fromEntries(
        Object.entries(scores).map(([severity, score]) => [`${severity}.sarif`, sarif([{ score }])]),
      ),
    },
  });
  const results: { name: string; compliant: string }[] = JSON.parse(run.outputs["results"] ?? "[]");
  expect(results.map(({ name, compliant }) => [name, compliant])).toEqual(
    cases.map(({ entry, compliant }) => [entry.name, String(compliant)]),
  );
});

test("does not fail for an accepted finding", async () => {
  const accepted = {
    results: [{ message: { text: "m" }, level: "error", suppressions: [{ kind: "external" }] }],
  };
  const run = await attest({}, [], accepted);
  expect(run.outputs["compliant"]).toBe("true");
  expect(annotationsIn(run.stdout)).toEqual([]);
});

test("treats an interrupted scan as non-compliant, whatever it found", async () => {
  const run = await attest({}, [], { invocations: [{ executionSuccessful: false }] });
  expect(run.outputs["compliant"]).toBe("false");
  expect(run.stdout).toContain("not compliant: the scan by Trivy did not succeed");
});

test("annotates ten of many findings, the most severe first", async () => {
  const found = Array.from({ length: 30 }, (_, index) => ({
    score: index < 25 ? "7" : "9",
    rule: `R${index}`,
  }));
  const run = await attest({}, found);
  const annotations = annotationsIn(run.stdout);
  expect(annotations).toHaveLength(10);
  expect(annotations[0]).toBe("::error title=Trivy%3A critical R25,file=src/app.ts,line=4::Bad");
  expect(annotations[5]).toContain("Trivy%3A high R0");
  expect(run.stdout).toContain("… and 20 more failures or findings.");
});

test("counts findings beyond the stored limit only when they count", async () => {
  const high = Array.from({ length: 502 }, () => ({ score: "7" }));
  const low = Array.from({ length: 300 }, () => ({ score: "1" }));
  const run = await attest({ "attach-results": "false" }, [...low, ...high]);
  expect(run.stdout).toContain("… and 492 more failures or findings.");
});

test("neutralizes hostile findings", async () => {
  const hostile = "\u001b[31m\n::error::x\n##[add-mask]y <script> | a,b:c%0A";
  const run = await attest({}, [{ score: "9", message: hostile, rule: hostile }], {
    tool: { driver: { name: hostile, version: "1" } },
  });
  expect(run.snapshot).toMatchSnapshot();
  expect(commandNames(run.stdout)).toEqual(["debug", "error"]);
  expect(run.stdout).not.toContain("\u001b");
});

describe("kind: snyk", () => {
  test("counts findings by severity, and is not compliant with any", async () => {
    const run = await attest({ kind: "snyk" }, [{ score: "2", rule: "CVE-2" }]);
    expect(run.snapshot).toMatchSnapshot();
    expect(run.outputs["compliant"]).toBe("false");
    expect(annotationsIn(run.stdout)).toHaveLength(1);
  });

  test("is compliant without findings", async () => {
    const run = await attest({ kind: "snyk" }, [{ score: "0" }]);
    expect(run.outputs["compliant"]).toBe("true");
    expect(annotationsIn(run.stdout)).toEqual([]);
  });

  test("records a critical finding as high, the format's highest severity", async () => {
    const run = await attest({ kind: "snyk" }, [{ score: "9" }, { score: "7" }]);
    const { data } = sent(run.requests[0]);
    expect(data["snyk_results"]).toMatchObject({
      results: [{ high_count: 2, medium_count: 0, low_count: 0 }],
    });
    expect(run.stdout).toContain("not compliant: found 2 high.");
  });

  test("records an interrupted scan as a finding, so that every service calls it non-compliant", async () => {
    const invocations = [
      {
        executionSuccessful: false,
        toolConfigurationNotifications: [{ level: "error", message: { text: "no such rule: R9" } }],
      },
    ];
    const run = await attest({ kind: "snyk" }, [{ score: "5" }], { invocations });
    const why = "the scan by Trivy did not succeed: no such rule: R9";
    expect(run.status).toBe(0);
    expect(run.outputs).toMatchObject({ status: "recorded", compliant: "false" });
    expect(sent(run.requests[0]).data["snyk_results"]).toMatchObject({
      results: [{ high_count: 1, medium_count: 1, high: [{ id: "scan-not-completed", message: why }] }],
    });
    expect(run.stdout).toContain(`not compliant: ${why}; found 1 medium.`);
  });

  test("accepts results in the format of the API", async () => {
    await using server = await recordingServer([RECORDED]);
    const results = [{ low_count: 1, medium_count: 0, high_count: 0 }];
    const data = { tool: { name: "snyk", version: "1" }, results };
    const inputs = { flow: "web", name: "scan", kind: "snyk", data: JSON.stringify(data) };
    const run = await runHere("attest", { server, inputs });
    expect(sent(server.requests[0])).toMatchObject({ data: { snyk_results: data }, files: [] });
    expect(run.outputs["compliant"]).toBe("false");
  });
});
