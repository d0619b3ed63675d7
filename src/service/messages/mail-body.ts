import { html } from "hono/html";
import { listed, type Notice, type Tone, titleOf } from "../delivery/messages/notice.ts";

/** What a mail says to those who read plain text. */
export function mailText(notice: Notice): string {
  return [
    [titleOf(notice), notice.change],
    listed(notice.reasons),
    notice.facts.map(({ label, value }) => `${label}: ${value}`),
    notice.artifacts === undefined ? [] : [notice.artifacts.heading, ...listed(notice.artifacts.first)],
    notice.links.map(({ label, url }) => `${label}: ${url}`),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

/** Dark enough for white paper, light enough for a dark screen. */
const COLORS: Readonly<Record<Tone, string>> = { good: "#2e8540", bad: "#d13438", neutral: "#6e7781" };

/** What a mail says as HTML: at most 600 pixels wide, with its styles in place, and nothing to load from elsewhere. */
export function mailHtml(notice: Notice): string {
  const { verdict, tone, subject, change, reasons, facts, artifacts, links } = notice;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${titleOf(notice)}</title>
</head>
<body style="margin:0;padding:16px;font:14px/1.5 sans-serif;color-scheme:light dark">
<div style="max-width:600px;margin:0 auto;overflow-wrap:anywhere">
<h1 style="margin:0 0 8px;font-size:18px"><span style="color:${COLORS[tone]}">${verdict}</span>: ${subject}</h1>
<p style="margin:0 0 12px">${change}</p>
${list(reasons)}<table role="presentation" style="border-collapse:collapse">
${facts.map(
  ({ label, value }) => html`<tr>
<td style="padding:0 12px 0 0;vertical-align:top;font-weight:bold">${label}</td>
<td style="padding:0">${value}</td>
</tr>
`,
)}</table>
${
  artifacts &&
  html`<p style="margin:12px 0 0">${artifacts.heading}</p>
${list(artifacts.first)}`
}${links.map(
  ({ label, url }) => html`<p style="margin:8px 0 0"><a href="${url}">${label}</a></p>
`,
)}</div>
</body>
</html>
`.toString();
}

function list(lines: readonly string[]) {
  if (lines.length === 0) return "";
  return html`<ul style="margin:0 0 12px;padding-left:20px">
${lines.map(
  (each) => html`<li>${each}</li>
`,
)}</ul>
`;
}
