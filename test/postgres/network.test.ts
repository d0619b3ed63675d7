import { expect, it } from "vitest";
import { unique } from "../conformance/unique.ts";
import { askPostgres } from "../records.ts";
import { expectUnavailable, serviceBehindFaults } from "./service-behind-faults.ts";

const faulty = serviceBehindFaults();
const { write, read, gate, watch, healed, recorded, expectNotReady } = faulty;

it("a database that refuses connections: 503, not ready, and automatic recovery", async () => {
  faulty.proxy.cut();
  const answers = await Promise.all([...Array.from({ length: 20 }, () => write()), read(), read()]);
  answers.forEach(expectUnavailable);
  await expectNotReady(/cannot be (read|written): the database cannot be reached/);
  expect(JSON.parse((await watch("health")).text).records).toMatchObject({
    readable: false,
    writable: false,
  });
  faulty.proxy.heal();
  await healed();
});

it("a slow network only delays responses", async () => {
  faulty.proxy.delay(100);
  expect((await write()).status).toBe(201);
  expect((await read()).status).toBe(200);
});

it("connections that break in the middle of responses: 503 or success, and everything confirmed is stored", async () => {
  const confirmed: string[] = [];
  for (let round = 0; round < 10; round++) {
    void faulty.proxy.breakAnswerAfter(40);
    const names = Array.from({ length: 4 }, () => unique("broken"));
    const answers = await Promise.all(names.map((name) => write(name)));
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 201) confirmed.push(names[index] ?? "");
      else expectUnavailable(answer);
    }
  }
  faulty.proxy.heal();
  await healed();
  for (const name of confirmed) expect(await recorded(name)).toBe(1);
});

it("a lost response to a commit: 503, and the repeat with its Idempotency-Key records nothing twice", async () => {
  const name = unique("unknown");
  const key = { "idempotency-key": name };
  const lost = faulty.proxy.loseAnswer(name, "COMMIT\0");
  const first = await write(name, key);
  await lost;
  expectUnavailable(first);
  expect(await recorded(name)).toBe(1);
  const repeated = await write(name, key);
  expect(repeated.status).toBe(201);
  expect(await recorded(name)).toBe(1);
});

it.each([
  { fault: "no space is left", code: "53100" },
  { fault: "a statement takes too long", code: "57014" },
])("when $fault, writes answer 503 and reads continue", async ({ code }) => {
  await askPostgres(
    faulty.url,
    `create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '${code}';
    end $$;
    create trigger refuse before insert on attestations execute function refuse()`,
  );
  try {
    expectUnavailable(await write());
    expect((await read()).status).toBe(200);
  } finally {
    await askPostgres(faulty.url, "drop trigger refuse on attestations; drop function refuse");
  }
});

it("a read-only database: writes answer 503, reads and gates continue, and the service is ready and says so", async () => {
  const name = new URL(faulty.url).pathname.slice(1);
  await askPostgres(faulty.url, `alter database ${name} set default_transaction_read_only = on`);
  try {
    faulty.proxy.reset();
    expectUnavailable(await write());
    await expect.poll(async () => (await read()).status).toBe(200);
    expect((await gate()).status).toBe(200);
    const why = "The records cannot be written: the database takes no changes";
    await expect.poll(() => watch("ready")).toEqual({ status: 200, text: `OK\n${why}` });
    // The check of a write, which fails only after seconds, takes no longer than balancers wait.
    const startedAt = performance.now();
    for (let ask = 0; ask < 3; ask++) expect((await watch("ready")).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(3 * 2_000);
    expect(await watch("health")).toEqual({ status: 503, text: expect.stringContaining(why) });
  } finally {
    const writable = `begin read write; alter database ${name} reset default_transaction_read_only; commit`;
    await askPostgres(faulty.url, writable);
  }
});
