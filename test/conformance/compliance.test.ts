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
    const own = await newTrail("version: 1\n");
    expect((await own.status()).status).toBe("COMPLIANT");
    await own.built();
    expect([(await own.status()).status, await own.artifactState()]).toEqual(["COMPLIANT", "COMPLIANT"]);
  });

  it("depends on its records only: nothing is ever missing", async () => {
    const own = await newTrail("version: 1\n");
    await own.generic("lint");
    expect((await own.status()).status).toBe("COMPLIANT");
    await own.generic("scan", false);
    expect((await own.status()).status).toBe("NON-COMPLIANT");
  });
});

describe("a trail with a template", () => {
  it("is incomplete until everything was recorded, and says what is missing", async () => {
    const own = await newTrail();
    expect(await own.status()).toMatchObject({
      status: "INCOMPLETE",
      attestations: [
        { attestationName: "review", attestationType: "generic", status: "MISSING", isCompliant: null },
      ],
      artifacts: { web: { status: "MISSING", artifactFingerprint: null, unexpected: false } },
    });
    await own.built();
    const missing = { status: "MISSING", isCompliant: null, attestationId: null, unexpected: false };
    expect((await own.status()).artifacts["web"]).toMatchObject({
      artifactFingerprint: own.fingerprint,
      status: "INCOMPLETE",
      isCompliant: false,
      attestationsStatuses: [
        { attestationName: "unit", attestationType: "junit", ...missing },
        { attestationName: "scan", attestationType: "*", ...missing },
      ],
    });
    await own.tested();
    await own.generic("scan", true, own.about);
    expect([(await own.status()).artifacts["web"]?.status, (await own.status()).status]).toEqual([
      "COMPLIANT",
      "INCOMPLETE",
    ]);
    expect(await own.artifactState()).toBe("INCOMPLETE");
    await own.generic("review");
    expect([(await own.status()).status, await own.artifactState()]).toEqual(["COMPLIANT", "COMPLIANT"]);
  });

  it("is non-compliant if something failed, even if something is missing as well", async () => {
    const own = await newTrail();
    await own.built();
    await own.tested(1);
    expect(await own.status()).toMatchObject({
      status: "NON-COMPLIANT",
      artifacts: { web: { status: "NON-COMPLIANT", isCompliant: false } },
    });
  });

  it("counts a failure that it does not require, and accepts such a pass", async () => {
    const own = await newTrail();
    await own.complete();
    await own.generic("extra", true, own.about);
    expect(await own.status()).toMatchObject({
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
    await own.generic("extra", false, own.about);
    expect([(await own.status()).status, await own.artifactState()]).toEqual([
      "NON-COMPLIANT",
      "NON-COMPLIANT",
    ]);
  });

  it("uses the latest of each name", async () => {
    const own = await newTrail();
    await own.complete();
    for (const isCompliant of [false, true, false]) {
      await own.generic("review", isCompliant);
      expect((await own.status()).status).toBe(isCompliant ? "COMPLIANT" : "NON-COMPLIANT");
    }
  });

  it("does not accept another type than required", async () => {
    const own = await newTrail();
    await own.built();
    await own.generic("unit", true, own.about);
    const { artifacts } = await own.status();
    expect(artifacts["web"]?.attestationsStatuses).toMatchObject([
      { attestationName: "unit", attestationType: "junit", status: "MISSING" },
      { attestationName: "scan", status: "MISSING" },
      { attestationName: "unit", attestationType: "generic", status: "COMPLETE", unexpected: true },
    ]);
  });

  it("distinguishes the same name about the trail and about an artifact", async () => {
    const own = await newTrail();
    await own.complete();
    await own.generic("review", false, own.about);
    expect(await own.status()).toMatchObject({
      status: "NON-COMPLIANT",
      attestations: [{ attestationName: "review", isCompliant: true }],
    });
  });

  it("uses the artifact that was reported last under a name", async () => {
    const own = await newTrail();
    await own.complete();
    const rebuilt = someFingerprint();
    await own.built(rebuilt, someCommit());
    expect(await own.status()).toMatchObject({
      status: "INCOMPLETE",
      artifacts: { web: { artifactFingerprint: rebuilt, status: "INCOMPLETE" } },
    });
    expect([await own.artifactState(), await own.artifactState(rebuilt)]).toEqual([
      "COMPLIANT",
      "INCOMPLETE",
    ]);
  });

  it("is non-compliant after a negative decision", async () => {
    const own = await newTrail("version: 1\n");
    const control = unique("CTL");
    await client.createControl({ body: { identifier: control, name: "c" } });
    await client.attestSystem({
      ...own.place,
      body: {
        attestationName: "sast-decision",
        typeName: "decision",
        control,
        attestationData: { is_compliant: false },
      },
    });
    expect(await own.status()).toMatchObject({
      status: "NON-COMPLIANT",
      attestations: [{ attestationName: "sast-decision", attestationType: "system:decision" }],
    });
  });

  it("uses an override until the name is attested again", async () => {
    const own = await newTrail();
    await own.complete();
    await own.tested(1);
    const { artifacts } = await own.status();
    const failed = artifacts["web"]?.attestationsStatuses?.[0];
    await client.overrideAttestation({
      ...own.place,
      body: {
        attestationName: "unit",
        reason: "flaky",
        newComplianceStatus: true,
        originalAttestationType: "junit",
        ...own.about,
      },
    });
    expect(await own.status()).toMatchObject({
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
    await own.tested(2);
    expect((await own.status()).status).toBe("NON-COMPLIANT");
  });
});

describe("an attestation for an artifact by its name and commit", () => {
  const reference = (commit: string) => ({ targetArtifacts: ["web"], gitCommitInfo: { sha1: commit } });

  it("counts before and after the artifact is reported", async () => {
    const own = await newTrail();
    await own.tested(0, reference(own.commit));
    await own.built();
    await own.generic("scan", true, reference(own.commit));
    await own.generic("review");
    expect(await own.status()).toMatchObject({
      status: "COMPLIANT",
      artifacts: { web: { artifactFingerprint: own.fingerprint, status: "COMPLIANT" } },
    });
  });

  it("counts for each artifact of that name and commit, and for none of another commit", async () => {
    const own = await newTrail();
    await own.generic("review");
    await own.tested(0, reference(own.commit));
    await own.generic("scan", true, reference(own.commit));
    const [twin, other] = [someFingerprint(), someFingerprint()];
    await own.built();
    await own.built(twin);
    await own.built(other, someCommit());
    expect([
      await own.artifactState(),
      await own.artifactState(twin),
      await own.artifactState(other),
    ]).toEqual(["COMPLIANT", "COMPLIANT", "INCOMPLETE"]);
  });
});
