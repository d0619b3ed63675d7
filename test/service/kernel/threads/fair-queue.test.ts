import { expect, it } from "vitest";
import { FairQueue } from "../../../../src/service/kernel/threads/fair-queue.ts";

const everyone = () => true;

function queueOf(...tasks: [orgId: string, task: string][]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const [orgId, task] of tasks) queue.add(orgId, task);
  return queue;
}

it("organizations alternate, and each has its tasks done in order", () => {
  const queue = queueOf(["a", "a1"], ["a", "a2"], ["a", "a3"], ["b", "b1"], ["c", "c1"], ["c", "c2"]);
  const taken = Array.from({ length: 7 }, () => queue.take(everyone));
  expect(taken).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", undefined]);
});

it("an organization that returns is queued behind those that wait already", () => {
  const queue = queueOf(["a", "a1"], ["b", "b1"]);
  expect(queue.take(everyone)).toBe("a1");
  queue.add("a", "a2");
  expect([queue.take(everyone), queue.take(everyone)]).toEqual(["b1", "a2"]);
});

it("an organization that may not run now keeps its position", () => {
  const queue = queueOf(["a", "a1"], ["b", "b1"], ["b", "b2"]);
  expect(queue.take((orgId) => orgId !== "a")).toBe("b1");
  expect([queue.take(everyone), queue.take(everyone)]).toEqual(["a1", "b2"]);
  expect(queue.take(everyone)).toBeUndefined();
});

it("counts the waiting tasks of an organization", () => {
  const queue = queueOf(["a", "a1"], ["a", "a2"], ["b", "b1"]);
  queue.take(everyone);
  expect(["a", "b", "c"].map((orgId) => queue.lengthOf(orgId))).toEqual([1, 1, 0]);
});
