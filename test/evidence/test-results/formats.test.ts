import { describe, expect, test } from "vitest";
import { fixture } from "../fixtures/fixture.ts";
import { problemsOf } from "../refusal.ts";
import { resultsOf } from "./read.ts";

const reading = (name: string, content: string | Uint8Array) => resultsOf({ [name]: content }, [name]);
const fixtureOf = (name: string) => fixture(`test-results/${name}`).toString();

/** Total, failures, errors and skipped, as the tools count them. */
const counts: readonly (readonly [file: string, counts: readonly number[], further: object])[] = [
  ["mstest.trx", [5, 1, 0, 1], { passed: 3, duration: 2.01 }],
  ["nunit3.xml", [5, 1, 1, 2], { passed: 1, duration: 0.5 }],
  ["nunit2.xml", [4, 1, 1, 1], { passed: 1 }],
  // The fifth is the error outside of tests, which xUnit.net counts separately.
  ["xunit-net.xml", [5, 1, 1, 1], { passed: 2, duration: 0.75 }],
  // As gotestsum counts: tests, subtests, their parents, and the package that failed to build.
  ["go-test.jsonl", [8, 3, 1, 1], { passed: 3 }],
  ["node.tap", [6, 1, 0, 2], { passed: 3 }],
  ["prove.tap", [4, 1, 0, 2], { passed: 1 }],
  ["ctrf.json", [5, 1, 0, 2], { passed: 2, flaky: 1, duration: 2 }],
];

test.each(counts)(
  "%s has the counts of its tool",
  async (file, [total, failures, errors, skipped], further) => {
    const results = await reading(file, fixtureOf(file));
    expect(results.counts).toMatchObject({ total, failures, errors, skipped, ...further });
    expect(results).toMatchObject({ compliant: false, warnings: [], furtherFailures: 0 });
  },
);

test.each([
  [
    "mstest.trx",
    "Acme.Shop.CartTest",
    "Totals",
    "Assert.AreEqual failed. Expected:<3>. Actual:<2>.",
    "test/CartTest.cs",
    21,
  ],
  ["nunit3.xml", "Acme.Shop.CartTest", "Totals", "Expected: 3\n  But was:  2", "test/CartTest.cs", 21],
  ["nunit2.xml", "Acme.Shop.CartTest", "Totals", "Expected: 3", "test/CartTest.cs", 21],
  [
    "xunit-net.xml",
    "Acme.Shop.CartTest",
    "Totals",
    "Assert.Equal() Failure: Values differ",
    "test/CartTest.cs",
    21,
  ],
  [
    "go-test.jsonl",
    "example.com/shop/cart",
    "TestTotals/three_items",
    "cart_test.go:10: got 2, want 3",
    "cart/cart_test.go",
    10,
  ],
  ["node.tap", "node.tap", "totals", "2 == 3", "test/a.test.js", 5],
  ["prove.tap", "prove.tap", "totals", "Failed test 'totals'", undefined, undefined],
  ["ctrf.json", "cart.spec.ts", "totals", "expected 3, got 2", "e2e/cart.spec.ts", 21],
])("%s reports failures with their locations", async (file, suite, name, message, source, line) => {
  const tree = { [file]: fixtureOf(file), cart: { "cart_test.go": "" } };
  const { failures } = await resultsOf(tree, [file]);
  const found = failures.find((failure) => failure.name === name);
  expect(found).toMatchObject({ kind: "failure", suite, message });
  expect(found?.location).toEqual(source && { file: source, line });
});

test("a Go package that failed to build, and a test that panics, are reported with their output", async () => {
  const { failures, suites } = await reading("go-test.jsonl", fixtureOf("go-test.jsonl"));
  expect(failures.map(({ suite, name, message }) => [suite, name, message])).toEqual([
    ["example.com/shop/boom", "TestBoom", "panic: no database [recovered, repanicked]"],
    ["example.com/shop/broken", "TestMain", "broken/broken_test.go:5:32: undefined: undefinedFunction"],
    ["example.com/shop/cart", "TestTotals/three_items", "cart_test.go:10: got 2, want 3"],
    ["example.com/shop/cart", "TestTotals", ""],
  ]);
  expect(suites[0]?.timestamp).toBe(1795473558.846);
});

describe("an incomplete report is an error, never a result:", () => {
  test.each(counts.map(([file]) => file))("%s, wherever it is truncated", async (file) => {
    const whole = fixtureOf(file).trimEnd();
    // The end of TAP is comments, without which it is complete.
    const parts = file.endsWith(".tap") ? [0.3, 0.6] : [0.3, 0.6, 0.9, 1];
    for (const cut of parts.map((part) => Math.floor(whole.length * part) - 1)) {
      const problems = await problemsOf(reading(file, whole.slice(0, cut)));
      expect(problems[0]).toMatch(/is incomplete|is truncated|ends inside|not well-formed/);
    }
  });

  test.each([
    ["a.tap", "ok 1 - a\n", "it has no plan, such as 1..4"],
    ["a.tap", "1..2\nok 1 - a\n", "it plans 2 tests but has 1"],
    ["a.json", '{"results": {"summary": {"tests": 2}, "tests": []}}', "it counts 2 tests but lists 0"],
    ["a.json", '{"Action":"start","Package":"a"}\n', "is incomplete: it has no result of the package 'a'"],
  ])("%s of %j", async (file, content, problem) => {
    expect((await problemsOf(reading(file, content)))[0]).toContain(problem);
  });
});

describe("a run that failed outside of its tests is not compliant:", () => {
  const trx = (summary: string, results = '<UnitTestResult testName="A.B.C" outcome="Passed"/>') =>
    `<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>${results}</Results>${summary}</TestRun>`;
  test.each([
    [
      "a test host that crashed",
      "a.trx",
      trx(
        '<ResultSummary outcome="Failed"><RunInfos><RunInfo outcome="Error"><Text>crashed</Text></RunInfo></RunInfos></ResultSummary>',
      ),
    ],
    ["a counter beyond the results", "a.trx", trx('<ResultSummary><Counters failed="1"/></ResultSummary>')],
    ["a result without an outcome", "a.trx", trx("", '<UnitTestResult testName="A.B.C"/>')],
    [
      "a tear-down of NUnit",
      "a.xml",
      '<test-run result="Failed" failed="0"><test-suite result="Failed" site="TearDown"><failure><message>no</message></failure><test-case name="a" result="Passed"/></test-suite></test-run>',
    ],
    ["TAP whose name only looks like a directive", "a.tap", "1..1\nnot ok 1 - fixes \\#todo and C#skip\n"],
    ["TAP that bails out", "a.tap", "1..3\nok 1 - a\nBail out! no database\n"],
    [
      "a hook of Node's runner",
      "a.tap",
      "TAP version 13\nnot ok 1 - s\n  ---\n  type: 'suite'\n  failureType: 'hookFailed'\n  ...\n1..1\n",
    ],
    [
      "a build of an older Go",
      "a.json",
      '{"Action":"start","Package":"a"}\n{"Action":"pass","Package":"a"}\nFAIL\tb [build failed]\n',
    ],
    [
      "a test that never ended",
      "a.json",
      '{"Action":"run","Package":"a","Test":"T"}\n{"Action":"fail","Package":"a"}\n',
    ],
    [
      "a status that CTRF does not define",
      "a.json",
      '{"reportFormat":"CTRF","results":{"tests":[{"name":"a","status":"other"}]}}',
    ],
  ])("%s", async (_what, file, content) => {
    expect(await reading(file, content)).toMatchObject({ compliant: false });
  });
});

test.each([
  [
    '{"config": {}, "suites": [], "stats": {}}',
    "is Playwright's JSON, which is not supported: set PLAYWRIGHT_JUNIT_OUTPUT_NAME=",
  ],
  [
    '{"stats": {}, "results": [], "meta": {}}',
    "is mochawesome's JSON, which is not supported: let `npx mocha --reporter xunit",
  ],
  [
    '{"numTotalTests": 1, "testResults": []}',
    "is the JSON of Jest or Vitest, which is not supported: use the reporter `jest-junit`",
  ],
  [
    '<robot generator="Robot 7.3"/>',
    "is Robot Framework's own XML, not JUnit XML: let `robot --xunit unit.xml`",
  ],
  ["{}", "is unsupported JSON; use JUnit XML, TRX,"],
  ["<html/>", "its root element is 'html', not testsuites or testsuite; use JUnit XML, TRX,"],
])("an unsupported format is rejected with an alternative: %s", async (content, problem) => {
  expect((await problemsOf(reading("a.json", content)))[0]).toContain(problem);
});

test("reports of several formats are counted together", async () => {
  const files = ["mstest.trx", "go-test.jsonl", "ctrf.json"];
  const tree = Object.fromEntries(files.map((file) => [file, fixtureOf(file)]));
  expect((await resultsOf(tree, files)).counts).toMatchObject({ total: 18, failures: 5, errors: 1 });
});
