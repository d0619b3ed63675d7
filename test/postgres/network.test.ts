import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { unique } from "../conformance/unique.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { type Answered, pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

let url: string;
let proxy: FaultProxy;
let service: TestService;
beforeAll(async () => {
  url = await newDatabase();
  proxy = await startFaultProxy(Number(new URL(url).port));
  service = await startTestService({}, { database: { url: proxy.through(url), pool: 4 }, preparedBy: url });
  await pipeline(service).flow("web");
  await pipeline(service).trail("web", "t1");
});
afterEach(async () => {
  proxy.heal();
  await healed();
});
afterAll(async () => {
  await service.dispose();
  await proxy.close();
});

const write = (name = unique("check"), headers: Record<string, string> = {}) =>
  send(service, {
    method: "POST",
    path: `/attestations/${ORG}/web/trail/t1/generic`,
    form: { attestation_name: name, is_compliant: true },
    headers,
  });
const read = () => send(service, { path: `/flows/${ORG}` });
const recorded = async (name: string) =>
  (await askPostgres(url, "select 1 from attestations where name = $1", [name])).length;
const watch = async (path: "ready" | "health") => {
  const { statusCode, body } = await request(`${service.address}/${path}`, {
    dispatcher: service.dispatcher,
  });
  return { status: statusCode, text: await body.text() };
};

/** Somebody who tries again as told gets through, within seconds. */
async function healed(): Promise<void> {
  await expect.poll(async () => (await write()).status, { interval: 250 }).toBe(201);
  await expect.poll(async () => (await watch("ready")).status, { interval: 250 }).toBe(200);
}

/** The records cannot be asked just now: nobody's fault, to be tried again, and nothing said of what is inside. */
function expectUnavailable({ status, headers, body, text }: Answered): void {
  expect({ status, text }).toEqual({ status: 503, text: expect.any(String) });
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(body.message).toBe("The records cannot be read or written just now: try again");
  expectNothingInside(text);
}

function expectNothingInside(text: string): void {
  expect(text).not.toMatch(/127\.0\.0\.1|::1|postgres:|evidence@|select |insert |relation|column|\bat \//i);
}

async function expectNotReady(why: RegExp): Promise<void> {
  const watched = () => Promise.all([watch("ready"), watch("health")]);
  await expect
    .poll(watched, { interval: 250 })
    .toEqual(Array(2).fill({ status: 503, text: expect.stringMatching(why) }));
  for (const { text } of await watched()) expectNothingInside(text);
}

it("a database that refuses connections: 503, not ready, and well again by itself", async () => {
  proxy.cut();
  const answers = await Promise.all([...Array.from({ length: 20 }, () => write()), read(), read()]);
  answers.forEach(expectUnavailable);
  await expectNotReady(/cannot be (read|written): the database cannot be reached/);
  expect(JSON.parse((await watch("health")).text).records).toMatchObject({
    readable: false,
    writable: false,
  });
  proxy.heal();
  await healed();
});

it("a network that lets nothing through: everybody is answered, and it is well again by itself", async () => {
  proxy.silence();
  const answers = Promise.all([read(), ...Array.from({ length: 10 }, () => write())]);
  await expectNotReady(/cannot be read: (no answer in time|the database cannot be reached)/);
  (await answers).forEach(expectUnavailable);
});

it("a slow network is slow, and nothing else", async () => {
  proxy.delay(100);
  expect((await write()).status).toBe(201);
  expect((await read()).status).toBe(200);
});

it("connections that break in the middle of answers: 503 or success, and everything confirmed is there", async () => {
  const confirmed: string[] = [];
  for (let round = 0; round < 10; round++) {
    void proxy.breakAnswerAfter(40);
    const names = Array.from({ length: 4 }, () => unique("broken"));
    const answers = await Promise.all(names.map((name) => write(name)));
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 201) confirmed.push(names[index] ?? "");
      else expectUnavailable(answer);
    }
  }
  proxy.heal();
  await healed();
  for (const name of confirmed) expect(await recorded(name)).toBe(1);
});

it("an answer to a commit that is lost: 503, and the repeat with its Idempotency-Key records nothing twice", async () => {
  const name = unique("unknown");
  const key = { "idempotency-key": name };
  const lost = proxy.loseAnswer(name, "COMMIT\0");
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
])("when $fault, writes answer 503 and reads go on", async ({ code }) => {
  await askPostgres(
    url,
    `create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '${code}';
    end $$;
    create trigger refuse before insert on attestations execute function refuse()`,
  );
  try {
    expectUnavailable(await write());
    expect((await read()).status).toBe(200);
  } finally {
    await askPostgres(url, "drop trigger refuse on attestations; drop function refuse");
  }
});

it("a database that may only be read: writes answer 503, reads go on, and it says that it cannot write", async () => {
  const name = new URL(url).pathname.slice(1);
  await askPostgres(url, `alter database ${name} set default_transaction_read_only = on`);
  try {
    proxy.reset();
    await delay(50);
    expectUnavailable(await write());
    await expect.poll(async () => (await read()).status).toBe(200);
    await expectNotReady(/cannot be written: the database takes no changes/);
  } finally {
    const writable = `begin read write; alter database ${name} reset default_transaction_read_only; commit`;
    await askPostgres(url, writable);
  }
});
