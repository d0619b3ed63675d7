import { sql } from "kysely";
import { listed } from "../dialect.ts";
import type { Database, Tables } from "../tables.ts";
import { atOneMoment, inSteps, type Moments } from "./in-steps.ts";

interface Numbering {
  readonly of: keyof Tables & string;
  readonly table: keyof Tables & string;
  readonly by: string;
  /** Defaults to `number`. */
  readonly number?: string;
  /** Defaults to 1. */
  readonly first?: 0 | 1;
  readonly counter?: string;
  /** Rows may have been removed, and their numbers are not reused. */
  readonly gaps?: true;
}

const NUMBERINGS: readonly Numbering[] = [
  { of: "environments", table: "snapshots", by: "environment_id" },
  { of: "flows", table: "approvals", by: "flow_id", counter: "last_approval_number" },
  { of: "policies", table: "policy_versions", by: "policy_id", number: "version", counter: "version" },
  { of: "policies", table: "policy_events", by: "policy_id", counter: "last_event_number" },
  { of: "controls", table: "control_versions", by: "control_id", number: "version", counter: "version" },
  {
    of: "decision_policies",
    table: "decision_policy_versions",
    by: "policy_id",
    number: "version",
    counter: "version",
  },
  {
    of: "custom_attestation_types",
    table: "custom_attestation_type_versions",
    by: "type_id",
    number: "version",
    counter: "last_version",
  },
  { of: "organizations", table: "actions", by: "org_id", counter: "last_action_number", gaps: true },
  {
    of: "organizations",
    table: "notification_events",
    by: "org_id",
    counter: "last_event_number",
    gaps: true,
  },
  { of: "attestations", table: "attachments", by: "attestation_id", number: "position", first: 0 },
];

const OWNERS_AT_ONCE = 2_000;

export async function* numberDifferences(records: Moments): AsyncGenerator<string> {
  for (const numbering of NUMBERINGS) {
    yield* inSteps(records, { start: "" }, async (db, last) => {
      const owners = await numberedOf(db, numbering, last);
      const next = owners.length < OWNERS_AT_ONCE ? undefined : owners.at(-1)?.id;
      return { found: [...differencesOf(owners, numbering)], compared: owners.length, next };
    });
  }
  yield* await atOneMoment(records, latestSnapshotDifferences);
}

interface Numbered {
  id: string;
  counter: number | null;
  rows: number;
  lowest: number | null;
  highest: number | null;
}

function* differencesOf(
  owners: readonly Numbered[],
  { of, table, number = "number", first = 1, counter, gaps }: Numbering,
): Generator<string> {
  for (const { id, counter: counted, rows, lowest, highest } of owners) {
    const last = highest ?? first - 1;
    const isWhole = rows === 0 || (lowest === first && rows === last - first + 1);
    if (!gaps && !isWhole) {
      yield `${of} "${id}": expected one of its ${table} for each ${number} from ${first} to ${last}, found ${rows}`;
    }
    if (counter !== undefined && (gaps ? (counted ?? 0) < last : counted !== last)) {
      yield `${of} "${id}": ${counter} is ${counted}, but the highest ${number} of its ${table} is ${last}`;
    }
  }
}

async function numberedOf(
  db: Database,
  { of, table, by, number = "number", counter }: Numbering,
  last: string,
): Promise<readonly Numbered[]> {
  const counted = counter === undefined ? sql`null` : sql.ref(counter);
  const { rows: owners } = await sql<{ id: string; counter: number | null }>`
    select id, ${counted} as counter from ${sql.table(of)} where id > ${last} order by id
    limit ${sql.lit(OWNERS_AT_ONCE)}`.execute(db);
  const ids = owners.map(({ id }) => id);
  const { rows } = await sql<Numbered>`
    select ${sql.ref(by)} as id, count(*) as rows, min(${sql.ref(number)}) as lowest, max(${sql.ref(number)}) as highest
    from ${sql.table(table)} where ${sql.ref(by)} in ${listed(ids)} group by ${sql.ref(by)}`.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  const none = { rows: 0, lowest: null, highest: null };
  return owners.map((owner) => ({ ...none, ...found.get(owner.id), ...owner }));
}

/** The latest snapshot of an environment has the highest number, and no interval ends after it. */
async function latestSnapshotDifferences(db: Database): Promise<string[]> {
  const found: string[] = [];
  const { rows } = await sql<{ id: string; latest: number | null; highest: number | null; beyond: number }>`
    select environments.id, latest.number as latest, highest.number as highest,
      exists (select 1 from running_intervals where environment_id = environments.id
        and (since > coalesce(highest.number, 0) or until > coalesce(highest.number, 0))) as beyond
    from environments
    left join snapshots as latest on latest.id = environments.latest_snapshot_id
    left join snapshots as highest on highest.environment_id = environments.id
      and highest.number = (select max(number) from snapshots where environment_id = environments.id)
    order by environments.id`.execute(db);
  for (const { id, latest, highest, beyond } of rows) {
    if (latest !== highest) {
      found.push(
        `environments "${id}": latest_snapshot_id has number ${latest}, but the highest number of its snapshots is ${highest}`,
      );
    }
    if (beyond) found.push(`environments "${id}": running_intervals go beyond its last snapshot, ${highest}`);
  }
  return found;
}
