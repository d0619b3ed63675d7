import { html } from "hono/html";
import type { AuditLogEntry } from "../../../api/resources/audit-log.ts";
import type { GivenTo } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage } from "../page.ts";
import { cursorIn, cursorPager } from "../parts/cursor-pager.ts";
import { dayStart } from "../parts/day.ts";
import { empty } from "../parts/empty.ts";
import { field, filter } from "../parts/field.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";

const AT_ONCE = 50;

/** Who did what in an organization. */
export const auditLogPage = definePage({
  path: "/:org/audit-log",
  audience: "accounts",
  async show(request) {
    const { ask, query, here } = request;
    const asked = (name: string) => query.get(name) ?? "";
    const from = dayStart(asked("from"));
    const to = dayStart(asked("to"));
    const given = {
      ...(asked("account") === "" ? {} : { account: asked("account") }),
      ...(asked("act") === "" ? {} : { act: asked("act") }),
      ...(asked("resource") === "" ? {} : { resourceName: asked("resource") }),
      ...(from === undefined ? {} : { fromTimestamp: from }),
      ...(to === undefined ? {} : { toTimestamp: to }),
      ...cursorIn(query),
      perPage: AT_ONCE,
      // Which acts there are is for the operation to check.
    } as GivenTo<"listAuditLog">;
    const { data, _links } = await ask("listAuditLog", given);
    const entries = table<AuditLogEntry>({
      id: "entries",
      caption: "Who did what, the latest first",
      columns: [
        { head: "When", cell: ({ createdAt }) => time(createdAt), csv: ({ createdAt }) => utc(createdAt) },
        { head: "Who", cell: ({ account }) => text(account), csv: ({ account }) => account },
        { head: "What", cell: ({ act }) => text(act), csv: ({ act }) => act },
        {
          head: "On",
          cell: ({ resource }) => text(resource.name),
          csv: ({ resource }) => resource.name,
        },
        { head: "Changes", cell: changesOf, csv: ({ changes }) => JSON.stringify(changes) },
        { head: "Details", cell: detailsOf, csv: ({ details }) => JSON.stringify(details) },
        { head: "From", cell: ({ address }) => text(address), csv: ({ address }) => address },
      ],
      rows: data,
      empty: empty("Nothing like that was done."),
      here,
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

function changesOf({ changes }: AuditLogEntry): Html {
  const all = Object.entries(changes);
  if (all.length === 0) return html``;
  return html`<ul class="plain">${all.map(([name, { from, to }]) => html`<li>${text(`${name}: ${inWords(from)} → ${inWords(to)}`)}</li>`)}</ul>`;
}

function detailsOf({ details }: AuditLogEntry): Html {
  const all = Object.entries(details);
  if (all.length === 0) return html``;
  return html`<ul class="plain">${all.map(([name, value]) => html`<li>${text(`${name}: ${inWords(value)}`)}</li>`)}</ul>`;
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
