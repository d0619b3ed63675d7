import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { renderSummary, type Summary, writeSummary } from "../../src/github/summary.ts";
import { tempFolder } from "./runners.ts";

const summary: Summary = {
  heading: "Attestation unit: recorded",
  mark: "passed",
  columns: ["What", "Value"],
  rows: [
    ["Flow", "web"],
    ["Trail", "v1|<b>`x`"],
  ],
  link: { text: "Open the trail", url: "https://h.example/acme/flows/web" },
};

test("a summary is a heading, one table and one link", () => {
  expect(renderSummary(summary)).toBe(
    [
      "### ✅ Attestation unit&#58; recorded",
      "",
      "| What | Value |",
      "| --- | --- |",
      "| Flow | web |",
      "| Trail | v1&#124;&#60;b&#62;&#96;x&#96; |",
      "",
      "[Open the trail](<https://h.example/acme/flows/web>)",
      "",
    ].join("\n"),
  );
});

test.each([
  ["passed", "### ✅ h"],
  ["failed", "### ❌ h"],
  ["neutral", "### h"],
] as const)("its mark is '%s'", (mark, line) => {
  expect(renderSummary({ heading: "h", mark, columns: [], rows: [] })).toBe(`${line}\n`);
});

test.each([
  [50, 50, undefined],
  [51, 50, "… and 1 more."],
  [10_000, 50, "… and 9950 more."],
])("of %i rows it shows %i", (count, shown, rest) => {
  const rows = Array.from({ length: count }, (_, i) => [`row ${i}`]);
  const lines = renderSummary({ ...summary, columns: ["c"], rows }).split("\n");
  expect(lines.filter((line) => line.startsWith("| row"))).toHaveLength(shown);
  expect(lines.find((line) => line.startsWith("…"))).toBe(rest);
});

describe("its link", () => {
  const linkTo = (url: string) =>
    renderSummary({ ...summary, rows: [], link: { text: "t", url } }).split("\n")[2];

  test.each([
    ["https://h.example/a%2Fb/c%20d", "[t](<https://h.example/a%2Fb/c%20d>)"],
    ["https://h.example/é", "[t](<https://h.example/%C3%A9>)"],
    ["https://h.example/a b", "[t](<https://h.example/a%20b>)"],
    ["https://h.example/?a=1&lt=2", "[t](<https://h.example/?a=1&amp;lt=2>)"],
    [
      "https://h.example/a>)[x](<https://evil.example",
      "[t](<https://h.example/a%3E)[x](%3Chttps://evil.example>)",
    ],
    ["https://h.example/?`|`#<>", "[t](<https://h.example/?%60%7C%60#%3C%3E>)"],
    ["https://h.example/\n\n# heading", "[t](<https://h.example/#%20heading>)"],
    ["http://127.0.0.1:8800/acme", "[t](<http://127.0.0.1:8800/acme>)"],
  ])("to %j is %s", (url, link) => {
    expect(linkTo(url)).toBe(link);
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "nonsense", "/relative", ""])(
    "is left out when it is no web address: %j",
    (url) => {
      expect(linkTo(url)).toBeUndefined();
    },
  );
});

describe("the summary of the run", () => {
  const page = () => {
    const path = join(tempFolder(), "summary.md");
    writeFileSync(path, "before\n");
    vi.stubEnv("GITHUB_STEP_SUMMARY", path);
    onTestFinished(() => void vi.unstubAllEnvs());
    return path;
  };

  test("is added to what is there", () => {
    const path = page();
    writeSummary(summary, process.env);
    expect(readFileSync(path, "utf8")).toBe(`before\n${renderSummary(summary)}\n`);
  });

  test("is not written when it is larger than the runner takes", () => {
    const path = page();
    writeSummary({ ...summary, rows: [["x".repeat(1024 * 1024)]] }, process.env);
    expect(readFileSync(path, "utf8")).toBe("before\n");
  });

  test("is not written where there is no page for it", () => {
    expect(() => writeSummary(summary, {})).not.toThrow();
  });
});
