import { execFileSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/api/client/errors.ts";
import {
  MAX_TEST_RESULTS_BYTES,
  readTestResults,
} from "../../../src/evidence/test-results/read-test-results.ts";
import { problemsOf, refusal } from "../refusal.ts";
import { planted, temporaryDirectory } from "../temporary-directory.ts";
import { resultsOf } from "./read.ts";

async function problemOf(content: string | Uint8Array): Promise<string | undefined> {
  const problems = await problemsOf(resultsOf({ "r.xml": content }));
  expect(problems).toHaveLength(1);
  return problems[0];
}

const SUITE = "<testsuite name='s'><testcase name='t'/></testsuite>";

describe("a file is rejected", () => {
  test.each([
    ["an entity", `<!DOCTYPE testsuite [<!ENTITY x "y">]>\n<testsuite name="&x;"/>`],
    ["an external file", `<!DOCTYPE testsuite SYSTEM "file:///etc/passwd">${SUITE}`],
    ["entities that multiply", `<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${SUITE}`],
    ["elements within it", `<!DOCTYPE a [${SUITE}`],
    ["an instruction within it", `<!DOCTYPE a [<?x ?>${SUITE}`],
    ["nothing", `<!doctype html>${SUITE}`],
  ])("when it has a DOCTYPE with %s", async (_what, xml) => {
    expect(await problemOf(xml)).toMatch(/^'r\.xml', line 1, column \d+: it has a DOCTYPE, which is refused/);
  });

  test.each([
    [
      "an entity that is not of XML",
      "<testsuite>\n&nbsp;</testsuite>",
      "line 2, column 6: it is not well-formed: it has an unknown entity",
    ],
    [
      "a reference to a control character",
      "<testsuite name='&#27;'/>",
      "column 22: it is not well-formed: it has an unknown entity",
    ],
    [
      "an element that is not closed",
      "<testsuite>\n  <testcase>\n</testsuite>",
      "line 3, column 12: it is not well-formed: unexpected close tag",
    ],
    [
      "an attribute without quotes",
      "<testsuite tests=1/>",
      "line 1, column 18: it is not well-formed: unquoted attribute value",
    ],
    [
      "text before its root",
      `oops ${SUITE}`,
      "line 1, column 1: it is not well-formed: non-whitespace before first tag",
    ],
    ["text after its root", `${SUITE}oops`, "it is not well-formed: text data outside of root node"],
    ["two roots", `${SUITE}\n${SUITE}`, "line 2, column 20: it is not well-formed: a second root element"],
    ["a DOCTYPE in its root", "<testsuite><!DOCTYPE a></testsuite>", "it has a misplaced DOCTYPE"],
    ["a declaration", `<!ELEMENT x>${SUITE}`, "it is not well-formed: it has a misplaced declaration"],
    [
      "the name of a method that the parser calls",
      "<testsuite hasOwnProperty='1' a='2'/>",
      "has an attribute 'hasOwnProperty'",
    ],
    ["an open root", "<testsuite><testcase/>", "line 1, column 22: it is truncated"],
    ["an end within a tag", "<testsuite><testcase nam", "it is truncated"],
    [
      "a raw escape character",
      "<testsuite>\n\n ab\u001b[31m</testsuite>",
      "line 3, column 4: it contains the control character U+001B",
    ],
    [
      "a zero byte",
      "<testsuite>\0</testsuite>",
      "line 1, column 12: it contains the control character U+0000",
    ],
  ])("when it has %s, with the position", async (_what, xml, expected) => {
    const problem = await problemOf(xml);
    expect(problem).toMatch(/^'r\.xml', line /);
    expect(problem).toContain(expected);
  });

  test.each([
    ["", "contains no XML element"],
    ["\n  \n", "contains no XML element"],
    ["<html/>", "is not JUnit XML: its root element is 'html', not testsuites or testsuite"],
    ["plain text", "line 1, column 1: it is not well-formed"],
  ])("when it is not JUnit XML at all: %j", async (content, expected) => {
    expect(await problemOf(content)).toContain(expected);
  });

  test("when a required count is invalid", async () => {
    for (const xml of [
      `<testsuite failures="some"/>`,
      `<testsuite failures="some"><testcase/></testsuite>`,
    ]) {
      expect(await problemOf(xml)).toBe(`'r.xml' has a suite with failures="some", which is not a count`);
    }
  });

  test.each([
    ["<testsuites/>", "'r.xml' contains no tests, which proves nothing"],
    ["<testsuite name='s' tests='0'/>", "'r.xml' contains no tests, which proves nothing"],
    ["<testsuites tests='5' failures='0'></testsuites>", "'r.xml' contains no tests, which proves nothing"],
    ["<TestRun/>", "'r.xml' contains no tests, which proves nothing"],
    ["<test-run total='0'/>", "'r.xml' contains no tests, which proves nothing"],
    ["<assemblies/>", "'r.xml' contains no tests, which proves nothing"],
    ["1..0 # SKIP no network", "'r.xml' contains no tests, which proves nothing"],
  ])("when it contains no tests: %s", async (xml, expected) => {
    expect(await problemOf(xml)).toBe(expected);
  });

  test("when it nests deeper, or one element is larger, than in any report", async () => {
    expect(await problemOf("<testsuite>".repeat(201))).toContain("nested deeper than 200 elements");
    const attributes = Array.from({ length: 501 }, (_, i) => ` a${i}=""`).join("");
    expect(await problemOf(`<testsuite${attributes}/>`)).toContain("more than 500 attributes");
    const long = `<testsuite name="${"n".repeat(5 * 1024 * 1024)}"/>`;
    expect(await problemOf(long)).toContain("longer than 4194304 characters");
  });

  test("when it is over the size limit, before it is opened", async () => {
    const workspace = planted({ "r.xml": "" });
    truncateSync(join(workspace, "r.xml"), MAX_TEST_RESULTS_BYTES + 1);
    const reading = readTestResults({ patterns: ["r.xml"], workspace, allowOutsideWorkspace: false });
    expect(await problemsOf(reading)).toEqual(["'r.xml' is 1024.1 MB; the limit is 1024 MB"]);
  });
});

describe("the input is rejected", () => {
  const reading = (workspace: string, ...patterns: string[]) =>
    readTestResults({ patterns, workspace, allowOutsideWorkspace: false });

  test("under its own name, with every problem", async () => {
    const workspace = planted({ reports: { "a.xml": SUITE } });
    execFileSync("mkfifo", [join(workspace, "pipe.xml")]);
    const error = await refusal(reading(workspace, "*.none", "gone.xml", "reports", "*.xml", "/etc/hosts"));
    expect(error.problems).toEqual(
      [
        "no file matches '*.none'",
        "'gone.xml' does not exist",
        "'pipe.xml' is a FIFO, which cannot be sent",
        `'/etc/hosts' is outside the workspace: '/etc/hosts' is not in '${workspace}'`,
        "'reports' is a directory: use a glob such as 'reports/**/*'",
      ].map((problem) => ({ input: "test-results", code: "file.unusable", problem })),
    );
  });

  test("when several files contain no tests between them", async () => {
    const workspace = planted({ "a.xml": "<testsuites/>", "b.xml": "<testsuite name='b'/>" });
    expect(await problemsOf(reading(workspace, "*.xml"))).toEqual([
      "the 2 files contain no tests, which proves nothing",
    ]);
  });

  test("when it names nothing", async () => {
    expect(await problemsOf(reading(temporaryDirectory()))).toEqual(["must name a file"]);
  });
});

describe("the encoding", () => {
  const xml = (declared: string) =>
    `<?xml version="1.0"${declared === "" ? "" : ` encoding="${declared}"`}?><testsuite name="Grüße €"><testcase/></testsuite>`;
  const wide = (text: string, swap: boolean) => {
    const bytes = Buffer.from(text, "utf16le");
    return swap ? bytes.swap16() : bytes;
  };
  const windows = (text: string) => Buffer.from(text.replace("€", "\u0080"), "latin1");
  const encodings: [name: string, bytes: Uint8Array][] = [
    ["UTF-8", Buffer.from(xml("UTF-8"))],
    ["UTF-8 that is not declared", Buffer.from(xml(""))],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${xml("utf-8")}`)],
    ["UTF-8 whose mark overrides its declaration", Buffer.from(`\ufeff${xml("ISO-8859-1")}`)],
    ["UTF-8 that claims to be UTF-16", Buffer.from(xml("utf-16"))],
    ["UTF-16, little-endian, by its mark", wide(`\ufeff${xml("utf-16")}`, false)],
    ["UTF-16, big-endian, by its mark", wide(`\ufeff${xml("")}`, true)],
    ["UTF-16, little-endian, without a mark", wide(xml("utf-16"), false)],
    ["UTF-16, big-endian, without a mark", wide(xml("utf-16"), true)],
    ["windows-1252", windows(xml("windows-1252"))],
    ["ISO-8859-1 as the web reads it", windows(xml("ISO-8859-1"))],
  ];
  test.each(encodings)("%s is supported", async (_name, bytes) => {
    expect((await resultsOf({ "r.xml": bytes })).suites[0]?.name).toBe("Grüße €");
  });

  test("that is unknown is rejected", async () => {
    expect(await problemOf(xml("EBCDIC-37"))).toBe(
      "'r.xml' declares the unknown encoding 'EBCDIC-37': save it as UTF-8",
    );
  });

  test("that does not match the bytes is rejected", async () => {
    expect(await problemOf(windows(xml("UTF-8")))).toBe("'r.xml' is not UTF-8 text");
    expect(await problemOf(Buffer.concat([Buffer.from(SUITE), Buffer.from([0xe2, 0x82])]))).toBe(
      "'r.xml' is not UTF-8 text",
    );
  });
});

test("a character split between two reads is whole", async () => {
  const name = "€".repeat(200_000);
  const xml = `<testsuite name="s"><testcase name="t"><failure>${name}</failure></testcase></testsuite>`;
  const { failures } = await resultsOf({ "r.xml": xml });
  expect(failures[0]?.message).toBe("€".repeat(1000));
});

describe("any bytes as a file", () => {
  const broken = fc.array(
    fc.oneof(
      fc.constantFrom("<testsuite", "<testsuites>", "<testcase", "</testsuite>", "<failure>", "/>", ">"),
      fc.constantFrom(
        "<!DOCTYPE a [",
        "]>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<?xml encoding='",
        "?>",
        "&x;",
      ),
      fc.constantFrom(
        " __proto__='x'",
        " constructor=''",
        " hasOwnProperty='1'",
        " tests='1'",
        "\ufeff",
        "&#x41;",
      ),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 25 },
  );
  const whole = fc.array(
    fc.constantFrom(
      "<testcase/>",
      "<testcase __proto__='x' line='9' file='../../x' time='1e999'><failure>a.b:1 C:\\x.cs:line 2</failure></testcase>",
      "<testsuite tests='1' constructor='2'/>",
      '<error><![CDATA[ File "a", line 99999999]]></error>',
      "<!-- x --><?y z?>&amp;&#x41;",
    ),
    { maxLength: 6 },
  );
  const content = fc.oneof(
    broken.map((parts) => Buffer.from(parts.join(""))),
    broken.map((parts) => Buffer.from(`<testsuite>${parts.join("")}</testsuite>`)),
    whole.map((parts) => Buffer.from(`<testsuite>${parts.join("")}</testsuite>`)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );

  test("are read or rejected with an InputError", async () => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(content, async (bytes) => {
        const outcome = await resultsOf({ "r.xml": bytes }).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(InputError);
        else read++;
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(0);
  });
});
