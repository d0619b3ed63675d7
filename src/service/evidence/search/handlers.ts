import { recordId } from "../../../api/names.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { sliceOf } from "../../kernel/paging.ts";
import type { Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { findAttestation, shownType } from "../attestations/stored.ts";
import { flowIdsInScope } from "../flows/list.ts";
import { MAX_FOUND } from "./candidates.ts";
import { NAMED_KINDS, type NamedKind, OF_ORGANIZATION } from "./named.ts";
import { readQuery, type SearchQuery } from "./query.ts";
import { recordGroups, type Searching } from "./record-groups.ts";
import type { Group, Result } from "./results.ts";

export const search: Handler<"search"> = async ({ org, caller, params }, { store, links }) => {
  const { q, kind, page, perPage } = params;
  const query = readQuery(q);
  const isWanted = (each: Group["kind"]) => kind === undefined || kind === each;
  const searching = { org, links, scope: caller.scope, slice: sliceOf({ page, perPage }), isWanted };
  const groups = await store.readTogether(async (db) => [
    ...(isWanted("trail") || isWanted("artifact") ? await recordGroups(db, query, searching) : []),
    ...(isWanted("attestation") ? await attestationGroup(db, q.trim(), searching) : []),
    // Qualifiers describe trails and artifacts.
    ...(query.qualifiers.length === 0 ? await namedGroups(db, query, searching) : []),
  ]);
  const found = groups.filter(({ total, more }) => total > 0 || more);
  return { status: 200, body: { qualifiers: [...query.qualifiers], groups: found, page, perPage } };
};

/** An attestation by its id. */
async function attestationGroup(
  db: Database,
  id: string,
  { org, links, scope, slice }: Searching,
): Promise<Group[]> {
  if (!recordId.safeParse(id).success) return [];
  const found = await findAttestation(db, org.id, id, await flowIdsInScope(db, org.id, scope));
  if (found === undefined) return [];
  const { row, flowName, trailName } = found;
  const result: Result = {
    kind: "attestation",
    name: row.name,
    state: row.is_compliant === 1 ? "COMPLIANT" : "NON-COMPLIANT",
    subject: shownType(row.type, fieldsOf(row.details)),
    flow: flowName,
    trail: trailName,
    fingerprint: row.artifact_fingerprint,
    time: row.created_at,
    htmlUrl: links.attestation(org.name, flowName, trailName, row.id),
    matched: [{ field: "id", text: row.id }],
  };
  return [{ kind: "attestation", total: 1, more: false, results: slice.offset === 0 ? [result] : [] }];
}

async function namedGroups(
  db: Database,
  { terms }: SearchQuery,
  { org, links, scope, slice, isWanted }: Searching,
): Promise<Group[]> {
  const groups: Group[] = [];
  const kinds: readonly (readonly [Group["kind"], NamedKind])[] = NAMED_KINDS;
  for (const [kind, { find, results }] of kinds) {
    if (!isWanted(kind) || (scope !== null && OF_ORGANIZATION.includes(kind))) continue;
    const found = await find(db, { orgId: org.id, scope, terms });
    const total = Math.min(found.length, MAX_FOUND);
    const page = found.slice(0, total).slice(slice.offset, slice.offset + slice.limit);
    const shown = page.length === 0 ? [] : await results(db, page, { org, links, terms });
    groups.push({ kind, total, more: found.length > total, results: shown });
  }
  return groups;
}
