import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_FAILURES, MAX_SUITES } from "../../../src/evidence/test-results/tally.ts";
import type { SuiteResult } from "../../../src/evidence/test-results/test-results.ts";
import { Link } from "../temporary-directory.ts";
import { resultsOf } from "./read.ts";

async function suitesOf(xml: string): Promise<readonly SuiteResult[]> {
  return (await resultsOf({ "r.xml": xml })).suites;
}

describe("a test", () => {
  const outcomes: [what: string, xml: string, counts: object][] = [
    ["without details passed", "", { passed: 1 }],
    ["with a failure failed", "<failure/>", { failures: 1 }],
    ["with an error is an error", "<error/>", { errors: 1 }],
    ["with several failures failed once", "<failure/><failure/>", { failures: 1 }],
    ["with an error and a failure failed once", "<error/><failure/>", { failures: 1, errors: 0 }],
    ["that is skipped and failed failed", "<skipped/><failure/>", { failures: 1, skipped: 0 }],
    ["that is skipped did not run", "<skipped/>", { skipped: 1 }],
    ["that is disabled did not run", "<disabled/>", { skipped: 1 }],
    ["that passed in a rerun passed, and is flaky", "<flakyFailure/>", { passed: 1, flaky: 1 }],
    ["that failed in its reruns too failed", "<failure/><rerunFailure/>", { failures: 1, flaky: 0 }],
    ["whose failure is in an unknown element failed", "<x><failure/></x>", { failures: 1 }],
  ];
  test.each(outcomes)("%s", async (_what, inside, counts) => {
    const xml = `<testsuite name="s"><testcase name="t">${inside}</testcase></testsuite>`;
    expect((await resultsOf({ "r.xml": xml })).counts).toMatchObject({ total: 1, ...counts });
  });

  test.each([
    ["failed", { failures: 1 }],
    ["error", { errors: 1 }],
    ["notrun", { skipped: 1 }],
    ["run", { passed: 1 }],
  ])("with only the status %s follows it", async (status, counts) => {
    const xml = `<testsuite name="s"><testcase name="t" status="${status}"/></testsuite>`;
    expect((await resultsOf({ "r.xml": xml })).counts).toMatchObject({ total: 1, ...counts });
  });

  test("in an unknown element still counts", async () => {
    expect(
      await suitesOf("<testsuites><group><testcase name='t'><failure/></testcase></group></testsuites>"),
    ).toEqual([{ name: "r.xml", failures: 1, errors: 0, skipped: 0, total: 1, duration: 0 }]);
  });
});

test.each([
  ["<error message='e'/><failure message='f'/>", "failure", "f"],
  ["<failure message='f'/><error message='e'/>", "failure", "f"],
  ["<failure/><error message='e'/>", "failure", "e"],
  ["<error message='e'/><error message='later'/>", "error", "e"],
  ["<failure>\n\n  told\n  in text</failure>", "failure", "told"],
])("that ends in %s is described by the first failure with a text", async (inside, kind, message) => {
  const xml = `<testsuite name="s"><testcase name="t">${inside}</testcase></testsuite>`;
  expect((await resultsOf({ "r.xml": xml })).failures).toMatchObject([{ kind, message }]);
});

describe("a suite", () => {
  test("is counted by its tests, whatever its attributes say", async () => {
    const xml = `<testsuite name="s" tests="9" failures="0" time="7"><testcase time="0.1"/><testcase time="0.2"><failure/></testcase></testsuite>`;
    expect(await suitesOf(xml)).toEqual([
      { name: "s", failures: 1, errors: 0, skipped: 0, total: 2, duration: 0.3 },
    ]);
  });

  test("without any test in the file is counted by its attributes", async () => {
    const xml = `<testsuites><testsuite name="s" tests="9" failures="1" errors="2" skipped="3" disabled="1" time="7"/></testsuites>`;
    const { suites, failures, furtherFailures, reason } = await resultsOf({ "r.xml": xml });
    expect(suites).toEqual([{ name: "s", failures: 1, errors: 2, skipped: 4, total: 9, duration: 7 }]);
    expect({ failures, furtherFailures, reason }).toEqual({
      failures: [],
      furtherFailures: 3,
      reason: "3 of 9 tests failed",
    });
  });

  test("with fewer tests than failures has as many as failed", async () => {
    expect(await suitesOf(`<testsuite name="s" failures="2"/>`)).toMatchObject([{ failures: 2, total: 2 }]);
  });

  test("with nested suites is not counted in addition to them", async () => {
    const xml = `<testsuite name="outer" tests="5"><testsuite name="in"><testcase/></testsuite></testsuite>`;
    expect(await suitesOf(xml)).toMatchObject([{ name: "in", total: 1 }]);
  });

  test("without a name has that of the suite around it", async () => {
    const xml = `<testsuites name="all"><testsuite><testcase/></testsuite></testsuites>`;
    expect(await suitesOf(xml)).toMatchObject([{ name: "all" }]);
  });

  test("that failed itself, outside of any test, is one failed test", async () => {
    const xml = `<testsuite name="s"><error message="no database"/></testsuite>`;
    const { suites, failures } = await resultsOf({ "r.xml": xml });
    expect(suites).toMatchObject([{ errors: 1, total: 1 }]);
    expect(failures).toMatchObject([{ kind: "error", name: "s", message: "no database" }]);
  });

  test("whose tests have no times has its own time", async () => {
    expect(await suitesOf(`<testsuite name="s" time="1,234.5s"><testcase/></testsuite>`)).toMatchObject([
      { duration: 1234.5 },
    ]);
    expect(
      await suitesOf(`<testsuite name="s"><testcase time="0,25"/><testcase time="-1"/></testsuite>`),
    ).toMatchObject([{ duration: 0.25 }]);
  });
});

describe("failures counted by a suite without a failed test", () => {
  const passed = "<testcase name='t'/>";
  const verdictOf = async (xml: string) => {
    const { counts, compliant, warnings } = await resultsOf({ "r.xml": xml });
    return { failed: [counts.failures, counts.errors], total: counts.total, compliant, warnings };
  };

  test.each([
    [
      "a failure",
      `<testsuite name="s" tests="1" failures="1">${passed}</testsuite>`,
      [1, 0],
      "1, but its tests show 0",
    ],
    ["an error", `<testsuite name="s" errors="2">${passed}</testsuite>`, [0, 2], "2, but its tests show 0"],
    [
      "one more than failed",
      `<testsuite name="s" failures="2">${passed}<testcase><failure/></testcase></testsuite>`,
      [2, 0],
      "2, but its tests show 1",
    ],
    [
      "one more than its statuses show",
      `<testsuite name="s" failures="2"><testcase status="failed"><failure/></testcase></testsuite>`,
      [2, 0],
      "2, but its tests show 1",
    ],
    [
      "one more than was rerun",
      `<testsuite name="s" failures="2"><testcase><flakyFailure/></testcase></testsuite>`,
      [1, 0],
      "2, but its tests show 1",
    ],
    [
      "one beside a flake that the suite counts separately",
      `<testsuite name="s" errors="1" flakes="1">${passed}<testcase><flakyFailure/></testcase></testsuite>`,
      [0, 1],
      "1, but its tests show 0",
    ],
  ])("count as failed tests, and the log shows both numbers: %s", async (_what, xml, failed, message) => {
    const { warnings, ...verdict } = await verdictOf(xml);
    expect(verdict).toMatchObject({ failed, compliant: false });
    expect(warnings).toEqual([
      `the suite 's' in 'r.xml' counts failures and errors: ${message}; the difference counts as failed`,
    ]);
  });

  test("count once, however many suites around them count them too", async () => {
    const inner = (failed: number) => `<testsuite name="in" failures="${failed}">${passed}</testsuite>`;
    const xml = `<testsuites name="all" failures="4"><testsuite name="outer" failures="3">${inner(1)}${inner(2)}</testsuite></testsuites>`;
    const { failed, total, warnings } = await verdictOf(xml);
    expect({ failed, total }).toEqual({ failed: [4, 0], total: 4 });
    expect(warnings.map((warning) => /'(\w+)'/.exec(warning)?.[1])).toEqual(["in", "in", "all"]);
  });

  describe("around suites", () => {
    const one = "<testcase/><testcase><failure/></testcase>";
    const inner = `<testsuite name="in" tests="2" failures="1" time="10">${one}</testsuite>`;
    const of = { name: "in", errors: 0, skipped: 0, duration: 10 };

    test.each(['tests="2"', "", 'tests="3"'])(
      "are further tests of the suite that counts them: %s",
      async (tests) => {
        const xml = `<testsuites name="all" ${tests} failures="2" time="10">${inner}</testsuites>`;
        expect((await resultsOf({ "r.xml": xml })).suites).toEqual([
          { ...of, failures: 1, total: 2 },
          { ...of, name: "all", failures: 1, total: 1, duration: 0 },
        ]);
      },
    );

    test("never turn a passed test of another suite into a failed one", async () => {
      const outer = `<testsuite name="outer" tests="4" errors="1" failures="3">${inner}${inner}<testcase/></testsuite>`;
      const xml = `<testsuites><testsuite name="before"><testcase/></testsuite>${outer}</testsuites>`;
      const { suites, counts } = await resultsOf({ "r.xml": xml });
      expect(suites.map(({ name, failures, errors, total }) => [name, failures, errors, total])).toEqual([
        ["before", 0, 0, 1],
        ["in", 1, 0, 2],
        ["in", 1, 0, 2],
        ["outer", 1, 1, 2],
      ]);
      expect(counts).toMatchObject({ total: 7, passed: 3, failures: 3, errors: 1, duration: 20 });
    });
  });

  describe("as errors of the root, where no suite counts errors,", () => {
    /** gotestsum counts each line on standard error like this. */
    const gotestsum = (errors: number, failures: number, cases: string) =>
      `<testsuites tests="1" failures="${failures}" errors="${errors}" time="0.004043">
\t<testsuite tests="1" failures="${failures}" time="0.004000" name="example.com/greeter" timestamp="2026-11-22T17:30:20Z">
\t\t${cases}
\t</testsuite>
</testsuites>`;
    const green = '<testcase classname="example.com/greeter" name="TestGreets" time="0.000000"></testcase>';
    const red = green.replace("><", '><failure message="Failed" type=""></failure><');

    test("are not failed tests, and the step reports them", async () => {
      expect(await verdictOf(gotestsum(3, 0, green))).toEqual({
        failed: [0, 0],
        total: 1,
        compliant: true,
        warnings: [
          "'r.xml' counts 3 errors outside its tests, such as lines on standard error; they do not count as failed tests",
        ],
      });
    });

    test("leave the failed tests unchanged", async () => {
      expect(await verdictOf(gotestsum(1, 1, red))).toMatchObject({
        failed: [1, 0],
        total: 1,
        compliant: false,
        warnings: [expect.stringContaining("counts 1 error outside its tests")],
      });
    });

    test("count as failed where no suite has a test, or a suite counts errors", async () => {
      expect(await verdictOf('<testsuites errors="1"/>')).toMatchObject({ failed: [0, 1] });
      const counting = gotestsum(2, 0, green).replace(
        '<testsuite tests="1"',
        '<testsuite tests="1" errors="0"',
      );
      expect(await verdictOf(counting)).toMatchObject({ failed: [0, 2], total: 3, compliant: false });
    });
  });

  test("count where the suite contains nothing else", async () => {
    const { failed, compliant } = await verdictOf(`<testsuites failures="1"/>`);
    expect({ failed, compliant }).toEqual({ failed: [1, 0], compliant: false });
  });

  test("count around a suite that counts its flakes separately", async () => {
    const suite = `<testsuite errors="0" flakes="1">${passed}<testcase><flakyError/></testcase></testsuite>`;
    expect(await verdictOf(`<testsuites errors="1">${suite}</testsuites>`)).toMatchObject({
      failed: [0, 1],
      compliant: false,
    });
  });

  test.each([
    [
      "Surefire",
      `<testsuite failures="1" errors="1"><testcase><flakyFailure/></testcase><testcase><rerunError/></testcase></testsuite>`,
    ],
    [
      "two flakes of one test",
      `<testsuite failures="2"><testcase><flakyFailure/><flakyFailure/></testcase></testsuite>`,
    ],
    [
      "nested suites",
      `<testsuites failures="1"><testsuite errors="1"><testcase><flakyError/></testcase></testsuite></testsuites>`,
    ],
  ])("are explained by rerun tests: %s", async (_what, xml) => {
    expect(await verdictOf(xml)).toMatchObject({ failed: [0, 0], compliant: true, warnings: [] });
  });

  test.each([
    [
      "an error that counts as a failure",
      `<testsuite failures="1"><testcase><error/></testcase></testsuite>`,
    ],
    [
      "several failures of one test",
      `<testsuite failures="2"><testcase><failure/><failure/></testcase></testsuite>`,
    ],
    [
      "a failure and its reruns",
      `<testsuite failures="2"><testcase><failure/><rerunFailure/></testcase></testsuite>`,
    ],
    ["a status", `<testsuite failures="1"><testcase status="failed"/></testsuite>`],
    [
      "a suite without a count of tests",
      `<testsuites failures="1"><testsuite tests="2" failures="1"/></testsuites>`,
    ],
  ])("are explained by counted tests: %s", async (_what, xml) => {
    const { counts, warnings } = await resultsOf({ "r.xml": xml });
    expect(counts.failures + counts.errors).toBe(1);
    expect(warnings).toEqual([]);
  });

  test("are named only by the report where the suite has no name", async () => {
    expect((await verdictOf(`<testsuite failures="1">${passed}</testsuite>`)).warnings).toEqual([
      "'r.xml' counts failures and errors: 1, but its tests show 0; the difference counts as failed",
    ]);
  });

  test("are named for a few of many suites, with the number of the rest", async () => {
    const suite = `<testsuite name="s" failures="1">${passed}</testsuite>`;
    const { failed, warnings } = await verdictOf(`<testsuites>${suite.repeat(20)}</testsuites>`);
    expect(failed).toEqual([20, 0]);
    expect(warnings).toHaveLength(4);
    expect(warnings.at(-1)).toBe("17 further suites count more failures and errors than their tests show");
  });
});

describe("compliance", () => {
  test("is true when tests ran and none failed", async () => {
    const xml = "<testsuite name='s'><testcase/><testcase><skipped/></testcase></testsuite>";
    expect(await resultsOf({ "r.xml": xml })).toMatchObject({ compliant: true, reason: "" });
  });

  test("is false when every test was skipped", async () => {
    const xml = "<testsuite name='s'><testcase><skipped/></testcase></testsuite>";
    expect(await resultsOf({ "r.xml": xml })).toMatchObject({
      compliant: false,
      reason: "no test ran: all of 1 test were skipped",
    });
  });
});

describe("a file", () => {
  const xml = "<testsuite name='s'><testcase/></testsuite>";

  test("matched by two patterns is counted once, with a message", async () => {
    const { counts, warnings } = await resultsOf({ "r.xml": xml }, ["*.xml", "r.xml", "**/r.xml"]);
    expect(counts.total).toBe(1);
    expect(warnings).toEqual(["'r.xml' matches several patterns and is counted once"]);
  });

  test("that is the target of a link is counted once, with a message", async () => {
    const { counts, warnings } = await resultsOf({ "a.xml": xml, "b.xml": new Link("a.xml") });
    expect(counts.total).toBe(1);
    expect(warnings).toEqual(["'b.xml' links to 'a.xml', which is counted once"]);
  });

  test("that is a copy of another is counted once, with a message", async () => {
    const other = xml.replace("'s'", "'t'");
    const { suites, warnings, reports } = await resultsOf({ "a.xml": xml, "b.xml": xml, "c.xml": other });
    expect(suites.map(({ name }) => name)).toEqual(["s", "t"]);
    expect(reports).toEqual(["a.xml", "c.xml"]);
    expect(warnings).toEqual(["'b.xml' is a copy of 'a.xml', so it is not counted again"]);
  });

  test("without tests beside one with tests is reported", async () => {
    const { warnings } = await resultsOf({ "a.xml": xml, "b.xml": "<testsuites/>" });
    expect(warnings).toEqual(["'b.xml' contains no tests"]);
  });
});

describe("of very many", () => {
  test("failures the first are kept and all are counted", async () => {
    const more = MAX_FAILURES + 7;
    const cases = Array.from({ length: more }, (_, i) => `<testcase name="t${i}"><failure/></testcase>`);
    const { counts, failures, furtherFailures } = await resultsOf({
      "r.xml": `<testsuite name="s">${cases.join("")}</testsuite>`,
    });
    expect(counts.failures).toBe(more);
    expect(failures).toHaveLength(MAX_FAILURES);
    expect(failures.at(-1)?.name).toBe(`t${MAX_FAILURES - 1}`);
    expect(furtherFailures).toBe(7);
  });

  test("suites those beyond the limit are merged into one, and the totals cover all", async () => {
    const more = MAX_SUITES + 2;
    const each = (i: number) =>
      `<testsuite name="s${i}"><testcase time="0.5"><failure/></testcase><testcase/></testsuite>`;
    const { suites, suiteCount, counts, warnings } = await resultsOf({
      "r.xml": `<testsuites>${Array.from({ length: more }, (_, i) => each(i)).join("")}</testsuites>`,
    });
    expect(suites).toHaveLength(MAX_SUITES + 1);
    expect(suiteCount).toBe(more);
    expect(warnings).toEqual([
      "Only 1000 of 1002 suites are recorded by name; the others are recorded as one sum",
    ]);
    expect(suites.at(-1)).toEqual({
      name: "2 further suites",
      failures: 2,
      errors: 0,
      skipped: 0,
      total: 4,
      duration: 1,
    });
    expect(counts).toMatchObject({ total: 2 * more, failures: more, duration: more / 2 });
  });

  test("characters of a failure only as many are kept as can be shown", async () => {
    const xml = `<testsuite name="s"><testcase name="${"n".repeat(9999)}"><failure message="${"m".repeat(99_999)}">${"t".repeat(99_999)} src/late.ts:3</failure></testcase></testsuite>`;
    const { failures } = await resultsOf({ "r.xml": xml });
    expect(failures.map(({ name, message }) => [name.length, message.length])).toEqual([[500, 1000]]);
    expect(failures[0]).not.toHaveProperty("location");
  });
});

interface Node {
  readonly cases: readonly ("pass" | "failure" | "error" | "skipped")[];
  readonly suites: readonly Node[];
}

const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
  tree: fc.record({
    cases: fc.array(fc.constantFrom("pass", "failure", "error", "skipped"), { maxLength: 5 }),
    suites: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant([]),
      fc.array(tie("tree"), { maxLength: 3 }),
    ),
  }),
}));

function toXml({ cases, suites }: Node): string {
  const tests = cases.map((kind) => `<testcase>${kind === "pass" ? "" : `<${kind}/>`}</testcase>`);
  return `<testsuite>${suites.map(toXml).join("")}${tests.join("\n")}</testsuite>`;
}

function countIn({ cases, suites }: Node, kind?: string): number {
  const own = kind === undefined ? cases.length : cases.filter((each) => each === kind).length;
  return suites.reduce((sum, suite) => sum + countIn(suite, kind), own);
}

test("any tree of suites counts exactly its tests", async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (root) => {
      fc.pre(countIn(root) > 0);
      const { counts } = await resultsOf({ "r.xml": `<testsuites>${toXml(root)}</testsuites>` });
      expect(counts).toMatchObject({
        total: countIn(root),
        failures: countIn(root, "failure"),
        errors: countIn(root, "error"),
        skipped: countIn(root, "skipped"),
        passed: countIn(root, "pass"),
      });
    }),
    { numRuns: 200 },
  );
});
