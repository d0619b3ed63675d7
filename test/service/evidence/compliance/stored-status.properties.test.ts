import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addArtifact } from "../../../../src/service/evidence/artifacts/records.ts";
import { addAttestation, type Override } from "../../../../src/service/evidence/attestations/records.ts";
import {
  complianceDifferences,
  type Difference,
} from "../../../../src/service/evidence/compliance/differences.ts";
import { requireFlow } from "../../../../src/service/evidence/flows/records.ts";
import { putTrail } from "../../../../src/service/evidence/trails/records.ts";
import { attestationToOverride } from "../../../../src/service/judging/compliance/override.ts";
import type { Template } from "../../../../src/service/judging/compliance/template.ts";
import { createOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import type { Database } from "../../../../src/service/store/tables.ts";
import { actOf, trailNamed } from "../recording.ts";

/*
 * Random histories of a trail, recorded by the functions of the service on a real file. After each record, the stored
 * status must equal the status computed from all records.
 */

let folder: string;
let store: Store;
let org: { id: string; name: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-status-"));
  store = await openDataFolder(folder);
  org = { id: await store.write((db) => createOrganization(db, "acme", 1)), name: "acme" };
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const name = fc.constantFrom("lint", "unit");
const type = fc.constantFrom("generic", "junit", "system:decision");
const artifactName = fc.constantFrom("web", "api");
const commit = fc.constantFrom("c1", "c2");
const print = fc.constantFrom("a", "b");
const slots = fc.uniqueArray(fc.record({ name, type: fc.constantFrom("generic", "junit", "*") }), {
  selector: (slot) => slot.name,
});
const template: fc.Arbitrary<Template> = fc.record({
  attestations: slots,
  artifacts: fc.uniqueArray(fc.record({ name: artifactName, attestations: slots }), {
    selector: (rule) => rule.name,
  }),
});
const subject = fc.oneof(
  fc.constant({ fingerprint: null, targets: [], commitSha: null }),
  fc.record({ fingerprint: print, targets: fc.constant([]), commitSha: fc.option(commit) }),
  fc.record({
    fingerprint: fc.constant(null),
    targets: fc.uniqueArray(artifactName, { minLength: 1 }),
    commitSha: commit,
  }),
);
const record = fc.oneof(
  { weight: 6, arbitrary: fc.record({ attest: subject, name, type, compliant: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ override: subject, name, compliant: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      report: print,
      templateName: fc.option(artifactName),
      filename: fc.constantFrom("web:1", "web"),
      commitSha: fc.option(commit),
      isCompliant: fc.constantFrom(null, null, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ template }) },
);
type TrailRecord = typeof record extends fc.Arbitrary<infer R> ? R : never;
type Subject = typeof subject extends fc.Arbitrary<infer S> ? S : never;

interface Step {
  flow: string;
  now: number;
}

async function carryOut(db: Database, each: TrailRecord, { flow: flowName, now }: Step): Promise<void> {
  const by = actOf(org, now);
  const place = await trailNamed(db, org, [flowName, "t"], now);
  const attest = (
    about: Subject,
    entry: { name: string; type: string; compliant: boolean },
    override?: Override,
  ) =>
    addAttestation(
      db,
      place,
      {
        name: entry.name,
        type: entry.type,
        isCompliant: entry.compliant,
        artifactFingerprint: about.fingerprint,
        targetArtifacts: [...about.targets],
        commitSha: about.commitSha,
        gitCommitInfo: null,
        repoInfo: null,
        stated: {},
        override,
        details: entry.type === "system:decision" ? `{"control":"${entry.compliant}"}` : "{}",
        files: [],
      },
      by,
    );
  if ("attest" in each) await attest(each.attest, each);
  if ("override" in each) {
    const overridden = attestationToOverride(place.trail, { name: each.name, ...each.override });
    if (overridden) {
      const override = { overriddenId: overridden.id, wasCompliant: overridden.compliant, reason: "known" };
      await attest(each.override, { ...each, type: overridden.type }, override);
    }
  }
  if ("report" in each) {
    const { report: fingerprint, ...artifact } = each;
    const origin = {
      branch: null,
      buildUrl: "",
      commitUrl: "",
      repoUrl: null,
      gitCommitInfo: null,
      repoInfo: null,
      stated: {},
      details: "{}",
    };
    const trail = { ...place, name: "t" };
    await addArtifact(db, { ...place, trail }, { fingerprint, ...artifact, ...origin }, by);
  }
  if ("template" in each) {
    const written = { template: each.template, source: null };
    await putTrail(db, await requireFlow(db, org, flowName), { name: "t", template: written }, by);
  }
}

async function differences(trailId?: string): Promise<Difference[]> {
  const found: Difference[] = [];
  for await (const difference of complianceDifferences(store)) found.push(difference);
  return found.filter((each) => trailId === undefined || each.trailId === trailId);
}

/** The stored status of the trail of a flow and of its artifacts. */
async function storedStatus(flow: string) {
  const columns = ["compliance_state", "compliance_since", "compliance_reason"] as const;
  const { id } = await requireFlow(store.read, org, flow);
  const trail = await store.read
    .selectFrom("trails")
    .select([...columns, "id"])
    .where("flow_id", "=", id)
    .executeTakeFirstOrThrow();
  const artifacts = await store.read
    .selectFrom("artifacts")
    .select([...columns, "sequence"])
    .where("flow_id", "=", id)
    .orderBy("sequence")
    .execute();
  return { trail, artifacts };
}

const NOTHING_ASKED: Template = { attestations: [], artifacts: [] };
const WEB = { filename: "web:1", templateName: "web", commitSha: "c1", isCompliant: null } as const;
const BY_PRINT: Subject = { fingerprint: "a", targets: [], commitSha: null };
const BY_NAME: Subject = { fingerprint: null, targets: ["web"], commitSha: "c1" };
/** Either way to name the subject of an attestation withdraws the other. */
const PASSED_FAILED_PASSED: TrailRecord[] = [
  { report: "a", ...WEB },
  { attest: BY_PRINT, name: "unit", type: "generic", compliant: true },
  { attest: BY_NAME, name: "unit", type: "generic", compliant: false },
  { attest: BY_PRINT, name: "unit", type: "generic", compliant: true },
];

let flows = 0;

it("the stored status of a trail and its artifacts equals that of all their records, with the time of the change", async () => {
  await fc.assert(
    fc.asyncProperty(template, fc.array(record, { minLength: 1, maxLength: 12 }), async (chosen, history) => {
      const flow = `flow-${++flows}`;
      await store.write((db) => carryOut(db, { template: chosen }, { flow, now: 1 }));
      let before = await storedStatus(flow);
      for (const [index, each] of history.entries()) {
        const now = index + 2;
        await store.write((db) => carryOut(db, each, { flow, now }));
        const after = await storedStatus(flow);
        const states = [
          [before.trail, after.trail] as const,
          ...after.artifacts.map((artifact, place) => [before.artifacts[place], artifact] as const),
        ];
        for (const [was, is] of states) {
          const isOther = was?.compliance_state !== is?.compliance_state;
          expect(is?.compliance_since).toBe(isOther ? now : was?.compliance_since);
        }
        before = after;
      }
      expect(await differences(before.trail.id)).toEqual([]);
    }),
    { numRuns: 60, examples: [[NOTHING_ASKED, PASSED_FAILED_PASSED]] },
  );
});
