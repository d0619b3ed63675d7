import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openFolder } from "../../src/service/store/blobs/folder-place.ts";
import type { Place } from "../../src/service/store/blobs/place.ts";
import { replaceIdentity } from "../../src/service/store/database-identity.ts";
import { openPostgres } from "../../src/service/store/postgres/open-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import { attachmentsIn } from "../service/opened-attachments.ts";
import { pipeline } from "../service/requests.ts";
import { startTestService } from "../service/running-service.ts";
import { type PostgresServer, startPostgres, startStandby } from "./server.ts";

const DAY = 24 * 60 * 60;
/** Later than the write of any file in the test. */
const START = 4_000_000_000;
const sha256Of = (content: string) => createHash("sha256").update(content).digest("hex");
const never = new AbortController().signal;
const clock = { time: START };

let primary: PostgresServer;
beforeAll(async () => {
  primary = await startPostgres({ settings: ["hot_standby = on", "wal_keep_size = 512MB"] });
});
afterAll(() => primary.dispose());

let url: string;
let folder: string;
let place: Place;
let attestationId: string;
beforeEach(async () => {
  clock.time = START;
  url = await primary.create(`sweeps_${randomUUID().replaceAll("-", "")}`);
  folder = await mkdtemp(join(tmpdir(), "evidence-sweeps-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  place = await openFolder({ folder: join(folder, "files"), alone: false });
  const service = await startTestService({}, { database: { url } });
  await pipeline(service).attest("web", "t1");
  await service.dispose();
  const store = await opened(url);
  // Its records are used with other storage now, which no sweep has seen yet.
  await store.write((db) => replaceIdentity(db, { id: "records", placeId: null }));
  const attested = store.read.selectFrom("attestations").select("id");
  attestationId = (await attested.executeTakeFirstOrThrow()).id;
});

async function opened(address: string): Promise<Store> {
  const store = await openPostgres({ url: address, migrate: "off" });
  onTestFinished(() => store.close());
  return store;
}

/** An instance that stores files, and records them in one of three organizations, in lanes of their batches. */
async function instanceOn(address: string, ownPlace: Place = place) {
  const store = await opened(address);
  const attachments = await attachmentsIn({ folder, store, place: ownPlace, now: () => clock.time });
  async function bring(content: string, fails = false): Promise<string> {
    const sha256 = sha256Of(content);
    const path = attachments.receive().newPath();
    await writeFile(path, content);
    const file = { path, name: "a", media_type: "text/plain", size: content.length, sha256 };
    const position = Math.floor(Math.random() * 1e9);
    await attachments.keepFor([{ ...file, mediaType: "text/plain" }], async () => {
      if (fails) throw new Error("killed");
      const { path: _, ...row } = { ...file, attestation_id: attestationId, position };
      const options = { orgId: `org ${position % 3}`, keys: [content] };
      return store.write((db) => db.insertInto("attachments").values(row).execute(), options);
    });
    return sha256;
  }
  /** The state after an instance is killed between the upload of a file and its record. */
  const orphan = (content: string) => bring(content, true).catch(() => sha256Of(content));
  return { bring, orphan, sweep: () => attachments.sweep(never) };
}

type Instance = Awaited<ReturnType<typeof instanceOn>>;

async function stored(): Promise<Set<string>> {
  const names: string[] = [];
  for await (const some of place.list()) names.push(...some);
  return new Set(names);
}

test("no recorded file is missing after concurrent sweeps and uploads of two instances", async () => {
  const contents = new Map(
    Array.from({ length: 16 }, () => randomUUID()).map((each) => [sha256Of(each), each]),
  );
  const recorded = new Set<string>();
  const refused = new Set<string>();
  const bring = (instance: Instance, content: string) =>
    instance.bring(content).then(
      (sha256) => recorded.add(sha256),
      (error) => refused.add(error.code),
    );
  const uploading = await instanceOn(url);
  const busy: Place = {
    ...place,
    async remove(sha256) {
      // Another instance stores the same file meanwhile.
      await bring(uploading, contents.get(sha256) ?? "");
      await place.remove(sha256);
    },
  };
  const sweeping = [await instanceOn(url, busy), await instanceOn(url, busy)] as const;
  await Promise.all([...contents.values()].map((content) => uploading.orphan(content)));
  await sweeping[0].sweep();
  clock.time += DAY;
  const bringing = [...contents.values()].slice(8).flatMap((content) =>
    sweeping.map(async (instance) => {
      await delay(Math.random() * 100);
      await bring(instance, content);
    }),
  );
  await Promise.all([...bringing, ...sweeping.map(({ sweep }) => sweep())]);
  const found = await stored();
  expect([...recorded].filter((sha256) => !found.has(sha256))).toEqual([]);
  expect(recorded.size).toBeGreaterThan(0);
  // The client is asked to repeat the upload of a file that is just being removed.
  expect([...refused]).toEqual(["attachment.unavailable"]);
});

test("a read-only copy removes nothing, and a copy that was promoted removes no recorded file", async () => {
  const production = await instanceOn(url);
  const before = await production.bring("before the copy");
  await production.sweep();
  const standby = await startStandby(primary, "copy");
  onTestFinished(() => standby.dispose());
  const copy = await instanceOn(standby.url(new URL(url).pathname.slice(1)));
  clock.time += 2 * DAY;
  await expect(copy.sweep()).rejects.toThrow("during recovery");
  await standby.promote();
  const after = await production.bring("after the copy");
  await copy.sweep();
  await expect(production.sweep()).rejects.toThrow("a copy of it both use");
  for (let day = 0; day < 3; day++) {
    clock.time += DAY;
    for (const { sweep } of [copy, production])
      await expect(sweep()).rejects.toThrow("a copy of it both use");
  }
  expect(await stored()).toEqual(new Set([before, after]));
});
