import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { actions, root } from "../../src/actions/actions.ts";
import { CASES } from "./cases.ts";
import { replaySample } from "./replays.ts";
import { SAMPLES } from "./samples.ts";

const TEST = fileURLToPath(new URL("..", import.meta.url));
const named = CASES.map((one) => ({ ...one, name: `${one.id} ${one.fault}` }));

test("the table holds every section, and no case twice", () => {
  expect(new Set(CASES.map(({ section }) => section))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length);
  expect(new Set(CASES.map(({ fault }) => fault)).size).toBe(CASES.length);
});

test("the faults are tried on every action", async () => {
  const tried = [...SAMPLES, await replaySample()].map(({ name }) => name);
  expect(tried.sort()).toEqual([...actions, root].map(({ name }) => name).sort());
});

describe("every fault that the client must withstand is proven:", () => {
  test.each(named)("$name", ({ provenBy, outcome }) => {
    expect(outcome).not.toBe("");
    expect(provenBy, "no test proves it").not.toEqual([]);
    for (const proof of provenBy) expect(missingOf(proof), proof).toEqual([]);
  });
});

test.each([
  ["a file that is not there", "faults/nowhere.test.ts > anything", ["faults/nowhere.test.ts"]],
  ["a test that is not there", "faults/cases.ts > stands nowhere", ["stands nowhere"]],
  ["one test that is there and a row that is not", "faults/cases.ts > CASES > no row", ["no row"]],
])("a proof that names %s is none", (_, proof, missing) => {
  expect(missingOf(proof)).toEqual(missing);
});

/** What a proof names that is not there: the file, or any of the names as the file's source has them. */
function missingOf(proof: string): string[] {
  const [file = "", ...names] = proof.split(" > ");
  if (!existsSync(TEST + file)) return [file];
  const source = sourceOf(TEST + file);
  expect(source, `${file} leaves tests out`).not.toMatch(/\b(test|it|describe)\.(skip|only|todo|fails)\b/);
  expect(names.length, `${proof} names no test`).toBeGreaterThan(0);
  return names.filter((name) => !source.includes(name));
}

/** A test's source, with what stands beside it or is measured too: rows of tables may. */
function sourceOf(path: string, seen = new Set<string>()): string {
  if (seen.has(path) || !existsSync(path)) return "";
  seen.add(path);
  const own = readFileSync(path, "utf8");
  const imported = [...own.matchAll(/from "((?:\.|\.\.\/\.\.\/scripts)\/[^"]+)"/g)];
  return [own, ...imported.map(([, name = ""]) => sourceOf(join(dirname(path), name), seen))].join("\n");
}
