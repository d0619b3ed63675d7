import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../../../src/service/ops/verification/verify.ts";
import type { Attachments } from "../../../../src/service/store/blobs/attachments.ts";
import { bucketAddress } from "../../../../src/service/store/blobs/bucket/address.ts";
import { openPlace, type PlaceSettings } from "../../../../src/service/store/blobs/open-place.ts";
import type { Place } from "../../../../src/service/store/blobs/place.ts";
import { adoptPlace } from "../../../../src/service/store/blobs/sweep-fence.ts";
import { openPostgres } from "../../../../src/service/store/postgres/open-store.ts";
import { databaseFile, openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { newDatabase, recordsOfTest } from "../../../records.ts";
import { attachmentsIn } from "../../opened-attachments.ts";
import { pipeline } from "../../requests.ts";
import { startTestService, type TestService } from "../../running-service.ts";
import { BUCKET, type S3Server, s3Server } from "../blobs/bucket/s3-server.ts";
import { environmentOf } from "../blobs/bucket/stores.ts";

const HALF_A_DAY = 12 * 60 * 60;
const never = new AbortController().signal;
const sha256Of = (content: string) => createHash("sha256").update(content).digest("hex");

/** Records with the sweeps of an instance that serves them. */
interface Served {
  store: Store;
  attachments: Attachments;
}

describe.each(["a folder", "a bucket", "a bucket without conditional writes"])(
  "with attachments in %s",
  (kind) => {
    let folder = "";
    let bucket: S3Server;
    let place: Place;
    let service: TestService;
    let database: { url: string } | undefined;
    let opened: Store[] = [];
    const clock = { time: 0 };

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "copied-"));
      opened = [];
      bucket = await s3Server();
      if (kind.endsWith("without conditional writes")) bucket.lacks.add("conditions");
      const environment = environmentOf(bucket.url);
      const attachmentsAt: PlaceSettings =
        kind === "a folder"
          ? { folder: join(folder, "files") }
          : { bucket: bucketAddress(`s3://${BUCKET}/kept`, environment, false), environment };
      place = await openPlace(attachmentsAt, () => {});
      const { database: own } = await recordsOfTest();
      database = own?.url === undefined ? undefined : { url: own.url };
      service = await startTestService({}, { attachmentsAt, ...(database && { database }) });
      await pipeline(service).attest("web", "t1");
      await service.close();
      clock.time = Date.now() / 1000 + 100 * HALF_A_DAY;
    });
    afterEach(async () => {
      for (const store of opened) await store.close();
      await service.dispose();
      await place.close();
      await bucket.close();
      await rm(folder, { recursive: true });
    });

    async function serve(dataFolder: string, url: string | undefined): Promise<Served> {
      const store = await (url === undefined
        ? openDataFolder(dataFolder)
        : openPostgres({ url, migrate: "auto" }));
      opened.push(store);
      const served = join(folder, randomUUID());
      await mkdir(served);
      const attachments = await attachmentsIn({ folder: served, store, place, now: () => clock.time });
      return { store, attachments };
    }
    async function stop({ store }: Served): Promise<void> {
      opened = opened.filter((each) => each !== store);
      await store.close();
    }
    const serveOriginal = () => serve(service.dataFolder, database?.url);

    /** A copy of the database, served beside the original with the same attachments. */
    async function copied(): Promise<() => Promise<Served>> {
      const copy = join(folder, "copy");
      if (database === undefined) {
        await mkdir(copy);
        await copyFile(databaseFile(service.dataFolder), databaseFile(copy));
        return () => serve(copy, undefined);
      }
      const url = await newDatabase(`template ${new URL(database.url).pathname.slice(1)}`);
      return () => serve(copy, url);
    }

    async function received({ attachments }: Served, content: string) {
      const path = attachments.receive().newPath();
      await writeFile(path, content);
      return { path, name: "a", mediaType: "text/plain", size: content.length, sha256: sha256Of(content) };
    }

    async function record(served: Served, content: string): Promise<void> {
      const { store, attachments } = served;
      const file = await received(served, content);
      const { id } = await store.read.selectFrom("attestations").select("id").executeTakeFirstOrThrow();
      const { size, sha256 } = file;
      const row = { attestation_id: id, position: 0, name: "a", size, media_type: "text/plain", sha256 };
      await attachments.keepFor([file], () =>
        store.write((db) => db.insertInto("attachments").values(row).execute()),
      );
    }

    async function orphan(served: Served, content: string): Promise<void> {
      const killed = new Error("killed");
      const bringing = served.attachments.keepFor([await received(served, content)], () =>
        Promise.reject(killed),
      );
      await expect(bringing).rejects.toThrow(killed);
    }

    async function differences({ store }: Served): Promise<string[]> {
      const found: string[] = [];
      await verify({ records: store, place }, { onProgress: () => {}, differs: (line) => found.push(line) });
      return found;
    }
    async function stored(): Promise<string[]> {
      const names: string[] = [];
      for await (const some of place.list()) names.push(...some);
      return names;
    }

    it.each(["the original", "the copy"])(
      "a copy of the database removes nothing of the original's, when %s sweeps first",
      async (first) => {
        const before = await serveOriginal();
        await before.attachments.sweep(never);
        await stop(before);
        const serveCopy = await copied();
        const [original, copy] = [await serveOriginal(), await serveCopy()];
        await orphan(original, "left");
        await record(original, "recorded after the copy");
        const inTurn = first === "the copy" ? [copy, original] : [original, copy];
        const refused = new Set<Served>();
        for (let halfDays = 0; halfDays < 6; halfDays++) {
          for (const each of inTurn) {
            await each.attachments.sweep(never).catch((error: Error) => {
              expect(error.message).toMatch(
                /this database and a copy of it both use.*delivery-evidence adopt/,
              );
              refused.add(each);
            });
          }
          clock.time += HALF_A_DAY;
        }
        expect(refused.size).toBe(2);
        expect(await differences(original)).toEqual([]);

        // The operator chooses one and would stop the other.
        await adoptPlace({ store: original.store, place });
        for (let halfDays = 0; halfDays < 4; halfDays++) {
          await original.attachments.sweep(never);
          clock.time += HALF_A_DAY;
        }
        expect(await stored()).toEqual([sha256Of("recorded after the copy")]);
        expect(await differences(original)).toEqual([]);
        await expect(copy.attachments.sweep(never)).rejects.toThrow("a copy of it both use");
        await expect(original.attachments.sweep(never)).rejects.toThrow("a copy of it both use");
      },
    );

    it("a file that was marked before the copy remains when the original records it", async () => {
      clock.time = Date.now() / 1000 - 3 * HALF_A_DAY;
      const before = await serveOriginal();
      await orphan(before, "marked");
      const sha256 = sha256Of("marked");
      if (kind === "a folder") await utimes(place.addressOf(sha256), clock.time - 9_999, clock.time - 9_999);
      for (const key of bucket.writtenAt.keys()) bucket.writtenAt.set(key, (clock.time - 9_999) * 1000);
      await before.attachments.sweep(never);
      await stop(before);
      const serveCopy = await copied();
      const [original, copy] = [await serveOriginal(), await serveCopy()];
      clock.time += 3 * HALF_A_DAY;
      await record(original, "marked");
      await copy.attachments.sweep(never);
      expect(await differences(original)).toEqual([]);
    });

    it("an interrupted sweep is continued by the next one", async () => {
      const original = await serveOriginal();
      await orphan(original, "left");
      const half = {
        ...place,
        sweeps: {
          ...place.sweeps,
          async move(...states: Parameters<Place["sweeps"]["move"]>): Promise<boolean> {
            await place.sweeps.move(...states);
            throw new Error("killed");
          },
        },
      };
      const another = await attachmentsIn({
        folder,
        store: original.store,
        place: half,
        now: () => clock.time,
      });
      await expect(another.sweep(never)).rejects.toThrow("killed");
      await original.attachments.sweep(never);
      clock.time += 2 * HALF_A_DAY;
      await original.attachments.sweep(never);
      expect(await stored()).toEqual([]);
    });
  },
);
