import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attachments, ReceivedFile } from "../../../../src/service/store/blobs/attachments.ts";
import { bucketAddress } from "../../../../src/service/store/blobs/bucket/address.ts";
import { openBucket } from "../../../../src/service/store/blobs/bucket/bucket-place.ts";
import { openFolder } from "../../../../src/service/store/blobs/folder-place.ts";
import type { Place } from "../../../../src/service/store/blobs/place.ts";
import { replaceIdentity } from "../../../../src/service/store/database-identity.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { attachmentsIn } from "../../opened-attachments.ts";
import { pipeline } from "../../requests.ts";
import { startTestService, type TestService } from "../../running-service.ts";
import { BUCKET } from "./bucket/s3-server.ts";
import { STORES } from "./bucket/stores.ts";

const DAY = 24 * 60 * 60;
/** Later than the write of any file in the test. */
const START = 4_000_000_000;
const sha256Of = (content: string) => createHash("sha256").update(content).digest("hex");
const never = new AbortController().signal;

interface Opened {
  place: Place;
  close(): Promise<void>;
}

/** Storage that several instances share. */
const PLACES: readonly (readonly [name: string, open: (folder: string) => Promise<Opened>])[] = [
  [
    "a folder",
    async (folder) => ({
      place: await openFolder({ folder: join(folder, "files"), alone: false }),
      close: async () => {},
    }),
  ],
  ...STORES.map(
    ([name, start]) =>
      [
        `a bucket on ${name}`,
        async () => {
          const { environment, close } = await start();
          const address = bucketAddress(`s3://${BUCKET}/kept`, environment, false);
          const place = openBucket({ address, environment });
          return {
            place,
            async close() {
              await place.close();
              await close();
            },
          };
        },
      ] as const,
  ),
];

describe.each(PLACES)("files that no record names, in %s", (_, open) => {
  let folder = "";
  let opened: Opened;
  let service: TestService;
  let store: Store;
  let attestationId = "";
  const clock = { time: START };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "orphans-"));
    opened = await open(folder);
    service = await startTestService();
    await pipeline(service).attest("web", "t1");
    // Its records are used with other storage now, which no sweep has seen yet.
    await service.close();
    store = await openDataFolder(service.dataFolder);
    await store.write((db) => replaceIdentity(db, { id: "records", placeId: null }));
    ({ id: attestationId } = await store.read
      .selectFrom("attestations")
      .select("id")
      .executeTakeFirstOrThrow());
    clock.time = START;
  });
  afterEach(async () => {
    await store.close();
    await service.dispose();
    await opened.close();
    await rm(folder, { recursive: true });
  });

  /** One of several instances. */
  const instance = (place: Partial<Place> = {}) =>
    attachmentsIn({ folder, store, place: { ...opened.place, ...place }, now: () => clock.time });

  async function received(attachments: Attachments, content: string): Promise<ReceivedFile> {
    const path = attachments.receive().newPath();
    await writeFile(path, content);
    return { path, name: "a", mediaType: "text/plain", size: content.length, sha256: sha256Of(content) };
  }

  /** The state after an instance is killed between the upload of a file and its record. */
  async function orphan(content: string): Promise<string> {
    const attachments = await instance();
    const killed = new Error("killed");
    const bringing = attachments.keepFor([await received(attachments, content)], () =>
      Promise.reject(killed),
    );
    await expect(bringing).rejects.toThrow(killed);
    return sha256Of(content);
  }

  async function bring(attachments: Attachments, content: string): Promise<void> {
    const file = await received(attachments, content);
    const row = {
      attestation_id: attestationId,
      position: Math.floor(Math.random() * 1e9),
      name: "a",
      size: 1,
      media_type: "text/plain",
      sha256: file.sha256,
    };
    await attachments.keepFor([file], () =>
      store.write((db) => db.insertInto("attachments").values(row).execute()),
    );
  }

  async function stored(): Promise<string[]> {
    const names: string[] = [];
    for await (const some of opened.place.list()) names.push(...some);
    return names.sort();
  }
  const marks = async () =>
    (await store.read.selectFrom("orphaned_attachments").selectAll().execute()).length;

  it("are removed a day after they were marked, and no others", async () => {
    const attachments = await instance();
    for (const content of ["named 1", "named 2", "named 3", "named 4"]) await bring(attachments, content);
    const named = await stored();
    const left = await orphan("left");
    clock.time += 100 * DAY;
    await attachments.sweep(never);
    clock.time += DAY - 1;
    await attachments.sweep(never);
    expect(await stored()).toEqual([...named, left].sort());
    clock.time += 1;
    await attachments.sweep(AbortSignal.abort());
    expect(await stored()).toHaveLength(5);
    await attachments.sweep(never);
    expect([await stored(), await marks()]).toEqual([named, 0]);
  });

  it("remain when a record names them: the sweep never removes a recorded file", async () => {
    const sha256 = await orphan("named meanwhile");
    const attachments = await instance();
    await attachments.sweep(never);
    const row = { attestation_id: attestationId, position: 0, name: "a", size: 1, media_type: "text/plain" };
    await store.write((db) =>
      db
        .insertInto("attachments")
        .values({ ...row, sha256 })
        .execute(),
    );
    clock.time += DAY;
    await attachments.sweep(never);
    expect([await stored(), await marks()]).toEqual([[sha256], 0]);
  });

  it("remain when they are uploaded again after they were marked, even before their record exists", async () => {
    const sha256 = await orphan("again");
    const [bringing, sweeping] = [await instance(), await instance()];
    await sweeping.sweep(never);
    clock.time += 2 * DAY;
    const recorded = Promise.withResolvers<void>();
    const inPlace = Promise.withResolvers<void>();
    const storing = bringing.keepFor([await received(bringing, "again")], () => {
      inPlace.resolve();
      return recorded.promise;
    });
    await inPlace.promise;
    await sweeping.sweep(never);
    await sweeping.sweep(never);
    expect(await stored()).toEqual([sha256]);
    recorded.resolve();
    await storing;
  });

  it("are refused temporarily while they are being removed, and can be uploaded afterwards", async () => {
    const sha256 = await orphan("removed");
    const removing = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    const [bringing, sweeping] = [
      await instance(),
      await instance({
        async remove(name) {
          removing.resolve();
          await resume.promise;
          await opened.place.remove(name);
        },
      }),
    ];
    await sweeping.sweep(never);
    clock.time += DAY;
    const sweep = sweeping.sweep(never);
    await removing.promise;
    await expect(bring(bringing, "removed")).rejects.toMatchObject({
      code: "attachment.unavailable",
      headers: { "retry-after": "5" },
    });
    resume.resolve();
    await sweep;
    await bring(bringing, "removed");
    expect([await stored(), await marks()]).toEqual([[sha256], 0]);
  });

  it("can be uploaded again some minutes after an interrupted removal, and are removed by the next sweep", async () => {
    const contents = ["brought", "left"];
    for (const content of contents) await orphan(content);
    const broken = await instance({ remove: () => Promise.reject(new Error("killed")) });
    await broken.sweep(never);
    clock.time += DAY;
    await expect(broken.sweep(never)).rejects.toThrow("killed");
    const attachments = await instance();
    const [taken] = await store.read
      .selectFrom("orphaned_attachments")
      .select("sha256")
      .where("removing_since", "is not", null)
      .execute();
    const content = contents.find((each) => sha256Of(each) === taken?.sha256) ?? "";
    await expect(bring(attachments, content)).rejects.toMatchObject({ code: "attachment.unavailable" });
    clock.time += 301;
    await bring(attachments, content);
    await attachments.sweep(never);
    expect(await stored()).toEqual([sha256Of(content)]);
  });

  it("are never missing once they are recorded, with any concurrent sweeps and uploads", async () => {
    const contents = Array.from({ length: 12 }, () => randomUUID());
    for (const content of contents) await orphan(content);
    const now = () => delay(Math.random() * 4);
    const slow: Partial<Place> = {
      async put(file) {
        await now();
        await opened.place.put(file);
        await now();
      },
      async remove(sha256) {
        await now();
        await opened.place.remove(sha256);
        await now();
      },
    };
    const instances = [await instance(slow), await instance(slow)];
    await instances[0]?.sweep(never);
    clock.time += DAY;
    const recorded = new Set<string>();
    const bringing = instances.map(async (attachments) => {
      for (const content of contents) {
        await now();
        // A client that was asked to retry may not have done so yet.
        await bring(attachments, content).then(
          () => recorded.add(sha256Of(content)),
          (error) => expect(error).toMatchObject({ code: "attachment.unavailable" }),
        );
      }
    });
    await Promise.all([...bringing, ...instances.map((attachments) => attachments.sweep(never))]);
    const found = new Set(await stored());
    expect([...recorded].filter((sha256) => !found.has(sha256))).toEqual([]);
    expect(recorded.size).toBeGreaterThan(0);
  });
});
