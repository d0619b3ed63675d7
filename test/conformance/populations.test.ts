import { expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { conformance } from "./target.ts";

const target = await conformance();
const { client } = target;
const { delivered } = pipeline(target);
const ALWAYS = { from: "0", to: "4000000000" };

it("the trails of a flow are listed, and sampled by a seed", async () => {
  const { flow, trail } = await delivered();
  const query = { flow, ...ALWAYS, n: 1, seed: "s" };
  const { body } = await client.getPopulation(query);
  expect(body).toMatchObject({ count: 1, members: [{ name: trail }], sample: [{ name: trail }] });
  const before = await client.getPopulation({ flow, from: "0", to: "1" });
  expect(before.body).toEqual({ count: 0, members: [], sample: [] });
  const { body: file } = await client.getPopulationPackage(query);
  expect(file.name).toBe(`${flow}-population.tgz`);
  expect([...file.content.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
});
