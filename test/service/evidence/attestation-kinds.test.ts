import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestations } from "../attestation-requests.ts";
import { COMMIT, FP, pipeline } from "../requests.ts";
import { startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let flow = "";
let flowCount = 0;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).control({ identifier: "CTL-1", name: "c" });
});
afterAll(() => service.dispose());
const fresh = () => {
  flow = `flow-${++flowCount}`;
  return pipeline(service);
};

const suite = (more: object = {}) => ({
  name: "unit",
  failures: 0,
  errors: 0,
  skipped: 1,
  total: 5,
  duration: 1.5,
  ...more,
});
const project = (more: object = {}) => ({ low_count: 0, medium_count: 0, high_count: 0, ...more });
const snyk = (...results: object[]) => ({
  snyk_results: { schema_version: 1, tool: { name: "Snyk", version: "1.2" }, results },
});
const pullRequest = {
  url: "https://git.example/pr/1",
  state: "OPEN",
  author: "ann",
  title: "Fix it",
  created_at: 1_700_000_000,
  head_ref: "fix",
  approvers: [{ username: "bob", state: "APPROVED", timestamp: 1_700_000_001 }],
  commits: [{ sha1: COMMIT, author_username: "ann" }],
};
const briefPullRequest = {
  url: "https://git.example/pr/2",
  state: "MERGED",
  merge_commit: "",
  approvers: ["bob"],
};
const issue = (more: object = {}) => ({
  issue_id: "A-1",
  issue_url: "https://jira.example/A-1",
  issue_exists: true,
  ...more,
});
const sonar = (status?: string) => ({
  sonar_results: {
    serverUrl: "https://sonar.example",
    analysedAt: "2030-01-01T00:00:00Z",
    revision: COMMIT,
    project: { key: "web", url: "https://sonar.example/web", name: "Web" },
    branch: { name: "main", type: "BRANCH" },
    ...(status === undefined ? {} : { qualityGate: { status, conditions: [] } }),
  },
});
const decision = (more: object = {}) => ({
  type_name: "decision",
  control: "CTL-1",
  attestation_data: { is_compliant: true, by: "ann" },
  ...more,
});

describe("each kind stores and returns what was sent", () => {
  it.each<[string, string, boolean, object, object]>([
    ["junit", "junit", true, { junit_results: [suite(), suite()] }, { junit_results: [suite(), suite()] }],
    ["junit", "junit", false, { junit_results: [suite(), suite({ errors: 1 })] }, {}],
    ["junit", "junit", false, { junit_results: [] }, { junit_results: [] }],
    ["snyk", "snyk", true, snyk(project()), { processed_snyk_results: snyk(project()).snyk_results }],
    ["snyk", "snyk", false, snyk(project({ low_count: 1 })), { schema_version: 2 }],
    [
      "pull_request",
      "pull_request",
      true,
      { git_provider: "github", pull_requests: [pullRequest, briefPullRequest] },
      { git_provider: "github", pull_requests: [pullRequest, briefPullRequest] },
    ],
    ["pull_request", "pull_request", false, { git_provider: "azure", pull_requests: [] }, {}],
    ["jira", "jira", true, { jira_results: [issue()] }, { jira_results: [issue()] }],
    ["jira", "jira", false, { jira_results: [issue(), issue({ issue_exists: false })] }, {}],
    ["jira", "jira", false, { jira_results: [] }, {}],
    ["sonar", "sonar", true, sonar("OK"), sonar("OK")],
    ["sonar", "sonar", false, sonar("ERROR"), {}],
    ["sonar", "sonar", false, sonar(), {}],
    ["system", "system:decision", true, decision(), decision()],
    [
      "system",
      "system:decision",
      false,
      decision({ attestation_data: '{"is_compliant":false}' }),
      { attestation_data: { is_compliant: false } },
    ],
  ])("%s (%s, compliant: %s)", async (kind, type, isCompliant, sent, shown) => {
    fresh();
    const { attest, ofTrail } = attestations(service);
    expect(await attest(kind, flow, sent)).toMatchObject({ status: 201, body: "OK" });
    const { body } = await ofTrail(flow);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      schema_version: kind === "snyk" ? 2 : 1,
      attestation_type: type,
      is_compliant: isCompliant,
      description: null,
      origin_url: null,
      user_data: {},
      ...shown,
    });
  });
});

describe("every kind behaves like a generic attestation:", () => {
  const kinds: [string, object][] = [
    ["junit", { junit_results: [suite()] }],
    ["snyk", snyk(project())],
    ["pull_request", { git_provider: "github", pull_requests: [] }],
    ["jira", { jira_results: [issue()] }],
    ["sonar", sonar("OK")],
    ["custom", { type_name: "anything", attestation_data: { a: 1 } }],
    ["system", decision()],
  ];
  beforeAll(() => attestations(service).customType({ name: "anything" }));

  it.each(kinds)(
    "%s is recorded once when it is sent twice, with its repository and its file",
    async (kind, form) => {
      const { attestations: ofArtifact, artifact, repos } = fresh();
      await artifact(flow, "t1");
      const files = [{ name: "report.txt", content: kind }];
      const name = `o/${kind}`;
      const sent = {
        ...form,
        artifact_fingerprint: FP,
        repo_info: { name, url: `https://github.com/${name}` },
      };
      await attestations(service).attest(kind, flow, sent, { files });
      await attestations(service).attest(kind, flow, sent, { files });
      const { body } = await ofArtifact(flow);
      expect(body).toHaveLength(1);
      expect(body[0].has_audit_package).toBe(true);
      expect((await repos(`?name=${name}`)).body.total_count).toBe(1);
    },
  );
});

describe("an attestation of a kind in a template", () => {
  it("fills the slot of its type, a decision by its short name", async () => {
    const { flow: putFlow, artifact, assert } = fresh();
    await putFlow(
      flow,
      "trail: {attestations: [{name: unit, type: junit}, {name: go, type: decision}, {name: cov, type: 'custom:cov'}]}",
    );
    const { attest, customType } = attestations(service);
    await customType({ name: "cov" });
    await artifact(flow, "t1");
    await attest("junit", flow, { junit_results: [suite()] });
    await attest("system", flow, { ...decision(), attestation_name: "go" });
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(false);
    await attest("custom", flow, { attestation_name: "cov", type_name: "cov", attestation_data: {} });
    expect((await assert(FP, `?flow_name=${flow}`)).body.compliant).toBe(true);
  });
});
