import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parsePolicyFile } from "../../../../src/service/judging/policies/policy-file.ts";
import { createOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { attachPolicies } from "../../../../src/service/runtime/environments/attached-policies.ts";
import { putEnvironment, requireEnvironment } from "../../../../src/service/runtime/environments/records.ts";
import { putPolicy } from "../../../../src/service/runtime/policies/records.ts";
import type { Instance } from "../../../../src/service/runtime/running/artifact.ts";
import {
  countDeployments,
  endsOf,
  frequentDeployments,
  newestDeployments,
  oldestDeployments,
} from "../../../../src/service/runtime/running/deployments.ts";
import { recordReport } from "../../../../src/service/runtime/snapshots/report-handlers.ts";
import { reevaluate } from "../../../../src/service/runtime/snapshots/take-snapshot.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { judging } from "../../judging.ts";
import { planOf } from "../../query-plan.ts";

let folder = "";
let store: Store;
let org: { id: string; name: string };
let environmentId = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-deployments-"));
  store = await openDataFolder(folder);
  org = { id: await store.write((db) => createOrganization(db, "acme", 1)), name: "acme" };
  const fields = { description: "", requireProvenance: undefined, policies: undefined, members: undefined };
  await store.write((db) =>
    putEnvironment(db, org, { ...fields, name: "prod", type: "K8S", mayManage: true }, judging(org.id, 1)),
  );
  environmentId = (await requireEnvironment(store.read, org, "prod")).id;
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const A = "a".repeat(64);
const B = "b".repeat(64);
const OLD = "0".repeat(64);
const HOUR = 3600;

/** Reports the fingerprints by the names of their artifacts. `job` is a run of a job. */
async function report(now: number, running: Readonly<Record<string, string>>): Promise<void> {
  const artifacts = Object.entries(running).map(([name, fingerprint]) => ({
    name,
    fingerprint,
    instances: [instanceOf(name, now)],
  }));
  await store.write((db) => {
    const content = { environmentName: "prod", kind: "K8S", running: artifacts, undetermined: false };
    return recordReport(db, org, content, judging(org.id, now));
  });
}

function instanceOf(name: string, creationTimestamp: number): Instance {
  const owners = [{ apiVersion: "batch/v1", kind: name === "job" ? "Job" : "ReplicaSet", name }];
  return { podName: `${name}-${creationTimestamp}`, namespace: "n", creationTimestamp, owners };
}

const filter = () => ({ orgId: org.id, environmentIds: [environmentId] });
const deployed = () => oldestDeployments(store.read, filter(), 100);
/** Fingerprint and snapshot of each deployment, oldest first. */
const listed = async () => (await deployed()).map(({ fingerprint, number }) => [fingerprint, number]);
const frequent = async () =>
  (await frequentDeployments(store.read, await deployed())).map(({ deployedAt }) => deployedAt);

describe("a deployment", () => {
  it("is initial if the artifact already ran when the reports began, and then does not count for frequency", async () => {
    await report(10, { web: A });
    await report(20, { web: A, api: B });
    expect((await deployed()).map(({ isInitial }) => isInitial)).toEqual([true, false]);
    expect(await frequent()).toEqual([20]);
  });

  it("is one for all names that start together, and none for another name of what runs", async () => {
    await report(10, { old: OLD });
    await report(20, { old: OLD, web: A, "web:latest": A });
    await report(30, { old: OLD, "web:latest": A, "web:next": A });
    await report(40, { old: OLD, "web:other": A });
    expect(await listed()).toEqual([
      [OLD, 1],
      [A, 2],
    ]);
  });

  it("of what ran before is a redeployment that counts as a rollback", async () => {
    await report(10, { web: A });
    await report(20, { web: B });
    await report(30, { web: A });
    expect((await deployed()).map(({ previousStart }) => previousStart)).toEqual([null, null, 1]);
    expect(await frequent()).toEqual([20, 30]);
  });

  it("is never an artifact with an unknown digest", async () => {
    await report(10, { old: OLD });
    await report(20, { old: OLD, web: "" });
    expect(await listed()).toEqual([[OLD, 1]]);
  });

  it("is none in the snapshots that policies cause, and keeps its compliance of the start", async () => {
    await report(10, { web: A });
    await report(20, { web: B });
    const source = "_schema: https://schemas.example/v1\nartifacts: { provenance: { required: true } }";
    await store.write(async (db) => {
      const written = { source, definition: parsePolicyFile(source).definition, controlIds: [] };
      const fields = { name: "strict", description: "", comment: "" };
      await putPolicy(db, fields, written, { orgId: org.id, accountName: "ada", now: 25 });
      await attachPolicies(db, org, await requireEnvironment(db, org, "prod"), ["strict"]);
      await reevaluate(db, { org, environmentId, ...judging(org.id, 30) });
    });
    await report(40, { web: A });
    expect((await deployed()).map(({ number, isCompliant }) => [number, isCompliant])).toEqual([
      [1, null],
      [2, null],
      [4, false],
    ]);
    const compliance = (isCompliant: boolean | null) =>
      countDeployments(store.read, { ...filter(), isCompliant });
    expect(await compliance(null)).toBe(2);
    expect(await compliance(false)).toBe(1);
    expect(await compliance(true)).toBe(0);
  });

  it("of a job counts once for the runs within 24 hours of each other", async () => {
    await report(0, { old: OLD });
    for (const hour of [1, 11, 34, 59]) {
      await report(hour * HOUR, { old: OLD, job: A });
      await report(hour * HOUR + 60, { old: OLD });
    }
    expect(await listed()).toHaveLength(5);
    expect(await frequent()).toEqual([HOUR, 59 * HOUR]);
  });

  it("ends when the artifact runs under none of its names", async () => {
    await report(10, { web: A });
    await report(20, { web: A, "web:latest": A, api: B });
    await report(30, { "web:latest": A, api: B });
    await report(40, { api: B });
    await report(50, { api: B, web: A });
    const all = await deployed();
    const ends = await endsOf(store.read, all);
    expect(all.map(({ fingerprint, id }) => [fingerprint, ends.get(id)])).toEqual([
      [A, 40],
      [B, undefined],
      [A, undefined],
    ]);
  });
});

it("deployments of a page are found by indexes", async () => {
  await report(10, { web: A });
  const page = { limit: 15, offset: 0 };
  for (const environmentIds of [[environmentId], [environmentId, "other"]]) {
    const window = { ...filter(), environmentIds, from: 1, until: 100 };
    const plan = await planOf(folder, async (db) => {
      await newestDeployments(db, window, page);
      await countDeployments(db, { ...window, repoIds: ["r"], flowIds: ["f"] });
    });
    expect(plan.filter((step) => step.startsWith("SCAN") && !step.includes("place"))).toEqual([]);
    expect(plan.join("\n")).toContain("running_intervals_deployments");
  }
});
