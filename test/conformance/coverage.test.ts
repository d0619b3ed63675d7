import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/api/operations.ts";
import { RESOURCES } from "./resources.ts";

/** The files about resources say so: `conformance("flows")` holds its file to the operations of `flows`. */
const declared = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((file) => {
    const text = readFileSync(`${import.meta.dirname}/${file}`, "utf8");
    return [...text.matchAll(/await conformance\("([\w-]+)"\)/g)].map(([, resource]) => ({ file, resource }));
  });

describe("the conformance suite", () => {
  it("exercises every operation of the interface, each in the file of one resource", () => {
    expect(Object.values(RESOURCES).flat().sort()).toEqual(Object.keys(operations).sort());
  });

  it("has a file for each resource, which holds itself to the resource's operations", () => {
    const expected = Object.keys(RESOURCES).map((resource) => ({ file: `${resource}.test.ts`, resource }));
    expect(declared.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual(
      expected.toSorted((a, b) => (a.file < b.file ? -1 : 1)),
    );
  });
});
