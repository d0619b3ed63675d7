import { accountPage } from "./accounts/account-page.ts";
import { accountsPage } from "./accounts/accounts-page.ts";
import { approvalPage } from "./approvals/approval-page.ts";
import { approvalsPage } from "./approvals/approvals-page.ts";
import { flowApprovalsPage } from "./approvals/flow-approvals-page.ts";
import { artifactPage } from "./artifacts/artifact-page.ts";
import { artifactsPage } from "./artifacts/artifacts-page.ts";
import { attestationTypePage } from "./attestation-types/type-page.ts";
import { attestationTypesPage } from "./attestation-types/types-page.ts";
import { attestationPage } from "./attestations/attestation-page.ts";
import { attestationEvidence } from "./attestations/evidence.ts";
import { auditLogPage } from "./audit-log/audit-log-page.ts";
import { controlPage } from "./controls/control-page.ts";
import { controlsPage } from "./controls/controls-page.ts";
import { diffPage } from "./environments/diff-page.ts";
import { environmentPage } from "./environments/environment-page.ts";
import { environmentsPage } from "./environments/environments-page.ts";
import { snapshotPage } from "./environments/snapshot-page.ts";
import { snapshotsPage } from "./environments/snapshots-page.ts";
import { badgePicture } from "./flows/badge.ts";
import { flowPage } from "./flows/flow-page.ts";
import { flowsPage } from "./flows/flows-page.ts";
import { linksPage } from "./links/links-page.ts";
import { deliveryPage } from "./notifications/delivery-page.ts";
import { rulePage } from "./notifications/rule-page.ts";
import { rulesPage } from "./notifications/rules-page.ts";
import { organizationPage } from "./organization/organization-page.ts";
import { startPage } from "./organization/start-page.ts";
import type { PageRoute } from "./page.ts";
import { policiesPage } from "./policies/policies-page.ts";
import { policyPage } from "./policies/policy-page.ts";
import { repoPage } from "./repos/repo-page.ts";
import { reposPage } from "./repos/repos-page.ts";
import { searchPage } from "./search/search-page.ts";
import { settingsPage } from "./settings/settings-page.ts";
import { trailAuditPackage } from "./trails/audit-package.ts";
import { trailPage } from "./trails/trail-page.ts";
import { trustPoliciesPage } from "./trust-policies/trust-policies-page.ts";
import { trustPolicyPage } from "./trust-policies/trust-policy-page.ts";

/** All pages but those of signing in and of links. Of two paths that fit, the first is taken. */
export const routes: readonly PageRoute[] = [
  startPage,
  settingsPage,
  organizationPage,
  flowsPage,
  flowPage,
  badgePicture,
  trailPage,
  trailAuditPackage,
  artifactsPage,
  artifactPage,
  attestationPage,
  attestationEvidence,
  attestationTypesPage,
  attestationTypePage,
  approvalsPage,
  flowApprovalsPage,
  approvalPage,
  environmentsPage,
  environmentPage,
  snapshotsPage,
  snapshotPage,
  diffPage,
  policiesPage,
  policyPage,
  controlsPage,
  controlPage,
  reposPage,
  repoPage,
  searchPage,
  rulesPage,
  rulePage,
  deliveryPage,
  accountsPage,
  accountPage,
  trustPoliciesPage,
  trustPolicyPage,
  linksPage,
  auditLogPage,
];
