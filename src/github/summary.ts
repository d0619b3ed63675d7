import { appendText } from "./file-commands.ts";
import { markdown } from "./neutral.ts";

/** The runner drops a step's summary above this many bytes. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
/** More rows than this do not help a reader: the rest is counted. */
const MAX_ROWS = 50;

export interface Table {
  readonly columns: readonly string[];
  /** Foreign text is welcome: it is escaped here. */
  readonly rows: readonly (readonly string[])[];
}

/** What a step shows on the run's page: a heading, a table, further tables of details, and one link. */
export interface Summary extends Table {
  readonly heading: string;
  /** Shown before the heading's text. */
  readonly mark: "passed" | "failed" | "neutral";
  readonly tables?: readonly Table[];
  readonly link?: { readonly text: string; readonly url: string } | undefined;
}

const MARKS = { passed: "✅ ", failed: "❌ ", neutral: "" } as const;

/** The summary as GitHub Markdown. */
export function renderSummary({ heading, mark, tables = [], link, ...first }: Summary): string {
  const lines = [`### ${MARKS[mark]}${markdown(heading)}`, "", ...[first, ...tables].flatMap(renderTable)];
  const address = link && webAddress(link.url);
  if (link && address !== undefined) lines.push(`[${markdown(link.text)}](<${address}>)`, "");
  return lines.join("\n");
}

function renderTable({ columns, rows }: Table): string[] {
  if (rows.length === 0) return [];
  const row = (cells: readonly string[]) => `| ${cells.map(markdown).join(" | ")} |`;
  const further = rows.length > MAX_ROWS ? [`… and ${rows.length - MAX_ROWS} more.`, ""] : [];
  const rule = `|${columns.map(() => " --- |").join("")}`;
  return [row(columns), rule, ...rows.slice(0, MAX_ROWS).map(row), "", ...further];
}

/** Adds the summary to the run's page, if there is one and it fits. */
export function writeSummary(summary: Summary, env: NodeJS.ProcessEnv): void {
  const file = env["GITHUB_STEP_SUMMARY"];
  if (!file) return;
  const text = renderSummary(summary);
  if (Buffer.byteLength(text) < MAX_SUMMARY_BYTES) appendText(file, text);
}

/** An address as Markdown can hold it, or undefined for what is not one of the web. */
function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return url.href.replace(/[`\\|<>]/g, encodeURIComponent).replaceAll("&", "&amp;");
}
