import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, FP, pipeline, send } from "../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const { artifact, environment, report } = pipeline(service);
  await artifact("web", "v1", {});
  await artifact("web", "v1", { description: "again" });
  await artifact("api", "v1", {});
  await artifact("web", "v2", {
    fingerprint: `${COMMIT.slice(0, 6)}${"0".repeat(58)}`,
    git_commit: "d".repeat(40),
  });
  await environment("prod");
  const unknown = `fade${"0".repeat(60)}`;
  await report("prod", [
    { podName: "p", namespace: "n", digests: { "web:1": FP, "odd:1": unknown }, creationTimestamp: 1 },
  ]);
});
afterAll(() => service.dispose());

const search = (value: string) => send(service, { path: `/search/${ORG}/sha/${value}` });

describe("searching", () => {
  it.each([FP, "aaaaa"])("finds an artifact by its fingerprint: %s", async (value) => {
    const { status, body } = await search(value);
    expect({ status, resolved: body.resolved_to }).toEqual({
      status: 200,
      resolved: {
        type: "fingerprint",
        full_match: FP,
        fingerprints: { type: "fingerprint", count: 1, matches: [FP] },
        commits: { type: "commit", count: 0, matches: [] },
      },
    });
    // Once for each flow, newest first; only the latest of several reports to a trail.
    expect(body.artifacts.map((found: { flow: string }) => found.flow)).toEqual(["api", "web"]);
    expect(body.artifacts[1]).toEqual({
      fingerprint: FP,
      name: "web:1.2",
      has_provenance: true,
      git_commit: COMMIT,
      pipeline: "web",
      flow: "web",
      trail: "v1",
      template_reference_name: "web",
      build_url: "https://ci.example/run/7",
      commit_url: "https://git.example/c/1",
      compliance_state: "COMPLIANT",
      running_in: ["prod"],
      exited_from: [],
      html_url: expect.stringContaining(`/${ORG}/flows/web/artifacts/${FP}?artifact_id=`),
      api_url: `${service.address}/api/v2/artifacts/${ORG}/web/fingerprint/${FP}`,
      history: expect.arrayContaining([{ event: "web reported", timestamp: service.clock.time }]),
    });
  });

  it("does not look into other organizations", async () => {
    const answer = await send(service, {
      path: `/search/${OTHER_ORG}/sha/${FP}`,
      key: service.keys.stranger,
    });
    expectRefusal(answer, 404, `No matches for '${FP}'.`);
  });
});
