import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { maskLines } from "../../../src/github/step/masking.ts";
import { renderSummary, type Summary, writeSummary } from "../../../src/github/step/summary.ts";
import { printedBy } from "../printed.ts";
import { tempFolder } from "../runners.ts";

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
      "| :--- | :--- |",
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
])("%i rows are shortened to %i", (count, shown, rest) => {
  const rows = Array.from({ length: count }, (_, i) => [`row ${i}`]);
  const lines = renderSummary({ ...summary, columns: ["c"], rows }).split("\n");
  expect(lines.filter((line) => line.startsWith("| row"))).toHaveLength(shown);
  expect(lines.find((line) => line.startsWith("…"))).toBe(rest);
});

test("a table of facts uses its first row as the header, because Markdown requires one, and omits facts without a value", () => {
  const rows = [
    ["Kind", "junit"],
    ["Trail", ""],
    ["Flow", "web"],
  ];
  const lines = renderSummary({ heading: "h", rows }).split("\n");
  expect(lines.slice(2, 5)).toEqual(["| Kind | junit |", "| :--- | :--- |", "| Flow | web |"]);
});

test("fifteen facts are shown, of which the first is the header", () => {
  const rows = Array.from({ length: 16 }, (_, i) => ["fact", `${i}`]);
  const lines = renderSummary({ heading: "h", rows }).split("\n");
  expect(lines.filter((line) => line.startsWith("| fact"))).toHaveLength(15);
  expect(lines).toContain("… and 1 more.");
});

test("five rows of each detail table are shown, so that it fits on one screen", () => {
  const details = { columns: ["c"], rows: Array.from({ length: 7 }, (_, i) => [`detail ${i}`]) };
  const lines = renderSummary({ ...summary, tables: [details, details] }).split("\n");
  expect(lines.filter((line) => line.startsWith("| detail"))).toHaveLength(10);
  expect(lines.filter((line) => line === "… and 2 more.")).toHaveLength(2);
});

test("a table may say how many of its rows it shows", () => {
  const details = { columns: ["c"], rows: Array.from({ length: 7 }, (_, i) => [`detail ${i}`]), most: 6 };
  const lines = renderSummary({ ...summary, tables: [details] }).split("\n");
  expect(lines.filter((line) => line.startsWith("| detail"))).toHaveLength(6);
  expect(lines).toContain("… and 1 more.");
});

test("a table without rows is omitted", () => {
  expect(renderSummary({ ...summary, rows: [], tables: [{ columns: ["c"], rows: [] }] })).not.toContain("|");
});

describe("a cell", () => {
  const cell = (text: string) =>
    /^\| (.*) \|$/.exec(
      renderSummary({ ...summary, columns: ["c"], rows: [[text]] }).split("\n")[4] ?? "",
    )?.[1];
  const decoded = (text = "") =>
    text.replaceAll("<wbr>", "").replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

  test.each([
    ["a commit's SHA, also in quotes", `'${"0dcf2a8e".repeat(5)}'`],
    ["words", "no test ran: all of 3 tests were skipped, and there are many more words than these"],
  ])("leaves %s whole", (_, text) => {
    expect(cell(text)).not.toContain("<wbr>");
    expect(decoded(cell(text))).toBe(text);
  });

  test.each([
    ["a fingerprint", "ab12".repeat(16)],
    ["a class", "com.example.shop.checkout.payment.CreditCardPaymentProviderTest"],
    ["a path", `/home/runner/work/web/web/${"node_modules/".repeat(5)}x.ts`],
    ["letters outside ASCII", "😀é".repeat(40)],
    ["Markdown's special characters", "a|b`c<d>".repeat(10)],
  ])("lets the page break %s, which is unchanged when copied", (_, text) => {
    const parts = (cell(`before ${text} after`) ?? "").split("<wbr>");
    expect(parts.length).toBeGreaterThan(2);
    expect(Math.max(...parts.map((part) => decoded(part).length))).toBeLessThanOrEqual(40);
    expect(decoded(parts.join(""))).toBe(`before ${text} after`);
  });

  test("breaks after punctuation rather than within a name", () => {
    expect(cell("com.example.shop.checkout.payment.provider.CardTest")).toBe(
      "com.example.<wbr>shop.checkout.<wbr>payment.<wbr>provider.<wbr>CardTest",
    );
  });

  test("keeps lines apart, up to a few", () => {
    expect(cell("one\n two \r\n\r\nthree")).toBe("one<br>two<br>three");
    expect(cell("line\n".repeat(100))).toBe(Array(6).fill("line").join("<br>"));
  });

  test("has a maximum length", () => {
    expect(cell("word ".repeat(1000))).toHaveLength(500);
    expect(cell("word ".repeat(1000))).toMatch(/…$/);
  });

  test("contains no element but breaks, whatever its text", () => {
    const hostile = `<img src=x onerror=alert(1)>\n</td><script>${"<b>".repeat(30)}|[a](javascript:b)`;
    expect(cell(hostile)?.replace(/<(br|wbr)>/g, "")).not.toMatch(/[<>|[\]()]/);
  });

  test("does not show a secret, which the runner would not recognize between the escapes", () => {
    const key = "de_0123456789_abcdefghijklmnopqrstuvwxyz_0123456789_secret";
    printedBy(() => maskLines(key));
    expect(decoded(cell(`you sent ${key}!`))).toBe("you sent ***!");
  });
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
    "is omitted when it is not a web address: %j",
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

  test("is appended to the existing one", () => {
    const path = page();
    writeSummary(summary, process.env);
    expect(readFileSync(path, "utf8")).toBe(`before\n${renderSummary(summary)}\n`);
  });

  test("is not written when it exceeds the runner's limit", () => {
    const path = page();
    const tables = Array.from({ length: 500 }, () => ({
      columns: ["c"],
      rows: Array.from({ length: 5 }, () => ["x".repeat(500)]),
    }));
    writeSummary({ ...summary, tables }, process.env);
    expect(readFileSync(path, "utf8")).toBe("before\n");
  });

  test("is not written without a summary file", () => {
    expect(() => writeSummary(summary, {})).not.toThrow();
  });
});
