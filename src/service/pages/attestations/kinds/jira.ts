import { html } from "hono/html";
import { empty } from "../../parts/empty.ts";
import { safeLink } from "../../parts/link.ts";
import { table } from "../../parts/table.ts";
import { text } from "../../parts/text.ts";
import { badge } from "../../parts/verdict.ts";
import { counted, type ShowKind } from "../kind.ts";

/** Issues, and whether they exist. */
export const jira: ShowKind = ({ jiraResults }, { here }) => {
  const issues = jiraResults ?? [];
  const missing = issues.filter(({ issueExists }) => issueExists !== true).length;
  const all = counted(issues.length, "issue");
  return {
    sentence:
      missing === 0 ? `${all}, all exist` : `${all}, ${missing} ${missing === 1 ? "does" : "do"} not exist`,
    tables: [
      table({
        id: "issues",
        caption: "Issues",
        columns: [
          {
            head: "Issue",
            cell: ({ issueId, issueUrl }) =>
              issueUrl ? safeLink(issueUrl, issueId ?? undefined) : text(issueId),
            csv: ({ issueId }) => issueId,
          },
          {
            head: "There",
            cell: ({ issueExists }) =>
              issueExists === true ? badge("EXISTS", "ok") : badge("MISSING", "fail"),
            csv: ({ issueExists }) => (issueExists === true ? "EXISTS" : "MISSING"),
          },
          {
            head: "Fields",
            cell: ({ issueFields }) =>
              html`<ul class="plain">${Object.entries(issueFields ?? {}).map(([name, value]) => html`<li>${text(`${name}: ${inWords(value)}`)}</li>`)}</ul>`,
            csv: ({ issueFields }) => fieldsText(issueFields),
          },
        ],
        rows: issues,
        empty: empty("No issue was recorded."),
        here,
      }),
    ],
  };
};

function inWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fieldsText(fields: Readonly<Record<string, unknown>> | null | undefined): string {
  return fields ? JSON.stringify(fields) : "";
}
