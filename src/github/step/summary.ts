import { appendText } from "./file-commands.ts";
import { withoutSecrets } from "./masking.ts";
import { cut, markdown, neutralize } from "./neutral.ts";

/** The runner drops a step's summary above this many bytes. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
/** More rows than this do not help a reader: the rest is counted. */
const MAX_ROWS = 50;
/** Of a table of facts, and of each table of details unless it says so: together they stay on one screen. */
const MAX_FACTS = 15;
const MAX_DETAILS = 5;
/** Longer texts are for the log. */
const MAX_CELL = 500;
const MAX_LINES = 6;
/** A table with a title that has more rows is folded: each step of a job adds its own summary to the page. */
const MAX_OPEN = 12;
/** Longer than a commit's SHA in quotes, a word would push other columns off the page. */
const LONG_WORD = /(\S{49,})/;
/** Where the page may break such a word: after a sign, else anywhere. */
const PARTS = /.{1,16}(?<=[./\\:_@-])|.{1,16}/gsu;

/** Text, or text that links to a page of the web. */
export type Cell = string | { readonly text: string; readonly url: string | undefined };

export interface Table {
  /** Absent for a table of facts: its first row then stands out, and a fact without a value is left out. */
  readonly columns?: readonly string[];
  /** Foreign text is welcome: it is escaped here. */
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that are shown before the rest is counted; a few in a table of details unless it says otherwise. */
  readonly most?: number;
  /** What the table comes to, in one line above it. */
  readonly title?: string;
}

/** What a step shows on the run's page: a heading, a table, further tables of details, and one link. */
export interface Summary extends Table {
  readonly heading: string;
  /** Shown before the heading's text; neutral unless given. */
  readonly mark?: "passed" | "failed" | "neutral";
  readonly tables?: readonly Table[];
  readonly link?: { readonly text: string; readonly url: string } | undefined;
}

const MARKS = { passed: "✅ ", failed: "❌ ", neutral: "" } as const;

/** The summary as GitHub Markdown. */
export function renderSummary({ heading, mark = "neutral", tables = [], link, ...first }: Summary): string {
  const lines = [`### ${MARKS[mark]}${shown(heading)}`, "", ...renderTable({ most: MAX_ROWS, ...first })];
  lines.push(...tables.flatMap(renderTitled));
  if (link && webAddress(link.url) !== undefined) lines.push(cellText(link), "");
  return lines.join("\n");
}

function renderTitled({ title, ...table }: Table): string[] {
  const lines = renderTable(table);
  if (title === undefined || lines.length === 0) return lines;
  if (table.rows.length <= MAX_OPEN) return [`**${shown(title)}**`, "", ...lines];
  return [`<details><summary>${shown(title)}</summary>`, "", ...lines, "</details>", ""];
}

function renderTable({ columns, rows, most = MAX_DETAILS }: Table): string[] {
  const all = columns ? rows : rows.filter(([, value]) => value !== "");
  if (all.length === 0) return [];
  const left = all.slice(0, columns ? most : MAX_FACTS);
  // Markdown has no table without a head, and an empty one looks as if something were missing.
  const [head = [], ...body] = columns ? [columns, ...left] : left;
  const row = (cells: readonly Cell[]) => `| ${cells.map(cellText).join(" | ")} |`;
  const further = all.length > left.length ? [`… and ${all.length - left.length} more.`, ""] : [];
  const rule = `|${head.map(() => " :--- |").join("")}`;
  return [row(head), rule, ...body.map(row), "", ...further];
}

function cellText(cell: Cell): string {
  if (typeof cell === "string") return shown(cell);
  const address = webAddress(cell.url ?? "");
  return address === undefined || cell.text === "" ? shown(cell.text) : `[${shown(cell.text)}](<${address}>)`;
}

/** Text for a heading or a cell. The escapes and breaks in it would hide a secret from the runner. */
function shown(text: string): string {
  const lines = neutralize(cut(withoutSecrets(text), MAX_CELL))
    .trim()
    .split(/\s*\n\s*/);
  return lines.slice(0, MAX_LINES).map(breakable).join("<br>");
}

/** What is copied from the page is the text without the breaks. */
function breakable(line: string): string {
  const words = line.split(LONG_WORD);
  return words.map((word) => (LONG_WORD.test(word) ? inParts(word) : markdown(word))).join("");
}

function inParts(word: string): string {
  return (word.match(PARTS) ?? []).map(markdown).join("<wbr>");
}

/** Whether the runner shows summaries. */
export function hasSummaryPage(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env["GITHUB_STEP_SUMMARY"]);
}

/**
 * Adds the summary to the run's page, if there is one and it fits.
 *
 * @throws {UnwritableFile} with nothing added
 */
export function writeSummary(summary: Summary, env: NodeJS.ProcessEnv): void {
  const file = env["GITHUB_STEP_SUMMARY"];
  if (!file) return;
  const text = renderSummary(summary);
  if (Buffer.byteLength(text) < MAX_SUMMARY_BYTES) appendText(file, text);
}

/** An address as Markdown can hold it, or undefined for what is not one of the web. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return url.href.replace(/[`\\|<>]/g, encodeURIComponent).replaceAll("&", "&amp;");
}
