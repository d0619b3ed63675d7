import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tableOf } from "../../scripts/bench/report.ts";
import { type Finding, GROUPS, isHeld, NOT_BUILT } from "../../scripts/bench/rows.ts";

const BENCH = fileURLToPath(new URL("../../scripts/bench.ts", import.meta.url));

const finding = (value: number | undefined, bound: Finding["bound"]): Finding => ({
  ...{ what: "a figure", unit: "ms", bound },
  ...(value !== undefined && { value }),
});

test("a figure beyond its bound is MISSED, and so is a missing or non-numeric one", () => {
  const verdicts = [
    finding(20, { most: 20 }),
    finding(20.1, { most: 20 }),
    finding(2000, { least: 2000 }),
    finding(1999, { least: 2000 }),
    finding(undefined, { most: 20 }),
    finding(Number.NaN, { least: 1 }),
  ].map((each) => [isHeld(each), tableOf([each]).includes("MISSED")]);
  expect(verdicts).toEqual([
    [true, false],
    [false, true],
    [true, false],
    [false, true],
    [false, true],
    [false, true],
  ]);
});

test("every row has a unique name, and figures of unbuilt files are missed", () => {
  const rows: readonly Finding[] = [
    ...Object.values(GROUPS).flatMap((group) => Object.values(group)),
    ...NOT_BUILT,
  ];
  expect(new Set(rows.map(({ what }) => what)).size).toBe(rows.length);
  expect(NOT_BUILT.filter(isHeld)).toEqual([]);
});

test("an unknown group is rejected by name, and the error lists the known ones", () => {
  const { status, stderr } = spawnSync(process.execPath, [BENCH, "sizes", "speed"], { encoding: "utf8" });
  expect(status).toBe(2);
  expect(stderr).toContain("Unknown group: speed. Groups: start-up, sizes,");
});
