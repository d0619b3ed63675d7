import { ACTS, type AuditLogEntry } from "../../../api/resources/audit-log.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { GivenTo } from "../operation-calls.ts";
import { definePage } from "../page.ts";
import { choiceFilter, filterBar, periodFilter, textFilter } from "../parts/filter-bar.ts";
import { html, plainList, text } from "../parts/html.ts";
import { cursorIn, cursorPager, ROWS } from "../parts/lists.ts";
import { table, timeCell } from "../parts/table.ts";

export const auditLogPage = definePage({
  path: "/:org/audit-log",
  audience: "accounts",
  async show(request) {
    const { call, query } = request;
    const filters = {
      account: textFilter("Account"),
      act: choiceFilter("Act", ACTS),
      resource: textFilter("Resource name"),
      period: periodFilter(),
    };
    const bar = filterBar("Filter the audit log", filters, request);
    const found = await bar.find(async ({ account, act, resource, period: { start, end } }) => {
      const given: GivenTo<"listAuditLog"> = {
        ...(account === "" ? {} : { account }),
        ...(act === "" ? {} : { act }),
        ...(resource === "" ? {} : { resourceName: resource }),
        ...(start === undefined ? {} : { fromTimestamp: start }),
        ...(end === undefined ? {} : { toTimestamp: end }),
        ...{ ...cursorIn(query), perPage: ROWS },
      };
      return { given, answer: await call("listAuditLog", given) };
    });
    if (found instanceof Refusal) return bar.refused({ title: "Audit log" }, found);
    const { data, _links } = found.answer;
    const entries = table<AuditLogEntry>(request, {
      id: "entries",
      caption: "Acts, newest first",
      columns: {
        When: ({ createdAt }) => timeCell(createdAt),
        Account: ({ account }) => account,
        Act: ({ act }) => act,
        Resource: ({ resource }) => resource.name,
        Changes: (entry) => ({ html: changesOf(entry), csv: JSON.stringify(entry.changes) }),
        Details: (entry) => ({ html: detailsOf(entry), csv: JSON.stringify(entry.details) }),
        From: ({ address }) => address,
      },
      rows: data,
      empty: bar.empty("entries", "No entries yet."),
    });
    return {
      title: "Audit log",
      main: html`${bar.html}
${entries.html}${cursorPager(_links, request)}`,
      tables: [entries],
      json: { operation: "listAuditLog", given: found.given },
      howTo: {
        title: "Read the audit log on the command line",
        code: "npx delivery-evidence call listAuditLog act=api_key.created",
      },
    };
  },
});

function changesOf({ changes }: AuditLogEntry) {
  const all = Object.entries(changes);
  return plainList(all.map(([name, { from, to }]) => text(`${name}: ${inText(from)} → ${inText(to)}`)));
}

function detailsOf({ details }: AuditLogEntry) {
  const all = Object.entries(details);
  return plainList(all.map(([name, value]) => text(`${name}: ${inText(value)}`)));
}

function inText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
