import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EMPTY_ROOT, leafHash, type NodeAt, nodeHash, rootOf } from "../../../../src/evidence/log/merkle.ts";
import { checkpointText, parseCheckpoint } from "../../../../src/evidence/log/note.ts";
import { openEvidenceLog } from "../../../../src/service/events/log/evidence-log.ts";
import { findLog, indexesOf, nodesOf } from "../../../../src/service/events/log/leaves.ts";
import { openSecretBox } from "../../../../src/service/ops/compose.ts";
import { insertRows } from "../../../../src/service/store/dialect.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { addEvents } from "./add-events.ts";

const ORG = { id: "org-1", name: "acme" };
const OTHER = { id: "org-2", name: "rival" };

let dataFolder: string;
let store: Store;
/** The place outside of the records. */
let kept: Map<string, string>;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), "evidence-log-"));
  store = await openDataFolder(dataFolder);
  kept = new Map();
  const created = [ORG, OTHER].map(({ id, name }) => ({ id, name, created_at: 1 }));
  await store.write((db) => insertRows(db, "organizations", created));
});
afterEach(async () => {
  await store.close();
  await rm(dataFolder, { recursive: true });
});

function logOf(records: Store) {
  return openEvidenceLog({
    store: records,
    secrets: openSecretBox({ dataFolder }),
    originOf: ({ name }) => `evidence.example/${name}`,
    checkpoints: {
      read: async (orgId) => kept.get(orgId),
      replace: async (orgId, checkpoint) => void kept.set(orgId, checkpoint),
    },
    now: () => 1,
  });
}

const recordEvents = (count: number, org = ORG) => addEvents(store, { orgId: org.id, count });

/** The root by the definition, from the events alone. */
async function expectedRoot(size: number): Promise<Uint8Array> {
  const events = await store.read
    .selectFrom("events")
    .select("digest")
    .where("org_id", "=", ORG.id)
    .orderBy("sequence")
    .execute();
  const levels = [events.map(({ digest }) => leafHash(Buffer.from(digest, "hex")))];
  for (let below = levels[0] ?? []; below.length > 1; ) {
    const above: Uint8Array[] = [];
    for (let n = 0; n + 1 < below.length; n += 2)
      above.push(nodeHash(below[n] ?? new Uint8Array(), below[n + 1] ?? new Uint8Array()));
    levels.push(above);
    below = above;
  }
  const at: NodeAt = async (level, index) => levels[level]?.[index] ?? new Uint8Array();
  return rootOf(at, size);
}

test("the log has each event of its organization once, in order, whatever number arrives at a time", async () => {
  const log = logOf(store);
  const checkpoints = [];
  for (const count of [1, 254, 1, 1, 300, 511, 4_096, 5_000, 0, 55_000]) {
    await recordEvents(count);
    await recordEvents(1, OTHER);
    await log.keepUp(ORG);
    checkpoints.push(parseCheckpoint(kept.get(ORG.id) ?? ""));
  }
  const sizes = [1, 255, 256, 257, 557, 1_068, 5_164, 10_164, 10_164, 65_164];
  expect(checkpoints.map(({ size }) => size)).toEqual(sizes);
  for (const [n, { size, root }] of checkpoints.entries()) {
    expect(Buffer.from(root), `${size}`).toEqual(await expectedRoot(size));
    if (n > 0) expect(checkpoints[n]?.size).toBeGreaterThanOrEqual(checkpoints[n - 1]?.size ?? 0);
  }
  const event = await store.read
    .selectFrom("events")
    .select(["sequence", "digest"])
    .where("org_id", "=", ORG.id)
    .orderBy("sequence")
    .limit(1)
    .offset(5_200)
    .executeTakeFirstOrThrow();
  expect(await indexesOf(store.read, ORG.id, [event])).toEqual([{ event, index: 5_200 }]);
  const { rows } = { rows: await store.read.selectFrom("log_tiles").select("hashes").execute() };
  const bytes = rows.reduce((sum, { hashes }) => sum + hashes.length, 0);
  expect(bytes / 65_164, "bytes a leaf").toBeLessThan(80);
}, 60_000);

test("a checkpoint of restored records that lost events is not signed", async () => {
  const log = logOf(store);
  await recordEvents(5);
  await log.keepUp(ORG);
  const first = kept.get(ORG.id) ?? "";
  kept.set(ORG.id, first.replace("\n5\n", "\n6\n"));
  await recordEvents(1, OTHER);
  await store.write((db) => db.updateTable("logs").set({ checkpoint: null, signed_size: 0 }).execute());
  await expect(log.keepUp(ORG)).rejects.toThrow("has 5 entries, but its last checkpoint has 6");
  const other = Buffer.alloc(32, 7).toString("base64");
  kept.set(ORG.id, first.replace(/\n\S{44}\n/, `\n${other}\n`));
  await recordEvents(1);
  await expect(log.keepUp(ORG)).rejects.toThrow(
    "The first 5 entries of the log evidence.example/acme are not those of its last checkpoint",
  );
  kept.set(ORG.id, checkpointText({ origin: "evidence.example/acme~2", size: 0, root: EMPTY_ROOT }));
  await expect(log.keepUp(ORG)).rejects.toThrow("its last checkpoint is of evidence.example/acme~2");
  expect((await findLog(store.read, ORG.id))?.checkpoint).toBeNull();
  // One organization's trouble is not another's.
  await log.keepUp(OTHER);
  expect(parseCheckpoint(kept.get(OTHER.id) ?? "").size).toBe(1);
});

test("records with a checkpoint sign none where no checkpoint is kept", async () => {
  const log = logOf(store);
  await recordEvents(2);
  await log.keepUp(ORG);
  const signed = (await findLog(store.read, ORG.id))?.checkpoint;
  kept.clear();
  await recordEvents(1);
  await expect(log.keepUp(ORG)).rejects.toThrow(
    "has a checkpoint of 2 entries, but the place for attachments has none",
  );
  expect((await findLog(store.read, ORG.id))?.checkpoint).toBe(signed);
});

test("a service that stopped before the records had its checkpoint continues it", async () => {
  await recordEvents(3);
  let saves = 0;
  const stopping: Store = {
    ...store,
    write: (work, options) => {
      saves += 1;
      if (saves === 3) throw new Error("stopped");
      return store.write(work, options);
    },
  };
  await expect(logOf(stopping).keepUp(ORG)).rejects.toThrow("stopped");
  expect(parseCheckpoint(kept.get(ORG.id) ?? "").size).toBe(3);
  expect((await findLog(store.read, ORG.id))?.checkpoint).toBeNull();
  await recordEvents(1);
  await logOf(store).keepUp(ORG);
  expect(parseCheckpoint(kept.get(ORG.id) ?? "").size).toBe(4);
});

test("two instances that add the same events add them once", async () => {
  await recordEvents(700);
  await Promise.all([logOf(store).keepUp(ORG), logOf(store).keepUp(ORG)]);
  expect(await findLog(store.read, ORG.id)).toMatchObject({ size: 700 });
  expect(Buffer.from(await rootOf(nodesOf(store.read, ORG.id), 700))).toEqual(await expectedRoot(700));
});

test("without a key for secrets, events are added and nothing is signed", async () => {
  await recordEvents(2);
  const unsigned = openEvidenceLog({
    ...{ store, originOf: ({ name }) => `evidence.example/${name}`, now: () => 1 },
    secrets: openSecretBox({ dataFolder, database: {} }),
    checkpoints: { read: async () => undefined, replace: async () => expect.unreachable() },
  });
  await unsigned.keepUp(ORG);
  expect(await findLog(store.read, ORG.id)).toMatchObject({ size: 2, checkpoint: null });
});
