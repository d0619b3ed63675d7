import { request } from "node:http";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { LongWork } from "../../../src/service/kernel/long-work.ts";
import { startTestService } from "../running-service.ts";

it("long work runs one piece per organization at a time, and a failing piece delays no other", async () => {
  const longWork = new LongWork();
  const done: string[] = [];
  const piece = (organization: string, name: string) =>
    longWork.do(organization, () => {
      done.push(name);
      if (name === "a2") throw new Error("broken");
      return name;
    });
  const results = await Promise.allSettled([
    ...["a1", "a2", "a3"].map((name) => piece("a", name)),
    ...["b1", "b2"].map((name) => piece("b", name)),
  ]);
  expect(done).toEqual(["a1", "b1", "a2", "b2", "a3"]);
  expect(results[1]).toMatchObject({ status: "rejected", reason: new Error("broken") });
  expect(await piece("c", "c1")).toBe("c1");
});

it("long work waits for a piece before the next one begins", async () => {
  const longWork = new LongWork();
  const done: string[] = [];
  const piece = (organization: string) =>
    longWork.do(organization, async () => {
      done.push(`${organization} begins`);
      await setImmediate();
      done.push(`${organization} ends`);
    });
  await Promise.all([piece("a"), piece("b")]);
  expect(done).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

it("long work lets the service answer requests between pieces", async () => {
  const service = await startTestService();
  const longWork = new LongWork();
  let answered = false;
  let done = 0;
  const piece = async (): Promise<void> => {
    await longWork.do("a", () => done++);
    if (!answered && done < 1_000_000) await piece();
  };
  const pieces = Array.from({ length: 200 }, piece);
  request(service.address, (answer) => answer.resume().on("end", () => (answered = true))).end();
  await Promise.all(pieces);
  expect(answered).toBe(true);
  await service.dispose();
});
