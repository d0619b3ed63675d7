import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addArtifact } from "../../../../src/service/evidence/artifacts/records.ts";
import { createOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { putEnvironment, requireEnvironment } from "../../../../src/service/runtime/environments/records.ts";
import { recordReport } from "../../../../src/service/runtime/snapshots/report-handlers.ts";
import { factsBetween } from "../../../../src/service/runtime/trends/known-facts.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import type { Database } from "../../../../src/service/store/tables.ts";
import { actOf, trailNamed } from "../../evidence/recording.ts";
import { judging } from "../../judging.ts";

const HOUR = 3600;
const A = "a".repeat(64);
const B = "b".repeat(64);

let folder = "";
let store: Store;
let org: { id: string; name: string };
let environments: { id: string; name: string }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-facts-"));
  store = await openDataFolder(folder);
  org = { id: await store.write((db) => createOrganization(db, "acme", 1)), name: "acme" };
  const fields = { description: "", requireProvenance: undefined, policies: undefined, members: undefined };
  await store.write((db) =>
    putEnvironment(db, org, { ...fields, name: "prod", type: "K8S", mayManage: true }, judging(org.id, 1)),
  );
  environments = [await requireEnvironment(store.read, org, "prod")];
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const report = (now: number, fingerprint: string) =>
  store.write((db) => {
    const instances = [{ podName: "web", namespace: "n", creationTimestamp: now, owners: [] }];
    const running = [{ name: "web", fingerprint, instances }];
    const content = { environmentName: "prod", kind: "K8S", running, undetermined: false };
    return recordReport(db, org, content, judging(org.id, now));
  });

const addBuild = (now: number, fingerprint: string) =>
  store.write(async (db) => {
    const place = await trailNamed(db, org, ["web", "v1"], now);
    const repoInfo = { name: "acme/web", url: "https://github.com/acme/web" };
    const artifact = { fingerprint, filename: "web", templateName: null, commitSha: null, branch: null };
    const origin = { isCompliant: null, buildUrl: "", commitUrl: "", repoUrl: null, repoInfo };
    const reported = { ...artifact, ...origin, gitCommitInfo: null, stated: {}, details: "{}" };
    await addArtifact(db, { ...place, trail: { ...place, name: "v1" } }, reported, actOf(org, now));
  });

const facts = async (from: number, until: number, { records = store.read }: { records?: Database } = {}) => {
  const request = { orgId: org.id, environments, controls: undefined, from, until, now: until };
  const found = await store.readTogether((db) => factsBetween(records, db, request));
  return found.map(({ fingerprint, deployedAt, hasProvenance }) => [
    fingerprint,
    deployedAt / HOUR,
    hasProvenance,
  ]);
};

it("remembered facts gain the build that is reported later, and later deployments", async () => {
  await report(HOUR, A);
  expect(await facts(0, 10 * HOUR)).toEqual([[A, 1, false]]);
  await addBuild(11 * HOUR, A);
  await report(12 * HOUR, B);
  const all = [
    [A, 1, true],
    [B, 12, false],
  ];
  expect(await facts(0, 12.5 * HOUR)).toEqual(all);
  expect(await facts(0, 20 * HOUR)).toEqual(all);
  expect(await facts(2 * HOUR, 20 * HOUR)).toEqual([[B, 12, false]]);
  expect(await facts(0, 2 * HOUR)).toEqual([[A, 1, true]]);
});

it("remembered facts of a window are not those of a longer one", async () => {
  await report(HOUR, A);
  await report(12 * HOUR, B);
  expect(await facts(5 * HOUR, 20 * HOUR)).toHaveLength(1);
  expect(await facts(0, 20 * HOUR)).toHaveLength(2);
});

it("the facts of a past deployment with a build are read once", async () => {
  await addBuild(HOUR, A);
  await report(2 * HOUR, A);
  expect(await facts(0, 10 * HOUR)).toEqual([[A, 2, true]]);
  await store.write((db) => db.deleteFrom("running_intervals").execute());
  expect(await facts(0, 11 * HOUR)).toEqual([[A, 2, true]]);
  expect(await facts(0, 11 * HOUR, { records: store.read.withoutPlugins() })).toEqual([]);
});

it("the facts of the last hour are read again", async () => {
  await addBuild(HOUR, A);
  await report(2 * HOUR, A);
  expect(await facts(0, 2.5 * HOUR)).toEqual([[A, 2, true]]);
  await store.write((db) => db.deleteFrom("running_intervals").execute());
  expect(await facts(0, 2.5 * HOUR)).toEqual([]);
});
