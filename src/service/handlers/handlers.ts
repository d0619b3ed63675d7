import type { OperationName, operations } from "../../api/operations.ts";
import type { Handler } from "../http/handler.ts";
import { handleAllowArtifact, handleListAllowlists } from "./allowlists.ts";
import {
  handleCreateApiKey,
  handleGetApiKey,
  handleListApiKeys,
  handleRevokeApiKey,
  handleRotateApiKey,
} from "./api-keys.ts";
import {
  handleGetApproval,
  handleGetArtifactCommit,
  handleListApprovals,
  handleListArtifactApprovals,
  handleRecordApproval,
} from "./approvals.ts";
import {
  handleGetArtifact,
  handleGetArtifactsByCommit,
  handleGetLatestCommit,
  handleListArtifacts,
  handleListFlowArtifacts,
} from "./artifact-reads.ts";
import { handleReportArtifact } from "./artifacts.ts";
import { handleAssertArtifact } from "./asserts.ts";
import {
  handleAttestCustom,
  handleAttestGeneric,
  handleAttestJira,
  handleAttestJunit,
  handleAttestPullRequest,
  handleAttestSnyk,
  handleAttestSonar,
  handleAttestSystem,
} from "./attestation-kinds.ts";
import {
  handleListAttestations,
  handleListAttestationsForCriteria,
  handleListFlowAttestations,
} from "./attestation-lists.ts";
import { handleGetArtifactAttestation, handleListTrailAttestations } from "./attestations.ts";
import { handleGetArtifactAuditPackage, handleGetTrailAuditPackage } from "./audit-packages.ts";
import { handleGetControlDecision, handleListControlDecisions } from "./control-decisions.ts";
import {
  handleArchiveControl,
  handleCreateControl,
  handleGetControl,
  handleGetControlVersion,
  handleListControls,
  handleListControlVersions,
  handleUnarchiveControl,
  handleUpdateControl,
} from "./controls.ts";
import {
  handleArchiveCustomAttestationType,
  handleCreateCustomAttestationType,
  handleGetCustomAttestationType,
  handleListCustomAttestationTypes,
} from "./custom-attestation-types.ts";
import { handleGetEnvironmentAuditLog } from "./environment-audit-log.ts";
import { handleDiffSnapshots } from "./environment-diff.ts";
import { handleListEnvironmentEvents } from "./environment-events.ts";
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
} from "./environments.ts";
import { handleDownloadEvidence } from "./evidence.ts";
import {
  handleArchiveFlow,
  handleCreateFlow,
  handleCreateFlowWithTemplate,
  handleGetFlow,
  handleGetFlowTemplateSchema,
  handleListFlows,
  handleRenameFlow,
} from "./flows.ts";
import {
  handleDeleteAction,
  handleDeleteEnvironmentNotification,
  handleGetAction,
  handleGetEnvironmentNotification,
  handleListActions,
  handleListEnvironmentNotifications,
  handlePutEnvironmentAction,
  handlePutFlowAction,
  handleUpdateEnvironmentNotification,
} from "./notifications.ts";
import { handleGetDefaultOrg, handleGetOrganization, handleSetDefaultOrg } from "./organizations.ts";
import { handleOverrideAttestation } from "./overrides.ts";
import { handleGetPolicy, handleGetPolicySchema, handleListPolicies, handlePutPolicy } from "./policies.ts";
import {
  handleReportAzureApps,
  handleReportCloudRun,
  handleReportDocker,
  handleReportECS,
  handleReportK8S,
  handleReportLambda,
  handleReportS3,
  handleReportServer,
} from "./reports.ts";
import { handleGetRepo, handleListLiveArtifacts, handleListRepos } from "./repos.ts";
import { handleSearchSha } from "./search.ts";
import {
  handleCreateServiceAccount,
  handleDeleteServiceAccount,
  handleGetServiceAccount,
  handleListServiceAccounts,
  handleUpdateServiceAccount,
} from "./service-accounts.ts";
import { handleGetSnapshot, handleListSnapshots } from "./snapshots.ts";
import { handleListSystemAttestationTypes } from "./system-attestation-types.ts";
import { handleUpdateTags } from "./tags.ts";
import { handleBeginTrail, handleGetTrail, handleListFlowTrails, handleListTrails } from "./trails.ts";

/** Who serves which operation. An operation without a handler does not compile. */
export const handlers: { readonly [Name in OperationName]: Handler<(typeof operations)[Name]> } = {
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
  deleteAction: handleDeleteAction,
  deleteEnvironmentNotification: handleDeleteEnvironmentNotification,
  deleteServiceAccount: handleDeleteServiceAccount,
  detachPolicies: handleDetachPolicies,
  diffSnapshots: handleDiffSnapshots,
  downloadEvidence: handleDownloadEvidence,
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
  joinEnvironment: handleJoinEnvironment,
  listActions: handleListActions,
  listAllowlists: handleListAllowlists,
  listApiKeys: handleListApiKeys,
  listApprovals: handleListApprovals,
  listArtifactApprovals: handleListArtifactApprovals,
  listArtifacts: handleListArtifacts,
  listAttestations: handleListAttestations,
  listAttestationsForCriteria: handleListAttestationsForCriteria,
  listControlDecisions: handleListControlDecisions,
  listControlVersions: handleListControlVersions,
  listControls: handleListControls,
  listCustomAttestationTypes: handleListCustomAttestationTypes,
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
  listSnapshots: handleListSnapshots,
  listSystemAttestationTypes: handleListSystemAttestationTypes,
  listTrailAttestations: handleListTrailAttestations,
  listTrails: handleListTrails,
  overrideAttestation: handleOverrideAttestation,
  putEnvironmentAction: handlePutEnvironmentAction,
  putEnvironmentNotification: handlePutEnvironmentAction,
  putFlowAction: handlePutFlowAction,
  putPolicy: handlePutPolicy,
  recordApproval: handleRecordApproval,
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
  rotateApiKey: handleRotateApiKey,
  searchSha: handleSearchSha,
  setDefaultOrg: handleSetDefaultOrg,
  unarchiveControl: handleUnarchiveControl,
  updateControl: handleUpdateControl,
  updateEnvironment: handleUpdateEnvironment,
  updateEnvironmentNotification: handleUpdateEnvironmentNotification,
  updateServiceAccount: handleUpdateServiceAccount,
  updateTags: handleUpdateTags,
};
