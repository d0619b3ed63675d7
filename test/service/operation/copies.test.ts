import { expect, test } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { mayReadCopy } from "../../../src/service/operation/copies.ts";

test("no operation that a deployment waits for reads a copy, nor one that writes or needs no key", () => {
  const all: readonly OperationShape[] = Object.values(operations);
  const primary = all.filter((operation) => !mayReadCopy(operation));
  const reading = primary.filter(({ method, access }) => method === "GET" && access !== "public");
  expect(reading.map(({ name }) => name)).toEqual([
    "listArtifactApprovals",
    "getArtifactCommit",
    "assertArtifact",
    "getLogCheckpoint",
    "getLogTile",
    "getLogProof",
    "getLogConsistency",
    "getLogPolicy",
  ]);
  expect(all.filter(mayReadCopy).filter(({ method }) => method !== "GET")).toEqual([]);
});
