import type { AuditLogEntry } from "../../../api/resources/audit-log.ts";
import type { GivenTo } from "../operation-calls.ts";
import { definePage } from "../page.ts";
import { field, filter } from "../parts/form.ts";
import { html, plainList, text } from "../parts/html.ts";
import { cursorIn, cursorPager, ROWS } from "../parts/lists.ts";
import { table, timeCell } from "../parts/table.ts";
import { dayStart } from "../parts/time.ts";

export const auditLogPage = definePage({
  path: "/:org/audit-log",
  audience: "accounts",
  async show(request) {
    const { call, query } = request;
    const param = (name: string) => query.get(name) ?? "";
    const given = {
      account: param("account") || undefined,
      act: param("act") || undefined,
      resourceName: param("resource") || undefined,
      fromTimestamp: dayStart(param("from")),
      toTimestamp: dayStart(param("to")),
      ...cursorIn(query),
      perPage: ROWS,
      // The operation validates the act.
    } as GivenTo<"listAuditLog">;
    const { data, _links } = await call("listAuditLog", given);
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
      empty: "No entries match.",
    });
    return {
      title: "Audit log",
      main: html`${filter(
        html`${field({ name: "account", label: "Account", value: param("account") })}
${field({ name: "act", label: "Act, such as api_key.created", value: param("act") })}
${field({ name: "resource", label: "Resource name", value: param("resource") })}
${field({ name: "from", label: "From", type: "date", value: param("from") })}
${field({ name: "to", label: "Before", type: "date", value: param("to") })}`,
        "Filter the audit log",
      )}${entries.html}${cursorPager(_links, request)}`,
      tables: [entries],
      json: { operation: "listAuditLog", given },
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
