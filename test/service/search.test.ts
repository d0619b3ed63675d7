import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, expectRefusal, FP, pipeline, send } from "./requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "./running-service.ts";

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

  it("finds artifacts by their commit", async () => {
    const { body } = await search(COMMIT);
    expect(body.resolved_to).toMatchObject({ type: "commit", full_match: COMMIT });
    expect(body.artifacts).toHaveLength(2);
  });

  it("says when the value is the start of several", async () => {
    const { body } = await search(COMMIT.slice(0, 5));
    expect(body.resolved_to).toMatchObject({
      type: "multiple",
      full_match: null,
      fingerprints: { count: 1 },
      commits: { count: 1, matches: [COMMIT] },
    });
    expect(body.artifacts).toHaveLength(3);
  });

  it("finds what runs and was never reported, as such", async () => {
    const { body } = await search("fade0");
    expect(body.artifacts).toEqual([
      expect.objectContaining({ name: "odd:1", has_provenance: false, flow: null, running_in: ["prod"] }),
    ]);
  });

  it("does not look into other organizations", async () => {
    const answer = await send(service, {
      path: `/search/${OTHER_ORG}/sha/${FP}`,
      key: service.keys.stranger,
    });
    expectRefusal(answer, 404, `No matches for '${FP}'.`);
  });

  it.each(["abc1", "xyzzy", "G".repeat(40), "a".repeat(65)])("refuses %s", async (value) => {
    const { status, body } = await search(value);
    expect([status, Object.keys(body.errors)]).toEqual([400, ["search_value"]]);
  });

  it("says when nothing matches", async () => {
    expectRefusal(await search("01234"), 404, "No matches for '01234'.");
  });
});

describe("the organization", () => {
  it("is shown", async () => {
    expect(await send(service, { path: `/organizations/${ORG}` })).toMatchObject({
      status: 200,
      body: {
        name: ORG,
        kind: "shared",
        experimental_features_enabled: false,
        created_at: expect.any(Number),
      },
    });
  });

  it("is the one that a key works in by default, and no other can be set", async () => {
    const asked = (method: string, path: string) => send(service, { method, path });
    expect(await asked("GET", "/user/default-org")).toMatchObject({
      status: 200,
      body: { default_org_name: ORG },
    });
    expect(await asked("PUT", `/user/${ORG}`)).toMatchObject({ status: 200, body: "OK" });
    expectRefusal(
      await asked("PUT", `/user/${OTHER_ORG}`),
      403,
      `Access denied to /api/v2/user/${OTHER_ORG}`,
    );
  });
});
