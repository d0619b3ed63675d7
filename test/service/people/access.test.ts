import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import { type MemberOperationName, operations } from "../../../src/api/resources/operations.ts";
import { ROLES, type Role } from "../../../src/service/kernel/caller.ts";
import { expectRefusal, sampleRequest, send } from "../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";

const EVERYONE: readonly Role[] = [
  ...(["admin", "member", "attester", "approver", "snapshotter", "auditor", "reader"] as const),
];
const REPORTERS: readonly Role[] = ["admin", "member", "snapshotter"];
const WRITERS: readonly Role[] = ["admin", "member"];
const ATTESTERS: readonly Role[] = ["admin", "member", "attester"];
const APPROVERS: readonly Role[] = ["admin", "member", "approver"];
const AUDITORS: readonly Role[] = ["admin", "auditor"];

/**
 * Permissions by role and operation, repeated by hand to test what the operations declare. An operation that is
 * missing from the table does not compile, and fails the test.
 */
const MAY_CALL: { readonly [Name in MemberOperationName]: readonly Role[] } = {
  allowArtifact: APPROVERS,
  archiveControl: ["admin"],
  archiveCustomAttestationType: WRITERS,
  archiveDecisionPolicy: ["admin"],
  archiveEnvironment: ["admin"],
  archiveFlow: WRITERS,
  assertArtifact: EVERYONE,
  attachPolicies: WRITERS,
  attestCustom: ATTESTERS,
  attestGeneric: ATTESTERS,
  attestJira: ATTESTERS,
  attestJunit: ATTESTERS,
  attestPullRequest: ATTESTERS,
  attestSnyk: ATTESTERS,
  attestSonar: ATTESTERS,
  attestSystem: ATTESTERS,
  beginTrail: ATTESTERS,
  createAdmissionWebhook: ["admin"],
  deleteAdmissionWebhook: ["admin"],
  listAdmissionWebhooks: ["admin"],
  reviewAdmission: EVERYONE,
  createApiKey: REPORTERS,
  createControl: ["admin"],
  createCustomAttestationType: WRITERS,
  createEnvironment: REPORTERS,
  createEvaluation: ATTESTERS,
  createFlow: WRITERS,
  createFlowWithTemplate: WRITERS,
  createHook: ["admin"],
  createScimToken: ["admin"],
  createInvitation: WRITERS,
  createServiceAccount: REPORTERS,
  createShareLink: WRITERS,
  createTrustPolicy: ["admin"],
  deleteAction: WRITERS,
  deleteEnvironmentNotification: WRITERS,
  deleteHook: ["admin"],
  deleteLoginProvider: ["admin"],
  deleteServiceAccount: WRITERS,
  deleteTrustPolicy: ["admin"],
  detachPolicies: WRITERS,
  diffSnapshots: EVERYONE,
  downloadEvidence: EVERYONE,
  downloadTrailAuditPdf: EVERYONE,
  enableTargets: WRITERS,
  endMemberSessions: WRITERS,
  explainTrust: ["admin"],
  findApiKey: REPORTERS,
  getAction: EVERYONE,
  getApiKey: REPORTERS,
  getApproval: EVERYONE,
  getArtifact: EVERYONE,
  getArtifactAttestation: EVERYONE,
  getArtifactAuditPackage: EVERYONE,
  getArtifactCommit: EVERYONE,
  getArtifactsByCommit: EVERYONE,
  getBuildStatistics: EVERYONE,
  getControl: EVERYONE,
  getControlCoverage: EVERYONE,
  getControlDecision: EVERYONE,
  getControlVersion: EVERYONE,
  getCustomAttestationType: EVERYONE,
  getCurrentUser: EVERYONE,
  getDefaultOrg: EVERYONE,
  getDecisionPolicy: EVERYONE,
  getDelivery: EVERYONE,
  getDeployment: EVERYONE,
  getDeploymentFrequency: EVERYONE,
  getEnvironment: EVERYONE,
  getEnvironmentAuditLog: EVERYONE,
  getEnvironmentNotification: EVERYONE,
  getEvaluation: EVERYONE,
  getFlow: EVERYONE,
  getFlowTemplateSchema: EVERYONE,
  getLatestCommit: EVERYONE,
  getLogCheckpoint: EVERYONE,
  getLogConsistency: EVERYONE,
  getLogPolicy: EVERYONE,
  getLogProof: EVERYONE,
  getLogTile: EVERYONE,
  getMember: WRITERS,
  getOrganization: EVERYONE,
  getPolicy: EVERYONE,
  getPolicySchema: EVERYONE,
  getPopulation: EVERYONE,
  getPopulationPackage: EVERYONE,
  getRepo: EVERYONE,
  getRepoDeploymentStatistics: EVERYONE,
  getServiceAccount: REPORTERS,
  getSnapshot: EVERYONE,
  getTrail: EVERYONE,
  getTrailAuditPackage: EVERYONE,
  getTrends: EVERYONE,
  getTrendsCsv: EVERYONE,
  getTrustPolicy: AUDITORS,
  joinEnvironment: WRITERS,
  listActions: EVERYONE,
  listAllowlists: EVERYONE,
  listApiKeys: REPORTERS,
  listApprovals: EVERYONE,
  listArtifactApprovals: EVERYONE,
  listArtifacts: EVERYONE,
  listAttestations: EVERYONE,
  listAttestationsForCriteria: EVERYONE,
  listAuditLog: AUDITORS,
  listBuilds: EVERYONE,
  listControlDecisions: EVERYONE,
  listControlTags: EVERYONE,
  listControlVersions: EVERYONE,
  listControls: EVERYONE,
  listCustomAttestationTypes: EVERYONE,
  listDecisionPolicies: EVERYONE,
  listDeliveries: EVERYONE,
  listDeployments: EVERYONE,
  listEnvironmentDeployments: EVERYONE,
  listEnvironmentEvents: EVERYONE,
  listEnvironmentNotifications: EVERYONE,
  listEnvironments: EVERYONE,
  listFlowArtifacts: EVERYONE,
  listFlowAttestations: EVERYONE,
  listFlowTrails: EVERYONE,
  listFlows: EVERYONE,
  listInvitations: WRITERS,
  listLiveArtifacts: EVERYONE,
  listMembers: WRITERS,
  listPolicies: EVERYONE,
  listProvisionedUsers: WRITERS,
  listRepoDeployments: EVERYONE,
  listHooks: ["admin"],
  listLoginProviders: ["admin"],
  putLoginProvider: ["admin"],
  listScimTokens: ["admin"],
  revokeScimToken: ["admin"],
  listMembershipAuditLog: AUDITORS,
  listRepoFilterOptions: EVERYONE,
  listRepoTags: EVERYONE,
  listRepos: EVERYONE,
  listServiceAccounts: REPORTERS,
  listShareLinks: WRITERS,
  listSnapshots: EVERYONE,
  listSystemAttestationTypes: EVERYONE,
  listTargets: EVERYONE,
  listTrailAttestations: EVERYONE,
  listTrails: EVERYONE,
  listTrustPolicies: AUDITORS,
  overrideAttestation: APPROVERS,
  putEnvironmentAction: WRITERS,
  putEnvironmentNotification: WRITERS,
  putFlowAction: WRITERS,
  publishDecisionPolicy: ["admin"],
  putMember: WRITERS,
  putOrganizationAction: WRITERS,
  putPolicy: WRITERS,
  recordApproval: APPROVERS,
  recoverDeliveries: WRITERS,
  redeliver: WRITERS,
  removeMember: WRITERS,
  renameEnvironment: WRITERS,
  renameFlow: WRITERS,
  reportArtifact: ATTESTERS,
  reportAzureApps: REPORTERS,
  reportCloudRun: REPORTERS,
  reportDocker: REPORTERS,
  reportECS: REPORTERS,
  reportK8S: REPORTERS,
  reportLambda: REPORTERS,
  reportS3: REPORTERS,
  reportServer: REPORTERS,
  revokeApiKey: REPORTERS,
  revokeInvitation: WRITERS,
  revokeShareLink: WRITERS,
  rotateApiKey: REPORTERS,
  rotateSecrets: WRITERS,
  search: EVERYONE,
  searchSha: EVERYONE,
  setDefaultOrg: EVERYONE,
  setTargetToken: WRITERS,
  showSecrets: WRITERS,
  stateAttestation: EVERYONE,
  stateVerdict: EVERYONE,
  testAction: WRITERS,
  unarchiveControl: ["admin"],
  updateControl: ["admin"],
  updateEnvironment: WRITERS,
  updateEnvironmentNotification: WRITERS,
  updateServiceAccount: WRITERS,
  updateTags: WRITERS,
  updateTrustPolicy: ["admin"],
};
const everyOperation: OperationShape[] = Object.values(operations).filter(
  ({ access }) => access !== "public",
);
const mayCall = new Map(Object.entries(MAY_CALL));

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

it("the table of roles has every operation, and no other", () => {
  expect([...mayCall.keys()].sort()).toEqual(everyOperation.map(({ name }) => name).sort());
});

describe.each(everyOperation)("$name", (operation) => {
  it.each(ROLES)("admits the role %s exactly when the table of roles says so", async (role) => {
    const { status, body } = await send(service, { ...sampleRequest(operation), key: service.keys[role] });
    if (mayCall.get(operation.name)?.includes(role)) {
      // An invalid token is only rejected for those who may send one.
      expect([200, 201, 404, ...(operation.errors?.[401] ? [401] : [])]).toContain(status);
    } else {
      expectRefusal({ status, body }, 403, "You don't have permission to access this resource");
    }
  });
});

describe("a key", () => {
  const request = (key: string | null, org = ORG) => send(service, { path: `/repos/${org}`, key });

  it("that is revoked is refused like an unknown one", async () => {
    const { revoked } = service.keys;
    for (const key of [revoked, `de_${"x".repeat(43)}`]) {
      expectRefusal(await request(key), 401, "Unauthorized: the API key is not known");
    }
  });

  it("that has expired is refused as such", async () => {
    expectRefusal(await request(service.keys.expired), 401, "Unauthorized: the API key has expired");
  });

  it("of another organization is refused, even an admin's", async () => {
    expectRefusal(await request(service.keys.stranger), 403, `Access denied to /api/v2/repos/${ORG}`);
  });

  it("is needed to learn that an organization does not exist", async () => {
    expect((await request(null, "nowhere")).status).toBe(401);
    const { member } = service.keys;
    expectRefusal(await request(member, "nowhere"), 404, "Organization 'nowhere' does not exist");
  });
});

describe("the order of the checks", () => {
  const wrong = { method: "POST", json: {}, headers: {} };

  it("checks membership before the role", async () => {
    const path = `/artifacts/${OTHER_ORG}/web`;
    expect((await send(service, { ...wrong, path, key: service.keys.reader })).body.message).toBe(
      `Access denied to /api/v2${path}`,
    );
  });

  it("checks the role before the body", async () => {
    const path = `/artifacts/${ORG}/web`;
    expect((await send(service, { ...wrong, path, key: service.keys.reader })).status).toBe(403);
    expect((await send(service, { ...wrong, path })).status).toBe(400);
  });

  it("checks the body before the resources in the path", async () => {
    const message = { method: "PUT", path: `/trails/${ORG}/no-such-flow` };
    expect((await send(service, { ...message, form: {} })).status).toBe(400);
    expect((await send(service, { ...message, form: { name: "t" } })).status).toBe(404);
  });
});
