import { describe, expect, it } from "vitest";
import {
  type AttestationFact,
  evaluateArtifact,
  evaluateTrail,
} from "../../../../src/service/judging/compliance/evaluate.ts";
import { EMPTY_TEMPLATE, type Template } from "../../../../src/service/judging/compliance/template.ts";
import { artifact, attestation } from "./facts.ts";

const slot = (name: string, type = "generic") => ({ name, type });
/** Requires `lint` of the trail and `unit` of the artifact `web`. */
const template: Template = {
  attestations: [slot("lint")],
  artifacts: [{ name: "web", attestations: [slot("unit", "junit")] }],
};
const lint = (compliant = true) => attestation("lint", { compliant });
const unit = (compliant = true, more: Partial<AttestationFact> = {}) =>
  attestation("unit", { type: "junit", compliant, fingerprint: "a", ...more });

describe("the status of a trail", () => {
  it.each([
    ["nothing was recorded", [], [], "INCOMPLETE", "MISSING"],
    ["the artifact is reported without its attestation", [artifact()], [lint()], "INCOMPLETE", "INCOMPLETE"],
    ["everything is present and compliant", [artifact()], [lint(), unit()], "COMPLIANT", "COMPLIANT"],
    ["the trail's attestation is missing", [artifact()], [unit()], "INCOMPLETE", "COMPLIANT"],
    ["the trail's attestation fails", [artifact()], [lint(false), unit()], "NON-COMPLIANT", "COMPLIANT"],
    [
      "the artifact's attestation fails",
      [artifact()],
      [lint(), unit(false)],
      "NON-COMPLIANT",
      "NON-COMPLIANT",
    ],
    ["one fails and one is missing", [artifact()], [unit(false)], "NON-COMPLIANT", "NON-COMPLIANT"],
    ["one fails before the artifact is reported", [], [lint(false)], "NON-COMPLIANT", "MISSING"],
    [
      "the artifact was reported as not compliant",
      [artifact({ declaredCompliant: false })],
      [lint(), unit()],
      "NON-COMPLIANT",
      "NON-COMPLIANT",
    ],
  ] as const)("when %s", (_, artifacts, attestations, trail, web) => {
    const status = evaluateTrail({ template, artifacts, attestations });
    expect({
      trail: status.status,
      isCompliant: status.isCompliant,
      web: status.artifactsStatuses["web"]?.status,
      isWebCompliant: status.artifactsStatuses["web"]?.isCompliant,
    }).toEqual({ trail, isCompliant: trail === "COMPLIANT", web, isWebCompliant: web === "COMPLIANT" });
  });

  it("is compliant when nothing is required and nothing failed", () => {
    const attestations = [attestation("extra"), attestation("more", { fingerprint: "a" })];
    expect(evaluateTrail({ template: EMPTY_TEMPLATE, artifacts: [], attestations: [] }).status).toBe(
      "COMPLIANT",
    );
    const status = evaluateTrail({ template: EMPTY_TEMPLATE, artifacts: [artifact()], attestations });
    expect(status.status).toBe("COMPLIANT");
    expect(status.attestationsStatuses).toMatchObject([{ attestationName: "extra", unexpected: true }]);
    expect(status.artifactsStatuses["web"]).toMatchObject({ unexpected: true, status: "COMPLIANT" });
  });

  it("counts a failure that the template does not require", () => {
    const failing = attestation("extra", { compliant: false });
    expect(evaluateTrail({ template: EMPTY_TEMPLATE, artifacts: [], attestations: [failing] }).status).toBe(
      "NON-COMPLIANT",
    );
  });

  it("counts a failing target reference for an artifact that was never reported", () => {
    const reference = attestation("unit", { compliant: false, targets: ["ghost"], commitSha: "c1" });
    const status = evaluateTrail({ template: EMPTY_TEMPLATE, artifacts: [], attestations: [reference] });
    expect(status.status).toBe("NON-COMPLIANT");
    expect(status.artifactsStatuses["ghost"]).toMatchObject({ artifactFingerprint: null, unexpected: true });
  });

  it("lists artifacts by name, then each unexpected attestation name once", () => {
    const named = (name: string) => artifact({ templateName: null, filename: name, fingerprint: name });
    const status = evaluateTrail({
      template: { attestations: [slot("z"), slot("y")], artifacts: [] },
      artifacts: [named("c"), named("a"), named("B")],
      attestations: [
        attestation("n"),
        attestation("m"),
        attestation("o"),
        attestation("m"),
        attestation("z"),
      ],
    });
    expect(Object.keys(status.artifactsStatuses)).toEqual(["B", "a", "c"]);
    expect(status.attestationsStatuses.map((each) => each.attestationName)).toEqual([
      "z",
      "y",
      "m",
      "n",
      "o",
    ]);
  });

  it("lists the slots of a required artifact that was not reported, with the references to it", () => {
    const reference = attestation("unit", { type: "junit", targets: ["web", "api"], commitSha: "c1" });
    const other = attestation("unit", {
      type: "junit",
      compliant: false,
      fingerprint: "z",
      targets: ["web", "ghost"],
    });
    const status = evaluateTrail({ template, artifacts: [], attestations: [lint(), reference, other] });
    const complete = {
      attestationName: "unit",
      attestationType: "junit",
      attestationId: reference.id,
      overriddenAttestationId: null,
      status: "COMPLETE",
      isCompliant: true,
    };
    expect(status.artifactsStatuses).toEqual({
      api: {
        artifactFingerprint: null,
        artifactId: null,
        status: "COMPLIANT",
        isCompliant: true,
        attestationsStatuses: [{ ...complete, unexpected: true }],
        unexpected: true,
      },
      web: {
        artifactFingerprint: null,
        artifactId: null,
        status: "MISSING",
        isCompliant: false,
        attestationsStatuses: [{ ...complete, unexpected: false }],
        unexpected: false,
      },
    });
    expect(status.status).toBe("INCOMPLETE");
  });

  it("lists the slots of an artifact that was reported", () => {
    const web = artifact();
    const status = evaluateTrail({ template, artifacts: [web], attestations: [lint(), unit()] });
    expect(status.artifactsStatuses["web"]).toMatchObject({
      artifactFingerprint: "a",
      artifactId: web.id,
      status: "COMPLIANT",
      isCompliant: true,
      unexpected: false,
    });
  });

  it("shows what a missing slot requires", () => {
    const missing = {
      attestationId: null,
      overriddenAttestationId: null,
      status: "MISSING",
      isCompliant: null,
      unexpected: false,
    };
    const status = evaluateTrail({ template, artifacts: [], attestations: [] });
    expect(status.attestationsStatuses).toEqual([
      { ...missing, attestationName: "lint", attestationType: "generic" },
    ]);
    expect(status.artifactsStatuses["web"]?.attestationsStatuses).toEqual([
      { ...missing, attestationName: "unit", attestationType: "junit" },
    ]);
  });

  it("uses the latest artifact of a name", () => {
    const first = artifact();
    const second = artifact({ fingerprint: "b" });
    const attestations = [lint(), unit(false), unit(true, { fingerprint: "b" })];
    const status = evaluateTrail({ template, artifacts: [second, first], attestations });
    expect(status.status).toBe("COMPLIANT");
    expect(status.artifactsStatuses["web"]?.artifactFingerprint).toBe("b");
  });
});

describe("which attestation meets a slot", () => {
  const met = (attestations: AttestationFact[], type: string) =>
    evaluateTrail({
      template: { attestations: [slot("scan", type)], artifacts: [] },
      artifacts: [],
      attestations,
    });

  it("the latest of its name: a later pass fixes a failure, a later failure undoes a pass", () => {
    expect(met([attestation("scan", { compliant: false }), attestation("scan")], "generic").status).toBe(
      "COMPLIANT",
    );
    expect(met([attestation("scan"), attestation("scan", { compliant: false })], "generic").status).toBe(
      "NON-COMPLIANT",
    );
  });

  it("one of any type when the slot accepts any", () => {
    expect(met([attestation("scan", { type: "custom:owasp" })], "*").status).toBe("COMPLIANT");
  });

  it("none of another type: the slot remains missing and the record is unexpected", () => {
    const status = met([attestation("scan", { type: "snyk" })], "generic");
    expect(status.status).toBe("INCOMPLETE");
    expect(status.attestationsStatuses).toMatchObject([
      { attestationName: "scan", attestationType: "generic", status: "MISSING", unexpected: false },
      { attestationName: "scan", attestationType: "snyk", status: "COMPLETE", unexpected: true },
    ]);
  });

  it("the same name about the artifact and about the trail are different slots", () => {
    const both: Template = {
      attestations: [slot("scan")],
      artifacts: [{ name: "web", attestations: [slot("scan")] }],
    };
    const status = evaluateTrail({
      template: both,
      artifacts: [artifact()],
      attestations: [attestation("scan")],
    });
    expect(status.attestationsStatuses).toMatchObject([{ status: "COMPLETE" }]);
    expect(status.artifactsStatuses["web"]?.attestationsStatuses).toMatchObject([{ status: "MISSING" }]);
  });

  it.each([
    ["its fingerprint", { fingerprint: "a" }, true],
    ["another fingerprint", { fingerprint: "b", targets: ["web"], commitSha: "c1" }, false],
    ["its name and commit", { targets: ["api", "web"], commitSha: "c1" }, true],
    ["its name and another commit", { targets: ["web"], commitSha: "c2" }, false],
    ["another name and its commit", { targets: ["api"], commitSha: "c1" }, false],
    ["its name and no commit", { targets: ["web"], commitSha: null }, false],
  ])("about an artifact: %s", (_, more, isMet) => {
    const web = artifact();
    const facts = {
      template,
      artifacts: [web],
      attestations: [lint(), unit(true, { fingerprint: null, ...more })],
    };
    expect(evaluateArtifact(facts, web).isCompliant).toBe(isMet);
  });

  it("no target reference without a commit meets an artifact without one: they may be of different builds", () => {
    const web = artifact({ commitSha: null });
    const facts = { template, attestations: [lint(), unit(true, { fingerprint: null, targets: ["web"] })] };
    expect(evaluateArtifact(facts, web).isCompliant).toBe(false);
  });

  it("no target reference by name meets an artifact without a name or without a commit", () => {
    for (const more of [{ templateName: null }, { commitSha: null }]) {
      const web = artifact(more);
      const reference = attestation("unit", { compliant: false, targets: ["web"], commitSha: "c1" });
      const facts = { template: EMPTY_TEMPLATE, attestations: [reference] };
      expect(evaluateArtifact(facts, web).isCompliant).toBe(true);
    }
  });
});

describe("whether an artifact is compliant", () => {
  const web = artifact();
  const verdict = (attestations: AttestationFact[]) => evaluateArtifact({ template, attestations }, web);

  it("lists its own attestations, and of the trail's only those that block it", () => {
    const status = verdict([unit(), attestation("audit", { compliant: false }), attestation("fine")]);
    expect(status.status).toBe("NON-COMPLIANT");
    expect(status.attestationsStatuses.map((s) => [s.attestationName, s.status, s.isCompliant])).toEqual([
      ["unit", "COMPLETE", true],
      ["lint", "MISSING", null],
      ["audit", "COMPLETE", false],
    ]);
  });

  it("does not depend on another artifact of the trail", () => {
    const facts = {
      template: {
        ...template,
        artifacts: [...template.artifacts, { name: "api", attestations: [slot("unit")] }],
      },
      artifacts: [web],
      attestations: [lint(), unit()],
    };
    expect(evaluateArtifact(facts, web).status).toBe("COMPLIANT");
    expect(evaluateTrail(facts).status).toBe("INCOMPLETE");
  });

  it("applies to an earlier artifact of the same name too, by its own attestations", () => {
    const rebuilt = artifact({ fingerprint: "b" });
    const facts = { template, artifacts: [web, rebuilt], attestations: [lint(), unit()] };
    expect(evaluateArtifact(facts, web).isCompliant).toBe(true);
    expect(evaluateArtifact(facts, rebuilt).isCompliant).toBe(false);
  });
});
