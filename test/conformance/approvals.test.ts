import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { EXTRA, invalidBodies, PATTERN, pagingEdges, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { flow, trail, artifact, delivered, environment, report } = pipeline(target);

const review = {
  state: "APPROVED" as const,
  comment: "c",
  approvedBy: "ada",
  approvalUrl: "https://ci.example/7",
};
const unknownFlow = (name: string) => `Flow named '${name}' does not exist for organization '${org}'`;
const unknownNumber = (number: number, flowName: string) =>
  `Approval number '${number}' does not exist in flow '${flowName}' belonging to organization '${org}'`;
const { flow: flowName, fingerprint, commit } = await delivered();

describe("an approval", () => {
  it("is recorded with its review, and read by number", async () => {
    const built = await delivered();
    const environmentName = await environment();
    const reply = await client.recordApproval({
      flowName: built.flow,
      body: {
        artifactFingerprint: built.fingerprint,
        description: "release 12",
        environment: environmentName,
        srcCommitList: [built.commit],
        approvals: [review],
        userData: { ticket: 7 },
      },
    });
    expect(reply.status).toBe(201);
    const record = {
      releaseNumber: 1,
      artifactName: "web:1.2",
      targetArtifact: built.fingerprint,
      environment: environmentName,
      description: "release 12",
      state: "APPROVED",
      approvals: [{ ...review, approvedBy: "external://ada", timestamp: expect.any(Number) }],
      userData: { ticket: 7 },
      createdAt: expect.any(Number),
      lastModifiedAt: expect.any(Number),
    };
    const read = async (approvalNumber: number) =>
      (await client.getApproval({ flowName: built.flow, approvalNumber })).body;
    expect(await read(1)).toMatchObject({
      ...record,
      srcCommitList: [{ commitSha: built.commit, artifactFingerprints: [built.fingerprint] }],
    });
    expect(await read(-1)).toEqual(await read(1));
    const listed = [{ ...record, srcCommitList: [built.commit] }];
    expect((await client.listApprovals({ flowName: built.flow })).body).toMatchObject(listed);
    const { body } = await client.listArtifactApprovals({
      flowName: built.flow,
      fingerprint: built.fingerprint,
    });
    expect(body).toMatchObject(listed);
  });

  it("without reviews is a pending request", async () => {
    const built = await delivered();
    const body = { artifactFingerprint: built.fingerprint, description: "", srcCommitList: [built.commit] };
    await client.recordApproval({ flowName: built.flow, body });
    await client.recordApproval({ flowName: built.flow, body: { ...body, approvals: [] } });
    const { body: listed } = await client.listApprovals({ flowName: built.flow });
    expect(listed).toMatchObject([
      { releaseNumber: 2, state: "PENDING", approvals: [], environment: null },
      { releaseNumber: 1, state: "PENDING", approvals: [], environment: null },
    ]);
  });

  it("that was refused says so", async () => {
    const built = await delivered();
    const approvals = [{ ...review, state: "UNAPPROVED" as const }];
    const body = {
      artifactFingerprint: built.fingerprint,
      description: "",
      srcCommitList: [built.commit],
      approvals,
    };
    await client.recordApproval({ flowName: built.flow, body });
    const { body: stored } = await client.getApproval({ flowName: built.flow, approvalNumber: 1 });
    expect(stored.state).toBe("UNAPPROVED");
  });

  it("is refused for a flow, an artifact or an environment that does not exist", async () => {
    const [none, unknown] = [unique("none"), someFingerprint()];
    const body = { artifactFingerprint: fingerprint, description: "", srcCommitList: [commit] };
    await expectRefusal(client.recordApproval({ flowName: none, body }), 404, unknownFlow(none));
    await expectRefusal(
      client.recordApproval({ flowName, body: { ...body, artifactFingerprint: unknown } }),
      404,
      `Artifact with fingerprint '${unknown}' does not exist in flow '${flowName}' belonging to organization '${org}'`,
    );
    await expectRefusal(
      client.recordApproval({ flowName, body: { ...body, environment: none } }),
      404,
      `Environment named '${none}' does not exist for organization '${org}'`,
    );
  });

  it("is refused by an unassigned number", async () => {
    for (const approvalNumber of [0, 99, -99]) {
      const call = client.getApproval({ flowName, approvalNumber });
      await expectRefusal(call, 404, unknownNumber(approvalNumber, flowName));
    }
    const call = ask("getApproval", { params: { flow_name: flowName, approval_number: "x" } });
    await expectInvalid(call, { approval_number: "Input should be a valid" });
  });

  const recording = () => ({
    params: { flow_name: flowName },
    body: { artifact_fingerprint: fingerprint, description: "", src_commit_list: [commit] },
  });
  invalidBodies(target, "recordApproval", recording, [
    [{ artifact_fingerprint: undefined }, "artifact_fingerprint", REQUIRED],
    [{ artifact_fingerprint: "ab12c" }, "artifact_fingerprint", PATTERN],
    [{ description: undefined }, "description", REQUIRED],
    [{ src_commit_list: undefined }, "src_commit_list", REQUIRED],
    [{ src_commit_list: ["abc"] }, "src_commit_list[0]", PATTERN],
    [{ oldest_commit: "abc" }, "oldest_commit", PATTERN],
    [
      { approvals: [{ ...wireReview(), state: "MAYBE" }] },
      "approvals[0].state",
      "Input should be 'APPROVED' or 'UNAPPROVED'",
    ],
    [{ approvals: [{ ...wireReview(), approved_by: undefined }] }, "approvals[0].approved_by", REQUIRED],
    [{ user_data: "x" }, "user_data", "Input should be a valid dictionary"],
    [{ other: 1 }, "other", EXTRA],
  ]);
});

function wireReview() {
  return { state: "APPROVED", comment: "", approved_by: "ada", approval_url: "https://ci.example/7" };
}

describe("listing approvals", () => {
  it("is refused for a flow or an artifact that does not exist", async () => {
    const [none, unknown] = [unique("none"), someFingerprint()];
    await expectRefusal(client.listApprovals({ flowName: none }), 404, unknownFlow(none));
    const call = client.listArtifactApprovals({ flowName: none, fingerprint: unknown });
    await expectRefusal(call, 404, unknownFlow(none));
    await expectRefusal(
      client.listArtifactApprovals({ flowName, fingerprint: unknown }),
      404,
      `Artifact with fingerprint '${unknown}' does not exist in flow '${flowName}' belonging to organization '${org}'`,
    );
  });

  pagingEdges(target, "listApprovals", () => ({ params: { flow_name: flowName } }), { max: 100 });
});

describe("the running commit of an environment", () => {
  const running = async (envName: string, ofFlow: string) =>
    (await client.getArtifactCommit({ flowName: ofFlow, envName })).body;

  it("is that of the artifact of the flow that started last", async () => {
    const built = await delivered();
    const newer = await artifact(built.flow, await trail(built.flow));
    const envName = await environment();
    expect(await running(envName, built.flow)).toEqual({ commitSha: null });
    await report(envName, [built.fingerprint]);
    expect(await running(envName, built.flow)).toEqual({ commitSha: built.commit });
    await report(envName, [built.fingerprint, newer.fingerprint]);
    expect(await running(envName, built.flow)).toEqual({ commitSha: newer.commit });
    expect(await running(envName, await flow())).toEqual({ commitSha: null });
    await report(envName, []);
    expect(await running(envName, built.flow)).toEqual({ commitSha: null });
  });

  it("is refused for a flow or environment that does not exist", async () => {
    const [none, envName] = [unique("none"), await environment()];
    await expectRefusal(client.getArtifactCommit({ flowName: none, envName }), 404, unknownFlow(none));
    await expectRefusal(
      client.getArtifactCommit({ flowName, envName: none }),
      404,
      `Environment named '${none}' does not exist for organization '${org}'`,
    );
  });
});

it("an approval of commits without artifacts lists them without artifacts", async () => {
  const built = await delivered();
  const other = someCommit();
  const body = {
    artifactFingerprint: built.fingerprint,
    description: "",
    srcCommitList: [other, built.commit],
  };
  await client.recordApproval({ flowName: built.flow, body });
  const { body: stored } = await client.getApproval({ flowName: built.flow, approvalNumber: 1 });
  expect(stored.srcCommitList).toEqual([
    { commitSha: other, artifactFingerprints: [] },
    { commitSha: built.commit, artifactFingerprints: [built.fingerprint] },
  ]);
});
