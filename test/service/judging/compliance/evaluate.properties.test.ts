import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ArtifactFact,
  type AttestationFact,
  evaluateArtifact,
  evaluateTrail,
  type TrailFacts,
} from "../../../../src/service/judging/compliance/evaluate.ts";

const name = fc.constantFrom("lint", "unit", "scan");
const type = fc.constantFrom("generic", "junit");
const artifactName = fc.constantFrom("web", "api");
const commit = fc.constantFrom("c1", "c2");
const print = fc.constantFrom("a", "b");
const slots = fc.uniqueArray(fc.record({ name, type: fc.oneof(type, fc.constant("*")) }), {
  selector: (slot) => slot.name,
});
const template = fc.record({
  attestations: slots,
  artifacts: fc.uniqueArray(fc.record({ name: artifactName, attestations: slots }), {
    selector: (rule) => rule.name,
  }),
});
const artifact = fc.record({
  fingerprint: print,
  filename: fc.constantFrom("web:1", "api:1"),
  templateName: fc.option(artifactName),
  commitSha: fc.option(commit),
  declaredCompliant: fc.constantFrom(null, null, true, false),
});
const attestation = fc.record({
  name,
  type,
  compliant: fc.boolean(),
  fingerprint: fc.option(print, { freq: 2 }),
  targets: fc.uniqueArray(artifactName),
  commitSha: fc.option(commit),
  overriddenId: fc.option(fc.constant("overridden")),
});

/** Records in order of creation. */
const facts: fc.Arbitrary<TrailFacts> = fc
  .tuple(template, fc.array(artifact, { maxLength: 5 }), fc.array(attestation, { maxLength: 10 }))
  .map(([required, artifacts, attestations]) => ({
    template: required,
    artifacts: artifacts.map((a, i): ArtifactFact => ({ ...a, id: `artifact-${i}`, sequence: i })),
    attestations: attestations.map(
      (a, i): AttestationFact => ({ ...a, id: `attestation-${i}`, sequence: i }),
    ),
  }));

const shuffled = <T>(items: readonly T[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

describe("compliance", () => {
  it("does not depend on the order in which the records are read", () => {
    const reordered = facts.chain((given) =>
      fc.record({
        given: fc.constant(given),
        artifacts: shuffled(given.artifacts),
        attestations: shuffled(given.attestations),
      }),
    );
    fc.assert(
      fc.property(reordered, ({ given, artifacts, attestations }) => {
        const again = { ...given, artifacts, attestations };
        expect(JSON.stringify(evaluateTrail(again))).toBe(JSON.stringify(evaluateTrail(given)));
        for (const each of given.artifacts) {
          expect(evaluateArtifact(again, each)).toEqual(evaluateArtifact(given, each));
        }
      }),
    );
  });

  it("is never reached while a slot is missing or a listed attestation fails", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { isCompliant, attestationsStatuses, artifactsStatuses } = evaluateTrail(given);
        const listed = [
          ...attestationsStatuses,
          ...Object.values(artifactsStatuses).flatMap((entry) => entry.attestationsStatuses),
        ];
        const flawless = listed.every((status) => status.isCompliant === true);
        if (isCompliant) expect(flawless).toBe(true);
      }),
    );
  });

  it("of an artifact is lost by a failing attestation about it, whatever the template requires", () => {
    fc.assert(
      fc.property(facts, artifact, (given, extra) => {
        const web: ArtifactFact = { ...extra, id: "web", sequence: 100 };
        const failing = { ...FAILURE, fingerprint: web.fingerprint };
        const after = evaluateArtifact({ ...given, attestations: [...given.attestations, failing] }, web);
        expect(after.status).toBe("NON-COMPLIANT");
      }),
    );
  });

  it("of an artifact follows an override of the latest attestation until a newer attestation is recorded", () => {
    const subject = fc.record({ name, type, compliant: fc.boolean() });
    fc.assert(
      fc.property(artifact, subject, fc.boolean(), (about, fields, overridden) => {
        const web: ArtifactFact = { ...about, id: "web", sequence: 1, declaredCompliant: null };
        const failure = { ...FAILURE, ...fields, fingerprint: web.fingerprint };
        const override = {
          ...failure,
          id: "override",
          sequence: 101,
          compliant: overridden,
          overriddenId: failure.id,
        };
        const later = { ...failure, id: "later", sequence: 102 };
        const template = { attestations: [], artifacts: [] };
        const statusAfter = (...attestations: AttestationFact[]) =>
          evaluateArtifact({ template, attestations }, web).attestationsStatuses[0];
        expect(statusAfter(override, failure)).toMatchObject({
          attestationId: "override",
          overriddenAttestationId: failure.id,
          isCompliant: overridden,
        });
        expect(statusAfter(later, override, failure)).toMatchObject({
          attestationId: "later",
          overriddenAttestationId: null,
          isCompliant: fields.compliant,
        });
      }),
    );
  });

  it("of the trail lists each slot of the template once, in template order", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const expected = evaluateTrail(given).attestationsStatuses.filter((status) => !status.unexpected);
        expect(expected.map((status) => status.attestationName)).toEqual(
          given.template.attestations.map((rule) => rule.name),
        );
      }),
    );
  });
});

const FAILURE: AttestationFact = {
  id: "failing",
  sequence: 100,
  name: "never-mended",
  type: "generic",
  compliant: false,
  fingerprint: null,
  targets: [],
  commitSha: null,
};
