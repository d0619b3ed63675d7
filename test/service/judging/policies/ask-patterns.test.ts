import { describe, expect, it } from "vitest";
import {
  PatternAnswers,
  UnansweredPatterns,
} from "../../../../src/service/judging/patterns/pattern-answers.ts";
import { askPatterns } from "../../../../src/service/judging/policies/ask-patterns.ts";
import { compilePolicy } from "../../../../src/service/judging/policies/compile-policy.ts";
import { yieldsDuring } from "../../yields.ts";

/** A policy with an exception for each of these conditions. */
const exceptWhere = (conditions: string[]) =>
  compilePolicy({
    name: "prod",
    version: 1,
    definition: {
      schemaVersion: "1",
      artifacts: {
        provenance: { required: true, exceptions: conditions.map((text) => ({ ifCondition: { text } })) },
        trailCompliance: { required: false, exceptions: [] },
        attestations: [],
      },
    },
  });
const artifacts = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    flow: null,
    artifact: { name: `web:${i}`, fingerprint: "a".repeat(64) },
  }));

describe("collecting the patterns of policies", () => {
  it("accepts a million texts, and not one pattern's more", async () => {
    const policy = exceptWhere(Array.from({ length: 1_000 }, (_, i) => `matches(artifact.name, '^x${i}')`));
    const ask = (count: number) => askPatterns([policy], artifacts(count), new PatternAnswers());
    await expect(ask(1_000)).rejects.toThrow(UnansweredPatterns);
    await expect(ask(1_001)).rejects.toThrow(/have 1001000 texts to match/);
  });

  it("yields before each tag that is looked up in all flows", async () => {
    const policy = exceptWhere(Array.from({ length: 20 }, (_, i) => `matches(flow.tags.t${i}, 'x')`));
    const ask = () => askPatterns([policy], artifacts(1), new PatternAnswers());
    expect(
      await yieldsDuring(() => expect(ask()).rejects.toThrow(UnansweredPatterns)),
    ).toBeGreaterThanOrEqual(20);
  });
});
