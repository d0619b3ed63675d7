import type { Expression } from "kysely";
import type { PatternAnswers } from "../../judging/patterns/pattern-answers.ts";
import type { FilterOf } from "../../kernel/paging.ts";
import { isAmong, listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

interface SeriesKey {
  flowId: Expression<string>;
  name: Expression<string>;
  type: Expression<string>;
  isCompliant: Expression<number>;
}

export function seriesId(db: Database, { flowId, name, type, isCompliant }: SeriesKey) {
  return db
    .selectFrom("attestation_series as series")
    .select("series.id")
    .where("series.flow_id", "=", flowId)
    .where("series.name", "=", name)
    .where("series.type", "=", type)
    .where("series.is_compliant", "=", isCompliant);
}

interface NamePattern {
  pattern: string;
  answers: PatternAnswers;
}

/** An absent field is no condition. One item of a list must match. */
export interface SeriesFilter extends FilterOf<"attestations"> {
  name?: string | undefined;
  namePattern?: NamePattern | undefined;
  flows?: readonly string[] | undefined;
  flowIds?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  isCompliant?: boolean | undefined;
}

/** Applies all conditions except the name pattern. */
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

/** Includes former names. */
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
