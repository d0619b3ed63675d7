import { type Html, html } from "../../kernel/html.ts";
import { visible } from "../../kernel/visible-text.ts";
import type { TrailView } from "../trails/view.ts";

/* Parts of pages for printing, which need no network. */

const STYLE = `body{font:10pt/1.4 system-ui,sans-serif;margin:1.5cm;color:#111;background:#fff}
h1{font-size:16pt}h2{font-size:12pt;margin:1.5em 0 .5em}
table{border-collapse:collapse;width:100%}caption{text-align:left;color:#555}
th,td{border:1px solid #999;padding:.2em .4em;text-align:left;vertical-align:top}
thead{display:table-header-group}tr{break-inside:avoid}.text{white-space:pre-wrap}
.short{white-space:nowrap}.long{overflow-wrap:anywhere}
@page{margin:1.5cm}@media print{body{margin:0}}`;

export function printedPage(title: string, body: Html): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${visible(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${text(title)}</h1>
${body}
</body>
</html>
`);
}

export type Cell = string | null | undefined;

function text(value: Cell): Html {
  return html`<bdi>${visible(value ?? "")}</bdi>`;
}

export function facts(rows: readonly (readonly [name: string, value: Cell])[]): Html {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return html`<table><tbody>${known.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td class="text long">${text(value)}</td></tr>\n`,
  )}</tbody></table>`;
}

export function table(caption: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p>None.</p>`;
  return html`<table><caption>${caption}</caption>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell) => html`<td class="text ${widthOf(cell)}">${text(cell)}</td>`)}</tr>\n`,
  )}</tbody></table>`;
}

/** Words and times stay whole. A fingerprint takes the place that they leave. */
function widthOf(cell: Cell): "short" | "long" | "" {
  if (/^(.{0,12}|[\d-]{10} [\d:]{8} UTC)$/.test(cell ?? "")) return "short";
  return /\S{21}/.test(cell ?? "") ? "long" : "";
}

export function time(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

export function result(isCompliant: boolean | null | undefined): string {
  if (isCompliant === null || isCompliant === undefined) return "";
  return isCompliant ? "Compliant" : "Non-compliant";
}

/** The run that recorded it, and whether its token proves what the record names. */
export function originText(origin: TrailView["origin"]): string {
  return origin ? `${origin.name} (${origin.state})` : "";
}
