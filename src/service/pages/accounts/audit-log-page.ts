import { ACTS, type AuditLogEntry } from "../../../api/resources/audit-log.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { GivenTo } from "../operation-calls.ts";
import { definePage } from "../page.ts";
import { choiceFilter, filterBar, periodFilter, textFilter } from "../parts/filter-bar.ts";
import { type Html, html, plainList, text } from "../parts/html.ts";
import { cursorIn, cursorPage, ROWS } from "../parts/lists.ts";
import { table, timeCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";

export const auditLogPage = definePage({
  path: "/:org/audit-log",
  audience: "accounts",
  async show(request) {
    const { call, query } = request;
    const filters = {
      account: textFilter("Account", { hint: "Whole name" }),
      act: choiceFilter("Act", ACTS),
      resource: textFilter("Resource name", { hint: "Whole name" }),
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
    const list = cursorPage(found.answer.data, found.answer._links, request);
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
      rows: list.rows,
      empty: list.empty(bar.empty("entries", "No entries yet.")),
    });
    return {
      title: "Audit log",
      main: html`${bar.html}
${entries.html}${list.pager}`,
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
  const all = Object.entries(changes).map(([name, { from, to }]) => {
    return { name, before: shown(name, from), after: shown(name, to) };
  });
  // A missing text and an empty one differ, but read the same.
  const changed = all.filter(({ before, after }) => String(before) !== String(after));
  return plainList(changed.map(({ name, before, after }) => html`${text(name)}: ${before} → ${after}`));
}

function detailsOf({ details }: AuditLogEntry) {
  const all = Object.entries(details);
  return plainList(all.map(([name, value]) => html`${text(name)}: ${shown(name, value)}`));
}

function shown(name: string, value: unknown): Html {
  if (value === null || value === undefined || value === "") return html`nothing`;
  // Keys that do not expire have no time.
  if (/_(at|until)$/.test(name) && typeof value === "number") return time(value === 0 ? null : value);
  return text(typeof value === "string" ? value : JSON.stringify(value));
}
