import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "../../../../src/service/service.ts";
import { databaseFile } from "../../../../src/service/store/sqlite/open-store.ts";
import { OPA, WITH_OPA } from "../../../go-programs.ts";
import { type Reachable, send } from "../../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../../running-service.ts";

/** Joins its 3,000 numbers for minutes, with little memory. */
const ENDLESS =
  "allow if count([1 | some a in numbers.range(1, 3000); some b in numbers.range(1, 3000); a * b == 0]) > 0";
const ALL_MEMORY = `allow if count({x | some a in numbers.range(1, 20000); some b in numbers.range(1, 1000)
  x := sprintf("%d-%d-%s", [a, b, input.trail.name])}) > 0`;
const context = { trails: [{ flow: "web", trail: "v1" }] };

describe.skipIf(OPA === undefined)(WITH_OPA, () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({}, { opa: OPA });
    for (const org of [ORG, OTHER_ORG]) {
      const form = { attestation_name: "unit", is_compliant: true };
      await asked(org, { method: "POST", path: `/attestations/${org}/web/trail/v1/generic`, form });
      const json = { identifier: "CTL", name: "n" };
      await asked(org, { method: "POST", path: `/controls/${org}`, json });
    }
  });
  afterAll(() => service.dispose());

  const keyOf = (org: string) => (org === ORG ? service.keys.admin : service.keys.stranger);

  async function asked(org: string, message: Parameters<typeof send>[1], on: Reachable = service) {
    const answer = await send(on, { key: keyOf(org), ...message });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  }

  const evaluate = (org: string, text: string, more: object = {}, on?: Reachable) =>
    asked(
      org,
      {
        ...{ method: "POST", path: `/evaluations/${org}` },
        json: { context, policy: { files: { "policy.rego": `package policy\n${text}\n` } }, ...more },
      },
      on,
    );

  /** Polls an evaluation until it ends. */
  async function end(org: string, { id }: { id: string }, on?: Reachable) {
    const get = () => asked(org, { path: `/evaluations/${org}/${id}` }, on);
    await expect.poll(async () => (await get()).status, { timeout: 50_000 }).not.toBe("pending");
    return get();
  }

  it("stops hostile policies, and lets other organizations evaluate meanwhile", async () => {
    const decision = { control: "CTL", flow: "web", trail: "v1" };
    const endless = await evaluate(ORG, ENDLESS, { decision });
    const waiting = await evaluate(ORG, ENDLESS, { decision });
    expect([endless.status, waiting.status]).toEqual(["pending", "pending"]);
    const quick = await end(OTHER_ORG, await evaluate(OTHER_ORG, "allow := true", { decision }));
    expect(quick).toMatchObject({ status: "completed", result: { allow: true } });
    // One organization never has both places.
    expect(processes()).toBe(1);
    const large = await end(OTHER_ORG, await evaluate(OTHER_ORG, ALL_MEMORY, { decision }));
    expect(large).toMatchObject({
      status: "failed",
      error: { kind: "limit", message: expect.stringMatching(/more than (512 MB|10 s)/) },
    });
    expect(await end(ORG, endless)).toMatchObject({
      ...{ status: "failed", result: null, decision_attestation_id: "" },
      error: { kind: "limit", message: "the policy needs more than 10 s" },
    });

    // It runs now. Closing ends it, and its answer is not lost.
    await expect.poll(processes).toBe(1);
    await service.close();
    expect(processes()).toBe(0);
    const records = new DatabaseSync(databaseFile(service.dataFolder));
    // As an instance that was killed leaves it.
    records
      .prepare(
        "update evaluations set status = 'pending', error = null, recorded_at = null, instance_id = 'gone' where id = ?",
      )
      .run(endless.id);
    const { dataFolder } = service;
    const settings = { dataFolder, host: "127.0.0.1", port: 0, org: ORG, version: "1", log: () => {} };
    const later = await startService({ ...settings, opa: OPA, workers: 1 });
    const on = { ...service, address: later.address };
    const stopped = { kind: "stopped", message: expect.stringContaining("evaluate it again") };
    for (const each of [waiting, endless])
      expect(await end(ORG, each, on)).toMatchObject({ status: "failed", error: stopped });
    // The main thread evaluates also what a worker would answer for its size.
    const comment = `# ${"x".repeat(300 * 1024)}\nallow := true`;
    expect(await end(ORG, await evaluate(ORG, comment, {}, on), on)).toMatchObject({ status: "completed" });
    await later.close();
    const decisions = records.prepare("select attestation_id from control_decisions").all();
    expect(decisions).toEqual([{ attestation_id: quick.decision_attestation_id }]);
    records.close();
  });
});

/** Number of running evaluations that this process has started. */
function processes(): number {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return children.filter((pid) => {
    try {
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      const [program = "", command] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return parent === String(process.pid) && program.endsWith("opa") && command === "eval";
    } catch {
      // It has ended.
      return false;
    }
  }).length;
}
