/*
 * Compares timelines, audit log, notifications and compliance after random writes with the responses of the service as it
 * was before each write recorded one event. Those were recorded once, at the commit before that change.
 *
 * To record them again, for example because a change of behavior is intended, run this file on SQLite with
 * RECORD_FORMER_ANSWERS=true, and review what changed.
 */
import { readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { type WrittenRecords, writtenRecords } from "./written-records.ts";

const FILE = new URL("former-answers.json.br", import.meta.url);
const WRITES = 42;
/** Seeds that run on PostgreSQL too. Requests take longer there. */
const ON_BOTH_ENGINES = [1, 2, 3, 4, 5];
const ON_SQLITE = Array.from({ length: 12 }, (_, index) => index + 1);

const seeds = process.env["TEST_ENGINE"] === "postgres" ? ON_BOTH_ENGINES : ON_SQLITE;
const isRecording = process.env["RECORD_FORMER_ANSWERS"] === "true";

let found: Map<number, WrittenRecords>;
let faults: string[];
let former: Map<number, WrittenRecords>;
beforeAll(async () => {
  if (isRecording && process.env["CI"]) throw new Error("Former answers are not recorded in CI");
  ({ read: found, faults } = await writtenRecords(seeds, WRITES));
  if (isRecording) await writeFile(FILE, compressed(JSON.stringify([...found])));
  former = new Map(JSON.parse(brotliDecompressSync(await readFile(FILE)).toString()));
  // Thousands of durable writes: 5 s on an idle machine.
}, 240_000);

function compressed(text: string): Uint8Array {
  // All of the text is within one window.
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  return brotliCompressSync(text, { params });
}

test("each event has the data of its type", () => {
  expect(faults).toEqual([]);
});

test.each(seeds)("the writes of seed %i are answered as before", (seed) => {
  expect(former.get(seed)).toBeDefined();
  expect(found.get(seed)).toEqual(former.get(seed));
});
