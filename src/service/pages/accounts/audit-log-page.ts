import type { AuditLogEntry } from "../../../api/resources/audit-log.ts";
import type { GivenTo } from "../ask.ts";
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
    const { ask, query } = request;
    const asked = (name: string) => query.get(name) ?? "";
    const given = {
      account: asked("account") || undefined,
      act: asked("act") || undefined,
      resourceName: asked("resource") || undefined,
      fromTimestamp: dayStart(asked("from")),
      toTimestamp: dayStart(asked("to")),
      ...cursorIn(query),
      perPage: ROWS,
      // The operation checks which acts there are.
    } as GivenTo<"listAuditLog">;
    const { data, _links } = await ask("listAuditLog", given);
    const entries = table<AuditLogEntry>(request, {
      id: "entries",
      caption: "Who did what, the latest first",
      columns: {
        When: ({ createdAt }) => timeCell(createdAt),
        Who: ({ account }) => account,
        What: ({ act }) => act,
        On: ({ resource }) => resource.name,
        Changes: (entry) => ({ html: changesOf(entry), csv: JSON.stringify(entry.changes) }),
        Details: (entry) => ({ html: detailsOf(entry), csv: JSON.stringify(entry.details) }),
        From: ({ address }) => address,
      },
      rows: data,
      empty: "Nothing like that was done.",
    });
    return {
      title: "Audit log",
      main: html`${filter(
        html`${field({ name: "account", label: "Account", value: asked("account") })}
${field({ name: "act", label: "Act, such as api_key.created", value: asked("act") })}
${field({ name: "resource", label: "Name of what it was done to", value: asked("resource") })}
${field({ name: "from", label: "From the day", type: "date", value: asked("from") })}
${field({ name: "to", label: "Before the day", type: "date", value: asked("to") })}`,
        "Filter the audit log",
      )}${entries.html}${cursorPager(_links, request)}`,
      tables: [entries],
      json: { operation: "listAuditLog", given },
      howTo: {
        title: "Read it on the command line",
        code: "npx delivery-evidence call listAuditLog act=api_key.created",
      },
    };
  },
});

function changesOf({ changes }: AuditLogEntry) {
  const all = Object.entries(changes);
  return plainList(all.map(([name, { from, to }]) => text(`${name}: ${inWords(from)} → ${inWords(to)}`)));
}

function detailsOf({ details }: AuditLogEntry) {
  const all = Object.entries(details);
  return plainList(all.map(([name, value]) => text(`${name}: ${inWords(value)}`)));
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
