import { describe, expect, it } from "vitest";
import {
  type ArtifactState,
  changeOf,
  describeChange,
} from "../../../../src/service/runtime/running/changes.ts";

const web = (more: Partial<ArtifactState> = {}): ArtifactState => ({
  instances: ["n/p1"],
  compliant: true,
  origins: "",
  ...more,
});

describe("the change of an artifact", () => {
  it.each([
    ["nothing", web(), web(), null],
    ["it started", undefined, web(), "started-compliant"],
    ["it started and fails a policy", undefined, web({ compliant: false }), "started-non-compliant"],
    ["it started without policies", undefined, web({ compliant: null }), "started-non-compliant"],
    ["more of it run", web(), web({ instances: ["p", "q", "r"] }), "scaled"],
    ["its pod was replaced", web(), web({ instances: ["n/p2"] }), "changed"],
    ["it became compliant", web({ compliant: false }), web(), "changed"],
    ["its flow became known", web(), web({ origins: "f" }), "updated-provenance"],
  ] as const)("when %s", (_, before, after, expected) => {
    expect(changeOf(before, after)).toBe(expected);
  });
});

it.each([
  ["started-compliant", 0, 1, "1 instance started running (from 0 to 1)"],
  ["scaled", 1, 3, "2 instances started running (from 1 to 3)"],
  ["scaled", 3, 2, "1 instance stopped running (from 3 to 2)"],
  ["exited", 2, 0, "2 instances stopped running (from 2 to 0)"],
  ["changed", 1, 1, "1 instance changed"],
  ["changed", 3, 3, "3 instances changed"],
  ["updated-provenance", 2, 2, "provenance of 2 instances updated"],
])("a change of type %s from %i to %i is '%s' in words", (type, was, now, text) => {
  expect(describeChange(type, was, now)).toBe(text);
});
