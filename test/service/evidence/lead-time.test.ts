import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseFile } from "../../../src/service/store/sqlite/open-store.ts";
import { COMMIT, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const HOUR = 3600;

/** A flow and an environment of one name, and functions that change them. */
async function deployment(name: string) {
  const { environment, report, trail, artifact, flow } = pipeline(service);
  await flow(name);
  await environment(name);
  await trail(name, "t");
  const timestamp = service.clock.time;
  const git_commit_info = { sha1: COMMIT, message: "m", author: "a", branch: "b", timestamp };
  return {
    build: (fingerprint: string, more: object = {}) =>
      artifact(name, "t", { fingerprint, git_commit_info, ...more }),
    async runAnHourLater(fingerprint: string) {
      service.clock.time += HOUR;
      const digests = { web: fingerprint };
      await report(name, [{ podName: "p", namespace: "n", digests, creationTimestamp: timestamp }]);
      const { body } = await send(service, { path: `/snapshots/${ORG}/${name}/-1` });
      const [{ commit_lead_time: leadTime, deployment_diff: diff }] = body.artifacts;
      return { index: body.index, leadTime, replaced: diff?.previous_fingerprint };
    },
    async flowsShown(snapshot: number): Promise<string[]> {
      const { body } = await send(service, { path: `/snapshots/${ORG}/${name}/${snapshot}` });
      return body.artifacts
        .filter(({ annotation }: { annotation: { type: string } }) => annotation.type !== "exited")
        .map(({ flow_name }: { flow_name: string }) => flow_name);
    },
  };
}

describe("the lead time of a commit", () => {
  it("is unknown for an artifact that ran before its build was reported", async () => {
    const { build, runAnHourLater } = await deployment("late");
    const artifact = "1".repeat(64);
    await runAnHourLater(artifact);
    await build(artifact);
    expect(await runAnHourLater(artifact)).toEqual({ index: 2, leadTime: null, replaced: undefined });
  });

  it("is negative for a commit whose clock was ahead", async () => {
    const { build, runAnHourLater } = await deployment("ahead");
    const artifact = "8".repeat(64);
    const timestamp = service.clock.time + 3 * HOUR;
    await build(artifact, { git_commit_info: { sha1: COMMIT, timestamp } });
    expect(await runAnHourLater(artifact)).toMatchObject({ leadTime: -2 * HOUR });
  });

  it("is unchanged, as is the replaced artifact, when only the name in the template changes", async () => {
    const { build, runAnHourLater } = await deployment("renamed");
    const [replaced, artifact] = ["2".repeat(64), "3".repeat(64)];
    await build(replaced);
    await runAnHourLater(replaced);
    await build(artifact);
    expect(await runAnHourLater(artifact)).toEqual({ index: 2, leadTime: 2 * HOUR, replaced });
    await build(artifact, { template_reference_name: "other" });
    expect(await runAnHourLater(artifact)).toEqual({ index: 3, leadTime: 2 * HOUR, replaced });
  });

  it("and the replaced artifact are known for a renamed flow, which snapshots show by its current name", async () => {
    const { build, runAnHourLater, flowsShown } = await deployment("former");
    const [replaced, artifact] = ["4".repeat(64), "5".repeat(64)];
    await build(replaced);
    await build(artifact);
    await runAnHourLater(replaced);
    const renaming = {
      method: "PUT",
      path: `/flows/${ORG}/former/rename`,
      json: { new_name: "latter" },
    } as const;
    expect((await send(service, renaming)).status).toBe(200);
    expect(await runAnHourLater(artifact)).toEqual({ index: 2, leadTime: 2 * HOUR, replaced });
    expect([await flowsShown(1), await flowsShown(2)]).toEqual([["latter"], ["latter"]]);
  });

  it("is unchanged from an earlier version's value, as is the replaced artifact", async () => {
    const { build, runAnHourLater } = await deployment("upgraded");
    const artifact = "6".repeat(64);
    await build(artifact);
    await runAnHourLater(artifact);
    const database = new DatabaseSync(databaseFile(service.dataFolder));
    const replaced = "7".repeat(64);
    const worked = JSON.stringify({ commitLeadTime: 7, deploymentDiff: { previousFingerprint: replaced } });
    database
      .prepare(
        "update running_intervals set flows = json_array(json_patch(flows ->> 0, ?)) where fingerprint = ?",
      )
      .run(worked, artifact);
    database.close();
    await build(artifact, { template_reference_name: "other" });
    expect(await runAnHourLater(artifact)).toEqual({ index: 2, leadTime: 7, replaced });
  });
});
