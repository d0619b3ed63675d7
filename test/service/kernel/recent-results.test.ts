import { expect, test } from "vitest";
import { RecentResults } from "../../../src/service/kernel/recent-results.ts";

const work = () => {
  let calls = 0;
  return async () => ++calls;
};

test("a result is remembered for its time, and shared by concurrent requests", async () => {
  const recent = new RecentResults<number>({ seconds: 60, max: 10 });
  const once = work();
  expect(await Promise.all([recent.get("a", 0, once), recent.get("a", 0, once)])).toEqual([1, 1]);
  expect(await recent.get("a", 59.9, once)).toBe(1);
  expect(await recent.get("a", 60, once)).toBe(2);
});

test("a failure is not remembered", async () => {
  const recent = new RecentResults<number>({ seconds: 60, max: 10 });
  await expect(recent.get("a", 0, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await recent.get("a", 0, async () => 7)).toBe(7);
});

test("the oldest results are dropped at the limit", async () => {
  const recent = new RecentResults<number>({ seconds: 60, max: 3 });
  const each = work();
  for (const key of ["a", "b", "c", "d"]) await recent.get(key, 0, each);
  expect(recent.size).toBe(3);
  expect(await recent.get("d", 1, each)).toBe(4);
  expect(await recent.get("a", 1, each)).toBe(5);
});
