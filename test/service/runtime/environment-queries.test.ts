import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addArtifact } from "../../../src/service/evidence/artifacts/records.ts";
import { parsePolicyFile } from "../../../src/service/judging/policies/policy-file.ts";
import { createOrganization } from "../../../src/service/people/accounts/organizations.ts";
import { listAllowances } from "../../../src/service/runtime/environments/allowlists.ts";
import { attachPolicies } from "../../../src/service/runtime/environments/attached-policies.ts";
import { listEnvironments } from "../../../src/service/runtime/environments/list.ts";
import { putEnvironment, requireEnvironment } from "../../../src/service/runtime/environments/records.ts";
import { listEvents } from "../../../src/service/runtime/events/records.ts";
import { putPolicy } from "../../../src/service/runtime/policies/records.ts";
import { policyDumps } from "../../../src/service/runtime/policies/versions.ts";
import { snapshotContent } from "../../../src/service/runtime/snapshots/content.ts";
import {
  entriesBetween,
  historyOf,
  indexOf,
  snapshotsAt,
} from "../../../src/service/runtime/snapshots/histories.ts";
import { recordReport } from "../../../src/service/runtime/snapshots/report-handlers.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import type { Database } from "../../../src/service/store/tables.ts";
import { actOf, trailNamed } from "../evidence/recording.ts";
import { judging } from "../judging.ts";
import { planOf } from "../query-plan.ts";

let folder: string;
let store: Store;
let org: { id: string; name: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-queries-"));
  store = await openDataFolder(folder);
  org = { id: await store.write((db) => createOrganization(db, "acme", 1)), name: "acme" };
  const fields = {
    description: "",
    requireProvenance: undefined,
    policies: undefined,
    mayManage: true,
  };
  await store.write(async (db) => {
    for (const name of ["prod", "test"]) {
      await putEnvironment(db, org, { ...fields, name, type: "K8S", members: undefined }, judging(org.id, 1));
    }
    await putEnvironment(
      db,
      org,
      { ...fields, name: "all", type: "logical", members: ["prod", "test"] },
      judging(org.id, 1),
    );
  });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** Counts the statements that a task executes. */
function counted(db: Database): { db: Database; count: () => number } {
  let statements = 0;
  const counting = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements++;
      return result;
    },
  });
  return { db: counting, count: () => statements };
}

describe("a report of 5,000 artifacts", () => {
  const running = (build: number) =>
    Array.from({ length: 5_000 }, (_, i) => ({
      name: `image-${i}`,
      fingerprint: `${build}${i}`.padStart(64, "0"),
      instances: [{ podName: `pod-${i}`, namespace: "n", creationTimestamp: 1, owners: [] }],
    }));
  const report = (build: number, now: number) =>
    store.write(async (db) => {
      const { db: counting, count } = counted(db);
      const content = { environmentName: "prod", kind: "K8S", running: running(build), undetermined: false };
      const snapshot = await recordReport(counting, org, content, judging(org.id, now));
      return { snapshot, statements: count() };
    });

  const hold = () =>
    store.write(async (db) => {
      const source = "_schema: https://schemas.example/v1\nartifacts: { provenance: { required: true } }";
      const written = { source, definition: parsePolicyFile(source).definition, controlIds: [] };
      const fields = { name: "strict", description: "", comment: "" };
      const requestContext = { orgId: org.id, accountName: "ada", now: 1 };
      await putPolicy(db, fields, written, requestContext);
      for (const { fingerprint, name } of running(3).slice(0, 100)) {
        const place = await trailNamed(db, org, ["web", name], 1);
        const artifact = { fingerprint, filename: name, templateName: null, commitSha: null, branch: null };
        const origin = { isCompliant: null, buildUrl: "", commitUrl: "", repoUrl: null, repoInfo: null };
        const defaults = { gitCommitInfo: null, stated: {}, details: "{}" };
        const reported = { ...artifact, ...origin, ...defaults };
        await addArtifact(db, { ...place, trail: { ...place, name } }, reported, actOf(org, 1));
      }
      await attachPolicies(db, org, await requireEnvironment(db, org, "prod"), ["strict"]);
    });
  const nothing = async () => undefined;

  it.each([
    ["that is the first", 8, nothing, 1, 10, 1],
    ["that changes all of them", 8, nothing, 2, 20, 2],
    ["that changes nothing", 3, nothing, 2, 30, undefined],
    ["that fails a policy", 14, hold, 3, 40, 3],
  ])("%s takes no more than %i statements", async (_, most, prepare, build, now, snapshot) => {
    await prepare();
    const taken = await report(build, now);
    expect(taken.snapshot).toBe(snapshot);
    expect(taken.statements).toBeGreaterThan(2);
    expect(taken.statements).toBeLessThanOrEqual(most);
  });
});

it("a snapshot shows the requirements of any number of policies", async () => {
  const policies = Array.from({ length: 2_500 }, (_, i) => ({ id: `p${i}`, version: 1 }));
  expect(await policyDumps(store.read, policies)).toEqual(new Map());
});

describe("no query scans a whole growing table", () => {
  const unindexed = async (ask: (db: Database) => Promise<unknown>) => {
    const plan = await planOf(folder, ask);
    expect(plan.length).toBeGreaterThan(0);
    // These are not tables, but results of a search up to a limit.
    return plan.filter((step) => /^SCAN (?!CONSTANT|\(subquery|(slice|began|ended)$)/.test(step));
  };
  const page = { limit: 15, offset: 0, newestFirst: true };

  it.each(["prod", "all"])("for the snapshots and events of %s", async (name) => {
    expect(
      await unindexed(async (db) => {
        const environment = await requireEnvironment(db, org, name);
        const history = await historyOf(db, environment);
        await indexOf(db, history, { kind: "time", time: 15 });
        const [entry] = await entriesBetween(db, history, 1, 2);
        expect(entry).toBeDefined();
        if (entry) await snapshotContent(db, history, entry, await snapshotsAt(db, history, entry));
        const environmentIds = history.parts.map(({ id }) => id);
        await listEvents(db, org.id, { environmentIds, firstNumber: 1, from: 0, repoIds: ["r"] }, page);
      }),
    ).toEqual([]);
  });

  it("or sorts the events of an environment before it takes a page of them", async () => {
    const plan = await planOf(folder, async (db) => {
      const { id } = await requireEnvironment(db, org, "prod");
      await listEvents(db, org.id, { environmentIds: [id] }, page);
    });
    expect(plan.join("\n")).toContain("SEARCH running USING INDEX running_intervals_since");
    // Each part is in order up to its snapshot, and ends at the limit.
    expect(plan.filter((step) => step === "USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY")).toHaveLength(2);
    const isUnbounded = (step: string, at: number) =>
      step === "USE TEMP B-TREE FOR ORDER BY" && !/^SCAN (began|ended)$/.test(plan[at - 1] ?? "");
    expect(plan.filter(isUnbounded)).toEqual([]);
  });

  it("for the list of environments or of allowances", async () => {
    expect(
      await unindexed(async (db) => {
        const filter = { name: "p", types: ["K8S"], tags: ["team=web"] };
        const order = {
          sort: "last_changed_at",
          direction: "desc",
          slice: { limit: 15, offset: 0 },
        } as const;
        await listEnvironments(db, org.id, filter, order);
        await listEnvironments(db, org.id, {}, { sort: "name", direction: "asc" });
        await listAllowances(db, org.id, undefined);
      }),
    ).toEqual([]);
  });
});
