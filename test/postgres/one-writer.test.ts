import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verify } from "../../src/service/ops/verification/verify.ts";
import { openOwnFolder } from "../../src/service/store/blobs/open-place.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import { LOCK_ALL } from "../../src/service/store/postgres/write-queue.ts";
import { askPostgres, newDatabase } from "../records.ts";
import type { Answered } from "../service/requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../service/running-service.ts";
import { ask, type CrowdedRequest, recordsOf, rounds, TEMPLATE, template } from "./crowded-trails.ts";

let url: string;
let instances: readonly [TestService, TestService];
let sqlite: TestService;
beforeAll(async () => {
  url = await newDatabase();
  const first = await startTestService({}, { database: { url } });
  const attachmentsAt = { folder: join(first.dataFolder, "files") };
  instances = [first, await startTestService({}, { database: { url }, keys: first.keys, attachmentsAt })];
  sqlite = await startTestService();
  const json = {
    name: "all",
    targets: [{ type: "WEBHOOK", webhook: "http://127.0.0.1:65535/" }],
    triggers: ["ON_ATTESTATION"],
  };
  for (const org of [ORG, OTHER_ORG]) {
    const message = { method: "PUT", path: `/actions/${org}/flows`, json };
    expect(await ask(first, org, message)).toMatchObject({ status: 201 });
  }
});
afterAll(() => Promise.all([...instances, sqlite].map((service) => service.dispose())));

/** Sends all while another transaction has the lock, so that they wait together. */
async function sendTogether(requests: readonly CrowdedRequest[]) {
  const lock = new pg.Client(url);
  await lock.connect();
  await lock.query(`begin; ${LOCK_ALL}`);
  const answers = requests.map(async ({ message, ...request }) => {
    const headers = { "idempotency-key": request.key };
    const answer = await ask(instances[request.instance === 0 ? 0 : 1], request.org, { ...message, headers });
    return { ...request, message, answer, shown: `${request.description} ${shown(answer)}` };
  });
  await delay(60);
  await lock.end();
  return Promise.all(answers);
}

const shown = ({ status, headers }: Answered) =>
  [status, ...["x-compliant", "x-template-match", "x-flow-created"].map((name) => headers[name])].join(" ");
const isRecorded = ({ status, headers }: Answered) => status < 300 && !headers["idempotent-replayed"];

/** Selects the description of each recorded request, in order. */
const RECORDED = `select coalesce(a.details, r.details, e.data)::json ->> 'description' as description from events e
  left join attestations a on a.id = e.subject_id left join artifacts r on r.id = e.subject_id
  where e.type in ('attestation.recorded', 'attestation.overridden', 'artifact.reported', 'trail.begun', 'trail.updated')
  order by e.sequence`;

let run = 0;
it("requests at the same time leave the records of one writer, and get its answers", async () => {
  const property = fc.asyncProperty(rounds, async (generated) => {
    run++;
    const flow = { form: { name: `known-${run}`, description: "" }, files: template(TEMPLATE) };
    for (const org of [ORG, OTHER_ORG]) {
      const message = { method: "PUT", path: `/flows/${org}/template_file`, ...flow };
      for (const service of [instances[0], sqlite]) await ask(service, org, message);
    }
    const answers: Awaited<ReturnType<typeof sendTogether>> = [];
    for (const round of JSON.parse(JSON.stringify(generated).replaceAll("RUN", `${run}`)))
      answers.push(...(await sendTogether(round)));

    // Sent in the order of their records, one writer records each of them.
    const byContent = new Map(answers.map((each) => [each.description, each]));
    const expected: string[] = [];
    for (const { description } of await askPostgres(url, RECORDED)) {
      const sent = byContent.get(String(description));
      if (sent === undefined) continue;
      const answer = await ask(sqlite, sent.org, sent.message);
      expect([description, isRecorded(answer)]).toEqual([description, true]);
      expected.push(`${description} ${shown(answer)}`);
    }
    const recorded = answers.filter(({ answer }) => isRecorded(answer)).map((each) => each.shown);
    expect(recorded.sort()).toEqual(expected.sort());
    expect(await recordsOf(instances[1], run)).toEqual(await recordsOf(sqlite, run));

    // The other requests were repeats, or used a key of another one, or needed a trail or flow that began later.
    const done = answers.filter(({ answer }) => answer.status < 300);
    for (const each of answers.filter(({ answer }) => !isRecorded(answer))) {
      const { status } = each.answer;
      const isEarly = status === 404 && (each.kind === "override" || each.kind === "update");
      const isReused =
        status === 422 &&
        done.some(({ key, description }) => key === each.key && description !== each.description);
      expect([each.shown, isEarly || isReused || recorded.includes(each.shown)]).toEqual([each.shown, true]);
    }
    for (const [key, same] of Map.groupBy(done, (each) => each.key)) {
      if (key !== "") expect(new Set(same.map(({ description }) => description)).size, key).toBe(1);
    }
  });
  const { failed, seed, errorInstance } = await fc.check(property, { numRuns: 6, endOnFailure: true });
  if (failed) throw new Error(`Seed ${seed}`, { cause: errorInstance });

  const store = await openPostgres({ url });
  const place = await openOwnFolder(instances[0].dataFolder, false);
  const found: string[] = [];
  await verify({ records: store, place }, { onProgress() {}, differs: (line) => found.push(line) });
  await Promise.all([store.close(), place.close()]);
  expect(found).toEqual([]);
  const numbers = "select count(*) = max(number) as whole from notification_events group by org_id";
  expect(await askPostgres(url, numbers)).toEqual([{ whole: true }, { whole: true }]);
});
