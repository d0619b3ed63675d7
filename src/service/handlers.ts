import {
  handleGetDefaultOrg,
  handleGetOrganization,
  handleSetDefaultOrg,
} from "./accounts/organization-handlers.ts";
import { handleReportArtifact } from "./artifacts/handlers.ts";
import { handleListTrailAttestations } from "./attestations/handlers.ts";
import { handleListSystemAttestationTypes } from "./attestations/system-type-handlers.ts";
import {
  handleEnableTargets,
  handleGetDelivery,
  handleListDeliveries,
  handleListTargets,
  handleRecoverDeliveries,
  handleRedeliver,
  handleTestAction,
} from "./delivery/rules/delivery-handlers.ts";
import {
  handleDeleteAction,
  handleDeleteEnvironmentNotification,
  handleGetAction,
  handleGetEnvironmentNotification,
  handleListActions,
  handleListEnvironmentNotifications,
  handlePutEnvironmentAction,
  handlePutFlowAction,
  handlePutOrganizationAction,
  handleUpdateEnvironmentNotification,
} from "./delivery/rules/handlers.ts";
import {
  handleRotateSecrets,
  handleSetTargetToken,
  handleShowSecrets,
} from "./delivery/rules/signing-handlers.ts";
import { handleListAuditLog } from "./events/audit-log/handlers.ts";
import {
  handleGetApproval,
  handleGetArtifactCommit,
  handleListApprovals,
  handleListArtifactApprovals,
  handleRecordApproval,
} from "./evidence/approvals/handlers.ts";
import {
  handleGetArtifact,
  handleGetArtifactAttestation,
  handleGetArtifactsByCommit,
  handleGetLatestCommit,
  handleListArtifacts,
  handleListFlowArtifacts,
} from "./evidence/artifacts/handlers.ts";
import {
  handleListAttestations,
  handleListAttestationsForCriteria,
  handleListFlowAttestations,
} from "./evidence/attestations/handlers.ts";
import {
  handleAttestCustom,
  handleAttestGeneric,
  handleAttestJira,
  handleAttestJunit,
  handleAttestPullRequest,
  handleAttestSnyk,
  handleAttestSonar,
  handleAttestSystem,
} from "./evidence/attestations/kinds.ts";
import { handleOverrideAttestation } from "./evidence/attestations/override-handlers.ts";
import {
  handleGetControlDecision,
  handleListControlDecisions,
} from "./evidence/controls/decision-handlers.ts";
import {
  handleArchiveControl,
  handleCreateControl,
  handleGetControl,
  handleGetControlVersion,
  handleListControls,
  handleListControlVersions,
  handleUnarchiveControl,
  handleUpdateControl,
} from "./evidence/controls/handlers.ts";
import {
  handleArchiveFlow,
  handleCreateFlow,
  handleCreateFlowWithTemplate,
  handleGetFlow,
  handleGetFlowTemplateSchema,
  handleListFlows,
  handleRenameFlow,
} from "./evidence/flows/handlers.ts";
import { handleDownloadEvidence } from "./evidence/packages/evidence-handlers.ts";
import { handleGetArtifactAuditPackage, handleGetTrailAuditPackage } from "./evidence/packages/handlers.ts";
import { handleGetRepo, handleListLiveArtifacts, handleListRepos } from "./evidence/repos/handlers.ts";
import { handleSearchSha } from "./evidence/search.ts";
import { updateTagsHandler } from "./evidence/tag-handlers.ts";
import {
  handleBeginTrail,
  handleGetTrail,
  handleListFlowTrails,
  handleListTrails,
} from "./evidence/trails/handlers.ts";
import {
  handleArchiveCustomAttestationType,
  handleCreateCustomAttestationType,
  handleGetCustomAttestationType,
  handleListCustomAttestationTypes,
} from "./evidence/types/handlers.ts";
import type { Handlers, OpenHandlers } from "./http/serve-operation.ts";
import { taggedResources } from "./ops/tagged-resources.ts";
import {
  handleCreateServiceAccount,
  handleDeleteServiceAccount,
  handleGetServiceAccount,
  handleListServiceAccounts,
  handleUpdateServiceAccount,
} from "./people/accounts/handlers.ts";
import {
  handleCreateApiKey,
  handleGetApiKey,
  handleListApiKeys,
  handleRevokeApiKey,
  handleRotateApiKey,
} from "./people/accounts/key-handlers.ts";
import { handleExchangeToken, handleGetTokenAudience } from "./people/identity/exchange.ts";
import {
  handleCreateTrustPolicy,
  handleDeleteTrustPolicy,
  handleExplainTrust,
  handleGetTrustPolicy,
  handleListTrustPolicies,
  handleUpdateTrustPolicy,
} from "./people/identity/handlers.ts";
import { handleAssertArtifact } from "./runtime/asserts.ts";
import { handleAllowArtifact, handleListAllowlists } from "./runtime/environments/allowlist-handlers.ts";
import {
  handleArchiveEnvironment,
  handleAttachPolicies,
  handleCreateEnvironment,
  handleDetachPolicies,
  handleGetEnvironment,
  handleJoinEnvironment,
  handleListEnvironments,
  handleRenameEnvironment,
  handleUpdateEnvironment,
} from "./runtime/environments/handlers.ts";
import { handleGetEnvironmentAuditLog } from "./runtime/events/audit-log-handlers.ts";
import { handleListEnvironmentEvents } from "./runtime/events/handlers.ts";
import {
  handleGetPolicy,
  handleGetPolicySchema,
  handleListPolicies,
  handlePutPolicy,
} from "./runtime/policies/handlers.ts";
import { handleDiffSnapshots } from "./runtime/snapshots/diff-handlers.ts";
import { handleGetSnapshot, handleListSnapshots } from "./runtime/snapshots/handlers.ts";
import {
  handleReportAzureApps,
  handleReportCloudRun,
  handleReportDocker,
  handleReportECS,
  handleReportK8S,
  handleReportLambda,
  handleReportS3,
  handleReportServer,
} from "./runtime/snapshots/report-handlers.ts";
import {
  handleCreateShareLink,
  handleListShareLinks,
  handleRevokeShareLink,
} from "./share-links/handlers.ts";

/** Who serves which operation. An operation without a handler does not compile. */
export const handlers: Handlers = {
  allowArtifact: handleAllowArtifact,
  archiveControl: handleArchiveControl,
  archiveCustomAttestationType: handleArchiveCustomAttestationType,
  archiveEnvironment: handleArchiveEnvironment,
  archiveFlow: handleArchiveFlow,
  assertArtifact: handleAssertArtifact,
  attachPolicies: handleAttachPolicies,
  attestCustom: handleAttestCustom,
  attestGeneric: handleAttestGeneric,
  attestJira: handleAttestJira,
  attestJunit: handleAttestJunit,
  attestPullRequest: handleAttestPullRequest,
  attestSnyk: handleAttestSnyk,
  attestSonar: handleAttestSonar,
  attestSystem: handleAttestSystem,
  beginTrail: handleBeginTrail,
  createApiKey: handleCreateApiKey,
  createControl: handleCreateControl,
  createCustomAttestationType: handleCreateCustomAttestationType,
  createEnvironment: handleCreateEnvironment,
  createFlow: handleCreateFlow,
  createFlowWithTemplate: handleCreateFlowWithTemplate,
  createServiceAccount: handleCreateServiceAccount,
  createShareLink: handleCreateShareLink,
  createTrustPolicy: handleCreateTrustPolicy,
  deleteAction: handleDeleteAction,
  deleteEnvironmentNotification: handleDeleteEnvironmentNotification,
  deleteServiceAccount: handleDeleteServiceAccount,
  deleteTrustPolicy: handleDeleteTrustPolicy,
  detachPolicies: handleDetachPolicies,
  diffSnapshots: handleDiffSnapshots,
  downloadEvidence: handleDownloadEvidence,
  enableTargets: handleEnableTargets,
  explainTrust: handleExplainTrust,
  getAction: handleGetAction,
  getApiKey: handleGetApiKey,
  getApproval: handleGetApproval,
  getArtifact: handleGetArtifact,
  getArtifactAttestation: handleGetArtifactAttestation,
  getArtifactAuditPackage: handleGetArtifactAuditPackage,
  getArtifactCommit: handleGetArtifactCommit,
  getArtifactsByCommit: handleGetArtifactsByCommit,
  getControl: handleGetControl,
  getControlDecision: handleGetControlDecision,
  getControlVersion: handleGetControlVersion,
  getCustomAttestationType: handleGetCustomAttestationType,
  getDefaultOrg: handleGetDefaultOrg,
  getDelivery: handleGetDelivery,
  getEnvironment: handleGetEnvironment,
  getEnvironmentAuditLog: handleGetEnvironmentAuditLog,
  getEnvironmentNotification: handleGetEnvironmentNotification,
  getFlow: handleGetFlow,
  getFlowTemplateSchema: handleGetFlowTemplateSchema,
  getLatestCommit: handleGetLatestCommit,
  getOrganization: handleGetOrganization,
  getPolicy: handleGetPolicy,
  getPolicySchema: handleGetPolicySchema,
  getRepo: handleGetRepo,
  getServiceAccount: handleGetServiceAccount,
  getSnapshot: handleGetSnapshot,
  getTrail: handleGetTrail,
  getTrailAuditPackage: handleGetTrailAuditPackage,
  getTrustPolicy: handleGetTrustPolicy,
  joinEnvironment: handleJoinEnvironment,
  listActions: handleListActions,
  listAllowlists: handleListAllowlists,
  listApiKeys: handleListApiKeys,
  listApprovals: handleListApprovals,
  listArtifactApprovals: handleListArtifactApprovals,
  listArtifacts: handleListArtifacts,
  listAttestations: handleListAttestations,
  listAttestationsForCriteria: handleListAttestationsForCriteria,
  listAuditLog: handleListAuditLog,
  listControlDecisions: handleListControlDecisions,
  listControlVersions: handleListControlVersions,
  listControls: handleListControls,
  listCustomAttestationTypes: handleListCustomAttestationTypes,
  listDeliveries: handleListDeliveries,
  listEnvironmentEvents: handleListEnvironmentEvents,
  listEnvironmentNotifications: handleListEnvironmentNotifications,
  listEnvironments: handleListEnvironments,
  listFlowArtifacts: handleListFlowArtifacts,
  listFlowAttestations: handleListFlowAttestations,
  listFlowTrails: handleListFlowTrails,
  listFlows: handleListFlows,
  listLiveArtifacts: handleListLiveArtifacts,
  listPolicies: handleListPolicies,
  listRepos: handleListRepos,
  listServiceAccounts: handleListServiceAccounts,
  listShareLinks: handleListShareLinks,
  listSnapshots: handleListSnapshots,
  listSystemAttestationTypes: handleListSystemAttestationTypes,
  listTargets: handleListTargets,
  listTrailAttestations: handleListTrailAttestations,
  listTrails: handleListTrails,
  listTrustPolicies: handleListTrustPolicies,
  overrideAttestation: handleOverrideAttestation,
  putEnvironmentAction: handlePutEnvironmentAction,
  putEnvironmentNotification: handlePutEnvironmentAction,
  putFlowAction: handlePutFlowAction,
  putOrganizationAction: handlePutOrganizationAction,
  putPolicy: handlePutPolicy,
  recordApproval: handleRecordApproval,
  recoverDeliveries: handleRecoverDeliveries,
  redeliver: handleRedeliver,
  renameEnvironment: handleRenameEnvironment,
  renameFlow: handleRenameFlow,
  reportArtifact: handleReportArtifact,
  reportAzureApps: handleReportAzureApps,
  reportCloudRun: handleReportCloudRun,
  reportDocker: handleReportDocker,
  reportECS: handleReportECS,
  reportK8S: handleReportK8S,
  reportLambda: handleReportLambda,
  reportS3: handleReportS3,
  reportServer: handleReportServer,
  revokeApiKey: handleRevokeApiKey,
  revokeShareLink: handleRevokeShareLink,
  rotateApiKey: handleRotateApiKey,
  rotateSecrets: handleRotateSecrets,
  searchSha: handleSearchSha,
  setDefaultOrg: handleSetDefaultOrg,
  setTargetToken: handleSetTargetToken,
  showSecrets: handleShowSecrets,
  testAction: handleTestAction,
  unarchiveControl: handleUnarchiveControl,
  updateControl: handleUpdateControl,
  updateEnvironment: handleUpdateEnvironment,
  updateEnvironmentNotification: handleUpdateEnvironmentNotification,
  updateServiceAccount: handleUpdateServiceAccount,
  updateTags: updateTagsHandler(taggedResources),
  updateTrustPolicy: handleUpdateTrustPolicy,
};

/** Who serves what nobody is asked for who it is. */
export const openHandlers: OpenHandlers = {
  exchangeToken: handleExchangeToken,
  getTokenAudience: handleGetTokenAudience,
};
