import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { recordReport } from "../../src/service/environments/record-report.ts";
import { judgeAgain } from "../../src/service/environments/take-snapshot.ts";
import { PatternAnswers } from "../../src/service/patterns/pattern-answers.ts";
import { putEnvironment, requireEnvironment } from "../../src/service/records/environments.ts";
import {
  createOrganization,
  type Organization,
  soleOrganization,
} from "../../src/service/records/organizations.ts";
import { startService } from "../../src/service/service.ts";
import { trackFiling } from "../../src/service/snapshot-filing.ts";
import { databaseFile, openDataFolder } from "../../src/service/store/data-folder.ts";
import type { Database } from "../../src/service/store/tables.ts";
import { FP, pipeline, send } from "./requests.ts";
import { ORG, startTestService, type TestService } from "./running-service.ts";

const judging = (now: number) => ({ patterns: new PatternAnswers(), now });
const OTHER = "b".repeat(64);
const pod = (podName: string, digests: Record<string, string>) => ({
  podName,
  namespace: "prod",
  digests,
  creationTimestamp: 1_780_000_000,
});

const NEW_ENVIRONMENT = {
  type: "K8S",
  description: "",
  includeScaling: undefined,
  requireProvenance: undefined,
  members: undefined,
  policies: undefined,
  mayManage: true,
};

describe("what was reported", () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
    await pipeline(service).environment("prod");
  });
  afterEach(() => service.dispose());

  const eventsOf = async () => {
    const { body } = await send(service, { path: `/environments/${ORG}/prod/events` });
    return body.map((event: Record<string, unknown>) => `${event["snapshot_index"]} ${event["type"]}`);
  };
  /** Whether a snapshot has the rows that it is looked up by. */
  const isFiled = (folder: string) => {
    const database = new DatabaseSync(databaseFile(folder), { readOnly: true });
    try {
      const { filed, waiting } = {
        ...database
          .prepare(
            `select (select count(*) from snapshot_artifacts) as filed,
                    (select count(*) from unfiled_snapshots) as waiting`,
          )
          .get(),
      };
      return { filed, waiting };
    } finally {
      database.close();
    }
  };

  it("is there for whoever looks next, be it of several reports that nobody looked at between", async () => {
    const { artifact, report } = pipeline(service);
    await artifact("shop", "t1");
    await report("prod", [pod("a", { web: FP })]);
    await report("prod", [pod("b", { side: OTHER })]);
    expect(await eventsOf()).toEqual(["2 started-non-compliant", "2 exited", "1 started-non-compliant"]);
    const { body } = await send(service, { path: `/trails/${ORG}/shop/t1` });
    const types = body.events.map(({ type }: { type: string }) => type);
    expect(types.slice(-2)).toEqual(["artifact_started_running", "artifact_stopped_running"]);
  });

  it("is compared with the report before, be that filed or not", async () => {
    const { report } = pipeline(service);
    const same = () => report("prod", [pod("a", { web: FP })]);
    expect([(await same()).status, (await same()).status]).toEqual([201, 200]);
    await eventsOf();
    expect((await same()).status).toBe(200);
  });

  it("is judged again by the policies that are attached after it", async () => {
    const { report, policy } = pipeline(service, service.keys.admin);
    const yaml =
      "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts:\n  provenance:\n    required: true\n";
    expect((await policy("built-here", yaml)).status).toBe(201);
    await report("prod", [pod("a", { web: FP })]);
    const attached = await send(service, {
      method: "POST",
      path: `/environments/${ORG}/prod/policies`,
      json: { policy_names: ["built-here"] },
      key: service.keys.admin,
    });
    expect(attached.status).toBeLessThan(300);
    const { body } = await send(service, { path: `/snapshots/${ORG}/prod/-1` });
    expect(body.index).toBe(2);
    expect(body.compliant).toBe(false);
  });

  describe("to a service that then died", () => {
    const inStore = async (work: (db: Database, org: Organization) => Promise<unknown>) => {
      const store = await openDataFolder(service.dataFolder);
      await store.write(async (db) => work(db, await soleOrganization(db, ORG)));
      await store.close();
    };
    beforeEach(async () => {
      await service.close();
      const running = [{ name: "web", fingerprint: FP, instances: [{ creationTimestamp: 1 }] }];
      const report = { environmentName: "prod", kind: "K8S", running, undetermined: false };
      await inStore((db, org) => recordReport(db, org, report, judging(1)));
      expect(isFiled(service.dataFolder)).toEqual({ filed: 0, waiting: 1 });
    });

    it("is filed by the next one", async () => {
      const options = { host: "127.0.0.1", port: 0, version: "1", log: () => undefined };
      const next = await startService({ ...options, dataFolder: service.dataFolder });
      const { body } = await send(
        { ...service, address: next.address },
        { path: `/snapshots/${ORG}/prod/1` },
      );
      await next.close();
      expect(body.artifacts).toHaveLength(1);
      expect(isFiled(service.dataFolder)).toEqual({ filed: 1, waiting: 0 });
    });

    it("is filed before it is judged again", async () => {
      await inStore(async (db, org) => {
        const { id: environmentId } = await requireEnvironment(db, org, "prod");
        await judgeAgain(db, { orgId: org.id, environmentId, ...judging(2) });
      });
      expect(isFiled(service.dataFolder)).toEqual({ filed: 1, waiting: 0 });
    });
  });

  it("is filed in a quiet moment although nobody looks", async () => {
    await pipeline(service).report("prod", [pod("a", { web: FP })]);
    await expect.poll(() => isFiled(service.dataFolder)).toEqual({ filed: 1, waiting: 0 });
  });

  it("is filed when the service is stopped", async () => {
    await pipeline(service).report("prod", [pod("a", { web: FP })]);
    await service.close();
    expect(isFiled(service.dataFolder)).toEqual({ filed: 1, waiting: 0 });
  });
});

describe("filing", () => {
  it("that fails is told to who looks, and tried again by the next", async () => {
    let fails = true;
    let writes = 0;
    const filing = trackFiling({
      write: async <T>() => {
        writes += 1;
        if (fails) throw new Error("the disk is full");
        return null as T;
      },
    });
    await expect(filing.settled()).rejects.toThrow("the disk is full");
    fails = false;
    await filing.settled();
    expect(writes).toBe(2);
    await filing.settled();
    expect(writes).toBe(2);
  });

  it("begins when reports pause for a second, and where they never do within ten", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let writes = 0;
    const filing = trackFiling({
      write: async <T>() => {
        writes += 1;
        return null as T;
      },
    });
    const reportsFor = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 0.5) {
        filing.note();
        await vi.advanceTimersByTimeAsync(500);
      }
    };
    await reportsFor(9);
    expect(writes).toBe(0);
    await reportsFor(2);
    expect(writes).toBe(1);
    await reportsFor(2);
    expect(writes).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(writes).toBe(2);
  });

  it("is not waited for by those who looked before a report", async () => {
    const folder = await mkdtemp(join(tmpdir(), "evidence-filing-"));
    const store = await openDataFolder(folder);
    const org = await store.write(async (db) => {
      await createOrganization(db, ORG, 1);
      const org = await soleOrganization(db, ORG);
      await putEnvironment(db, org, { ...NEW_ENVIRONMENT, name: "prod" }, judging(1));
      return org;
    });
    let reported = 0;
    const report = () =>
      store.write((db) => {
        const fingerprint = String(++reported).padStart(64, "0");
        const running = [{ name: "web", fingerprint, instances: [{ creationTimestamp: 1 }] }];
        const content = { environmentName: "prod", kind: "K8S", running, undetermined: false };
        return recordReport(db, org, content, judging(reported));
      });
    // Another report comes whenever one was filed.
    const filing = trackFiling({
      write: async (work) => {
        const result = await store.write(work);
        if (result === true && reported < 50) {
          await report();
          filing.note();
        }
        return result;
      },
    });
    await report();
    await filing.settled();
    expect(reported).toBe(2);
    await filing.close();
    await store.close();
    await rm(folder, { recursive: true });
  });
});
