import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isPoll } from "../../../scripts/bench/statements.ts";
import { addAttestation } from "../../../src/service/evidence/attestations/records.ts";
import { soleOrganization } from "../../../src/service/people/accounts/organizations.ts";
import { databaseFile, openServedStore } from "../../../src/service/store/sqlite/open-store.ts";
import { COMMIT, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { actOf, trailNamed } from "./recording.ts";

/*
 * The cost of a trail depends on the requirements of its template and not on its number of attestations. These tests
 * count the statements of a request with their rows, and check the indexes in their plans.
 */

const TEMPLATE = `version: 1
trail:
  attestations: [{ name: review, type: "*" }]
  artifacts: [{ name: web, attestations: [{ name: unit, type: "*" }] }]`;
const FEW = 10;
const MANY = 300;
const FLOWS = { few: "1".repeat(64), many: "2".repeat(64) };
type FlowName = keyof typeof FLOWS;

interface Run {
  sql: string;
  rows: number;
}

let runs: Run[] = [];
const { prepare } = DatabaseSync.prototype;
let service: TestService;
beforeAll(async () => {
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    if (isPoll(sql)) return statement;
    const all = statement.all.bind(statement);
    const run = statement.run.bind(statement);
    return Object.assign(statement, {
      all: (...args: Parameters<typeof all>) => {
        const rows = all(...args);
        runs.push({ sql, rows: rows.length });
        return rows;
      },
      run: (...args: Parameters<typeof run>) => {
        runs.push({ sql, rows: 0 });
        return run(...args);
      },
    });
  };
  service = await startTestService();
  const { flow, artifact } = pipeline(service);
  for (const [name, fingerprint] of Object.entries(FLOWS)) {
    await flow(name, TEMPLATE);
    const git_commit_info = { sha1: COMMIT };
    await artifact(name, "t1", { fingerprint, template_reference_name: "web", git_commit_info });
  }
  await attestOften("few", FEW);
  await attestOften("many", MANY);
  // Each kind of record once, so that the compared requests create nothing for the first time.
  for (const name of ["few", "many"] as const) await attest(name);
});
afterAll(async () => {
  await service.dispose();
  DatabaseSync.prototype.prepare = prepare;
});

async function attestOften(flowName: FlowName, times: number): Promise<void> {
  const store = openServedStore(databaseFile(service.dataFolder));
  await store.write(async (db) => {
    const org = await soleOrganization(db, ORG);
    for (let time = 0; time < times; time++) {
      const now = service.clock.time + time;
      const place = await trailNamed(db, org, [flowName, "t1"], now);
      const about = [
        { name: "review", artifactFingerprint: null, targetArtifacts: [] },
        { name: "unit", artifactFingerprint: FLOWS[flowName], targetArtifacts: [] },
        { name: "scan", artifactFingerprint: null, targetArtifacts: ["web"] },
      ][time % 3];
      if (!about) continue;
      await addAttestation(
        db,
        place,
        {
          ...about,
          type: "generic",
          isCompliant: time % 2 === 0,
          commitSha: COMMIT,
          gitCommitInfo: null,
          repoInfo: null,
          stated: {},
          details: "{}",
          files: [],
        },
        actOf(org, now),
      );
    }
  });
  await store.close();
}

let count = 0;
const attest = (flow: FlowName) =>
  send(service, {
    method: "POST",
    path: `/attestations/${ORG}/${flow}/trail/t1/generic`,
    form: {
      attestation_name: "unit",
      artifact_fingerprint: FLOWS[flow],
      is_compliant: true,
      description: String(++count),
    },
  });
const REQUESTS: Record<string, (flow: FlowName) => Promise<{ status: number }>> = {
  "attest to it": attest,
  "assert its artifact": (flow) =>
    send(service, { path: `/asserts/${ORG}/fingerprint/${FLOWS[flow]}?flow_name=${flow}` }),
  "list the trails of its flow": (flow) => send(service, { path: `/trails/${ORG}/${flow}` }),
  "list the trails in a state": (flow) =>
    send(service, { path: `/trails/${ORG}/${flow}?compliance_state=COMPLIANT&per_page=5` }),
  "list the artifacts of its flow": (flow) => send(service, { path: `/artifacts/${ORG}/${flow}` }),
  "show its flow": (flow) => send(service, { path: `/flows/${ORG}/${flow}` }),
};

async function runsOf(
  request: (flow: FlowName) => Promise<{ status: number }>,
  flow: FlowName,
): Promise<Run[]> {
  runs = [];
  expect([200, 201]).toContain((await request(flow)).status);
  return runs;
}

describe(`a trail of ${MANY} attestations costs the same as one of ${FEW}`, () => {
  it.each(Object.keys(REQUESTS))("to %s", async (name) => {
    const request = REQUESTS[name];
    if (!request) throw new Error(`Nobody asks to ${name}`);
    // The job of the log may run beside a request, for a moment.
    await vi.waitFor(async () => {
      const [few, many] = [await runsOf(request, "few"), await runsOf(request, "many")];
      expect(few.length).toBeGreaterThan(2);
      expect(many).toEqual(few);
      expect(throughTheTrail(many.map(({ sql }) => sql))).toEqual([]);
    });
  });
});

/** The steps of some statements that scan all attestations, or all events, of a trail. */
function throughTheTrail(statements: readonly string[]): string[] {
  const database = new DatabaseSync(databaseFile(service.dataFolder), { readOnly: true });
  const steps = [...new Set(statements)].flatMap((sql) => {
    const plan = prepare.call(database, `explain query plan ${sql}`).all();
    return plan.map(({ detail }) => String(detail));
  });
  database.close();
  return steps.filter(
    (step) =>
      /^SCAN (attestations|made|events|kept|trails|artifacts)\b/.test(step) ||
      /attestations_(trail|flow_age|org_age)|events_trail/.test(step),
  );
}
