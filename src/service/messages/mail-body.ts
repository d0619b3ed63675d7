import { html } from "hono/html";
import { artifactCount, type Notice } from "./notice.ts";

/** The body for those who read plain text. */
export function mailText(notice: Notice): string {
  const { verdict, subject, change, facts, links } = notice;
  return [
    `${verdict}: ${subject}`,
    "",
    change,
    "",
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...lists(notice).flatMap(({ title, lines }) => ["", title, ...lines.map((line) => `- ${line}`)]),
    "",
    ...links.map(({ label, url }) => `${label}: ${url}`),
    "",
  ].join("\n");
}

/** The body as HTML: 600 pixels wide, with styles of its own, loading nothing from anywhere. */
export function mailHtml(notice: Notice): string {
  const { verdict, subject, change, facts, links } = notice;
  const rows = facts.map(
    ({ label, value }) => html`<tr>
<th style="text-align:left;vertical-align:top;padding:2px 12px 2px 0;font-weight:600">${label}</th>
<td style="padding:2px 0;overflow-wrap:anywhere">${value}</td>
</tr>
`,
  );
  const listed = lists(notice).map(
    ({ title, lines }) => html`<p style="margin:16px 0 4px;font-weight:600">${title}</p>
<ul style="margin:0;padding-left:20px">
${lines.map((line) => html`<li style="overflow-wrap:anywhere">${line}</li>\n`)}</ul>
`,
  );
  const linked = links.map(
    ({ label, url }) => html`<p style="margin:8px 0 0"><a href="${url}">${label}</a></p>
`,
  );
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${verdict}: ${subject}</title>
</head>
<body style="margin:0;padding:16px;font-family:system-ui,sans-serif;font-size:14px;line-height:1.4">
<div style="max-width:600px;margin:0 auto">
<h1 style="font-size:18px;margin:0 0 8px;overflow-wrap:anywhere">${verdict}: ${subject}</h1>
<p style="margin:0 0 16px;overflow-wrap:anywhere">${change}</p>
<table role="presentation" style="border-collapse:collapse;font-size:14px">
${rows}</table>
${listed}${linked}</div>
</body>
</html>
`);
}

function lists({ reasons, artifacts }: Notice) {
  return [
    ...(reasons.length === 0 ? [] : [{ title: "Reasons:", lines: reasons }]),
    ...(artifacts === undefined ? [] : [{ title: artifactCount(artifacts), lines: artifacts.first }]),
  ];
}
