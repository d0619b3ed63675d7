import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Recording, recordStatements } from "../../../scripts/bench/statements.ts";
import { attestations } from "../attestation-requests.ts";
import { COMMIT, FP, pipeline, type RequestToSend, send } from "../requests.ts";
import { firstSweep, ORG, startTestService, type TestService } from "../running-service.ts";

/*
 * Counts all SQL statements of a request, including those that admit it. Each is a network round trip if the records
 * are not kept in the same process.
 */

const TEMPLATE = `version: 1
trail:
  attestations: [{ name: review, type: "*" }]
  artifacts: [{ name: web, attestations: [{ name: unit, type: "*" }] }]`;
const REPO = { repo_info: { name: "acme/web", url: "https://github.com/acme/web", id: "1" } };
const SHA = { git_commit_info: { sha1: COMMIT } };
const FILES = [{ name: "report.xml", content: "<testsuite/>" }];

let recording: Recording;
let service: TestService;
beforeAll(async () => {
  recording = recordStatements();
  service = await startTestService();
  await firstSweep(service);
  const { flow, trail, artifact } = pipeline(service);
  await flow("web", TEMPLATE);
  await trail("web", "t1", REPO);
  await artifact("web", "t1", { template_reference_name: "web", ...SHA, ...REPO });
});
afterAll(async () => {
  await service.dispose();
  recording.stop();
});

async function statements(request: () => Promise<{ status: number }>, status: number): Promise<string[]> {
  const before = recording.runs.length;
  expect((await request()).status).toBe(status);
  return recording.runs.slice(before);
}

describe("an attestation takes no more than 12 statements", () => {
  let count = 0;
  const attest = (more: object, extra: Partial<RequestToSend> = {}) =>
    send(service, {
      method: "POST",
      path: `/attestations/${ORG}/web/trail/t1/generic`,
      form: { attestation_name: "unit", is_compliant: true, description: String(++count), ...more },
      ...extra,
    });

  it.each<[string, object, Partial<RequestToSend>]>([
    ["about the trail, the first of its name", { attestation_name: "review" }, {}],
    ["about the trail, again", { attestation_name: "review" }, {}],
    [
      "about an artifact, the first of its name",
      { artifact_fingerprint: FP, ...SHA, ...REPO },
      { files: FILES },
    ],
    ["about an artifact, again", { artifact_fingerprint: FP, ...SHA, ...REPO }, { files: FILES }],
    [
      "about an artifact that makes it non-compliant",
      { artifact_fingerprint: FP, is_compliant: false, ...SHA, ...REPO },
      {},
    ],
    ["for an artifact by its name and commit", { target_artifacts: ["web"], ...SHA, ...REPO }, {}],
    ["with an Idempotency-Key", { artifact_fingerprint: FP }, { headers: { "idempotency-key": "k" } }],
  ])("%s", async (_, more, extra) => {
    const taken = await statements(() => attest(more, extra), 201);
    expect(taken.length).toBeGreaterThan(6);
    expect(taken.length <= 12 ? [] : taken).toEqual([]);
  });

  it("an override takes no more either", async () => {
    const { override } = attestations(service);
    const about = { artifact_fingerprint: FP };
    expect((await statements(() => override("web", about), 200)).length).toBeLessThanOrEqual(12);
  });

  it("a repeat takes no more than 4", async () => {
    const first = { attestation_name: "review", description: "the same" };
    await attest(first);
    expect((await statements(() => attest(first), 201)).length).toBeLessThanOrEqual(4);
  });
});

describe("an environment report takes no more than 10 statements", () => {
  const pods = (build: string) =>
    Array.from({ length: 50 }, (_, i) => ({
      podName: `p${i}`,
      namespace: "n",
      digests: { [`image-${i}`]: `${build}${i}`.padStart(64, "0") },
      creationTimestamp: 1,
    }));
  it.each([
    ["that is the first", "1", 201],
    ["that changes all", "2", 201],
    ["that changes nothing", "2", 200],
  ])("%s", async (_, build, status) => {
    const { environment, report } = pipeline(service);
    if (build === "1") await environment("prod");
    const taken = await statements(() => report("prod", pods(build)), status);
    expect(taken.length <= 10 ? [] : taken).toEqual([]);
  });
});
