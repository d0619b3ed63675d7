import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ArtifactState,
  changesBetween,
  describeChange,
} from "../../../src/service/environments/changes.ts";

const web = (more: Partial<ArtifactState> = {}): ArtifactState => ({
  name: "web",
  fingerprint: "a",
  instances: ["n/p1"],
  compliant: true,
  provenance: "",
  ...more,
});

describe("what changed about an artifact", () => {
  it.each([
    ["nothing", [web()], [web()], undefined],
    ["it started", [], [web()], ["started-compliant", 0, 1]],
    ["it started and fails a policy", [], [web({ compliant: false })], ["started-non-compliant", 0, 1]],
    ["it started without policies", [], [web({ compliant: null })], ["started-non-compliant", 0, 1]],
    ["it stopped", [web({ instances: ["p", "q"] })], [], ["exited", 2, 0]],
    ["more of it run", [web()], [web({ instances: ["p", "q", "r"] })], ["scaled", 1, 3]],
    ["its pod was replaced", [web()], [web({ instances: ["n/p2"] })], ["changed", 1, 1]],
    ["it became compliant", [web({ compliant: false })], [web()], ["changed", 1, 1]],
    ["its flow became known", [web()], [web({ provenance: "f" })], ["updated-provenance", 1, 1]],
  ] as const)("when %s", (_, before, after, expected) => {
    const [change] = changesBetween(before, after);
    expect(change && [change.type, change.was, change.now]).toEqual(expected);
  });

  it("is told apart by name and content", () => {
    const types = changesBetween([web()], [web({ name: "other" })]).map(({ name, type }) => [name, type]);
    expect(types).toEqual([
      ["other", "started-compliant"],
      ["web", "exited"],
    ]);
  });

  it("adds up: what ran before, changed, is what runs now", () => {
    const artifacts = fc.uniqueArray(
      fc.record({ fingerprint: fc.constantFrom("a", "b", "c", "d"), count: fc.integer({ min: 1, max: 3 }) }),
      { selector: ({ fingerprint }) => fingerprint },
    );
    fc.assert(
      fc.property(artifacts, artifacts, (before, after) => {
        const states = (list: typeof before) =>
          list.map(({ fingerprint, count }) =>
            web({ fingerprint, instances: Array.from({ length: count }, (_, i) => String(i)) }),
          );
        const counts = new Map<string, number>(before.map(({ fingerprint, count }) => [fingerprint, count]));
        for (const { fingerprint, was, now } of changesBetween(states(before), states(after))) {
          expect(counts.get(fingerprint) ?? 0).toBe(was);
          counts.set(fingerprint, now);
        }
        const left = [...counts].filter(([, count]) => count > 0);
        expect(new Map(left)).toEqual(new Map(after.map(({ fingerprint, count }) => [fingerprint, count])));
      }),
    );
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
