import { eventRow } from "../../src/service/events/digest.ts";
import { repairSearch } from "../../src/service/evidence/search/index/differences.ts";
import { appendEntry } from "../../src/service/store/audit-chain.ts";
import { insertRows } from "../../src/service/store/dialect.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { pipeline } from "../service/requests.ts";
import { startTestService } from "../service/running-service.ts";
import { PREPARED } from "./prepared.ts";

/** More than one step of every comparison, and several pages of a copy. */
export const TRAILS = 2_100;
const NAMES = ["build", "lint", "scan", "sign", "unit"];
/** The attestations of all trails: more than 10,000. */
export const ATTESTATIONS = TRAILS * NAMES.length;

/**
 * Creates a database with many records in which `verify` finds no difference: copies of one trail and of one snapshot.
 */
export async function manyRecords(attachments: string) {
  const original = await newDatabase(`template ${PREPARED}`);
  const attachmentsAt = { folder: attachments };
  const first = await startTestService({}, { database: { url: original }, attachmentsAt });
  const { artifact, attest, environment, report } = pipeline(first);
  const made = [await artifact("web", "t0"), await environment("prod"), await report("prod", [])];
  for (const name of NAMES) made.push(await attest("web", "t0", { attestation_name: name }));
  if (made.some(({ status }) => status >= 300)) throw new Error(JSON.stringify(made));
  await first.dispose();
  for (const statement of COPIES) await askPostgres(original, statement);
  await writeChains(original);
  const store = await openPostgres({ url: original });
  await repairSearch(store);
  await store.close();
  await askPostgres(original, "vacuum analyze");
  return {
    url: original,
    /** Creates a copy, while nothing is connected to the original. */
    copy: () => newDatabase(`template ${new URL(original).pathname.slice(1)}`),
    /** Starts a service on the original. */
    serve: () => startTestService({}, { database: { url: original }, keys: first.keys, attachmentsAt }),
  };
}

/** A copy of each row for each trail, with other values for some columns. */
function copiesOf(table: string, values: Record<string, string>): string {
  const fields = Object.entries(values).map(([column, value]) => `'${column}', ${value}`);
  return `insert into ${table}
    select copy.* from ${table} as row cross join generate_series(1, ${TRAILS - 1}) as i
    cross join lateral json_populate_record(row, json_build_object(${fields.join()})) as copy`;
}

const another = (id: string) => `${id} || '-' || i`;
const next = (table: string) => `nextval(pg_get_serial_sequence('${table}', 'sequence'))`;

const COPIES = [
  copiesOf("trails", { id: another("row.id"), name: another("row.name") }),
  copiesOf("artifacts", {
    id: another("row.id"),
    sequence: next("artifacts"),
    trail_id: another("row.trail_id"),
  }),
  copiesOf("attestations", {
    id: another("row.id"),
    sequence: next("attestations"),
    trail_id: another("row.trail_id"),
  }),
  `insert into latest_attestations
    select copy.trail_id, row.fingerprint, row.artifact_name, row.commit_sha, row.name, row.type, row.control, copy.sequence
    from latest_attestations as row join attestations on attestations.sequence = row.attestation_sequence
    join attestations as copy on copy.name = attestations.name and copy.sequence <> attestations.sequence`,
  `insert into origins (id, org_id, policy, issuer, name, claims, created_at)
    select 'origin', org_id, '', '', '', '{}', created_at from trails limit 1`,
  `insert into record_origins (record_kind, record_id, origin_id, state, differences)
    select 'trail', id, 'origin', 'verified', '[]' from trails`,
  // The first artifact fails in the snapshots 500 to 1,499, and each snapshot but the last was judged by a policy.
  copiesOf("snapshots", {
    id: another("row.id"),
    number: "i + 1",
    policies: `case when i = ${TRAILS - 1} then '[]' else '[{"id":"policy"}]' end`,
    state: `case when i < ${TRAILS - 1} then (i + 1 not between 500 and 1499)::int end`,
    compliant: `(i < ${TRAILS - 1} and i + 1 not between 500 and 1499)::int`,
  }),
  `insert into running_intervals (environment_id, name, fingerprint, since, until, instances_before, is_deployment, instance_count, ended,
      compliant, allowed, origins, instances, decisions, flows)
    select id, 'web', '', 500, 1500, 0, 0, 1, 1, 0, 0, '[]', '[]', '[]', '[]' from environments`,
  `update environments set latest_snapshot_id = (select id from snapshots order by number desc limit 1)`,
];

/** Events and entries of the audit log have digests. */
async function writeChains(url: string): Promise<void> {
  const store = await openPostgres({ url });
  await store.write(async (db) => {
    const { org_id, id: trailId } = await db
      .selectFrom("trails")
      .select(["org_id", "id"])
      .where("name", "=", "t0")
      .executeTakeFirstOrThrow();
    const event = { org_id, type: "trail.updated", at: 1_800_000_000, by: "ci", by_id: null };
    const subject = { subject_id: trailId, subject_name: "t0", trail_id: trailId };
    const rows = Array.from({ length: TRAILS }, (_, number) =>
      eventRow({ ...event, ...subject }, { number }),
    );
    await insertRows(db, "events", rows);
    const entry = { org_id, created_at: 1_800_000_000, act: "flow.changed", account: "ci", api_key_id: null };
    const resource = { resource_type: "flow", resource_name: "web", resource_id: null };
    const more = { ...resource, address: null, request_id: null, details: "{}", changes: "[]" };
    for (let number = 0; number < 1_500; number++)
      await appendEntry(db, { ...entry, ...more, id: `entry-${number}` });
  });
  await store.close();
}
