import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/api/operations.ts";
import { RESOURCES } from "./resources.ts";

describe("the conformance suite", () => {
  it("exercises every operation of the interface, each in the file of one resource", () => {
    expect(Object.values(RESOURCES).flat().sort()).toEqual(Object.keys(operations).sort());
  });

  it("has a file for each resource, which is held to the resource's operations", () => {
    const missing = Object.keys(RESOURCES).filter(
      (resource) => !existsSync(`${import.meta.dirname}/${resource}.test.ts`),
    );
    expect(missing).toEqual([]);
  });
});
