import { afterAll, beforeAll, expect, test } from "vitest";
import { REPORT_TASK, sonarServer } from "../evidence/sonar/sonar-server.ts";
import { SHA, startJob } from "./workspace.ts";

let job: Awaited<ReturnType<typeof startJob>>;
beforeAll(async () => {
  job = await startJob();
});
afterAll(() => job[Symbol.asyncDispose]());

const TOKEN = "squ_0123456789abcdef";
const asBearer = { authorization: `Bearer ${TOKEN}` };

async function recordOf(attestationName: string) {
  const place = { flowName: "web", trailName: SHA, attestationName };
  const { body } = await job.client.listTrailAttestations(place);
  return body[0] ?? expect.fail(`${attestationName} is not on record`);
}

test("the analysis of the scanner is waited for, and its gate is recorded", async () => {
  const sonar = await sonarServer({ ...asBearer, revision: SHA, statuses: ["PENDING", "SUCCESS"] });
  await job.write(".scannerwork/report-task.txt", REPORT_TASK);
  const inputs = { kind: "sonar", "sonar-url": sonar.url, "sonar-token": TOKEN };
  const run = await job.step("attest", { name: "gate", ...inputs });
  expect(run.outputs, run.log).toMatchObject({ status: "recorded", compliant: "true" });
  expect(run.annotations).toMatchObject([{ message: expect.stringContaining("Flow 'web' did not exist") }]);
  expect(run.summary).toContain("| Quality gate |");
  const record = await recordOf("gate");
  expect(record).toMatchObject({ attestationType: "sonar", isCompliant: true });
  expect(record["sonarResults"]).toMatchObject({
    ...{ taskId: "AY-1", revision: SHA, project: { key: "acme:web", name: "Web" } },
    ...{ branch: { name: "main", type: "LONG" }, qualityGate: { status: "OK" } },
  });
});

test("a failed gate is recorded as not compliant, also for a manifest entry", async () => {
  const sonar = await sonarServer({ ...asBearer, revision: "b".repeat(40), gate: "ERROR", pullRequest: "7" });
  await job.write("out/report-task.txt", REPORT_TASK);
  await job.write(
    "evidence.yml",
    JSON.stringify([{ name: "failed", kind: "sonar", "sonar-report": "out/report-task.txt" }]),
  );
  const inputs = { manifest: "evidence.yml", "sonar-url": sonar.url, "sonar-token": TOKEN };
  const run = await job.step("attest", inputs);
  expect(run.outputs, run.log).toMatchObject({ status: "recorded", compliant: "false" });
  expect(run.annotations.map(({ message }) => message)).toEqual([
    `failed: The analysis is for commit ${"b".repeat(40)}, but this step records it for commit ${SHA}`,
  ]);
  const record = await recordOf("failed");
  expect(record.isCompliant).toBe(false);
  expect(record["sonarResults"]).toMatchObject({ pullRequest: "7", qualityGate: { status: "ERROR" } });
});

test("a manifest cannot redirect the step's token to another address", async () => {
  const entries = ["jira", "sonar"].map((kind) => ({
    ...{ name: kind, kind, [`${kind}-url`]: "https://elsewhere.example", [`${kind}-token`]: "t" },
  }));
  await job.write("evidence.yml", JSON.stringify(entries));
  const run = await job.step("attest", { manifest: "evidence.yml" });
  expect(run.outcome).toBe("failure");
  for (const kind of ["jira", "sonar"]) {
    expect(run.log).toContain(`'${kind}-url' applies to all entries: set it on the step`);
    expect(run.log).toContain(`'${kind}-token' must not be in a file: set it on the step`);
  }
});
