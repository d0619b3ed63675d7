import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization, listOrganizations } from "../../src/service/people/accounts/organizations.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import { isUnavailable } from "../../src/service/store/unavailable.ts";
import { unique } from "../conformance/unique.ts";
import { askPostgres, newDatabase } from "../records.ts";

let url: string;
let store: Store;
beforeAll(async () => {
  url = await newDatabase();
  store = await openPostgres({ url });
});
afterAll(() => store.close());

const add = (name: string) => store.write((db) => createOrganization(db, name, 1));
const names = async () => (await listOrganizations(store.read)).map(({ name }) => name);
const countOf = async (name: string) => (await names()).filter((each) => each === name).length;

interface Refusal {
  code: string;
  times: number;
  at: "statement" | "commit";
  /** The names that are refused, as a SQL pattern. */
  only?: string;
}

/**
 * Refuses the next organizations with a code, this many times. A sequence keeps its count when the transaction is
 * rolled back.
 */
async function refuse({ code, times, at, only = "%" }: Refusal) {
  const name = unique("refuse").replace("-", "_");
  await askPostgres(
    url,
    `create sequence ${name};
    create function ${name}() returns trigger language plpgsql as $$ begin
      if new.name like '${only}' and nextval('${name}') <= ${times} then
        raise exception 'refused by the test' using errcode = '${code}';
      end if;
      return null;
    end $$;
    create constraint trigger ${name} after insert on organizations
      deferrable initially ${at === "commit" ? "deferred" : "immediate"}
      for each row execute function ${name}()`,
  );
  return {
    attempts: async () => {
      const [row] = await askPostgres(url, `select last_value::integer as attempts from ${name}`);
      return row?.["attempts"];
    },
    async [Symbol.asyncDispose]() {
      await askPostgres(
        url,
        `drop trigger ${name} on organizations; drop function ${name}; drop sequence ${name}`,
      );
    },
  };
}

// 40001: another transaction came first; 40P01: a deadlock; 25006: this server is a standby by now;
// 57P01: it is shut down; 08006: the connection broke.
it.each(
  ["40001", "40P01", "25006", "57P01", "08006"].flatMap((code) =>
    (["statement", "commit"] as const).map((at) => ({ code, at })),
  ),
)("a write that fails three times with $code at the $at is stored once", async ({ code, at }) => {
  // A commit on a broken connection may have succeeded: only a repeat shows it.
  const isUnknown = at === "commit" && !code.startsWith("40");
  await using refused = await refuse({ code, times: 3, at });
  const name = unique("retried");
  if (isUnknown) {
    const failure = await add(name).catch((error: unknown) => error);
    expect(isUnavailable(failure)).toBe(true);
    expect(await refused.attempts()).toBe(1);
    return;
  }
  await add(name);
  expect(await refused.attempts()).toBe(4);
  expect(await countOf(name)).toBe(1);
});

it("writes of a restarted batch are each stored once", async () => {
  await using _ = await refuse({ code: "40001", times: 2, at: "commit" });
  const batch = Array.from({ length: 10 }, () => unique("batch"));
  await Promise.all(batch.map(add));
  expect((await names()).filter((name) => batch.includes(name)).sort()).toEqual([...batch].sort());
});

it("a second record of a unique name undoes only itself", async () => {
  const [first, second] = [unique("one"), unique("one")];
  const written = await Promise.allSettled([add(first), add(first), add(second)]);
  expect(written.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const [, refused] = written;
  expect(refused?.status === "rejected" && isUnavailable(refused.reason)).toBe(false);
  expect([await countOf(first), await countOf(second)]).toEqual([1, 1]);
});

// 57014: a statement took too long; 53100: no space; 53200: no memory.
it.each(["57014", "53100", "53200"])(
  "a write refused with %s undoes only itself, and says so",
  async (code) => {
    const [first, second] = [unique("full"), unique("other")];
    await using _ = await refuse({ code, times: 10, at: "statement", only: "full-%" });
    const [refused, stored] = await Promise.allSettled([add(first), add(second)]);
    expect(refused.status === "rejected" && isUnavailable(refused.reason)).toBe(true);
    expect(stored.status).toBe("fulfilled");
    expect([await countOf(first), await countOf(second)]).toEqual([0, 1]);
  },
);

it("a writer that stops in the middle of a transaction delays the others, is rolled back and runs again", async () => {
  const other = await openPostgres({ url });
  const [stuck, waiting] = [unique("stuck"), unique("waiting")];
  const resumed = Promise.withResolvers<void>();
  const isStuck = Promise.withResolvers<void>();
  const written = other.write(async (db) => {
    await listOrganizations(db);
    isStuck.resolve();
    await resumed.promise;
    await createOrganization(db, stuck, 1);
  });
  await isStuck.promise;
  // The server ends the idle transaction before the others stop waiting for its lock.
  await add(waiting);
  resumed.resolve();
  await written;
  await other.close();
  expect([await countOf(stuck), await countOf(waiting)]).toEqual([1, 1]);
});

it("connections that the server ends under load lose nothing and write nothing twice", async () => {
  const confirmed: string[] = [];
  const refused: unknown[] = [];
  let isOver = false;
  const writers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const name = unique("ended");
      await add(name).then(
        () => confirmed.push(name),
        (error: unknown) => refused.push(error),
      );
    }
  });
  for (let round = 0; round < 15; round++) {
    const before = confirmed.length;
    await expect.poll(() => confirmed.length, { interval: 5 }).toBeGreaterThan(before + 20);
    await askPostgres(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  }
  isOver = true;
  await Promise.all(writers);
  const stored = await names();
  expect(new Set(stored).size).toBe(stored.length);
  expect(confirmed.filter((name) => !stored.includes(name))).toEqual([]);
  // A refused write may be stored, if the response to the commit was lost; it is never an internal error.
  expect(refused.filter((error) => !isUnavailable(error))).toEqual([]);
});

// 23514: a row breaks a rule that is checked when the transaction ends; P0001: a trigger of the database's owner.
it.each(["23514", "P0001"])(
  "a write refused with %s at the commit fails alone: neither its batch nor the queued ones do",
  async (code) => {
    await using _ = await refuse({ code, times: 1_000, at: "commit", only: "culprit-%" });
    // More than fits into one batch.
    const others = Array.from({ length: 60 }, () => unique("innocent"));
    const culprits = [unique("culprit"), unique("culprit")];
    const written = others.toSpliced(10, 0, ...culprits).map(async (name) => {
      await add(name);
      return name;
    });
    const ended = await Promise.allSettled(written);
    expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(culprits.length);
    for (const end of ended) if (end.status === "rejected") expect(isUnavailable(end.reason)).toBe(false);
    const stored = await names();
    expect(stored.filter((name) => others.includes(name)).sort()).toEqual(others.toSorted());
    expect(stored.filter((name) => culprits.includes(name))).toEqual([]);
  },
);
