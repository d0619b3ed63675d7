import type { Selectable } from "kysely";
import type { PolicyEvaluation } from "../../../api/resources/policy-evaluations.ts";
import { digestOfEvent } from "../../events/digest.ts";
import { isRole } from "../../kernel/caller.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { isCompliant } from "../../runtime/snapshots/compliance.ts";
import { auditDigest } from "../../store/audit-chain.ts";
import { atOneMoment, inSteps, type Moments, type Step } from "../../store/consistency/in-steps.ts";
import { triggers } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";

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
export async function* stateDifferences(records: Moments): AsyncGenerator<string> {
  for (const trigger of await atOneMoment(records, triggers))
    yield `the database has a trigger '${trigger}', which the service did not create`;
  yield* typeDifferences(records);
  yield* intervalDifferences(records);
  yield* snapshotDifferences(records);
  yield* await atOneMoment(records, policyDifferences);
  yield* approvalDifferences(records);
  yield* await atOneMoment(records, accountDifferences);
  yield* auditLogDifferences(records);
  yield* eventDifferences(records);
}

/** @param key of a row; the next step begins after the last one */
function stepOf<Row, At>(
  found: readonly string[],
  rows: readonly Row[],
  key: (row: Row) => At,
): Step<string, At> {
  const last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  return { found, compared: rows.length, next: last && key(last) };
}

/** Attestations of a step. Few of them are returned. */
const ATTESTATIONS_AT_ONCE = 10_000;

/** An attestation is filed under its type, and an override, whatever type it overrides, as an override. */
function typeDifferences(records: Moments): AsyncGenerator<string> {
  return inSteps(records, { start: 0 }, async (db, after) => {
    const end = await db
      .selectFrom("attestations")
      .select("sequence")
      .where("sequence", ">", after)
      .orderBy("sequence")
      .offset(ATTESTATIONS_AT_ONCE - 1)
      .limit(1)
      .executeTakeFirst();
    const rows = await db
      .selectFrom("attestations")
      .innerJoin("attestation_series as series", "series.id", "attestations.series_id")
      .select(["attestations.sequence", "attestations.type", "series.type as filed", "attestations.details"])
      .whereRef("attestations.type", "<>", "series.type")
      .where("attestations.sequence", ">", after)
      .where("attestations.sequence", "<=", end?.sequence ?? Number.MAX_SAFE_INTEGER)
      .orderBy("attestations.sequence")
      .execute();
    const found = rows
      .filter(({ type, filed, details }) => filed !== "override" || overriddenType(details) !== type)
      .map(
        ({ sequence, type, filed }) =>
          `attestations ${sequence}: type is "${type}", but type of its row in attestation_series is "${filed}"`,
      );
    return { found, compared: rows.length, next: end?.sequence };
  });
}

/** The decision of each policy determines whether an artifact may run. */
function intervalDifferences(records: Moments): AsyncGenerator<string> {
  return inSteps(records, { start: 0 }, async (db, after) => {
    const rows = await db
      .selectFrom("running_intervals")
      .select(["id", "compliant", "allowed", "decisions"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(ROWS_AT_ONCE)
      .execute();
    const found = rows.flatMap(({ id, compliant, allowed, decisions }) => {
      const decided = listIn<PolicyEvaluation>(decisions);
      // Versions before policies stored no decisions.
      if (decided === undefined || decided.length === 0) return [];
      const expected = isCompliant(decided, allowed === 1);
      if (expected === asBoolean(compliant)) return [];
      return [`running_intervals ${id}: compliant is ${compliant}, but its decisions say ${expected}`];
    });
    return stepOf(found, rows, ({ id }) => id);
  });
}

/** The running artifacts determine whether a snapshot is compliant. */
async function* snapshotDifferences(records: Moments): AsyncGenerator<string> {
  const environments = await atOneMoment(records, (db) =>
    db.selectFrom("environments").select("id").orderBy("id").execute(),
  );
  for (const { id } of environments) {
    // Snapshots, and the changes before them, are not changed any more, so each step continues to count.
    yield* inSteps(records, { start: { after: 0, failing: 0 } }, async (db, { after, failing }) => {
      const rows = await db
        .selectFrom("snapshots")
        .select(["number", "state", "compliant", "policies"])
        .where("environment_id", "=", id)
        .where("number", ">", after)
        .orderBy("number")
        .limit(ROWS_AT_ONCE)
        .execute();
      const changes = await failingBetween(db, {
        environmentId: id,
        after,
        to: rows.at(-1)?.number ?? after,
      });
      const found: string[] = [];
      let [count, passed] = [failing, 0];
      for (const { number, state, compliant, policies } of rows) {
        for (; (changes[passed]?.number ?? Number.POSITIVE_INFINITY) <= number; passed++) {
          count += changes[passed]?.by ?? 0;
        }
        const expected = policies === "[]" ? null : count === 0;
        const name = `snapshots of environment "${id}", number ${number}`;
        if (asBoolean(state) !== expected) {
          found.push(`${name}: state is ${state}, but its running artifacts say ${expected}`);
        } else if (compliant !== Number(expected === true)) {
          found.push(`${name}: compliant is ${compliant}, but its state is ${state}`);
        }
      }
      return stepOf(found, rows, ({ number }) => ({ after: number, failing: count }));
    });
  }
}

/** The change in the number of non-compliant artifacts at each snapshot of some, in order. */
async function failingBetween(
  db: Database,
  { environmentId, after, to }: { environmentId: string; after: number; to: number },
): Promise<{ number: number; by: number }[]> {
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
      .where(column, ">", after)
      .where(column, "<=", to)
      .groupBy(column)
      .execute();
    for (const { number, rows: count } of rows) {
      if (number !== null) changes.push({ number, by: by * Number(count) });
    }
  }
  return changes.sort((a, b) => a.number - b.number);
}

/** The latest snapshot was evaluated with the attached policies. */
async function policyDifferences(db: Database): Promise<string[]> {
  const found: string[] = [];
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
      found.push(
        `environments "${id}": its policies are ${JSON.stringify(now)}, but its latest snapshot was evaluated with ${JSON.stringify(evaluatedWith)}`,
      );
    }
  }
  return found;
}

/** The last review of an approval decides. */
function approvalDifferences(records: Moments): AsyncGenerator<string> {
  return inSteps(records, { start: "" }, async (db, after) => {
    const rows = await db
      .selectFrom("approvals")
      .select(["id", "state", "reviews"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(ROWS_AT_ONCE)
      .execute();
    const found = rows.flatMap(({ id, state, reviews }) => {
      const given = listIn<{ state: string }>(reviews);
      const expected = given?.at(-1)?.state ?? "PENDING";
      return given === undefined || state === expected
        ? []
        : [`approvals "${id}": state is ${state}, but its reviews say ${expected}`];
    });
    return stepOf(found, rows, ({ id }) => id);
  });
}

async function accountDifferences(db: Database): Promise<string[]> {
  const accounts = await db.selectFrom("service_accounts").select(["id", "role"]).orderBy("id").execute();
  const unknown = accounts
    .filter(({ role }) => !isRole(role))
    .map(({ id, role }) => `service_accounts "${id}": role is '${role}', which does not exist`);
  const revived = await db
    .selectFrom("api_keys")
    .innerJoin("audit_log", "audit_log.resource_id", "api_keys.id")
    .select("api_keys.id")
    .distinct()
    .where("audit_log.act", "=", "api_key.revoked")
    .where("api_keys.revoked_at", "is", null)
    .orderBy("api_keys.id")
    .execute();
  const said = "revoked_at is null, but the audit log says that it was revoked";
  return [...unknown, ...revived.map(({ id }) => `api_keys "${id}": ${said}`)];
}

/** No entry of an audit log was removed or changed. */
async function* auditLogDifferences(records: Moments): AsyncGenerator<string> {
  const organizations = await atOneMoment(records, (db) =>
    db.selectFrom("organizations").select("id").orderBy("id").execute(),
  );
  for (const { id } of organizations) {
    yield* inSteps(records, { start: { after: 0, count: 0, digest: "" } }, async (db, before) => {
      const rows = await db
        .selectFrom("audit_log")
        .selectAll()
        .where("org_id", "=", id)
        .where("sequence", ">", before.after)
        .orderBy("sequence")
        .limit(ROWS_AT_ONCE)
        .execute();
      const digest = rows.reduce((chain, row) => auditDigest(chain, row), before.digest);
      const count = before.count + rows.length;
      const step = stepOf([], rows, ({ sequence }) => ({ after: sequence, count, digest }));
      if (step.next !== undefined) return step;
      // The last step has read all entries of its snapshot: those of an organization are committed in their order.
      const recorded = await db
        .selectFrom("organizations")
        .select(["audit_entries", "audit_digest"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return { ...step, found: entryDifferences(id, recorded, { count, digest }) };
    });
  }
}

function entryDifferences(
  id: string,
  {
    audit_entries: entries,
    audit_digest: stored,
  }: Pick<Selectable<Tables["organizations"]>, "audit_entries" | "audit_digest">,
  { count, digest }: { count: number; digest: string },
): string[] {
  if (count !== entries)
    return [`organizations "${id}": audit_log has ${count} entries, but ${entries} were recorded`];
  return digest === stored ? [] : [`organizations "${id}": an entry of audit_log was changed`];
}

function asBoolean(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}

/** No event was changed. */
function eventDifferences(records: Moments): AsyncGenerator<string> {
  return inSteps(records, { start: 0 }, async (db, after) => {
    const rows = await db
      .selectFrom("events")
      .selectAll()
      .where("sequence", ">", after)
      .orderBy("sequence")
      .limit(ROWS_AT_ONCE)
      .execute();
    const found = rows
      .filter(({ digest, sequence, ...event }) => digestOfEvent(event) !== digest)
      .map(({ sequence }) => `events ${sequence}: digest does not match its content`);
    return stepOf(found, rows, ({ sequence }) => sequence);
  });
}
