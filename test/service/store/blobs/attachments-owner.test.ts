import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agreeOnOwner } from "../../../../src/service/store/blobs/agree-on-owner.ts";
import { openFolder } from "../../../../src/service/store/blobs/folder-place.ts";
import type { Place } from "../../../../src/service/store/blobs/place.ts";
import { readIdentity, replaceIdentity } from "../../../../src/service/store/database-identity.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";

let folder = "";
let stores: Store[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "owner-"));
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true });
});

/** The attachments of one instance on a database. */
async function instanceOn(database: string): Promise<Store> {
  await mkdir(join(folder, database), { recursive: true });
  const store = await openDataFolder(join(folder, database));
  stores.push(store);
  return store;
}
const place = (name: string): Promise<Place> => openFolder({ folder: join(folder, name), alone: false });
const start = async (store: Store, name: string, own = false) =>
  agreeOnOwner({ store, place: await place(name), own });

/** An attachment that was copied there. */
async function copyAttachment(name: string): Promise<void> {
  await mkdir(join(folder, name, "ab"), { recursive: true });
  await writeFile(join(folder, name, "ab", "c".repeat(62)), "x");
}

describe("the first attachment folder of a database", () => {
  it("is the same for all instances that start at once", async () => {
    const instances = await Promise.all(Array.from({ length: 8 }, () => instanceOn("a")));
    await Promise.all(instances.map((store) => start(store, "files")));
    const [first] = instances;
    const identity = first && (await readIdentity(first.read));
    expect(await (await place("files")).owner.read()).toEqual({
      database: identity?.id,
      place: identity?.placeId,
    });
  });

  it("is the only one: instances with another are refused, also when they start at once", async () => {
    const instances = await Promise.all(Array.from({ length: 6 }, () => instanceOn("a")));
    const started = await Promise.allSettled(
      instances.map((store, index) => start(store, `files ${index % 2}`)),
    );
    const refused = started.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(3);
    for (const each of refused) {
      expect(each).toMatchObject({
        reason: { message: expect.stringContaining("is not the place for attachments of the database") },
      });
    }
  });

  it("is not one with attachments of an unknown database", async () => {
    await copyAttachment("files");
    await expect(start(await instanceOn("a"), "files")).rejects.toThrow(
      /files has attachments, but no owner.json that names their database: copy that file as well/,
    );
  });

  it("is the data folder's own, whatever its content, as an earlier version left it", async () => {
    await copyAttachment("files");
    const store = await instanceOn("a");
    await start(store, "files", true);
    // Records from before an upgrade that are restored do not know the folder yet.
    await store.write((db) => db.deleteFrom("database_identity").execute());
    await start(store, "files", true);
    await start(await instanceOn("a"), "files");
  });
});

describe("a service does not start", () => {
  it("on the folder of another database, and names both", async () => {
    const [a, b] = [await instanceOn("a"), await instanceOn("b")];
    await start(a, "files");
    const [one, other] = [
      (await readIdentity(a.read))?.id,
      await start(b, "files").catch((error: Error) => error),
    ];
    const message = other instanceof Error ? other.message : "";
    expect(message).toContain(`files has the attachments of the database ${one}, but this database is `);
    expect(message).toContain(
      `${(await readIdentity(b.read))?.id}: set --attachments to the location of this database's attachments`,
    );
  });

  it("on an empty folder when its database has another one, unless the owner file is copied there", async () => {
    const store = await instanceOn("a");
    await start(store, "files");
    const before = await readFile(join(folder, "files", "owner.json"), "utf8");
    await expect(start(store, "other")).rejects.toThrow(
      `If that place is lost, write ${before.trim()} into owner.json to continue without it`,
    );
    await writeFile(join(folder, "other", "owner.json"), before);
    await start(store, "other");
  });

  it("on a folder with a damaged owner file", async () => {
    await mkdir(join(folder, "files"));
    await writeFile(join(folder, "files", "owner.json"), "{");
    await expect(start(await instanceOn("a"), "files")).rejects.toThrow(/files cannot be reached$/);
  });
});

it("a copy of records and attachments can get its own identity", async () => {
  const [a, copy] = [await instanceOn("a"), await instanceOn("copy")];
  await start(a, "files");
  const owner = { database: "another", place: "elsewhere" };
  await (await place("copy of files")).owner.replace(owner);
  await copy.write((db) => replaceIdentity(db, { id: owner.database, placeId: owner.place }));
  await start(copy, "copy of files");
  await expect(start(a, "copy of files")).rejects.toThrow("has the attachments of the database another");
});
