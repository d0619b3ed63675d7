import { request } from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unique } from "../conformance/unique.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";

let url: string;
let service: TestService;
beforeAll(async () => {
  url = await newDatabase();
  service = await startTestService({}, { database: { url } });
  await pipeline(service).flow("web");
  await pipeline(service).trail("web", "t1");
  await askPostgres(
    url,
    `create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file "base/5/16384": No space left on device' using errcode = '53100'; end $$`,
  );
});
afterAll(() => service.dispose());

const attest = (trail = "t1") =>
  send(service, {
    method: "POST",
    path: `/attestations/${ORG}/web/trail/${trail}/generic`,
    form: { attestation_name: unique("check"), is_compliant: true },
  });
const ask = async (path: string) => {
  const { statusCode, body } = await request(service.address + path, { dispatcher: service.dispatcher });
  return { status: statusCode, text: await body.text() };
};
const WHY = "The records cannot be written: the database has no space left";

const IN_STATEMENT = "create trigger full_disk before insert on TABLE for each row";
const AT_COMMIT =
  "create constraint trigger full_disk after insert on TABLE deferrable initially deferred for each row";

it.each([
  ["in a statement", IN_STATEMENT, ["attestations", "events", "latest_attestations"]],
  ["at the commit", AT_COMMIT, ["attestations"]],
])(
  "a database without space, which shows %s, is answered 503, and the service reports it while it is ready for reads",
  async (_, trigger, tables) => {
    for (const table of tables) {
      await askPostgres(url, `${trigger.replace("TABLE", table)} execute function full_disk()`);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => attest(n % 2 ? "t1" : unique("t"))),
      );
      expect(
        answers.map(({ status }) => status).filter((status) => status !== 503),
        table,
      ).toEqual([]);
      expect(Number(answers[0]?.headers["retry-after"])).toBeGreaterThan(0);
      await expect.poll(() => ask("/ready")).toEqual({ status: 200, text: `OK\n${WHY}` });
      expect(await ask("/health")).toEqual({ status: 503, text: expect.stringContaining(WHY) });
      await askPostgres(url, `drop trigger full_disk on ${table}`);
      expect((await attest()).status).toBe(201);
    }
  },
);
