import { truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/api/client/errors.ts";
import {
  MAX_FINDINGS,
  MAX_SCAN_RESULTS_BYTES,
  readScanResults,
} from "../../../src/evidence/scan-results/read-scan-results.ts";
import type { FailLevel, Severity } from "../../../src/evidence/scan-results/severity.ts";
import { snykResults } from "../../../src/evidence/scan-results/snyk-fields.ts";
import { problemsOf, refusal } from "../refusal.ts";
import { planted } from "../temporary-directory.ts";
import { sarif, scanOf } from "./read.ts";

const RULES = [
  { id: "scored", properties: { "security-severity": "9.8" }, defaultConfiguration: { level: "note" } },
  { id: "levelled", defaultConfiguration: { level: "error" } },
  { id: "plain" },
];
const DRIVER = { tool: { driver: { name: "scan", rules: RULES } } };

async function findingsOf(result: object, run: object = DRIVER) {
  return (await scanOf({ "r.sarif": sarif([result], run) })).findings;
}

async function severityOf(result: object): Promise<Severity | undefined> {
  return (await findingsOf(result))[0]?.severity;
}

describe("the severity of a result", () => {
  test.each<[score: unknown, severity: Severity]>([
    ["10.0", "critical"],
    ["9.0", "critical"],
    ["8.9", "high"],
    [7, "high"],
    ["6.9", "medium"],
    ["4.0", "medium"],
    ["3.9", "low"],
    ["0.1", "low"],
    ["0.0", "none"],
    ["high", "low"],
    ["11", "low"],
    ["", "low"],
    [-1, "low"],
  ])("with the score %j and the level note is %s", async (score, severity) => {
    const properties = { "security-severity": score };
    expect(await severityOf({ ruleId: "plain", level: "note", properties })).toBe(severity);
  });

  test("is its own score, else that of its rule, else its level, else that of its rule, else medium", async () => {
    const own = { properties: { "security-severity": "5" } };
    expect(await severityOf({ ruleId: "scored", level: "error", ...own })).toBe("medium");
    expect(await severityOf({ ruleId: "scored", level: "error" })).toBe("critical");
    expect(await severityOf({ ruleId: "levelled", level: "note" })).toBe("low");
    expect(await severityOf({ ruleId: "levelled" })).toBe("high");
    expect(await severityOf({ ruleId: "plain" })).toBe("medium");
    expect(await severityOf({ ruleId: "unknown" })).toBe("medium");
    expect(await severityOf({ ruleId: "plain", level: "none" })).toBe("none");
  });

  test("is that of the rule found by index, by id or by the prefix of a longer id", async () => {
    expect(await severityOf({ ruleIndex: 0 })).toBe("critical");
    expect(await severityOf({ rule: { index: 0 } })).toBe("critical");
    expect(await severityOf({ rule: { id: "scored" } })).toBe("critical");
    expect(await severityOf({ ruleId: "scored/sub/1", ruleIndex: 0 })).toBe("critical");
    expect(await severityOf({ ruleId: "scored/sub/1" })).toBe("critical");
    // An index that contradicts the id is ignored.
    expect(await severityOf({ ruleId: "scored", ruleIndex: 1 })).toBe("critical");
    expect(await severityOf({ ruleId: "scored", ruleIndex: 99 })).toBe("critical");
    // If no rule has the id, the index decides.
    expect(await severityOf({ ruleId: "alias-of-scored", ruleIndex: 0 })).toBe("critical");
  });

  test.each([
    ["index", { index: 0 }],
    ["name", { name: "pack" }],
    ["guid", { guid: "9f1c" }],
  ])("is that of a rule of an extension, by its %s", async (_by, toolComponent) => {
    const extension = {
      name: "pack",
      guid: "9f1c",
      rules: [{ id: "x", properties: { "security-severity": "9" } }],
    };
    const run = { tool: { driver: { name: "scan", rules: RULES.slice(1) }, extensions: [extension] } };
    const [finding] = await findingsOf({ rule: { index: 0, toolComponent } }, run);
    expect(finding).toMatchObject({ ruleId: "x", severity: "critical" });
  });
});

describe("a result is not a finding", () => {
  test.each(["pass", "notApplicable", "informational", "review", "open"])(
    "when its kind is %s",
    async (kind) => {
      expect(await findingsOf({ ruleId: "scored", kind })).toEqual([]);
    },
  );

  test("when it is absent compared with the baseline", async () => {
    expect(await findingsOf({ ruleId: "scored", baselineState: "absent" })).toEqual([]);
    expect(await findingsOf({ ruleId: "scored", baselineState: "unchanged" })).toHaveLength(1);
  });

  test.each<[suppressions: object[], isSuppressed: boolean]>([
    [[], false],
    [[{ kind: "inSource" }], true],
    [[{ kind: "external", status: "accepted" }], true],
    [[{ kind: "external", status: "underReview" }], false],
    [[{ kind: "external", status: "rejected" }], false],
    [
      [
        { kind: "external", status: "accepted" },
        { kind: "external", status: "rejected" },
      ],
      false,
    ],
  ])("when all its suppressions were accepted: %j", async (suppressions, isSuppressed) => {
    const { counts, suppressed } = await scanOf({ "r.sarif": sarif([{ level: "error", suppressions }]) });
    expect({ high: counts.high, suppressed }).toEqual(
      isSuppressed ? { high: 0, suppressed: 1 } : { high: 1, suppressed: 0 },
    );
  });
});

describe("compliance", () => {
  test.each<[failLevel: FailLevel, level: string, score: string | undefined, compliant: boolean]>([
    ["high", "error", undefined, false],
    ["high", "error", "9.9", false],
    ["high", "warning", undefined, true],
    ["critical", "error", undefined, true],
    ["critical", "error", "9.0", false],
    ["medium", "warning", undefined, false],
    ["low", "note", undefined, false],
    ["low", "none", undefined, true],
    ["none", "error", "10.0", true],
  ])(
    "with the fail level %s for the level %s and the score %s",
    async (failLevel, level, score, compliant) => {
      const result = { level, properties: { "security-severity": score } };
      const scan = await scanOf({ "r.sarif": sarif([result]) }, failLevel);
      expect(scan.compliant).toBe(compliant);
      expect(scan.reason === "").toBe(compliant);
    },
  );

  test("of a scan without findings is true", async () => {
    expect(await scanOf({ "r.sarif": sarif([]) }, "low")).toMatchObject({ compliant: true, reason: "" });
  });

  test.each<[what: string, results: object[] | undefined, run: object, reason: string]>([
    [
      "did not succeed",
      [],
      {
        invocations: [
          { executionSuccessful: true },
          { executionSuccessful: false, exitCodeDescription: "out of memory" },
        ],
      },
      "the scan by scan did not succeed: out of memory",
    ],
    [
      "says why it did not succeed",
      [],
      {
        invocations: [
          {
            executionSuccessful: false,
            toolExecutionNotifications: [
              { level: "warning", message: { text: "slow" } },
              { level: "error", message: { text: "cannot parse x.py" } },
            ],
          },
        ],
      },
      "the scan by scan did not succeed: cannot parse x.py",
    ],
    [
      "was not configured well enough to succeed",
      [],
      {
        invocations: [
          {
            executionSuccessful: false,
            toolExecutionNotifications: [{ level: "note", message: { text: "started" } }],
            toolConfigurationNotifications: [{ level: "error", message: { text: "no such rule: R9" } }],
          },
        ],
      },
      "the scan by scan did not succeed: no such rule: R9",
    ],
    [
      "has no list of results",
      undefined,
      {},
      "the run of scan has no list of results, so nothing was scanned",
    ],
    [
      "keeps its results elsewhere",
      undefined,
      { externalPropertyFileReferences: { results: [{ location: { uri: "r.json" } }] } },
      "scan has its results in other files, which are not supported",
    ],
  ])("of a run that %s is false, even where no finding fails", async (_what, results, run, reason) => {
    const log = sarif(results, run);
    expect(await scanOf({ "r.sarif": log }, "none")).toMatchObject({ compliant: false, reason });
  });

  test("lists every fault and every severity that fails", async () => {
    const failed = sarif(
      [{ level: "error" }, { properties: { "security-severity": "9.5" } }, { level: "note" }],
      {
        invocations: [{ executionSuccessful: false }],
      },
    );
    expect((await scanOf({ "r.sarif": failed })).reason).toBe(
      "the scan by scan did not succeed; found 1 critical, 1 high; high or worse fails",
    );
  });
});

describe("the message of a finding", () => {
  const rule = {
    id: "r",
    shortDescription: { text: "About the rule" },
    messageStrings: { default: { text: "'{0}' calls {1}, {{0}} times {2}" } },
  };
  const run = {
    tool: { driver: { name: "scan", rules: [rule], globalMessageStrings: { all: { text: "Shared {0}" } } } },
  };
  test.each<[message: object | undefined, expected: string]>([
    [{ text: "As it is {0} {{x}}" }, "As it is {0} {{x}}"],
    [{ text: "With {0}", arguments: ["one"] }, "With one"],
    [{ id: "default", arguments: ["f", "g"] }, "'f' calls g, {0} times {2}"],
    [{ id: "all", arguments: ["text"] }, "Shared text"],
    [{ id: "unknown" }, "About the rule"],
    [{ markdown: "**bold** [here](2)" }, "**bold** here"],
    [undefined, "About the rule"],
  ])("%j reads %j", async (message, expected) => {
    expect((await findingsOf({ ruleId: "r", message }, run))[0]?.message).toBe(expected);
  });
});

describe("the file of a finding", () => {
  const at = (artifactLocation: object, region: object = { startLine: 7 }) => ({
    locations: [{ physicalLocation: { artifactLocation, region } }],
  });

  test.each<[what: string, location: object, run: object, file: string | undefined]>([
    ["relative", { uri: "src/a.js" }, {}, "src/a.js"],
    ["with percent signs", { uri: "src/a%20%C3%A9.js" }, {}, "src/a é.js"],
    ["with a literal percent sign", { uri: "src/100%.js" }, {}, "src/100%.js"],
    ["with dots in it", { uri: "./src/../lib/a.js" }, {}, "lib/a.js"],
    ["of the runner's workspace", { uri: "file:///home/runner/work/shop/shop/src/a.js" }, {}, "src/a.js"],
    ["of the runner's workspace on Windows", { uri: "file:///D:/a/shop/shop/src/a.js" }, {}, "src/a.js"],
    ["above the workspace", { uri: "../secrets/a.js" }, {}, undefined],
    ["elsewhere on the machine", { uri: "file:///etc/passwd" }, {}, undefined],
    ["on the web", { uri: "https://example.com/a.js" }, {}, undefined],
    ["in installed packages", { uri: "node_modules/x/a.js" }, {}, undefined],
    [
      "below a base that leads into the workspace",
      { uri: "a.js", uriBaseId: "SRC" },
      {
        originalUriBaseIds: {
          SRC: { uri: "src/", uriBaseId: "ROOT" },
          ROOT: { uri: "file:///__w/shop/shop/" },
        },
      },
      "src/a.js",
    ],
    [
      "below a base that refers to itself",
      { uri: "a.js", uriBaseId: "LOOP" },
      { originalUriBaseIds: { LOOP: { uri: "x/", uriBaseId: "LOOP" } } },
      "a.js",
    ],
    ["below an undefined base", { uri: "a.js", uriBaseId: "toString" }, {}, "a.js"],
  ])("%s", async (_what, location, run, file) => {
    const [finding] = await findingsOf(at(location), run);
    expect(finding?.location).toEqual(file === undefined ? undefined : { file, line: 7 });
  });

  test("in the workspace by its full path is relative to it", async () => {
    const workspace = planted({});
    const log = sarif([at({ uri: `file://${workspace}/src/a.js` })]);
    const { findings } = await readScanResults({
      patterns: [join(planted({ "r.sarif": log }), "r.sarif")],
      workspace,
      allowOutsideWorkspace: true,
      failLevel: "high",
    });
    expect(findings[0]?.location).toEqual({ file: "src/a.js", line: 7 });
  });

  test("is part of Snyk's record, with all further ones, its lines and its score", async () => {
    const place = (uri: string, region: object = {}) => ({
      physicalLocation: { artifactLocation: { uri }, region },
    });
    const result = {
      ruleId: "javascript/Sqli",
      level: "error",
      properties: { priorityScore: 812 },
      locations: [
        { logicalLocations: [{ fullyQualifiedName: "lodash@4.17.15" }] },
        place("file:///etc/app/server.js", { startLine: 3, endLine: 9 }),
        place("/srv/app/a.js", { startLine: 7, endLine: 7 }),
        place("src/a.js", { startLine: 5, endLine: 6 }),
        place("src/b.js"),
      ],
    };
    const scan = await scanOf({ "r.sarif": sarif([result]) });
    expect(scan.findings[0]?.location).toEqual({ file: "src/a.js", line: 5 });
    expect(snykResults(scan).results[0]?.high).toEqual([
      {
        id: "javascript/Sqli",
        message: "javascript/Sqli",
        locations: [
          { uri: "file:///etc/app/server.js", lines: "3-9" },
          { uri: "/srv/app/a.js", lines: "7" },
          { uri: "src/a.js", lines: "5-6" },
          { uri: "src/b.js", lines: "" },
        ],
        priorityScore: 812,
      },
    ]);
  });

  test("without a line is the file alone", async () => {
    expect((await findingsOf(at({ uri: "a.js" }, {})))[0]?.location).toEqual({ file: "a.js" });
    expect((await findingsOf(at({ uri: "a.js" }, { startLine: 0 })))[0]?.location).toEqual({ file: "a.js" });
  });
});

test("is kept for the most severe of very many findings, and all are counted", async () => {
  const notes = Array.from({ length: MAX_FINDINGS + 5 }, () => ({ ruleId: "n", level: "note" }));
  const { counts, findings, furtherFindings, runs } = await scanOf({
    "r.sarif": sarif([...notes, { ruleId: "last", level: "error" }]),
  });
  expect(counts).toMatchObject({ high: 1, low: MAX_FINDINGS + 5 });
  expect(findings).toHaveLength(MAX_FINDINGS);
  expect(findings[0]?.ruleId).toBe("last");
  expect(furtherFindings).toBe(6);
  expect(runs[0]?.findings).toHaveLength(MAX_FINDINGS);
});

test("a copy of a file is counted once, with a message", async () => {
  const log = sarif([{ level: "error" }]);
  const { counts, warnings } = await scanOf({ "a.sarif": log, "b.sarif": log });
  expect(counts.high).toBe(1);
  expect(warnings).toEqual(["'b.sarif' is a copy of 'a.sarif', so it is not counted again"]);
});

describe("a file", () => {
  test.each<[what: string, content: string | Uint8Array, problem: string]>([
    ["without content", "", "'r.sarif' is empty"],
    [
      "with XML",
      "<sarif/>",
      "'r.sarif', line 1, column 1: it is not SARIF: the JSON has '<sarif/>' where a value should be",
    ],
    ["that is truncated", sarif([{ level: "error" }]).slice(0, -9), "'r.sarif', line 1, column "],
    [
      "with other JSON",
      '{"results": []}',
      "'r.sarif' is not SARIF, which is an object with `version` and `runs`",
    ],
    ["of a list", "[]", "'r.sarif' is not SARIF, which is an object with `version` and `runs`"],
    [
      "of an older version",
      '{"version": "2.0.0", "runs": []}',
      `'r.sarif' is SARIF "2.0.0"; only 2.1.0 is supported`,
    ],
    ["without runs", '{"version": "2.1.0", "runs": []}', "'r.sarif' has no runs, which proves nothing"],
    ["with invalid runs", '{"version": "2.1.0", "runs": {}}', "'r.sarif' is not SARIF: `runs` is not a list"],
    [
      "with an invalid run",
      '{"version": "2.1.0", "runs": [7]}',
      "'r.sarif' is not SARIF: `runs[0]` is not an object",
    ],
    ["with invalid results", sarif([7]), "'r.sarif' is not SARIF: `runs[0].results[0]` is not an object"],
    ["that is not text", Buffer.from([0x7b, 0xff]), "'r.sarif' is not UTF-8 text"],
  ])("%s is rejected", async (_what, content, problem) => {
    const error = await refusal(scanOf({ "r.sarif": content }));
    expect(error.problems.map(({ input }) => input)).toEqual(["scan-results"]);
    expect(error.problems[0]?.problem.slice(0, problem.length)).toBe(problem);
  });

  test("that PowerShell wrote, in UTF-16 with a byte order mark, is read", async () => {
    const wide = Buffer.from(`\ufeff${sarif([{ level: "error" }])}`, "utf16le");
    expect((await scanOf({ "r.sarif": wide })).counts.high).toBe(1);
    expect((await scanOf({ "r.sarif": `\ufeff${sarif([])}` })).compliant).toBe(true);
  });

  test("over the size limit is rejected", async () => {
    const workspace = planted({ "r.sarif": "" });
    truncateSync(join(workspace, "r.sarif"), MAX_SCAN_RESULTS_BYTES + 1);
    const reading = readScanResults({
      patterns: ["r.sarif"],
      workspace,
      allowOutsideWorkspace: false,
      failLevel: "high",
    });
    expect(await problemsOf(reading)).toEqual(["'r.sarif' is 64.1 MB; the limit is 64 MB"]);
  });
});

test("any JSON as a run is read or rejected with an InputError", async () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("__proto__", "file:///x", -1, 1.5, "constructor"),
  );
  const run = fc.record(
    {
      tool: fc.oneof(
        fc.record({ driver: fc.record({ name: anything, rules: anything }), extensions: anything }),
        anything,
      ),
      results: fc.oneof(
        fc.array(
          fc.record(
            {
              ruleId: anything,
              ruleIndex: anything,
              rule: fc.record({ index: anything, id: anything, toolComponent: anything }),
              message: fc.record({ text: anything, id: anything, arguments: anything }),
              locations: fc.tuple(
                fc.record({
                  physicalLocation: fc.record({
                    artifactLocation: fc.record({ uri: anything, uriBaseId: anything, index: anything }),
                    region: anything,
                  }),
                }),
              ),
              suppressions: anything,
              properties: fc.record({ "security-severity": anything }),
            },
            { requiredKeys: [] },
          ),
          { maxLength: 3 },
        ),
        anything,
      ),
      artifacts: anything,
      originalUriBaseIds: anything,
      invocations: anything,
    },
    { requiredKeys: [] },
  );
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(run, { maxLength: 2 }), async (runs) => {
      const log = JSON.stringify({ version: "2.1.0", runs });
      const outcome = await scanOf({ "r.sarif": log }).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(InputError);
      else read++;
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(0);
});
