import { describe, expect, it } from "vitest";
import { artifactBody, pipeline } from "./pipeline.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client } = target;
const { flow, trail } = pipeline(target);

const TEMPLATE = `version: 1
trail:
  attestations:
    - { name: review, type: generic }
  artifacts:
    - name: web
      attestations:
        - { name: unit, type: junit }
        - { name: scan, type: "*" }
`;

/** A separate trail, and the requests of a pipeline on it. */
async function newTrail(template = TEMPLATE) {
  const flowName = await flow(template);
  const trailName = await trail(flowName);
  const place = { flowName, trailName };
  const [fingerprint, commit] = [someFingerprint(), someCommit()];
  const generic = (attestationName: string, isCompliant = true, more: object = {}) =>
    client.attestGeneric({ ...place, body: { attestationName, isCompliant, ...more } });
  const about = { artifactFingerprint: fingerprint };
  return {
    place,
    fingerprint,
    commit,
    about,
    generic,
    built: (sha256 = fingerprint, from = commit) =>
      client.reportArtifact({
        flowName,
        body: artifactBody({ trailName, fingerprint: sha256, commit: from }),
      }),
    tested: (failures = 0, more: object = about) =>
      client.attestJunit({
        ...place,
        body: {
          attestationName: "unit",
          junitResults: [{ name: "s", failures, errors: 0, skipped: 0, total: 3, duration: 1 }],
          ...more,
        },
      }),
    /** Everything that the template requires. */
    async complete() {
      await this.built();
      await this.tested();
      await generic("scan", true, about);
      await generic("review");
    },
    async status() {
      const { body } = await client.getTrail(place);
      const { attestationsStatuses = [], artifactsStatuses = {}, status } = body.complianceStatus;
      expect([body.complianceState, body.isCompliant]).toEqual([status, status === "COMPLIANT"]);
      return { status, attestations: attestationsStatuses, artifacts: artifactsStatuses };
    },
    async artifactState(sha256 = fingerprint) {
      return (await client.getArtifact({ flowName, fingerprint: sha256 })).body.state;
    },
  };
}

describe("a trail without a template", () => {
  it("is compliant from the start, and so is an artifact without an attestation", async () => {
    const made = await newTrail("version: 1\n");
    expect((await made.status()).status).toBe("COMPLIANT");
    await made.built();
    expect([(await made.status()).status, await made.artifactState()]).toEqual(["COMPLIANT", "COMPLIANT"]);
  });

  it("depends on its records only: nothing is ever missing", async () => {
    const made = await newTrail("version: 1\n");
    await made.generic("lint");
    expect((await made.status()).status).toBe("COMPLIANT");
    await made.generic("scan", false);
    expect((await made.status()).status).toBe("NON-COMPLIANT");
  });
});

describe("a trail with a template", () => {
  it("is incomplete until everything was recorded, and says what is missing", async () => {
    const made = await newTrail();
    expect(await made.status()).toMatchObject({
      status: "INCOMPLETE",
      attestations: [
        { attestationName: "review", attestationType: "generic", status: "MISSING", isCompliant: null },
      ],
      artifacts: { web: { status: "MISSING", artifactFingerprint: null, unexpected: false } },
    });
    await made.built();
    const missing = { status: "MISSING", isCompliant: null, attestationId: null, unexpected: false };
    expect((await made.status()).artifacts["web"]).toMatchObject({
      artifactFingerprint: made.fingerprint,
      status: "INCOMPLETE",
      isCompliant: false,
      attestationsStatuses: [
        { attestationName: "unit", attestationType: "junit", ...missing },
        { attestationName: "scan", attestationType: "*", ...missing },
      ],
    });
    await made.tested();
    await made.generic("scan", true, made.about);
    expect([(await made.status()).artifacts["web"]?.status, (await made.status()).status]).toEqual([
      "COMPLIANT",
      "INCOMPLETE",
    ]);
    expect(await made.artifactState()).toBe("INCOMPLETE");
    await made.generic("review");
    expect([(await made.status()).status, await made.artifactState()]).toEqual(["COMPLIANT", "COMPLIANT"]);
  });

  it("is non-compliant if something failed, even if something is missing as well", async () => {
    const made = await newTrail();
    await made.built();
    await made.tested(1);
    expect(await made.status()).toMatchObject({
      status: "NON-COMPLIANT",
      artifacts: { web: { status: "NON-COMPLIANT", isCompliant: false } },
    });
  });

  it("counts a failure that it does not require, and accepts such a pass", async () => {
    const made = await newTrail();
    await made.complete();
    await made.generic("extra", true, made.about);
    expect(await made.status()).toMatchObject({
      status: "COMPLIANT",
      artifacts: {
        web: {
          attestationsStatuses: [
            { attestationName: "unit", unexpected: false },
            { attestationName: "scan", unexpected: false },
            { attestationName: "extra", unexpected: true, isCompliant: true },
          ],
        },
      },
    });
    await made.generic("extra", false, made.about);
    expect([(await made.status()).status, await made.artifactState()]).toEqual([
      "NON-COMPLIANT",
      "NON-COMPLIANT",
    ]);
  });

  it("uses the latest of each name", async () => {
    const made = await newTrail();
    await made.complete();
    for (const isCompliant of [false, true, false]) {
      await made.generic("review", isCompliant);
      expect((await made.status()).status).toBe(isCompliant ? "COMPLIANT" : "NON-COMPLIANT");
    }
  });

  it("does not accept another type than required", async () => {
    const made = await newTrail();
    await made.built();
    await made.generic("unit", true, made.about);
    const { artifacts } = await made.status();
    expect(artifacts["web"]?.attestationsStatuses).toMatchObject([
      { attestationName: "unit", attestationType: "junit", status: "MISSING" },
      { attestationName: "scan", status: "MISSING" },
      { attestationName: "unit", attestationType: "generic", status: "COMPLETE", unexpected: true },
    ]);
  });

  it("distinguishes the same name about the trail and about an artifact", async () => {
    const made = await newTrail();
    await made.complete();
    await made.generic("review", false, made.about);
    expect(await made.status()).toMatchObject({
      status: "NON-COMPLIANT",
      attestations: [{ attestationName: "review", isCompliant: true }],
    });
  });

  it("uses the artifact that was reported last under a name", async () => {
    const made = await newTrail();
    await made.complete();
    const rebuilt = someFingerprint();
    await made.built(rebuilt, someCommit());
    expect(await made.status()).toMatchObject({
      status: "INCOMPLETE",
      artifacts: { web: { artifactFingerprint: rebuilt, status: "INCOMPLETE" } },
    });
    expect([await made.artifactState(), await made.artifactState(rebuilt)]).toEqual([
      "COMPLIANT",
      "INCOMPLETE",
    ]);
  });

  it("is non-compliant after a negative decision", async () => {
    const made = await newTrail("version: 1\n");
    const control = unique("CTL");
    await client.createControl({ body: { identifier: control, name: "c" } });
    await client.attestSystem({
      ...made.place,
      body: {
        attestationName: "sast-decision",
        typeName: "decision",
        control,
        attestationData: { is_compliant: false },
      },
    });
    expect(await made.status()).toMatchObject({
      status: "NON-COMPLIANT",
      attestations: [{ attestationName: "sast-decision", attestationType: "system:decision" }],
    });
  });

  it("uses an override until the name is attested again", async () => {
    const made = await newTrail();
    await made.complete();
    await made.tested(1);
    const { artifacts } = await made.status();
    const failed = artifacts["web"]?.attestationsStatuses?.[0];
    await client.overrideAttestation({
      ...made.place,
      body: {
        attestationName: "unit",
        reason: "flaky",
        newComplianceStatus: true,
        originalAttestationType: "junit",
        ...made.about,
      },
    });
    expect(await made.status()).toMatchObject({
      status: "COMPLIANT",
      artifacts: {
        web: {
          attestationsStatuses: [
            {
              attestationName: "unit",
              attestationType: "junit",
              overriddenAttestationId: failed?.attestationId,
            },
            {},
          ],
        },
      },
    });
    await made.tested(2);
    expect((await made.status()).status).toBe("NON-COMPLIANT");
  });
});

describe("an attestation for an artifact by its name and commit", () => {
  const reference = (commit: string) => ({ targetArtifacts: ["web"], gitCommitInfo: { sha1: commit } });

  it("counts before and after the artifact is reported", async () => {
    const made = await newTrail();
    await made.tested(0, reference(made.commit));
    await made.built();
    await made.generic("scan", true, reference(made.commit));
    await made.generic("review");
    expect(await made.status()).toMatchObject({
      status: "COMPLIANT",
      artifacts: { web: { artifactFingerprint: made.fingerprint, status: "COMPLIANT" } },
    });
  });

  it("counts for each artifact of that name and commit, and for none of another commit", async () => {
    const made = await newTrail();
    await made.generic("review");
    await made.tested(0, reference(made.commit));
    await made.generic("scan", true, reference(made.commit));
    const [twin, other] = [someFingerprint(), someFingerprint()];
    await made.built();
    await made.built(twin);
    await made.built(other, someCommit());
    expect([
      await made.artifactState(),
      await made.artifactState(twin),
      await made.artifactState(other),
    ]).toEqual(["COMPLIANT", "COMPLIANT", "INCOMPLETE"]);
  });
});
