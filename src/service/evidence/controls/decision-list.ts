import type { FilterOf, Slice } from "../../kernel/paging.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { countRows, listed, ROW_COUNT } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

export interface DecisionFilter extends FilterOf<"decisions"> {
  isCompliant?: boolean | undefined;
  /** Unix seconds, inclusive. */
  fromTimestamp?: number | undefined;
  /** Unix seconds, inclusive. */
  toTimestamp?: number | undefined;
  /** Names or ids. */
  flowId?: readonly string[] | undefined;
}

export type DecisionRow = Awaited<ReturnType<typeof listDecisions>>["decisions"][number];

export async function listDecisions(
  db: Database,
  subject: { orgId: string; control: string },
  filter: DecisionFilter,
  { limit, offset, sortDirection }: Slice & { sortDirection: "asc" | "desc" },
) {
  const total = await countRows(matchingDecisions(db, subject, filter).select(ROW_COUNT));
  const decisions = await withPlace(matchingDecisions(db, subject, filter))
    .orderBy("decision.created_at", sortDirection)
    .orderBy("attestations.sequence", sortDirection)
    .limit(limit)
    .offset(offset)
    .execute();
  return { total, decisions };
}

/** `id` is the id of the attestation. */
export async function findDecision(
  db: Database,
  { id, ...subject }: { orgId: string; control: string; id: string },
): Promise<DecisionRow | undefined> {
  return withPlace(matchingDecisions(db, subject, {}))
    .where("decision.attestation_id", "=", id)
    .executeTakeFirst();
}

function matchingDecisions(
  db: Database,
  { orgId, control }: { orgId: string; control: string },
  { isCompliant, fromTimestamp, toTimestamp, flowId = [] }: DecisionFilter,
) {
  let query = db
    .selectFrom("control_decisions as decision")
    .where("decision.org_id", "=", orgId)
    .where("decision.control", "=", control);
  if (isCompliant !== undefined) query = query.where("decision.is_compliant", "=", Number(isCompliant));
  if (fromTimestamp !== undefined) query = query.where("decision.created_at", ">=", fromTimestamp);
  if (toTimestamp !== undefined) query = query.where("decision.created_at", "<=", toTimestamp);
  if (flowId.length === 0) return query;
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom("attestations as recorded")
        .innerJoin("flows as requested", "requested.id", "recorded.flow_id")
        .select("requested.id")
        .whereRef("recorded.id", "=", "decision.attestation_id")
        .where(({ or, eb }) =>
          or([eb("requested.id", "in", listed(flowId)), eb("requested.name", "in", listed(flowId))]),
        ),
    ),
  );
}

function withPlace(query: ReturnType<typeof matchingDecisions>) {
  return query
    .innerJoin("attestations", "attestations.id", "decision.attestation_id")
    .innerJoin("trails", "trails.id", "attestations.trail_id")
    .innerJoin("flows", "flows.id", "attestations.flow_id")
    .select(["decision.attestation_id", "decision.control", "decision.control_version"])
    .select(["decision.is_compliant", "decision.created_at", "decision.artifact_fingerprint"])
    .select(["attestations.name as attestation_name", "attestations.details"])
    .select(["trails.name as trail_name", "flows.name as flow_name"]);
}

/** File names by decision, in the order sent. */
export async function filesOfDecisions(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string[]>();
  const rows = await db
    .selectFrom("attachments")
    .select(["attestation_id", "name"])
    .where("attestation_id", "in", listed(ids))
    .orderBy("attestation_id")
    .orderBy("position")
    .execute();
  return valuesByKey(rows, ({ attestation_id, name }) => [attestation_id, name]);
}

/** The latest reported names, by fingerprint. */
export async function artifactNames(db: Database, orgId: string, fingerprints: readonly string[]) {
  if (fingerprints.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom("artifacts")
    .select(["fingerprint", "filename"])
    .where("sequence", "in", (query) =>
      query
        .selectFrom("artifacts as report")
        .select(({ fn }) => fn.max("report.sequence").as("sequence"))
        .where("report.org_id", "=", orgId)
        .where("report.fingerprint", "in", listed(fingerprints))
        .groupBy("report.fingerprint"),
    )
    .execute();
  return new Map(rows.map(({ fingerprint, filename }) => [fingerprint, filename]));
}
