import { afterAll, beforeAll, expect, it } from "vitest";
import { type EntryFilter, newestEntries } from "../../../src/service/events/audit-log/list.ts";
import { countBuilds, newestBuilds, timesOfBuilds } from "../../../src/service/evidence/artifacts/builds.ts";
import {
  evaluateReports,
  evidenceOfReport,
  evidenceOfTrail,
} from "../../../src/service/evidence/artifacts/evidence.ts";
import { latestCommit } from "../../../src/service/evidence/artifacts/handlers.ts";
import {
  listReports,
  reportsOfCommit,
  reportsOfSha,
  shasWithPrefix,
} from "../../../src/service/evidence/artifacts/list.ts";
import { resolveFingerprint } from "../../../src/service/evidence/artifacts/records.ts";
import { runsOf, seenWithPrefix } from "../../../src/service/evidence/artifacts/runs.ts";
import { trailStatuses } from "../../../src/service/evidence/compliance/facts.ts";
import { requireTrailRecords } from "../../../src/service/evidence/compliance/trail-records.ts";
import {
  countFlows,
  flowIdsWithTags,
  latestTrailsOf,
  listFlows,
} from "../../../src/service/evidence/flows/list.ts";
import { findFlow } from "../../../src/service/evidence/flows/records.ts";
import { liveArtifacts } from "../../../src/service/evidence/repos/live-artifacts.ts";
import { requireRepo, requireSoleRepo } from "../../../src/service/evidence/repos/records.ts";
import { tagsOf } from "../../../src/service/evidence/tag-records.ts";
import { eventsOf, trailEventsOf } from "../../../src/service/evidence/trails/events.ts";
import { listTrails, pageOfTrails, repoIdsOf } from "../../../src/service/evidence/trails/list.ts";
import type { Database } from "../../../src/service/store/tables.ts";
import { planOf } from "../query-plan.ts";
import { COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

/** Arguments of the queries: existing records, so that every query runs. */
interface Ids {
  org: string;
  flow: string;
  trail: string;
  repo: string;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const { artifact, attest, environment, report } = pipeline(service);
  await artifact("web", "v1", {
    repo_info: { name: "acme/web", url: "https://github.com/acme/web", id: "1" },
  });
  await attest("web", "v1", { artifact_fingerprint: FP });
  await environment("prod");
  await report("prod", [{ podName: "p", namespace: "n", digests: { "web:1": FP }, creationTimestamp: 1 }]);
  await send(service, { method: "PATCH", path: `/tags/${ORG}/flow/web`, json: { set_tags: { team: "a" } } });
});
afterAll(() => service.dispose());

const slice = { limit: 20, offset: 40 };
const EVER = { from: 0, until: 2_000_000_000 };

const READS: Record<string, (db: Database, ids: Ids) => Promise<unknown>> = {
  "a flow by its name, or an earlier one": (db, { org }) => findFlow(db, org, "earlier"),
  "the flows of an organization": (db, { org }) =>
    listFlows(db, org, { search: "we", caseSensitive: false, sort: "name", direction: "asc" }, slice),
  "how many flows there are": (db, { org }) =>
    countFlows(db, org, { caseSensitive: true, sort: "name", direction: "asc" }),
  "the latest trail of flows": (db, { flow }) => latestTrailsOf(db, [flow]),
  "the trails of an organization": (db, { org }) => listTrails(db, org, {}, slice),
  "the trails of a flow": (db, { org, flow }) => listTrails(db, org, { flowId: flow }, slice),
  "the trails in a state": (db, { org }) => listTrails(db, org, { state: "COMPLIANT" }, slice),
  "the trails of a flow in a state": (db, { org, flow }) =>
    listTrails(db, org, { flowId: flow, state: "COMPLIANT" }, slice),
  "a page of the trails in a state, which are counted": (db, { org }) =>
    pageOfTrails(db, org, { state: "COMPLIANT" }, slice),
  "the trails of tagged flows": (db, { org }) => listTrails(db, org, { flowTag: "team:a" }, slice),
  "the trails of an artifact": (db, { org }) => listTrails(db, org, { fingerprint: "aaaaa" }, slice),
  "a page of the trails of an organization, which are counted": (db, { org }) =>
    pageOfTrails(db, org, {}, slice),
  "a page of the trails of a flow, which are counted": (db, { org, flow }) =>
    pageOfTrails(db, org, { flowId: flow }, slice),
  "the compliance of trails": (db, { trail }) =>
    trailStatuses(db, [{ id: trail, template: { attestations: [], artifacts: [] } }]),
  "the events of trails": (db, { trail }) => trailEventsOf(db, [trail], null),
  "the events of a trail": (db, { trail }) =>
    eventsOf(db, { trailId: trail, last: 1_000, running: [] }).next(),
  "the records for the evaluation of a trail": (db, { trail }) => requireTrailRecords(db, trail),
  "the repositories of trails": (db, { trail }) => repoIdsOf(db, [trail]),
  "the evidence of a trail": (db, { trail }) => evidenceOfTrail(db, trail),
  "the tags of flows": (db, { flow }) => tagsOf(db, "flow", [flow]),
  "the flows with a tag": (db, { org }) => flowIdsWithTags(db, org, ["team:a", "tier"]),
  "the artifacts of an organization": (db, { org }) => listReports(db, org, {}, slice),
  "the artifacts of a flow": (db, { org, flow }) => listReports(db, org, { flowId: flow }, slice),
  "the artifacts of a repository": (db, { org, repo }) => listReports(db, org, { repoId: repo }, slice),
  "the builds of an organization": (db, { org }) => newestBuilds(db, { orgId: org, ...EVER }, slice),
  "the builds of a repository": (db, { org, repo }) =>
    newestBuilds(db, { orgId: org, repoIds: [repo], ...EVER }, slice),
  "how many builds there are": (db, { org }) => countBuilds(db, { orgId: org, ...EVER }),
  "the times of builds": (db, { org }) => timesOfBuilds(db, { orgId: org, ...EVER }, 10),
  "the artifacts of a commit": (db, { flow }) =>
    reportsOfCommit(db, { flowId: flow, commit: COMMIT.slice(0, 7) }, 10),
  "an artifact by its fingerprint": (db, { org, flow }) =>
    listReports(db, org, { flowId: flow, fingerprint: FP }, { limit: 1, offset: 0 }),
  "the evaluation of artifacts": async (db, { org }) =>
    evaluateReports(db, await listReports(db, org, {}, { limit: 20, offset: 0 })),
  "the evidence of an artifact": async (db, { org }) => {
    const [report] = await listReports(db, org, {}, { limit: 1, offset: 0 });
    return report && evidenceOfReport(db, report);
  },
  "where artifacts run": (db, { org }) => runsOf(db, org, [FP], null),
  "what ever ran": (db, { org }) => seenWithPrefix(db, org, { prefix: "aaaaa", scope: null }, 10),
  "what runs of a repository": (db, { org, repo }) => liveArtifacts(db, org, repo),
  "the commit before an artifact": (db, { flow }) => latestCommit(db, { flowId: flow, fingerprint: FP }),
  "the commit before an artifact on a branch": (db, { flow }) =>
    latestCommit(db, { flowId: flow, fingerprint: FP, branch: "main" }),
  "artifacts by the start of their fingerprint": (db, { org }) =>
    reportsOfSha(db, org, { column: "fingerprint", prefix: "aaaaa" }, 10),
  "artifacts by the start of their commit": (db, { org }) =>
    reportsOfSha(db, org, { column: "commit_sha", prefix: "ccccc" }, 10),
  "commits by their start": (db, { org }) =>
    shasWithPrefix(db, org, { column: "commit_sha", prefix: "ccccc" }, 10),
  "fingerprints by their start": (db, { org }) =>
    shasWithPrefix(db, org, { column: "fingerprint", prefix: "aaaaa" }, 10),
  "the fingerprint of a prefix": (db, { flow }) =>
    resolveFingerprint(db, {
      orgName: ORG,
      flow: {
        id: flow,
        name: "web",
        template: { attestations: [], artifacts: [] },
        templateSource: null,
        archivedAt: null,
      },
      prefix: "aaaaa",
    }),
  "a repository by its name": (db, { org }) => requireRepo(db, org, { name: "acme/web" }),
  "the only repository of its name": (db, { org }) => requireSoleRepo(db, org, { name: "acme/web" }),
  "a repository by its id": (db, { org, repo }) => requireSoleRepo(db, org, { name: "", id: repo }),
};

const AFTER = { createdAt: 2_000_000_000, sequence: 2 };

/** Each filter of the audit log, with the columns that its index must use. */
const AUDIT_LOG_READS: readonly (readonly [by: string, filter: EntryFilter, columns: string])[] = [
  ["time", { from: 1, to: 2 }, "org_id=? AND created_at>? AND created_at<?"],
  ["place", { after: AFTER }, "org_id=? AND created_at<?"],
  ["account", { account: "ada", after: AFTER }, "org_id=? AND account=? AND created_at<?"],
  ["key", { keyId: "k", after: AFTER }, "org_id=? AND api_key_id=? AND created_at<?"],
  ["act", { act: "flow.created", from: 1 }, "org_id=? AND act=? AND created_at>?"],
  ["type", { resourceType: "flow", to: 2 }, "org_id=? AND resource_type=? AND created_at<?"],
  ["name", { resourceName: "web" }, "org_id=? AND resource_name=?"],
  ["resource", { resourceId: "r" }, "org_id=? AND resource_id=?"],
];

it.each(AUDIT_LOG_READS)(
  "the audit log by %s comes from an index in its order",
  async (_, filter, columns) => {
    const plan = await planOf(service.dataFolder, async (db) =>
      newestEntries(db, (await idsOf(db)).org, filter, 20),
    );
    const ofLog = plan.filter((step) => step.includes("audit_log") || step.includes("B-TREE"));
    expect(ofLog).toEqual([expect.stringMatching(/^SEARCH audit_log USING INDEX \w+ \(.*\)$/)]);
    expect(ofLog[0]).toContain(`(${columns})`);
  },
);

it.each(Object.keys(READS))("%s: no full table scan", async (name) => {
  const plan = await planOf(service.dataFolder, async (db) => READS[name]?.(db, await idsOf(db)));
  expect(plan.length).toBeGreaterThan(1);
  expect(plan.filter((step) => /^SCAN (?!CONSTANT)/.test(step))).toEqual([]);
});

it.each([
  "the trails of an organization",
  "the trails of a flow",
  "the trails in a state",
  "the trails of a flow in a state",
  "the events of a trail",
  "the artifacts of an organization",
  "the artifacts of a flow",
  "the artifacts of a repository",
  "the builds of an organization",
  "the builds of a repository",
  "the times of builds",
])("%s are read in index order, so that all pages cost the same", async (name) => {
  const plan = await planOf(service.dataFolder, async (db) => READS[name]?.(db, await idsOf(db)));
  expect(plan.filter((step) => step.startsWith("USE TEMP B-TREE"))).toEqual([]);
});

it.each(["the builds of an organization", "how many builds there are"])(
  "%s are read only from the index of builds",
  async (name) => {
    const plan = await planOf(service.dataFolder, async (db) => READS[name]?.(db, await idsOf(db)));
    expect(plan).toContainEqual(
      expect.stringMatching(/ artifacts USING COVERING INDEX artifacts_builds \(org_id=\? AND created_at>\?/),
    );
  },
);

it("artifacts that ran are found by the start of their fingerprint, not by environment", async () => {
  const plan = await planOf(service.dataFolder, async (db) => READS["what ever ran"]?.(db, await idsOf(db)));
  expect(plan).toContainEqual(
    expect.stringMatching(/^SEARCH ran USING INDEX \S+ \(fingerprint>\? AND fingerprint<\?\)/),
  );
});

async function idsOf(db: Database): Promise<Ids> {
  const trail = await db
    .selectFrom("trails")
    .innerJoin("trail_repos", "trail_repos.trail_id", "trails.id")
    .select(["trails.id", "trails.org_id", "trails.flow_id", "trail_repos.repo_id"])
    .where("trails.id", ">", "")
    .executeTakeFirstOrThrow();
  return { org: trail.org_id, flow: trail.flow_id, trail: trail.id, repo: trail.repo_id };
}
