import { accountPage } from "./accounts/account-pages.ts";
import { accountsPage } from "./accounts/accounts-page.ts";
import { auditLogPage } from "./accounts/audit-log-page.ts";
import { linksPage } from "./accounts/links-page.ts";
import { settingsPage } from "./accounts/settings-page.ts";
import { approvalsPage } from "./approvals/approvals-page.ts";
import { flowApprovalsPage } from "./approvals/flow-approvals-page.ts";
import { artifactPage } from "./artifacts/artifact-pages.ts";
import { artifactsPage } from "./artifacts/artifacts-page.ts";
import { attestationTypesPage } from "./attestation-types/types-page.ts";
import { attestationPage } from "./attestations/attestation-page.ts";
import { attestationEvidence } from "./attestations/evidence.ts";
import { attestationTypePage } from "./attestations/type-pages.ts";
import { controlsPage } from "./controls/controls-page.ts";
import { diffPage } from "./environments/diff-page.ts";
import { environmentPage } from "./environments/environment-pages.ts";
import { environmentsPage } from "./environments/environments-page.ts";
import { snapshotPage } from "./environments/snapshot-pages.ts";
import { snapshotsPage } from "./environments/snapshots-page.ts";
import { approvalPage } from "./flows/approval-pages.ts";
import { badgePicture } from "./flows/badge.ts";
import { flowPage } from "./flows/flow-pages.ts";
import { flowsPage } from "./flows/flows-page.ts";
import { deliveryPage } from "./notifications/delivery-page.ts";
import { rulePage } from "./notifications/rule-pages.ts";
import { rulesPage } from "./notifications/rules-page.ts";
import { organizationPage } from "./organization/organization-page.ts";
import { repoPage } from "./organization/repo-pages.ts";
import { searchPage } from "./organization/search-page.ts";
import { startPage } from "./organization/start-page.ts";
import type { PageRoute } from "./page.ts";
import { controlPage } from "./policies/control-pages.ts";
import { policiesPage } from "./policies/policies-page.ts";
import { policyPage } from "./policies/policy-pages.ts";
import { reposPage } from "./repos/repos-page.ts";
import { trailAuditPackage } from "./trails/audit-package.ts";
import { trailPage } from "./trails/trail-page.ts";
import { trustPoliciesPage } from "./trust-policies/trust-policies-page.ts";
import { trustPolicyPage } from "./trust-policies/trust-policy-pages.ts";

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
