import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { verify } from "../../src/service/ops/verification/verify.ts";
import { openPlace } from "../../src/service/store/blobs/open-place.ts";
import { copyRecords, type Progress } from "../../src/service/store/copy/copy-records.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { openStore } from "../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import { COMMIT, pipeline } from "../service/requests.ts";
import { ATTESTATIONS, manyRecords, TRAILS } from "./many-records.ts";

let records: Awaited<ReturnType<typeof manyRecords>>;
let folder = "";
let attachments = "";
let store: Store;
/** A connection of the test. */
let client: pg.Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-steps-"));
  attachments = join(folder, "files");
  records = await manyRecords(attachments);
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

/** Opens a database until the end of the test. */
async function open(url: string): Promise<void> {
  store = await openPostgres({ url });
  client = new pg.Client(url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await store.close();
  });
}

async function resultOf<T>(query: string, values: unknown[] = []): Promise<T> {
  const { rows } = await client.query({ text: query, values, rowMode: "array" });
  return rows[0]?.[0];
}

/** Watches the connections of a command. The service and the server's own jobs have other ones. */
function snapshotWatch() {
  const processes = new Set<unknown>();
  let last = 0;
  return {
    async watch(db: Store["read"]): Promise<void> {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      processes.add(rows[0]?.pid);
    },
    /** Fails if a snapshot is older than the last call, and begins a new transaction number. */
    async requireNone(): Promise<void> {
      // A query that is running has a snapshot too, until it ends.
      const oldest = () =>
        resultOf<string | null>(
          "select min(backend_xmin::text::bigint) from pg_stat_activity where pid = any($1)",
          [[...processes]],
        );
      await expect.poll(async () => Number((await oldest()) ?? last)).toBeGreaterThanOrEqual(last);
      last = Number(await resultOf("select pg_current_xact_id()::text"));
    },
  };
}

/** One transaction that changes rows throughout the tables. The description of the flow gives its number. */
async function writeEverywhere(number: number): Promise<void> {
  const trail = `(select id from trails order by id offset ${(number * 97) % TRAILS} limit 1)`;
  await client.query(`begin;
    update flows set description = '${number}' where name = 'web';
    update trails set description = '${number}' where id in (${trail}, (select max(id) from trails), (select min(id) from trails));
    update artifacts set build_url = '${number}' where trail_id = (select id from trails where name = 't0');
    insert into attestations select copy.* from attestations as row
      cross join lateral json_populate_record(row, json_build_object('id', 'attestation-${number}',
        'sequence', nextval(pg_get_serial_sequence('attestations', 'sequence')))) as copy
      where row.sequence = (select min(sequence) from attestations);
    insert into attachments values ('attestation-${number}', 0, 'a.txt', 1, 'text/plain', 'x');
    update latest_attestations set attestation_sequence = (select max(sequence) from attestations)
      where (trail_id, name) = (${trail}, 'build');
    delete from record_origins where record_id = ${trail};
    commit`);
}

it("a backup is the records of one moment, and no snapshot lasts while the growing tables are copied", async () => {
  await open(await records.copy());
  const copy = await openStore(join(folder, "evidence.sqlite"));
  const snapshots = snapshotWatch();
  let [pages, number, isAhead] = [0, 0, true];
  let lastAhead = 0;
  const from: Store = {
    ...store,
    readAhead: ({ ahead, rest }) => {
      if (store.readAhead === undefined) throw new Error("The store cannot read ahead");
      return store.readAhead({
        async ahead(db) {
          await snapshots.watch(db);
          await ahead(db);
          isAhead = false;
          lastAhead = number;
        },
        rest,
      });
    },
  };
  const to: typeof copy = {
    ...copy,
    async write(work, options) {
      if (isAhead) {
        pages++;
        await snapshots.requireNone();
      }
      await writeEverywhere(++number);
      return copy.write(work, options);
    },
  };
  const pagesOfSnapshot: Record<string, number> = {};
  const onProgress = ({ step }: Progress) => {
    if (!isAhead) pagesOfSnapshot[step] = (pagesOfSnapshot[step] ?? 0) + 1;
  };
  await copyRecords(from, to, { onProgress });
  await copy.close();
  const ofGrowing = ["attestations", "artifacts", "attachments", "latest_attestations", "trails"];
  for (const name of ofGrowing) expect(pagesOfSnapshot, name).toMatchObject({ [`copying ${name}`]: 1 });
  expect(pages).toBeGreaterThan(20);
  expect(number).toBeGreaterThan(lastAhead);

  const database = new DatabaseSync(join(folder, "evidence.sqlite"), { readOnly: true });
  const found = (query: string) => Object.values(database.prepare(query).get() ?? {})[0];
  const moment = Number(found("select description from flows where name = 'web'"));
  expect(moment).toBe(lastAhead);
  const trails = database.prepare("select id, description from trails order by id").all();
  expect([trails.at(0)?.["description"], trails.at(-1)?.["description"]]).toEqual([`${moment}`, `${moment}`]);
  const touched = new Map(
    Array.from({ length: moment }, (_, index) => [((index + 1) * 97) % TRAILS, index + 1]),
  );
  expect(trails.slice(1, -1).map(({ description }) => description)).toEqual(
    trails.slice(1, -1).map((_, index) => `${touched.get(index + 1) ?? ""}`),
  );
  expect(
    found("select build_url from artifacts where trail_id = (select id from trails where name = 't0')"),
  ).toBe(`${moment}`);
  expect(found("select count(*) from attestations")).toBe(ATTESTATIONS + moment);
  expect(found("select count(*) from attachments")).toBe(moment);
  expect(found("select max(attestation_sequence) from latest_attestations")).toBe(
    found("select max(sequence) from attestations"),
  );
  expect(found("select count(*) from record_origins")).toBe(TRAILS - touched.size);
  expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  database.close();
}, 60_000);

it("a backup fails if the records are upgraded meanwhile", async () => {
  await open(await records.copy());
  const copy = await openStore(join(folder, "upgraded.sqlite"));
  let isUpgraded = false;
  const to: typeof copy = {
    ...copy,
    async write(work, options) {
      if (!isUpgraded) await client.query("insert into schema_migrations values ('9999-next', 0)");
      isUpgraded = true;
      return copy.write(work, options);
    },
  };
  await expect(copyRecords(store, to, { onProgress: () => {} })).rejects.toThrow(
    "The records were upgraded while they were copied: copy them again",
  );
  await copy.close();
});

/** Verifies while clients write, during every few steps: a comparison of one step has one snapshot. */
async function differences(every: number): Promise<string[]> {
  const service = await records.serve();
  onTestFinished(() => service.dispose());
  const { attest, artifact, report } = pipeline(service);
  const snapshots = snapshotWatch();
  let steps = 0;
  const write = async () => {
    if (++steps % every > 0) return;
    const trail = `later-${steps}`;
    const answered = await Promise.all([
      attest("web", "t0", { attestation_name: `later-${steps}`, is_compliant: steps % 2 === 0 }),
      artifact("web", trail),
      attest("web", trail, {
        attestation_name: "unit",
        git_commit_info: { sha1: COMMIT },
        repo_info: { name: `repo-${steps}`, url: "https://x" },
      }),
      report("prod", [
        {
          podName: "p",
          namespace: "n",
          digests: { [`image-${steps}`]: "b".repeat(64) },
          creationTimestamp: 1,
        },
      ]),
    ]);
    for (const { status, text } of answered) expect(status, text).toBeLessThan(300);
  };
  const place = await openPlace({ folder: attachments }, () => {});
  const found: string[] = [];
  const watched: Pick<Store, "read" | "readTogether"> = {
    read: store.read,
    async readTogether(queries) {
      await snapshots.requireNone();
      const writing = write();
      const result = await store.readTogether(async (db) => {
        await snapshots.watch(db);
        return queries(db);
      });
      await writing;
      return result;
    },
  };
  await verify({ records: watched, place }, { onProgress: () => {}, differs: (line) => found.push(line) });
  await place.close();
  expect(steps).toBeGreaterThan(100);
  return found;
}

it("verify reports no difference while clients write, and no snapshot lasts longer than a step", async () => {
  await open(records.url);
  expect(await differences(3)).toEqual([]);
}, 120_000);

/** The rows on both sides of a step's end. */
const border = (table: string, key: string, end: number) =>
  `(select ${key} from ${table} order by ${key} offset ${end - 1} limit 2)`;

it("verify finds differences at both sides of a step's end, while clients write", async () => {
  await open(records.url);
  await client.query("set session_replication_role = replica");
  for (const statement of [
    `update events set by_id = 'nowhere' where sequence in ${border("events", "sequence", 1_000)}`,
    `update events set by_id = 'nowhere' where sequence in ${border("events", "sequence", 2_000)}`,
    `update attestations set type = 'other' where sequence in ${border("attestations", "sequence", 10_000)}`,
    `update trails set compliance_state = 'INCOMPLETE' where id in ${border("trails", "id", 100)}`,
    `insert into attachments select id, 1, 'a.txt', 1, 'text/plain', 'x' from attestations
      where id in ${border("attestations", "id", 2_000)}`,
    `update snapshots set state = 1, compliant = 1 where number in (1000, 1001)`,
    `delete from audit_log where sequence in ${border("audit_log", "sequence", 1_000)}`,
  ])
    await client.query(statement);
  const found = await differences(5);
  const number = (pattern: RegExp) => found.filter((line) => pattern.test(line)).length;
  expect({
    references: number(/^events \d+: by_id "nowhere" is not in service_accounts$/),
    digests: number(/^events \d+: digest does not match its content$/),
    types: number(
      /^attestations \d+: type is "other", but type of its row in attestation_series is "generic"$/,
    ),
    states: number(/^trail \S+: stored is {"state":"INCOMPLETE"/),
    numbers: number(
      /^attestations ".*": expected one of its attachments for each position from 0 to 1, found 1$/,
    ),
    snapshots: number(/^snapshots of .*, number 100[01]: state is 1, but its running artifacts say false$/),
    audit: number(/^organizations ".*": audit_log has \d+ entries, but \d+ were recorded$/),
  }).toEqual({ references: 4, digests: 4, types: 2, states: 2, numbers: 2, snapshots: 2, audit: 1 });
}, 120_000);
