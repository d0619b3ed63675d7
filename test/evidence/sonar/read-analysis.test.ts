import { describe, expect, test } from "vitest";
import { withRemote } from "../../../src/evidence/remote/remote-service.ts";
import { readAnalysis, Sonar } from "../../../src/evidence/sonar/read-analysis.ts";
import { Deadline } from "../../../src/net/deadline.ts";
import { shownText } from "../../api/connections.ts";
import { type SonarSketch, sonarServer } from "./sonar-server.ts";

const TOKEN = "squ_0123456789abcdef";
const SHA = "a".repeat(40);
const whole: SonarSketch = { authorization: `Bearer ${TOKEN}`, revision: SHA };

async function read(sketch: SonarSketch, seconds = 60) {
  const server = await sonarServer(sketch);
  const address = new URL(`${server.url}/`);
  const waits: number[] = [];
  using deadline = new Deadline(seconds);
  const options = {
    ...{ name: "Sonar", address, inputs: { address: "sonar-url", token: "sonar-token" } },
    ...{ secrets: [TOKEN], env: {}, deadline, retries: 0, info: () => {} },
  };
  const pause = async (ms: number) => void waits.push(ms);
  const analysis = await withRemote(options, (service) => {
    const sonar = new Sonar(service, address, TOKEN);
    return readAnalysis({ sonar, address, taskId: "AY-1", deadline, info: () => {}, pause });
  });
  return { analysis, waits, server };
}

async function fault(sketch: Partial<SonarSketch>, seconds?: number): Promise<string> {
  return read({ ...whole, ...sketch }, seconds).then(
    () => expect.fail("was believed"),
    (error: unknown) => shownText(error).replace(/127\.0\.0\.1:\d+/g, "HOST"),
  );
}

test("an analysis of a branch is returned in the form of Sonar's webhook", async () => {
  const { analysis, server } = await read({ ...whole, gate: "ERROR" });
  expect(analysis).toEqual({
    ...{ serverUrl: server.url, taskId: "AY-1", status: "SUCCESS" },
    ...{ analysedAt: "2026-11-20T10:00:00+0000", revision: SHA },
    project: { key: "acme:web", name: "Web", url: `${server.url}/dashboard?id=acme%3Aweb` },
    branch: { name: "main", type: "LONG" },
    qualityGate: {
      status: "ERROR",
      conditions: [
        { metric: "new_coverage", errorThreshold: "80", operator: "LT", status: "OK", value: "81.5" },
        { metric: "new_bugs", errorThreshold: "0", operator: "GT", status: "ERROR", value: "2" },
      ],
    },
  });
});

test("an analysis of a pull request has the commit and the gate of the pull request", async () => {
  const { analysis } = await read({ ...whole, pullRequest: "7", gate: "NONE" });
  expect(analysis).toMatchObject({
    ...{ analysedAt: "2026-11-20T11:00:00+0000", revision: SHA, pullRequest: "7" },
    qualityGate: { status: "NONE", conditions: [] },
  });
  expect(analysis).not.toHaveProperty("branch");
});

test("an unfinished analysis is waited for, with growing intervals", async () => {
  const statuses = [...Array<string>(3).fill("PENDING"), ...Array<string>(3).fill("IN_PROGRESS"), "SUCCESS"];
  const { waits } = await read({ ...whole, statuses });
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test("a server without bearer support gets the token as its user, once for all requests", async () => {
  const authorization = `Basic ${Buffer.from(`${TOKEN}:`).toString("base64")}`;
  const { server } = await read({ ...whole, authorization });
  const refused = server.received.filter(({ headers }) => headers.authorization !== authorization);
  expect(refused).toHaveLength(1);
});

describe("the reason is reported for", () => {
  test.each<[title: string, sketch: Partial<SonarSketch>, expected: string]>([
    [
      "a failed analysis",
      { statuses: ["FAILED"] },
      "the analysis of this report failed: the report is too old",
    ],
    ["a canceled analysis", { statuses: ["CANCELED"] }, "was canceled: Sonar reports no reason"],
    ["a rejected token", { authorization: "Bearer other" }, "sonar-token: Sonar does not accept the token"],
    [
      "a task of another server",
      { instead: { "/api/ce/task": false } },
      "Sonar did not return the task AY-1: No activity found for task 'AY-1' (HOST, status 404)",
    ],
    ["a task without a state", { statuses: ["ODD"] }, "the task has no known status"],
    [
      "a task without an analysis",
      { instead: { "/api/ce/task": { task: { status: "SUCCESS", componentKey: "k" } } } },
      "the finished task has no analysis",
    ],
    [
      "an analysis that is not listed",
      { instead: { "/api/project_analyses/search": { analyses: [{}, null, 7] } } },
      "analysis AN-1",
    ],
    [
      "a gate without a state",
      { instead: { "/api/qualitygates/project_status": { projectStatus: [] } } },
      "the quality gate has no status",
    ],
  ])("%s", async (_, sketch, expected) => {
    expect(await fault(sketch)).toContain(expected);
  });

  test("an analysis that does not finish in time", async () => {
    const text = await fault({ statuses: ["IN_PROGRESS"] }, 0.5);
    expect(text).toContain("the analysis did not finish within 0.5 s: it is IN_PROGRESS (HOST)");
    expect(text).toContain("set a longer timeout");
  });
});
