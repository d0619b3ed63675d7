import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { leafHash, rootFromInclusion } from "../../../../src/evidence/log/merkle.ts";
import { parseCheckpoint } from "../../../../src/evidence/log/note.ts";
import { openEvidenceLog } from "../../../../src/service/events/log/evidence-log.ts";
import { latestProof } from "../../../../src/service/events/log/proofs.ts";
import { openSecretBox } from "../../../../src/service/ops/compose.ts";
import { insertRows } from "../../../../src/service/store/dialect.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { addEvents } from "./add-events.ts";

const ORG = { id: "org-1", name: "acme" };

let dataFolder: string;
let store: Store;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), "evidence-log-"));
  store = await openDataFolder(dataFolder);
  await store.write((db) => insertRows(db, "organizations", [{ ...ORG, created_at: 1 }]));
});
afterEach(async () => {
  await store.close();
  await rm(dataFolder, { recursive: true });
});

function newLog() {
  let kept: string | undefined;
  return openEvidenceLog({
    store,
    secrets: openSecretBox({ dataFolder }),
    originOf: ({ name }) => `evidence.example/${name}`,
    checkpoints: {
      read: async () => kept,
      replace: async (_, checkpoint) => {
        kept = checkpoint;
      },
    },
    now: () => 1,
  });
}

const recordEvents = (count: number) => addEvents(store, { orgId: ORG.id, count });

function eventsAt(index: number) {
  return store.read
    .selectFrom("events")
    .selectAll()
    .where("org_id", "=", ORG.id)
    .orderBy("sequence")
    .offset(index)
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** The root that the proof of an event leads to, and the root of the checkpoint in it. */
async function rootsOf(index: number) {
  const event = await eventsAt(index);
  const { log, proven } = await latestProof(store.read, ORG.id, event);
  const [, hashes = "", checkpoint = ""] =
    /^[^\n]+\nindex \d+\n((?:\S+\n)*)\n(.*)$/s.exec(proven?.proof ?? "") ?? [];
  expect(proven?.index).toBe(index);
  expect(checkpoint).toBe(log?.checkpoint);
  const { root, size } = parseCheckpoint(checkpoint);
  const proof = Array.from(hashes.matchAll(/\S+/g), ([hash]) => Buffer.from(hash, "base64"));
  const leaf = leafHash(Buffer.from(event.digest, "hex"));
  return { root, led: rootFromInclusion({ index, size, leaf, proof }) };
}

async function expectProofs(size: number): Promise<void> {
  const indexes = [0, 1, 255, 256, 300, 65_535, 65_536, Math.floor(size / 2), size - 2, size - 1];
  for (const index of indexes.filter((each) => each >= 0 && each < size)) {
    const { root, led } = await rootsOf(index);
    expect(led, `${index} of ${size}`).toEqual(root);
  }
}

test("events are proven against the latest checkpoint, whatever the size of the log", async () => {
  const log = newLog();
  let recorded = 0;
  for (const size of [1, 2, 255, 256, 257, 700, 65_536, 65_537, 65_900]) {
    await recordEvents(size - recorded);
    recorded = size;
    await log.keepUp(ORG);
    await expectProofs(size);
  }
}, 60_000);

test("an event that the checkpoint does not have yet has no proof", async () => {
  const log = newLog();
  await recordEvents(1);
  expect(await latestProof(store.read, ORG.id, await eventsAt(0))).toEqual({});
  await log.keepUp(ORG);
  await recordEvents(1);
  const { log: signed, proven } = await latestProof(store.read, ORG.id, await eventsAt(1));
  expect([signed?.size, proven]).toEqual([1, undefined]);
});

test("after a log was replaced, proofs are of the new one", async () => {
  await recordEvents(1_000);
  await newLog().keepUp(ORG);
  await expectProofs(1_000);
  await store.write(async (db) => {
    for (const table of ["log_tiles", "logs", "events"] as const)
      await db.deleteFrom(table).where("org_id", "=", ORG.id).execute();
  });
  await recordEvents(1_000);
  await newLog().keepUp(ORG);
  await expectProofs(1_000);
});
