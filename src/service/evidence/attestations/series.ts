import type { Expression } from "kysely";
import type { PatternAnswers } from "../../judging/patterns/pattern-answers.ts";
import { isAmong, listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

/** The type that records of overrides show. What counts for a slot of a template is the type that they override. */
export const OVERRIDE = "override";

/** What attestations have in common that are found together. */
export interface Series {
  orgId: string;
  flowId: string;
  name: string;
  /** As records show it. */
  type: string;
  isCompliant: boolean;
}

/** What tells the series of a flow apart, as SQL. */
interface SeriesKey {
  flowId: Expression<string>;
  name: Expression<string>;
  type: Expression<string>;
  isCompliant: Expression<number>;
}

/** The id of a series; null while there is none. */
export function seriesId(db: Database, { flowId, name, type, isCompliant }: SeriesKey) {
  return db
    .selectFrom("attestation_series as series")
    .select("series.id")
    .where("series.flow_id", "=", flowId)
    .where("series.name", "=", name)
    .where("series.type", "=", type)
    .where("series.is_compliant", "=", isCompliant);
}

/** Makes the series of the first attestation of its kind. */
export async function addSeries(
  db: Database,
  id: string,
  { orgId, flowId, name, type, isCompliant }: Series,
): Promise<void> {
  await db
    .insertInto("attestation_series")
    .values({ id, org_id: orgId, flow_id: flowId, name, type, is_compliant: Number(isCompliant) })
    .execute();
}

/** A pattern that a name is to have somewhere, and what is known of it. */
interface NamePattern {
  pattern: string;
  answers: PatternAnswers;
}

/** What series to look in. Absent is no condition; of a list, one must hold. */
export interface SeriesFilter {
  name?: string | undefined;
  namePattern?: NamePattern | undefined;
  flows?: readonly string[] | undefined;
  /** Of these flows only. */
  flowIds?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  isCompliant?: boolean | undefined;
}

/** The series of an organization that pass a filter, but for the pattern of their names. */
export function selectSeries(db: Database, orgId: string, filter: SeriesFilter) {
  const { name, flows, flowIds, types, isCompliant } = filter;
  let query = db
    .selectFrom("attestation_series")
    .select(["attestation_series.id", "attestation_series.name"])
    .where("attestation_series.org_id", "=", orgId)
    .where(isAmong("attestation_series.flow_id", flowIds));
  if (name !== undefined) query = query.where("attestation_series.name", "=", name);
  if (types !== undefined) query = query.where("attestation_series.type", "in", listed(types));
  if (isCompliant !== undefined) {
    query = query.where("attestation_series.is_compliant", "=", Number(isCompliant));
  }
  if (flows === undefined) return query;
  return query.where("attestation_series.flow_id", "in", flowsNamed(db, orgId, flows));
}

/** The flows of these names, and those that had one of them before they were renamed. */
function flowsNamed(db: Database, orgId: string, names: readonly string[]) {
  const former = db
    .selectFrom("former_flow_names as former")
    .select("former.flow_id as id")
    .where("former.org_id", "=", orgId)
    .where("former.name", "in", listed(names));
  return db
    .selectFrom("flows")
    .select("flows.id")
    .where("flows.org_id", "=", orgId)
    .where("flows.name", "in", listed(names))
    .unionAll(former);
}
