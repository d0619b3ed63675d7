import { accountPage, accountsPage } from "./accounts/account-pages.ts";
import { admissionWebhooksPage } from "./accounts/admission-webhooks-page.ts";
import { auditLogPage } from "./accounts/audit-log-page.ts";
import { hooksPage } from "./accounts/hooks-page.ts";
import { linksPage } from "./accounts/links-page.ts";
import { loginProvidersPage } from "./accounts/login-providers-page.ts";
import { peoplePage } from "./accounts/people-page.ts";
import { personPage } from "./accounts/person-page.ts";
import { scimTokensPage } from "./accounts/scim-tokens-page.ts";
import { settingsPage } from "./accounts/settings-page.ts";
import { artifactsPage } from "./artifacts/artifact-list.ts";
import { artifactPage } from "./artifacts/artifact-pages.ts";
import { attestationEvidence, attestationPage, attestationProof } from "./attestations/attestation-page.ts";
import { attestationTypePage, attestationTypesPage } from "./attestations/type-pages.ts";
import { deploymentsPage } from "./deployments/deployments-page.ts";
import { reportsPage } from "./deployments/reports-page.ts";
import { diffPage } from "./environments/diff-page.ts";
import { environmentsPage } from "./environments/environment-list.ts";
import { environmentPage } from "./environments/environment-pages.ts";
import { snapshotPage, snapshotsPage } from "./environments/snapshot-pages.ts";
import { approvalPage, approvalsPage, flowApprovalsPage } from "./flows/approval-pages.ts";
import { badgePicture } from "./flows/badge.ts";
import { flowPage, flowsPage } from "./flows/flow-pages.ts";
import { deliveryPage } from "./notifications/delivery-page.ts";
import { rulePage, rulesPage } from "./notifications/rule-pages.ts";
import { organizationPage, startPage } from "./organization/organization-page.ts";
import { populationPackage, populationPage } from "./organization/population-page.ts";
import { repoPage, reposPage } from "./organization/repo-pages.ts";
import { searchPage } from "./organization/search-page.ts";
import type { PageRoute } from "./page.ts";
import { controlPage, controlsPage } from "./policies/control-pages.ts";
import { decisionPoliciesPage, decisionPolicyPage } from "./policies/decision-policy-pages.ts";
import { frameworkPage, frameworksPage } from "./policies/framework-pages.ts";
import { policiesPage, policyPage } from "./policies/policy-pages.ts";
import { trustPoliciesPage, trustPolicyPage } from "./policies/trust-policy-pages.ts";
import { trailAuditPackage, trailPage } from "./trails/trail-page.ts";

/** All pages except sign-in and share links. The first matching path wins. */
export const routes: readonly PageRoute[] = [
  startPage,
  settingsPage,
  organizationPage,
  deploymentsPage,
  flowsPage,
  flowPage,
  badgePicture,
  trailPage,
  trailAuditPackage,
  artifactsPage,
  artifactPage,
  attestationPage,
  attestationEvidence,
  attestationProof,
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
  reportsPage,
  policiesPage,
  policyPage,
  decisionPoliciesPage,
  decisionPolicyPage,
  controlsPage,
  controlPage,
  frameworksPage,
  frameworkPage,
  reposPage,
  repoPage,
  searchPage,
  populationPage,
  populationPackage,
  rulesPage,
  rulePage,
  deliveryPage,
  peoplePage,
  personPage,
  accountsPage,
  accountPage,
  trustPoliciesPage,
  trustPolicyPage,
  loginProvidersPage,
  scimTokensPage,
  hooksPage,
  admissionWebhooksPage,
  linksPage,
  auditLogPage,
];
