import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseFile } from "../../../src/service/store/data-folder.ts";
import { migrations } from "../../../src/service/store/migrations.ts";
import { openPostgres } from "../../../src/service/store/postgres/open-store.ts";
import { openSqlite } from "../../../src/service/store/sqlite/sqlite.ts";
import type { Database } from "../../../src/service/store/tables.ts";
import { recordsOfTest } from "../../records.ts";
import { attestations } from "../attestation-requests.ts";
import { pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

const { database } = await recordsOfTest();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, database && { database });
});
afterAll(() => service.dispose());

/** Works on the records beside the service. */
async function inRecords(work: (db: Database) => Promise<void>): Promise<void> {
  if (database !== undefined) {
    const store = await openPostgres(database);
    await store.write(work);
    return store.close();
  }
  const sqlite = openSqlite(databaseFile(service.dataFolder), { lockTimeout: 1_000 });
  await work(sqlite.queries);
  sqlite.database.close();
}

const listed = async (type: string) =>
  (await send(service, { path: `/attestations/${ORG}?type=${type}` })).body.data.map(
    ({ attestation_name }: { attestation_name: string }) => attestation_name,
  );

it("overrides of an earlier version are found by their type", async () => {
  await pipeline(service).flow("web");
  await pipeline(service).attest("web", "t1", { attestation_name: "first", is_compliant: false });
  const nested = { user_data: { original_attestation_type: "generic" } };
  await pipeline(service).attest("web", "t1", { attestation_name: "second", ...nested });
  for (const attestation_name of ["first", "second"]) {
    expect((await attestations(service).override("web", { attestation_name })).status).toBe(200);
  }
  const expected = { override: ["second", "first"], generic: ["second", "first"] };
  await inRecords(async (db) => {
    // An earlier version found an override by the type that it overrides.
    const second = (type: string) =>
      db.selectFrom("attestation_series").select("id").where("name", "=", "second").where("type", "=", type);
    await db
      .updateTable("attestations")
      .set({ series_id: second("generic") })
      .where("series_id", "=", second("override"))
      .execute();
    await db.deleteFrom("attestation_series").where("id", "=", second("override")).execute();
    await db
      .updateTable("attestation_series")
      .set({ type: "generic" })
      .where("type", "=", "override")
      .execute();
  });
  expect(await listed("override")).toEqual([]);
  await inRecords(async (db) => migrations["0033-override-series"]?.up(db));
  expect(await listed("override")).toEqual(expected.override);
  expect(await listed("generic")).toEqual(expected.generic);
  await attestations(service).override("web", { attestation_name: "first", reason: "again" });
  expect(await listed("override")).toEqual(["first", ...expected.override]);
});
