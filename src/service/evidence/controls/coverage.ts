import { pageFields, type Slice, sliceOf } from "../../kernel/paging.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import type { Handler } from "../../operation/handler.ts";
import { containsText, countRows, listed, ROW_COUNT } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { requireControl } from "./records.ts";

interface CoverageFilter {
  search?: string | undefined;
  covered?: boolean | undefined;
}

/** @throws NotFound */
export const getControlCoverage: Handler<"getControlCoverage"> = async ({ org, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { page, perPage, search, covered } = params;
    const { id: controlId, identifier } = await requireControl(db, org, params.identifier);
    const subject = { orgId: org.id, controlId };
    const total = await countRows(environmentsOf(db, subject, {}).select(ROW_COUNT));
    const reached = await countRows(environmentsOf(db, subject, { covered: true }).select(ROW_COUNT));
    const filter = { search: search || undefined, covered };
    const found = await countRows(environmentsOf(db, subject, filter).select(ROW_COUNT));
    const query = { search: filter.search, covered };
    return {
      status: 200,
      body: {
        ...pageFields({ total: found, page, perPage }, (paging) =>
          links.api(["controls", org.name, identifier, "coverage"], { ...query, ...paging }),
        ),
        summary: { total, covered: reached, coveragePercent: percentOf(reached, total) },
        environments: await coveredEnvironments(db, subject, filter, sliceOf(params)),
      },
    };
  });

/** 0 to 100, with one decimal. */
function percentOf(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((1000 * part) / total) / 10;
}

interface Subject {
  orgId: string;
  controlId: string;
}

function environmentsOf(db: Database, { orgId, controlId }: Subject, { search, covered }: CoverageFilter) {
  const environments = db
    .selectFrom("environments")
    .where("environments.org_id", "=", orgId)
    .where("environments.archived_at", "is", null);
  const named =
    search === undefined ? environments : environments.where(containsText("environments.name", search));
  if (covered === undefined) return named;
  return named.where(({ exists, not, selectFrom }) => {
    const attached = exists(
      selectFrom("environment_policies as attached")
        .innerJoin("policy_controls as required", "required.policy_id", "attached.policy_id")
        .select("required.policy_id")
        .whereRef("attached.environment_id", "=", "environments.id")
        .where("required.control_id", "=", controlId),
    );
    return covered ? attached : not(attached);
  });
}

async function coveredEnvironments(
  db: Database,
  subject: Subject,
  filter: CoverageFilter,
  { limit, offset }: Slice,
) {
  const environments = await environmentsOf(db, subject, filter)
    .select(["environments.id", "environments.name", "environments.type"])
    .orderBy("environments.name")
    .limit(limit)
    .offset(offset)
    .execute();
  const rows = await db
    .selectFrom("environment_policies as attached")
    .innerJoin("policy_controls as required", "required.policy_id", "attached.policy_id")
    .innerJoin("policies", "policies.id", "attached.policy_id")
    .select(["attached.environment_id", "policies.name"])
    .where("attached.environment_id", "in", listed(idsOf(environments)))
    .where("required.control_id", "=", subject.controlId)
    .orderBy("policies.name")
    .execute();
  const policies = valuesByKey(rows, ({ environment_id, name }) => [environment_id, name]);
  return environments.map(({ id, name, type }) => {
    const names = policies.get(id) ?? [];
    return { name, type, covered: names.length > 0, policies: names };
  });
}
