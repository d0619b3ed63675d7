import { expect, onTestFinished, test } from "vitest";
import { listedNumbers } from "../../src/service/store/dialect.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { recordsOfTest } from "../records.ts";

test("a list of numbers may be empty", async () => {
  const { database } = await recordsOfTest();
  if (database === undefined) throw new Error("This test is about PostgreSQL");
  const store = await openPostgres(database);
  onTestFinished(() => store.close());
  await store.write((db) =>
    db.insertInto("organizations").values({ id: "a", name: "a", created_at: 7 }).execute(),
  );
  const found = async (operator: "in" | "not in", numbers: readonly number[]) =>
    (
      await store.read
        .selectFrom("organizations")
        .select("id")
        .where("created_at", operator, listedNumbers(numbers))
        .execute()
    ).length;
  expect(await Promise.all([found("in", []), found("not in", []), found("in", [6, 7])])).toEqual([0, 1, 1]);
});
