import { appendText } from "./file-commands.ts";
import { withoutSecrets } from "./masking.ts";
import { cut, markdown, neutralize } from "./neutral.ts";

/** The runner drops larger summaries of a step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
/** Maximum number of rows shown; further rows are counted. */
const MAX_ROWS = 50;
/** Row limits of a table of facts, and the default for tables of details: together they fit on one screen. */
const MAX_FACTS = 15;
const MAX_DETAILS = 5;
/** Longer texts are cut. */
const MAX_CELL = 500;
const MAX_LINES = 6;
/** Larger tables with a title are folded, because each step of a job adds its summary to the page. */
const MAX_OPEN = 12;
/** A word that would push other columns off the page. A commit's SHA in quotes is shorter. */
const LONG_WORD = /(\S{49,})/;
/** Parts of such a word between possible line breaks: after punctuation, or else anywhere. */
const PARTS = /.{1,16}(?<=[./\\:_@-])|.{1,16}/gsu;

/** Text, or text with a link to a web page. */
export type Cell = string | { readonly text: string; readonly url: string | undefined };

export interface Table {
  /** Absent for a table of facts: its first row becomes the header, and facts without a value are omitted. */
  readonly columns?: readonly string[];
  /** May contain untrusted text, which is escaped here. */
  readonly rows: readonly (readonly Cell[])[];
  /** Maximum number of rows shown. Default: a few for a table of details. */
  readonly most?: number;
  /** One line above the table, with its totals. */
  readonly title?: string;
}

/** A step's summary on the run's page: a heading, a table, further tables of details, and one link. */
export interface Summary extends Table {
  readonly heading: string;
  /** Shown before the heading's text. Default: `neutral`. */
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
  // Markdown tables need a header, and an empty one looks as if something were missing.
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

/** Text for a heading or a cell. Secrets are masked first, because the runner would not recognize them once escaped. */
function shown(text: string): string {
  const lines = neutralize(cut(withoutSecrets(text), MAX_CELL))
    .trim()
    .split(/\s*\n\s*/);
  return lines.slice(0, MAX_LINES).map(breakable).join("<br>");
}

/** Adds line breaks to long words. Text copied from the page does not contain them. */
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

/** A web address escaped for Markdown; undefined for other addresses. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return url.href.replace(/[`\\|<>]/g, encodeURIComponent).replaceAll("&", "&amp;");
}
