import { type AuditLogEntry, listAuditLog as operation } from "../../../api/resources/audit-log.ts";
import { cursorPage, pageQuery, positionOf, readCursor, writeCursor } from "../../kernel/cursor.ts";
import type { Handler } from "../../operation/handler.ts";
import { type EntryRow, newestEntries } from "./list.ts";

export const listAuditLog: Handler<"listAuditLog"> = async ({ org, params }, { store, links }) => {
  const { apiKeyId: keyId, fromTimestamp: from, toTimestamp: to, after, perPage, ...filter } = params;
  const position = after === undefined ? undefined : readCursor(after);
  const wanted = { ...filter, keyId, from, to, after: position };
  // One extra entry shows that there is a next page.
  const found = await newestEntries(store.read, org.id, wanted, perPage + 1);
  const { page, _links } = cursorPage(found, params, {
    cursorOf: (row) => writeCursor(positionOf(row)),
    address: (pageParams) => links.api(["audit-log", org.name], pageQuery(operation.query, pageParams)),
  });
  return { status: 200, body: { data: page.map(entryView), _links } };
};

function entryView(row: EntryRow): AuditLogEntry {
  return {
    id: row.id,
    createdAt: row.created_at,
    act: row.act,
    account: row.account,
    apiKeyId: row.api_key_id,
    address: row.address,
    requestId: row.request_id,
    resource: { type: row.resource_type, name: row.resource_name, id: row.resource_id },
    details: JSON.parse(row.details),
    changes: JSON.parse(row.changes),
  };
}
