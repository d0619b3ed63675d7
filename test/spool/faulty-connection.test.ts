import { join } from "node:path";
import { expect, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { attestGeneric } from "../../src/api/resources/generic-attestation.ts";
import { Outbox } from "../../src/spool/outbox.ts";
import { replay } from "../../src/spool/replay.ts";
import { startTestService } from "../service/running-service.ts";
import { FAULTS, faultsAt, faultyConnection, seeded } from "./faulty-connection.ts";
import { connectTo, fileOf, ORG, temporaryFolder } from "./fixtures.ts";

const SEED = 20261121;
const JOBS = 10;
const STEPS = 20;
const SUBMISSIONS = JOBS * STEPS;

test("200 submissions over a faulty connection are each recorded once and in order", async () => {
  const service = await startTestService();
  await using folder = await temporaryFolder();
  const random = seeded(SEED);
  await using way = await faultyConnection(service.address, faultsAt(0.35, random));
  // Longer than a service deduplicates equal requests, and in the end many times longer than it remembers keys.
  way.onRequest = () => {
    service.clock.time += 601;
  };
  const connection = () => connectTo(way.address, service.keys.member, { retries: 1 });

  let spooled = 0;
  const submitAll = async (job: number) => {
    const own = connection();
    const outbox = new Outbox({ folder: join(folder.path, `job-${job}`), connection: own });
    for (let step = 0; step < STEPS; step++) {
      const submitted = await outbox.submit(attestGeneric, {
        flowName: "web",
        trailName: `job-${job}`,
        body: { attestationName: `step-${step}`, isCompliant: true },
        ...(step % 3 === 0 && { files: { attachmentFile: [fileOf("log.txt", `${job}/${step}`)] } }),
      });
      if ("spooled" in submitted) spooled++;
    }
    await own.close();
  };
  // A few jobs at a time, as in a matrix.
  for (let job = 0; job < JOBS; job += 5) {
    await Promise.all([0, 1, 2, 3, 4].map((offset) => submitAll(job + offset)));
  }
  expect(spooled).toBeGreaterThan(SUBMISSIONS / 4);
  expect(spooled).toBeLessThan(SUBMISSIONS);

  // Replays run repeatedly, often two at the same time, until nothing is left.
  const ways = [connection(), connection()];
  let left = spooled;
  for (let round = 0; left > 0 && round < 3000; round++) {
    const replays = ways.slice(0, random() < 0.5 ? 2 : 1).map((own) => replay(folder.path, own));
    left = Math.min(...(await Promise.all(replays)).map((report) => report.left));
  }
  for (const own of ways) await own.close();

  const client = new EvidenceClient({ apiKey: service.keys.reader, org: ORG, baseUrl: service.address });
  const found: string[] = [];
  for (let page = 1; page <= 2; page++) {
    const { body } = await client.listFlowAttestations({ flowName: "web", page, perPage: 100 });
    found.push(...body.data.map(({ trailName, attestationName }) => `${trailName}/${attestationName}`));
  }
  const expected = (job: number) => Array.from({ length: STEPS }, (_, step) => `job-${job}/step-${step}`);
  for (let job = 0; job < JOBS; job++) {
    const ofJob = found.filter((name) => name.startsWith(`job-${job}/`)).reverse();
    expect(ofJob, `seed ${SEED}`).toEqual(expected(job));
  }
  expect(found).toHaveLength(SUBMISSIONS);
  expect(new Set(way.met.keys())).toEqual(new Set([...FAULTS, "none"]));
  await client.close();
  await service.dispose();
});
