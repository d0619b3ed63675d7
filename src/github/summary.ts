import { appendText } from "./file-commands.ts";
import { markdown } from "./neutral.ts";

/** The runner drops a step's summary above this many bytes. */
const MAX_SUMMARY_BYTES = 1024 * 1024;
/** More rows than this do not help a reader: the rest is counted. */
const MAX_ROWS = 50;

/** What a step shows on the run's page: a heading, one table and one link. */
export interface Summary {
  readonly heading: string;
  /** Shown before the heading's text. */
  readonly mark: "passed" | "failed" | "neutral";
  readonly columns: readonly string[];
  /** Foreign text is welcome: it is escaped here. */
  readonly rows: readonly (readonly string[])[];
  readonly link?: { readonly text: string; readonly url: string } | undefined;
}

const MARKS = { passed: "✅ ", failed: "❌ ", neutral: "" } as const;

/** The summary as GitHub Markdown. */
export function renderSummary({ heading, mark, columns, rows, link }: Summary): string {
  const row = (cells: readonly string[]) => `| ${cells.map(markdown).join(" | ")} |`;
  const lines = [`### ${MARKS[mark]}${markdown(heading)}`, ""];
  if (rows.length > 0) {
    lines.push(
      row(columns),
      `|${columns.map(() => " --- |").join("")}`,
      ...rows.slice(0, MAX_ROWS).map(row),
      "",
    );
  }
  if (rows.length > MAX_ROWS) lines.push(`… and ${rows.length - MAX_ROWS} more.`, "");
  const address = link && webAddress(link.url);
  if (link && address !== undefined) lines.push(`[${markdown(link.text)}](<${address}>)`, "");
  return lines.join("\n");
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
