import { allowArtifact, listAllowlists } from "./resources/allowlists.ts";
import { createApiKey, getApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "./resources/api-keys.ts";
import {
  getApproval,
  getArtifactCommit,
  listApprovals,
  listArtifactApprovals,
  recordApproval,
} from "./resources/approvals.ts";
import { reportArtifact } from "./resources/artifact-report.ts";
import {
  getArtifact,
  getArtifactAuditPackage,
  getArtifactsByCommit,
  getLatestCommit,
  listArtifacts,
  listFlowArtifacts,
} from "./resources/artifacts.ts";
import { assertArtifact } from "./resources/asserts.ts";
import {
  attestCustom,
  attestJira,
  attestJunit,
  attestPullRequest,
  attestSnyk,
  attestSonar,
  attestSystem,
  overrideAttestation,
} from "./resources/attestation-kinds.ts";
import {
  downloadEvidence,
  getArtifactAttestation,
  listAttestations,
  listAttestationsForCriteria,
  listFlowAttestations,
  listSystemAttestationTypes,
  listTrailAttestations,
} from "./resources/attestations.ts";
import { listAuditLog } from "./resources/audit-log.ts";
import {
  archiveControl,
  createControl,
  getControl,
  getControlDecision,
  getControlVersion,
  listControlDecisions,
  listControls,
  listControlVersions,
  unarchiveControl,
  updateControl,
} from "./resources/controls.ts";
import {
  archiveCustomAttestationType,
  createCustomAttestationType,
  getCustomAttestationType,
  listCustomAttestationTypes,
} from "./resources/custom-attestation-types.ts";
import { getEnvironmentAuditLog, listEnvironmentEvents } from "./resources/environment-events.ts";
import {
  archiveEnvironment,
  attachPolicies,
  createEnvironment,
  detachPolicies,
  getEnvironment,
  joinEnvironment,
  listEnvironments,
  renameEnvironment,
  updateEnvironment,
} from "./resources/environments.ts";
import {
  archiveFlow,
  createFlow,
  createFlowWithTemplate,
  getFlow,
  getFlowTemplateSchema,
  listFlows,
  renameFlow,
} from "./resources/flows.ts";
import { attestGeneric } from "./resources/generic-attestation.ts";
import {
  enableTargets,
  getDelivery,
  listDeliveries,
  listTargets,
  recoverDeliveries,
  redeliver,
  rotateSecrets,
  setTargetToken,
  showSecrets,
  testAction,
} from "./resources/notification-deliveries.ts";
import {
  deleteAction,
  deleteEnvironmentNotification,
  getAction,
  getEnvironmentNotification,
  listActions,
  listEnvironmentNotifications,
  putEnvironmentAction,
  putEnvironmentNotification,
  putFlowAction,
  putOrganizationAction,
  updateEnvironmentNotification,
} from "./resources/notifications.ts";
import { getDefaultOrg, getOrganization, setDefaultOrg } from "./resources/organizations.ts";
import { getPolicy, getPolicySchema, listPolicies, putPolicy } from "./resources/policies.ts";
import {
  reportAzureApps,
  reportCloudRun,
  reportDocker,
  reportECS,
  reportK8S,
  reportLambda,
  reportS3,
  reportServer,
} from "./resources/reports.ts";
import { getRepo, listLiveArtifacts, listRepos } from "./resources/repos.ts";
import { searchSha } from "./resources/search.ts";
import {
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from "./resources/service-accounts.ts";
import { createShareLink, listShareLinks, revokeShareLink } from "./resources/share-links.ts";
import { diffSnapshots, getSnapshot, listSnapshots } from "./resources/snapshots.ts";
import { updateTags } from "./resources/tags.ts";
import { exchangeToken, getTokenAudience } from "./resources/token-exchange.ts";
import {
  beginTrail,
  getTrail,
  getTrailAuditPackage,
  listFlowTrails,
  listTrails,
} from "./resources/trails.ts";
import {
  createTrustPolicy,
  deleteTrustPolicy,
  explainTrust,
  getTrustPolicy,
  listTrustPolicies,
  updateTrustPolicy,
} from "./resources/trust-policies.ts";

/** Every operation of the interface, by name. */
export const operations = {
  allowArtifact,
  archiveControl,
  archiveCustomAttestationType,
  archiveEnvironment,
  archiveFlow,
  assertArtifact,
  attachPolicies,
  attestCustom,
  attestGeneric,
  attestJira,
  attestJunit,
  attestPullRequest,
  attestSnyk,
  attestSonar,
  attestSystem,
  beginTrail,
  createApiKey,
  createControl,
  createCustomAttestationType,
  createEnvironment,
  createFlow,
  createFlowWithTemplate,
  createServiceAccount,
  createShareLink,
  createTrustPolicy,
  deleteAction,
  deleteEnvironmentNotification,
  deleteServiceAccount,
  deleteTrustPolicy,
  detachPolicies,
  diffSnapshots,
  downloadEvidence,
  enableTargets,
  exchangeToken,
  explainTrust,
  getAction,
  getApiKey,
  getApproval,
  getArtifact,
  getArtifactAttestation,
  getArtifactAuditPackage,
  getArtifactCommit,
  getArtifactsByCommit,
  getControl,
  getControlDecision,
  getControlVersion,
  getCustomAttestationType,
  getDefaultOrg,
  getDelivery,
  getEnvironment,
  getEnvironmentAuditLog,
  getEnvironmentNotification,
  getFlow,
  getFlowTemplateSchema,
  getLatestCommit,
  getOrganization,
  getPolicy,
  getPolicySchema,
  getRepo,
  getServiceAccount,
  getSnapshot,
  getTokenAudience,
  getTrail,
  getTrailAuditPackage,
  getTrustPolicy,
  joinEnvironment,
  listActions,
  listAllowlists,
  listApiKeys,
  listApprovals,
  listArtifactApprovals,
  listArtifacts,
  listAttestations,
  listAttestationsForCriteria,
  listAuditLog,
  listControlDecisions,
  listControlVersions,
  listControls,
  listCustomAttestationTypes,
  listDeliveries,
  listEnvironmentEvents,
  listEnvironmentNotifications,
  listEnvironments,
  listFlowArtifacts,
  listFlowAttestations,
  listFlowTrails,
  listFlows,
  listLiveArtifacts,
  listPolicies,
  listRepos,
  listServiceAccounts,
  listShareLinks,
  listSnapshots,
  listSystemAttestationTypes,
  listTargets,
  listTrailAttestations,
  listTrails,
  listTrustPolicies,
  overrideAttestation,
  putEnvironmentAction,
  putEnvironmentNotification,
  putFlowAction,
  putOrganizationAction,
  putPolicy,
  recordApproval,
  recoverDeliveries,
  redeliver,
  renameEnvironment,
  renameFlow,
  reportArtifact,
  reportAzureApps,
  reportCloudRun,
  reportDocker,
  reportECS,
  reportK8S,
  reportLambda,
  reportS3,
  reportServer,
  revokeApiKey,
  revokeShareLink,
  rotateApiKey,
  rotateSecrets,
  searchSha,
  setDefaultOrg,
  setTargetToken,
  showSecrets,
  testAction,
  unarchiveControl,
  updateControl,
  updateEnvironment,
  updateEnvironmentNotification,
  updateServiceAccount,
  updateTags,
  updateTrustPolicy,
};

export type OperationName = keyof typeof operations;

/** The operations that nobody is asked for who it is. */
export type OpenOperationName = {
  [Name in OperationName]: (typeof operations)[Name]["access"] extends "anyone" ? Name : never;
}[OperationName];

/** The operations of an organization, for those who belong to it. */
export type MemberOperationName = Exclude<OperationName, OpenOperationName>;

export function isOpen(name: OperationName): name is OpenOperationName {
  return operations[name].access === "anyone";
}
