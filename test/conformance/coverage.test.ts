import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { operations } from "../../src/api/resources/operations.ts";
import { operationsOf } from "./resources.ts";

it("the conformance suite exercises every operation of the API, each in the file of its resource", async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".test.ts"));
  const covered = await Promise.all(files.map((file) => operationsOf(file.slice(0, -".test.ts".length))));
  expect(covered.flat().sort()).toEqual(Object.keys(operations).sort());
});
