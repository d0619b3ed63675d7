import { expect, test } from "vitest";
import { runBundle, runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { annotationsIn, commandNames, sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };
const JUNIT = { flow: "web", name: "unit", kind: "junit", "test-results": "reports/*.xml" };

const failing = (index: number) =>
  `<testcase classname="cart" name="adds ${index}" file="src/cart.ts" line="${index}"><failure message="off by ${index}"/></testcase>`;
const suite = (name: string, ...cases: readonly string[]) =>
  `<testsuite name="${name}" time="1.5">${cases.join("")}</testsuite>`;
const passing = '<testcase classname="cart" name="sorts" time="1.5"/>';

test("records each suite's counts with the files and annotates the failures in the sources", async () => {
  await using server = await recordingServer([RECORDED]);
  const run = await runBundle("attest", {
    server,
    inputs: JUNIT,
    files: {
      "reports/cart.xml": suite("cart", failing(1), passing),
      "reports/shop.xml": suite("shop", passing, '<testcase name="later"><skipped/></testcase>'),
      "src/cart.ts": "",
    },
  });
  expect(run.snapshot).toMatchSnapshot();
  expect(run.status).toBe(0);
});

test("annotates ten of twelve failures and logs how many more there are", async () => {
  await using server = await recordingServer([RECORDED]);
  const cases = Array.from({ length: 12 }, (_, index) => failing(index + 1));
  const run = await runHere("attest", {
    server,
    inputs: JUNIT,
    files: { "reports/a.xml": suite("cart", ...cases), "src/cart.ts": "" },
  });
  const annotations = annotationsIn(run.stdout);
  expect(annotations).toHaveLength(10);
  expect(annotations[9]).toBe("::error title=cart › adds 10,file=src/cart.ts,line=10::off by 10");
  expect(run.stdout).toContain("… and 2 more failures or findings.");
  expect(run.outputs).toMatchObject({ status: "recorded", compliant: "false" });
});

test("leaves skipped-only results to the service, with a warning", async () => {
  await using server = await recordingServer([RECORDED]);
  const run = await runHere("attest", {
    server,
    inputs: JUNIT,
    files: { "reports/a.xml": suite("cart", '<testcase name="later"><skipped/></testcase>') },
  });
  expect(run.outputs["compliant"]).toBe("true");
  expect(annotationsIn(run.stdout, "warning")).toEqual([
    "::warning::No test ran, and the service reports that as compliant. Use kind: generic to make it non-compliant.",
  ]);
});

test("makes a generic attestation of skipped-only results non-compliant", async () => {
  await using server = await recordingServer([RECORDED]);
  const run = await runHere("attest", {
    server,
    inputs: { flow: "web", name: "unit", compliant: "true", "test-results": "a.xml" },
    files: { "a.xml": suite("cart", '<testcase name="later"><skipped/></testcase>') },
  });
  expect(run.outputs["compliant"]).toBe("false");
  expect(sent(server.requests[0]).data["is_compliant"]).toBe(false);
  expect(run.stdout).toContain("not compliant: no test ran");
});

test("keeps compliant: false when the tests passed", async () => {
  await using server = await recordingServer([RECORDED]);
  const run = await runHere("attest", {
    server,
    inputs: { flow: "web", name: "unit", compliant: "failure", "test-results": "a.xml" },
    files: { "a.xml": suite("cart", passing) },
  });
  expect(run.outputs["compliant"]).toBe("false");
});

test.each([
  [
    "junit",
    { junit_results: [{ name: "cart", failures: 1, errors: 0, skipped: 0, total: 1, duration: 1.5 }] },
  ],
  ["generic", { is_compliant: false }],
])(
  "treats a failure counted only by the suite as non-compliant for %s, with a warning",
  async (kind, data) => {
    await using server = await recordingServer([RECORDED]);
    const report = `<testsuite name="cart" tests="1" failures="1">${passing}</testsuite>`;
    const run = await runHere("attest", {
      server,
      inputs: { flow: "web", name: "unit", kind, "test-results": "a.xml" },
      files: { "a.xml": report },
    });
    expect(sent(server.requests[0]).data).toMatchObject(data);
    expect(run.outputs["compliant"]).toBe("false");
    expect(annotationsIn(run.stdout, "warning")).toEqual([
      "::warning::the suite 'cart' in 'a.xml' counts failures and errors: 1, but its tests show 0; the difference counts as failed",
    ]);
  },
);

test("sends nothing without a report", async () => {
  await using server = await recordingServer([RECORDED]);
  const run = await runHere("attest", { server, inputs: JUNIT });
  expect(run.status).toBe(1);
  expect(annotationsIn(run.stdout)).toEqual([
    "::error title=file.unusable::test-results: no file matches 'reports/*.xml'",
  ]);
  expect(server.requests).toEqual([]);
});

test("accepts results in the format of the API", async () => {
  await using server = await recordingServer([RECORDED]);
  const results = [{ name: "cart", failures: 0, errors: 1, skipped: 0, total: 3, duration: 1.5 }];
  const run = await runHere("attest", {
    server,
    inputs: { flow: "web", name: "unit", kind: "junit", data: JSON.stringify({ junit_results: results }) },
  });
  expect(sent(server.requests[0])).toMatchObject({ data: { junit_results: results }, files: [] });
  expect(run.outputs["compliant"]).toBe("false");
  expect(run.stdout).toContain("not compliant: 1 of 3 tests failed.");
});

test.each([
  ['{"junit_results": [], "more": 1}', "data: contains 'more'; allowed: 'junit_results'"],
  ['[{"name": "cart"}]', "junit_results[0].failures"],
  ["missing.json", "data: 'missing.json' does not exist"],
])("refuses the data %s", async (data, problem) => {
  await using server = await recordingServer([RECORDED]);
  const inputs = { flow: "web", name: "unit", kind: "junit", data };
  const run = await runHere("attest", { server, inputs });
  expect(run.status).toBe(1);
  expect(run.stdout).toContain(problem);
  expect(server.requests).toEqual([]);
});

test("sends more than ten reports as one archive, beside the other files", async () => {
  await using server = await recordingServer([RECORDED]);
  const reports = Array.from({ length: 11 }, (_, index) => [
    `reports/${index}.xml`,
    suite(`s${index}`, passing),
  ]);
  const run = await runHere("attest", {
    server,
    inputs: { ...JUNIT, attachments: "notes.txt" },
    files: { ...Object.fromEntries(reports), "notes.txt": "n" },
  });
  expect(run.status).toBe(0);
  expect(sent(server.requests[0]).files).toEqual(["notes.txt", "evidence.tgz"]);
});

test("sends up to ten reports unchanged, or omits them", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`reports/${index}.xml`, suite(`s${index}`, passing)]),
  );
  await using server = await recordingServer([RECORDED]);
  await runHere("attest", { server, inputs: JUNIT, files });
  await runHere("attest", { server, inputs: { ...JUNIT, "attach-results": "false" }, files });
  expect(server.requests.map((request) => sent(request).files.length)).toEqual([10, 0]);
});

test("explains how to omit a report that is too large to attach", async () => {
  await using server = await recordingServer([RECORDED]);
  const inputs = { ...JUNIT, "test-results": "a.xml" };
  const log = `<system-out>${"x".repeat(10 * 1024 * 1024)}</system-out>`;
  const run = await runHere("attest", { server, inputs, files: { "a.xml": suite("s", passing, log) } });
  expect(run.status).toBe(1);
  expect(run.stdout).toContain("attachment 'a.xml' is 10");
  expect(run.stdout).toContain("attach-results: false leaves them out");
});

test("annotates a rejected request once, whatever else failed", async () => {
  await using server = await recordingServer([{ status: 403, body: { message: "no" } }]);
  const run = await runHere("attest", {
    server,
    inputs: JUNIT,
    files: { "reports/a.xml": suite("cart", failing(1)) },
  });
  expect(run.status).toBe(1);
  expect(annotationsIn(run.stdout)).toHaveLength(1);
  expect(annotationsIn(run.stdout)[0]).toContain("403");
});

test("neutralizes a hostile report in every output", async () => {
  await using server = await recordingServer([RECORDED]);
  const hostile =
    "&#155;31m::error::x,y:z%0A::set-output&#10;::add-mask::a&#10;##[error]b | &lt;img src=x&gt; `c` @d";
  const report = `<testsuite name="${hostile}"><testcase classname="k" name="${hostile}" file="a,b:c%0A.ts" line="3"><failure message="${hostile}"/></testcase></testsuite>`;
  const run = await runHere("attest", {
    server,
    inputs: { ...JUNIT, "test-results": "a.xml" },
    files: {
      "a.xml": `<testsuites>${report}${report.replace('classname="k"', 'classname="l"')}</testsuites>`,
    },
  });
  expect(run.snapshot).toMatchSnapshot();
  expect(run.stdout).not.toContain("\u009b");
  expect(commandNames(run.stdout)).toEqual(["debug", "error", "error"]);
});
