import { COMMAND_LINE, type MembershipEvent } from "../../../api/resources/audit-log.ts";
import { foldCase } from "../../kernel/fold-case.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { pageFields, sliceOf } from "../../kernel/paging.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

const EVENT_BY_ACT = {
  "service_account.created": "added",
  "service_account.privilege_changed": "changed",
  "service_account.deleted": "removed",
  "member.added": "added",
  "member.changed": "changed",
  "member.removed": "removed",
} as const;

/** Sources of the memberships of people, in the words of the interface. */
const SOURCES: Readonly<Record<string, string>> = { groups: "sso", scim: "scim", invitation: "invitation" };

type Params = Call<"listMembershipAuditLog">["params"];

export const listMembershipAuditLog: Handler<"listMembershipAuditLog"> = async (
  { org, params },
  { store, links },
) => {
  const { page, perPage, fromTimestamp, toTimestamp, eventType, sortBy, sortDir } = params;
  const { search, role, source } = params;
  const all = await membershipEvents(store.read, org.id, params);
  const found = all.filter((event) => isWanted(event, params));
  const { limit, offset } = sliceOf(params);
  const query = {
    ...{ search, event_type: eventType, role, source, from_timestamp: fromTimestamp },
    ...{ to_timestamp: toTimestamp, sort_by: sortBy, sort_dir: sortDir },
  };
  return {
    status: 200,
    body: {
      ...pageFields({ total: found.length, page, perPage }, (paging) =>
        links.api(["membership-audit-log", org.name], { ...query, ...paging }),
      ),
      events: sorted(found, params).slice(offset, offset + limit),
    },
  };
};

/** Newest first. An organization has few of them, and roles are inside of JSON, so all are read. */
async function membershipEvents(
  db: Database,
  orgId: string,
  { fromTimestamp, toTimestamp }: Params,
): Promise<MembershipEvent[]> {
  let entries = db
    .selectFrom("audit_log")
    .select(["id", "created_at", "act", "account", "resource_name", "details", "changes"])
    .where("org_id", "=", orgId)
    .where("act", "in", listed(Object.keys(EVENT_BY_ACT)));
  if (fromTimestamp !== undefined) entries = entries.where("created_at", ">=", fromTimestamp);
  if (toTimestamp !== undefined) entries = entries.where("created_at", "<=", toTimestamp);
  const rows = await entries.orderBy("created_at", "desc").orderBy("sequence", "desc").execute();
  return rows.flatMap((row) => {
    const { from, to } = Object(fieldsOf(row.changes)["privilege"]);
    const details = fieldsOf(row.details);
    const eventType = EVENT_BY_ACT[row.act as keyof typeof EVENT_BY_ACT];
    // Only the scope changed, or a membership that a stronger one hides.
    if (eventType === "changed" && from === undefined) return [];
    return {
      id: row.id,
      timestamp: row.created_at,
      eventType,
      user: row.resource_name,
      oldRole: from ?? details["privilege"] ?? null,
      newRole: to ?? null,
      changedBy: row.account,
      source: SOURCES[String(details["source"])] ?? (row.account === COMMAND_LINE ? "script" : "app"),
    };
  });
}

function isWanted(event: MembershipEvent, { search = "", eventType, role, source }: Params): boolean {
  const isAmong = (value: string | null, wanted: readonly string[] | undefined) =>
    wanted === undefined || (value !== null && wanted.includes(value));
  return (
    [event.user, event.changedBy].some((name) => foldCase(name).includes(foldCase(search))) &&
    (eventType === undefined || event.eventType === eventType) &&
    isAmong(event.newRole, role) &&
    isAmong(event.source, source)
  );
}

const TEXT_OF = {
  user: ({ user }) => user,
  role: ({ newRole }) => newRole ?? "",
  changed_by: ({ changedBy }) => changedBy,
  source: ({ source }) => source,
} as const satisfies Record<string, (event: MembershipEvent) => string>;

/** @param newestFirst is also the order of events with equal texts */
function sorted(newestFirst: MembershipEvent[], { sortBy, sortDir }: Params): MembershipEvent[] {
  if (sortBy === "when") return sortDir === "desc" ? newestFirst : newestFirst.toReversed();
  const textOf = TEXT_OF[sortBy];
  const direction = sortDir === "asc" ? 1 : -1;
  return newestFirst.toSorted((a, b) => {
    const [left, right] = [textOf(a), textOf(b)];
    return left === right ? 0 : left < right ? -direction : direction;
  });
}
