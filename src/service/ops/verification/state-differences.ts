import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import { digestOfEvent } from "../../events/digest.ts";
import { isRole } from "../../kernel/caller.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { letOthersIn } from "../../kernel/slices.ts";
import { isCompliant } from "../../runtime/snapshots/compliance.ts";
import { auditDigest } from "../../store/audit-chain.ts";
import { triggers } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

const ROWS_AT_ONCE = 1_000;

/** Parses a list in a JSON column. Undefined for anything else, which is reported elsewhere. */
function listIn<T>(json: string): T[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The type of an override in its details. Undefined for unreadable details, which are reported elsewhere. */
function overriddenType(details: string): unknown {
  try {
    return fieldsOf(details)["original_attestation_type"];
  } catch {
    return undefined;
  }
}

/** Compares stored states with the records they follow from, and the audit log and events with their digests. */
export async function* stateDifferences(db: Database): AsyncGenerator<string> {
  for (const trigger of await triggers(db))
    yield `the database has a trigger '${trigger}', which the service did not create`;
  yield* typeDifferences(db);
  yield* intervalDifferences(db);
  yield* snapshotDifferences(db);
  yield* policyDifferences(db);
  yield* approvalDifferences(db);
  yield* accountDifferences(db);
  yield* auditLogDifferences(db);
  yield* eventDifferences(db);
}

/** An attestation is filed under its type, and an override, whatever type it overrides, as an override. */
async function* typeDifferences(db: Database): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom("attestations")
      .innerJoin("attestation_series as series", "series.id", "attestations.series_id")
      .select(["attestations.sequence", "attestations.type", "series.type as filed", "attestations.details"])
      .whereRef("attestations.type", "<>", "series.type")
      .where("attestations.sequence", ">", last)
      .orderBy("attestations.sequence")
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { sequence, type, filed, details } of rows) {
      if (filed === "override" && overriddenType(details) === type) continue;
      yield `attestations ${sequence}: type is "${type}", but type of its row in attestation_series is "${filed}"`;
    }
    last = rows.at(-1)?.sequence ?? last;
    if (rows.length < ROWS_AT_ONCE) return;
    await letOthersIn();
  }
}

/** The decision of each policy determines whether an artifact may run. */
async function* intervalDifferences(db: Database): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom("running_intervals")
      .select(["id", "compliant", "allowed", "decisions"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { id, compliant, allowed, decisions } of rows) {
      const decided = listIn<PolicyEvaluation>(decisions);
      // Versions before policies stored no decisions.
      if (decided === undefined || decided.length === 0) continue;
      const found = isCompliant(decided, allowed === 1);
      if (found !== asBoolean(compliant)) {
        yield `running_intervals ${id}: compliant is ${compliant}, but its decisions say ${found}`;
      }
    }
    last = rows.at(-1)?.id ?? last;
    if (rows.length < ROWS_AT_ONCE) return;
    await letOthersIn();
  }
}

/** The running artifacts determine whether a snapshot is compliant. */
async function* snapshotDifferences(db: Database): AsyncGenerator<string> {
  const environments = await db.selectFrom("environments").select("id").orderBy("id").execute();
  for (const { id } of environments) {
    const failing = await failingFrom(db, id);
    let [count, passed] = [0, 0];
    for (let last = 0; ; ) {
      const rows = await db
        .selectFrom("snapshots")
        .select(["number", "state", "compliant", "policies"])
        .where("environment_id", "=", id)
        .where("number", ">", last)
        .orderBy("number")
        .limit(ROWS_AT_ONCE)
        .execute();
      for (const { number, state, compliant, policies } of rows) {
        for (; (failing[passed]?.number ?? Number.POSITIVE_INFINITY) <= number; passed++) {
          count += failing[passed]?.by ?? 0;
        }
        const found = policies === "[]" ? null : count === 0;
        if (asBoolean(state) !== found) {
          yield `snapshots of environment "${id}", number ${number}: state is ${state}, but its running artifacts say ${found}`;
        } else if (compliant !== Number(found === true)) {
          yield `snapshots of environment "${id}", number ${number}: compliant is ${compliant}, but its state is ${state}`;
        }
      }
      last = rows.at(-1)?.number ?? last;
      if (rows.length < ROWS_AT_ONCE) break;
      await letOthersIn();
    }
  }
}

/** The change in the number of non-compliant artifacts at each snapshot, in order. */
async function failingFrom(db: Database, environmentId: string): Promise<{ number: number; by: number }[]> {
  const changes: { number: number; by: number }[] = [];
  for (const [column, by] of [
    ["since", 1],
    ["until", -1],
  ] as const) {
    const rows = await db
      .selectFrom("running_intervals")
      .select([`${column} as number`, ({ fn }) => fn.countAll<number>().as("rows")])
      .where("environment_id", "=", environmentId)
      .where(({ or, eb }) => or([eb("compliant", "is", null), eb("compliant", "=", 0)]))
      .where(column, "is not", null)
      .groupBy(column)
      .execute();
    for (const { number, rows: count } of rows) {
      if (number !== null) changes.push({ number, by: by * Number(count) });
    }
  }
  return changes.sort((a, b) => a.number - b.number);
}

/** The latest snapshot was evaluated with the attached policies. */
async function* policyDifferences(db: Database): AsyncGenerator<string> {
  const rows = await db
    .selectFrom("environments")
    .innerJoin("snapshots", "snapshots.id", "environments.latest_snapshot_id")
    .select(["environments.id", "snapshots.policies"])
    .orderBy("environments.id")
    .execute();
  for (const { id, policies } of rows) {
    const attached = await db
      .selectFrom("environment_policies")
      .select("policy_id")
      .where("environment_id", "=", id)
      .execute();
    const evaluatedWith = listIn<{ id: string }>(policies)?.map((policy) => policy.id);
    if (evaluatedWith === undefined) continue;
    const now = attached.map(({ policy_id }) => policy_id);
    if (evaluatedWith.sort().join() !== now.sort().join()) {
      yield `environments "${id}": its policies are ${JSON.stringify(now)}, but its latest snapshot was evaluated with ${JSON.stringify(evaluatedWith)}`;
    }
  }
}

/** The last review of an approval decides. */
async function* approvalDifferences(db: Database): AsyncGenerator<string> {
  for (let last = ""; ; ) {
    const rows = await db
      .selectFrom("approvals")
      .select(["id", "state", "reviews"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { id, state, reviews } of rows) {
      const given = listIn<{ state: string }>(reviews);
      const found = given?.at(-1)?.state ?? "PENDING";
      if (given !== undefined && state !== found)
        yield `approvals "${id}": state is ${state}, but its reviews say ${found}`;
    }
    last = rows.at(-1)?.id ?? last;
    if (rows.length < ROWS_AT_ONCE) return;
    await letOthersIn();
  }
}

async function* accountDifferences(db: Database): AsyncGenerator<string> {
  const accounts = await db.selectFrom("service_accounts").select(["id", "role"]).orderBy("id").execute();
  for (const { id, role } of accounts) {
    if (!isRole(role)) yield `service_accounts "${id}": role is '${role}', which does not exist`;
  }
  const revived = await db
    .selectFrom("api_keys")
    .innerJoin("audit_log", "audit_log.resource_id", "api_keys.id")
    .select("api_keys.id")
    .distinct()
    .where("audit_log.act", "=", "api_key.revoked")
    .where("api_keys.revoked_at", "is", null)
    .orderBy("api_keys.id")
    .execute();
  for (const { id } of revived)
    yield `api_keys "${id}": revoked_at is null, but the audit log says that it was revoked`;
}

/** No entry of an audit log was removed or changed. */
async function* auditLogDifferences(db: Database): AsyncGenerator<string> {
  const organizations = await db
    .selectFrom("organizations")
    .select(["id", "audit_entries", "audit_digest"])
    .orderBy("id")
    .execute();
  for (const { id, audit_entries: entries, audit_digest: stored } of organizations) {
    let [count, digest] = [0, ""];
    for (let last = 0; ; ) {
      const rows = await db
        .selectFrom("audit_log")
        .selectAll()
        .where("org_id", "=", id)
        .where("sequence", ">", last)
        .orderBy("sequence")
        .limit(ROWS_AT_ONCE)
        .execute();
      for (const row of rows) digest = auditDigest(digest, row);
      count += rows.length;
      last = rows.at(-1)?.sequence ?? last;
      if (rows.length < ROWS_AT_ONCE) break;
      await letOthersIn();
    }
    if (count !== entries) {
      yield `organizations "${id}": audit_log has ${count} entries, but ${entries} were recorded`;
    } else if (digest !== stored) {
      yield `organizations "${id}": an entry of audit_log was changed`;
    }
  }
}

function asBoolean(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}

/** No event was changed. */
async function* eventDifferences(db: Database): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom("events")
      .selectAll()
      .where("sequence", ">", last)
      .orderBy("sequence")
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { sequence, digest, ...event } of rows) {
      if (digestOfEvent(event) !== digest) yield `events ${sequence}: digest does not match its content`;
    }
    last = rows.at(-1)?.sequence ?? last;
    if (rows.length < ROWS_AT_ONCE) return;
    await letOthersIn();
  }
}
