import { request } from "node:http";
import { expect, it } from "vitest";
import { LongWork } from "../../src/service/long-work.ts";
import { startTestService } from "./running-service.ts";

it("is done a piece of each organization at a time, and a piece that fails holds nobody up", async () => {
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

it("lets a request be answered between two pieces", async () => {
  const service = await startTestService();
  const longWork = new LongWork();
  const done: string[] = [];
  const pieces = Array.from({ length: 200 }, (_, i) => longWork.do("a", () => done.push(`piece ${i}`)));
  const answered = new Promise<void>((resolve) => {
    request(`${service.address}/ready`, (answer) => answer.resume().on("end", resolve)).end();
  }).then(() => done.push("answer"));
  await Promise.all([...pieces, answered]);
  expect(done.indexOf("answer")).toBeLessThan(200);
  await service.dispose();
});
