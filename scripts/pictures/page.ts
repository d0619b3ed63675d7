import type { Scene } from "./scenes.ts";

export type Scheme = "light" | "dark";

/** Colors of GitHub's pages. */
const COLORS = {
  light: {
    page: "#ffffff",
    text: "#1f2328",
    muted: "#59636e",
    line: "#d1d9e0",
    link: "#0969da",
    red: "#d1242f",
  },
  dark: {
    page: "#0d1117",
    text: "#f0f6fc",
    muted: "#9198a1",
    line: "#3d444d",
    link: "#4493f8",
    red: "#f85149",
  },
} as const;

/** Icons of headings and states, drawn because the test browser has no font for them. */
const MARKS: Readonly<Record<string, string>> = {
  "✅": mark("#1f883d", "M4.5 9.5 L8 13 L13.5 5.5"),
  "❌": mark("#cf222e", "M5 5 L13 13 M13 5 L5 13"),
  "⬜": mark("#8c959f", "M5 9 L13 9"),
  "⚠️": mark("#9a6700", "M9 4 L9 10 M9 12.5 L9 14"),
  "➕": mark("#0969da", "M9 5 L9 13 M5 9 L13 9"),
};

function mark(color: string, strokes: string): string {
  return `<svg width="18" height="18"><rect width="18" height="18" rx="4" fill="${color}"/><path d="${strokes}" stroke="#fff" stroke-width="2.2" fill="none"/></svg> `;
}

/** A scene as a run's page: the job's errors and its summary. */
export function pageOf({ job, errors, markdown }: Scene, scheme: Scheme): string {
  const { page, text, muted, line, link, red } = COLORS[scheme];
  const annotations = errors.map(
    (error) => `<div class="error"><b>${job}</b><p>${escaped(error).replaceAll("\n", "<br>")}</p></div>`,
  );
  return `<!doctype html><meta charset="utf-8"><style>
* { box-sizing: border-box; margin: 0 }
body { width: 760px; padding: 12px; background: ${page}; color: ${text}; font: 14px/1.5 "Open Sans", sans-serif }
.box { border: 1px solid ${line}; border-radius: 6px; padding: 14px 18px 4px }
.head { color: ${muted}; font-size: 13px; padding-bottom: 10px }
.error { border: 1px solid ${line}; border-left: 4px solid ${red}; border-radius: 6px; padding: 10px 16px;
  margin-bottom: 12px; overflow-wrap: anywhere }
.error p { color: ${muted} }
h3 { font-size: 18px; padding-bottom: 10px }
table { border-collapse: collapse; margin-bottom: 12px }
th, td { border: 1px solid ${line}; padding: 5px 11px; text-align: left }
th { font-weight: 600 }
a { color: ${link}; text-decoration: none }
p { padding-bottom: 12px }
svg { vertical-align: -3px }
</style><body>${annotations.join("")}<div class="box"><div class="head">${job} summary</div>${htmlOf(markdown)}</div>`;
}

/** Converts the Markdown of summaries, which has only headings, tables and links. Its texts are already escaped. */
function htmlOf(markdown: string): string {
  const blocks = markdown.split(/\n{2,}/).filter((block) => block.trim() !== "");
  return blocks.map(blockOf).join("\n");
}

function blockOf(block: string): string {
  if (block.startsWith("### ")) return `<h3>${withMark(block.slice(4))}</h3>`;
  if (block.startsWith("|")) return tableOf(block.split("\n"));
  const bold = /^\*\*(.*)\*\*$/.exec(block);
  if (bold) return `<p><b>${bold[1]}</b></p>`;
  return `<p>${block.replace(/\[(.*?)\]\(<(.*?)>\)/g, '<a href="$2">$1</a>')}</p>`;
}

function withMark(text: string): string {
  return text.replace(/^(\S+) /, (all, mark: string) => MARKS[mark] ?? all);
}

function tableOf([head = "", , ...rows]: readonly string[]): string {
  const row = (text: string, tag: "th" | "td") =>
    `<tr>${text
      .slice(1, -1)
      .split("|")
      .map((cell) => `<${tag}>${withMark(cell.trim())}</${tag}>`)
      .join("")}</tr>`;
  return `<table>${row(head, "th")}${rows.map((text) => row(text, "td")).join("")}</table>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
