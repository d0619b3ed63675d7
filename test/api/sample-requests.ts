import { openAsBlob } from "node:fs";
import type { FileToSend } from "../../src/api/files.ts";
import type { RequestOf } from "../../src/api/operation.ts";
import type { OperationName, operations } from "../../src/api/resources/operations.ts";

export const FINGERPRINT = "ab".repeat(32);

/** A file with this text, without one on disk. */
export function fileOf(name: string, text: string, type = ""): FileToSend {
  return { name, content: new Blob([text], { type }) };
}

export async function fileAt(path: string, name: string): Promise<FileToSend> {
  return { name, path, content: await openAsBlob(path) };
}

type Operations = typeof operations;

/** The request of one operation and its visible parts on the wire. */
interface Sample<Name extends OperationName> {
  readonly request: RequestOf<Operations[Name]>;
  readonly method: string;
  readonly path: string;
  /** The body as JSON, or undefined for none. */
  readonly body?: unknown;
  readonly multipart?: true;
  readonly answer: { readonly status: number; readonly body: unknown };
  /** The response as the caller sees it. */
  readonly understood: unknown;
}

const RECORD_ID = "00000000-0000-0000-0000-00000001";

const pendingEvaluation = {
  ...{ id: "e", status: "pending", requested_at: 1, recorded_at: null, result: null, error: null },
  decision_attestation_id: "",
};

const storedDeployment = {
  id: "d",
  environment_name: "prod",
  environment_type: "K8S",
  snapshot_index: 2,
  artifact_name: "web",
  fingerprint: FINGERPRINT,
  deployed_at: 9,
  has_provenance: true,
  is_initial: false,
  is_redeployment: false,
  review: "unreviewed",
  reviewed_by: [],
  approved_by: ["ada"],
  replaced: { previous_git_commit: "c" },
};
const understoodDeployment = {
  id: "d",
  environmentName: "prod",
  environmentType: "K8S",
  snapshotIndex: 2,
  artifactName: "web",
  fingerprint: FINGERPRINT,
  deployedAt: 9,
  hasProvenance: true,
  isInitial: false,
  isRedeployment: false,
  review: "unreviewed",
  reviewedBy: [],
  approvedBy: ["ada"],
  replaced: { previousGitCommit: "c" },
};

const storedDelivery = {
  id: "d",
  event_id: "e",
  trigger: "ON_ATTESTATION",
  type: "attestation.recorded",
  target: { number: 1, kind: "webhook", address: "x.example/…a1b2" },
  state: "failed",
  attempts: 1,
  created_at: 1,
  due_at: null,
  outcome: "status_503",
  ended_at: 2,
};
const understoodDelivery = {
  id: "d",
  eventId: "e",
  trigger: "ON_ATTESTATION",
  type: "attestation.recorded",
  target: { number: 1, kind: "webhook", address: "x.example/…a1b2" },
  state: "failed",
  attempts: 1,
  createdAt: 1,
  dueAt: null,
  outcome: "status_503",
  endedAt: 2,
};

const storedShareLink = {
  id: "s",
  kind: "trail",
  place: "web",
  name: "v1",
  description: "audit",
  created_by: "ci",
  created_at: 1,
  expires_at: 9,
  revoked_at: null,
};
const understoodShareLink = {
  id: "s",
  kind: "trail",
  place: "web",
  name: "v1",
  description: "audit",
  createdBy: "ci",
  createdAt: 1,
  expiresAt: 9,
  revokedAt: null,
};

const storedTrust = {
  name: "web",
  description: "",
  issuer: "https://token.actions.githubusercontent.com",
  repository: "acme/web",
  repository_id: "4711",
  repository_owner_id: "815",
  claims: { ref: "refs/heads/main" },
  role: "attester",
  flows: ["web"],
  environments: [],
  created_by: "ada",
  created_at: 1,
  expires_at: null,
  pinned_until: null,
  last_used_at: 2,
  enabled: true,
  uses: 7,
};
const understoodTrust = {
  name: "web",
  description: "",
  issuer: "https://token.actions.githubusercontent.com",
  repository: "acme/web",
  repositoryId: "4711",
  repositoryOwnerId: "815",
  claims: { ref: "refs/heads/main" },
  role: "attester",
  flows: ["web"],
  environments: [],
  createdBy: "ada",
  createdAt: 1,
  expiresAt: null,
  pinnedUntil: null,
  lastUsedAt: 2,
  enabled: true,
  uses: 7,
};

const storedHook = {
  ...{ name: "sonar", kind: "sonar", flow_name: "web", url: "https://x/api/v2/webhooks/sonar/u" },
  ...{ created_by: "ada", created_at: 1 },
};
const understoodHook = {
  ...{ name: "sonar", kind: "sonar" as const, flowName: "web" },
  ...{ url: "https://x/api/v2/webhooks/sonar/u", createdBy: "ada", createdAt: 1 },
};

const storedCluster = {
  ...{ name: "cluster-1", environment_name: "prod", mode: "deny", unpinned: "deny" },
  ...{ created_by: "ada", created_at: 1, expires_at: null, last_used_at: 2 },
};
const understoodCluster = {
  ...{ name: "cluster-1", environmentName: "prod", mode: "deny" as const, unpinned: "deny" as const },
  ...{ createdBy: "ada", createdAt: 1, expiresAt: null, lastUsedAt: 2 },
};

const storedLogin = {
  ...{ name: "company", kind: "oidc", label: "Acme", issuer: "https://login.example.com", client_id: "c" },
  ...{
    scopes: ["openid"],
    groups_claim: "groups",
    scim_claim: "sub",
    allowed_domains: [],
    strict: true,
    sync: true,
  },
  ...{ role_map: [{ group: "g", role: "reader", flows: null, environments: null }], has_secret: true },
  ...{ redirect_uri: "https://x/login/acme.company/callback", test_url: "https://x/login/acme.company?test" },
  ...{ created_by: "ada", created_at: 1 },
};
const understoodLogin = {
  ...{ name: "company", kind: "oidc", label: "Acme", issuer: "https://login.example.com", clientId: "c" },
  ...{
    scopes: ["openid"],
    groupsClaim: "groups",
    scimClaim: "sub",
    allowedDomains: [],
    strict: true,
    sync: true,
  },
  ...{ roleMap: [{ group: "g", role: "reader", flows: null, environments: null }], hasSecret: true },
  ...{ redirectUri: "https://x/login/acme.company/callback", testUrl: "https://x/login/acme.company?test" },
  ...{ createdBy: "ada", createdAt: 1 },
};

const storedScimToken = {
  ...{ id: "s-1", description: "Okta", provider: "company", url: "https://x/scim/v2/acme" },
  ...{ created_by: "ada", created_at: 1, expires_at: 5, last_used_at: null },
};
const understoodScimToken = {
  ...{ id: "s-1", description: "Okta", provider: "company", url: "https://x/scim/v2/acme" },
  ...{ createdBy: "ada", createdAt: 1, expiresAt: 5, lastUsedAt: null },
};

const storedMember = {
  ...{
    id: "m",
    name: "Ada",
    email: "ada@example.com",
    privilege: "member",
    flows: ["web"],
    environments: [],
  },
  memberships: [
    {
      ...{ source: "groups", provider: "company", privilege: "member", flows: ["web"], environments: [] },
      ...{ given_by: "Acme", created_at: 1 },
    },
  ],
  ...{ last_seen_at: 2, session_count: 1 },
};
const understoodMember = {
  ...{
    id: "m",
    name: "Ada",
    email: "ada@example.com",
    privilege: "member",
    flows: ["web"],
    environments: [],
  },
  memberships: [
    {
      ...{ source: "groups", provider: "company", privilege: "member", flows: ["web"], environments: [] },
      ...{ givenBy: "Acme", createdAt: 1 },
    },
  ],
  ...{ lastSeenAt: 2, sessionCount: 1 },
};
const storedInvitation = {
  ...{ id: "i", email: "zoe@example.com", privilege: "member" },
  ...{ created_by: "ada", created_at: 1, expires_at: 2 },
};
const understoodInvitation = {
  ...{ id: "i", email: "zoe@example.com", privilege: "member" },
  ...{ createdBy: "ada", createdAt: 1, expiresAt: 2 },
};

const storedProvisionedUser = {
  ...{ id: "u", name: "Zoe", user_name: "zoe@example.com", email: null, provider: "company" },
  ...{ groups: ["team-web"], created_at: 1 },
};
const understoodProvisionedUser = {
  ...{ id: "u", name: "Zoe", userName: "zoe@example.com", email: null, provider: "company" },
  ...{ groups: ["team-web"], createdAt: 1 },
};

const decisionPolicy = {
  identifier: "reviewed",
  version: 1,
  description: "d",
  warn_only: true,
  effective_from: null,
  digest: "sha256:00",
  created_by: "a",
  created_at: 1,
  archived: false,
};
const decisionPolicyRead = {
  identifier: "reviewed",
  version: 1,
  description: "d",
  warnOnly: true,
  effectiveFrom: null,
  digest: "sha256:00",
  createdBy: "a",
  createdAt: 1,
  archived: false,
};

/** One request for every operation of the API. A new operation does not compile without one. */
export const samples: { readonly [Name in OperationName]: Sample<Name> } = {
  allowArtifact: {
    request: {
      envName: "prod",
      body: { artifactName: "web", artifactFingerprint: FINGERPRINT, description: "known" },
    },
    method: "PUT",
    path: "/api/v2/allowlists/acme/prod",
    body: { artifact_name: "web", artifact_fingerprint: FINGERPRINT, description: "known" },
    answer: {
      status: 201,
      body: { artifact_name: "web", artifact_fingerprint: FINGERPRINT, description: "known" },
    },
    understood: { artifactName: "web", artifactFingerprint: FINGERPRINT, description: "known" },
  },
  archiveControl: {
    request: { identifier: "CTL-1" },
    method: "POST",
    path: "/api/v2/controls/acme/CTL-1/archive",
    answer: { status: 200, body: { identifier: "CTL-1", name: "n", archived: true } },
    understood: { identifier: "CTL-1", name: "n", archived: true },
  },
  archiveCustomAttestationType: {
    request: { customAttestationTypeName: "coverage" },
    method: "PUT",
    path: "/api/v2/custom-attestation-types/acme/coverage/archive",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  archiveDecisionPolicy: {
    request: { identifier: "reviewed" },
    method: "POST",
    path: "/api/v2/decision-policies/acme/reviewed/archive",
    answer: { status: 200, body: { ...decisionPolicy, archived: true } },
    understood: { ...decisionPolicyRead, archived: true },
  },
  archiveEnvironment: {
    request: { envName: "prod" },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/archive",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  archiveFlow: {
    request: { flowName: "web" },
    method: "PUT",
    path: "/api/v2/flows/acme/web/archive",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  assertArtifact: {
    request: { fingerprint: FINGERPRINT, flowName: "web", policyName: ["a", "b"] },
    method: "GET",
    path: `/api/v2/asserts/acme/fingerprint/${FINGERPRINT}?flow_name=web&policy_name=a&policy_name=b`,
    answer: {
      status: 200,
      body: { fingerprint: FINGERPRINT, compliant: true, scope: "flow", html_url: "h" },
    },
    understood: { fingerprint: FINGERPRINT, compliant: true, scope: "flow", htmlUrl: "h" },
  },
  attachPolicies: {
    request: { envName: "prod", body: { policyNames: ["p"] } },
    method: "POST",
    path: "/api/v2/environments/acme/prod/policies",
    body: { policy_names: ["p"] },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  attestCustom: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: { attestationName: "cov", typeName: "coverage", attestationData: { line_rate: { min_seen: 1 } } },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/custom",
    body: {
      attestation_name: "cov",
      type_name: "coverage",
      attestation_data: { line_rate: { min_seen: 1 } },
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  attestGeneric: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "unit",
        isCompliant: true,
        gitCommitInfo: { sha1: "a".repeat(40), authorUsername: "ada" },
        userData: { snake_case: 1, camelCase: { inner_key: [2] } },
      },
      files: { attachmentFile: [fileOf("a.txt", "one\ntwo")] },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/generic",
    body: {
      attestation_name: "unit",
      is_compliant: true,
      git_commit_info: { sha1: "a".repeat(40), author_username: "ada" },
      user_data: { snake_case: 1, camelCase: { inner_key: [2] } },
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  attestJira: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "jira",
        jiraResults: [
          { issueId: "A-1", issueUrl: "https://j/A-1", issueExists: true, issueFields: { fix_version: 1 } },
        ],
      },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/jira",
    body: {
      attestation_name: "jira",
      jira_results: [
        { issue_id: "A-1", issue_url: "https://j/A-1", issue_exists: true, issue_fields: { fix_version: 1 } },
      ],
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  attestJunit: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "unit",
        junitResults: [{ name: "a", failures: 0, errors: 0, skipped: 1, total: 2, duration: 0.5 }],
      },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/junit",
    body: {
      attestation_name: "unit",
      junit_results: [{ name: "a", failures: 0, errors: 0, skipped: 1, total: 2, duration: 0.5 }],
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  attestPullRequest: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "pr",
        gitProvider: "github",
        pullRequests: [
          { url: "https://g/1", state: "OPEN", mergeCommit: "", approvers: ["ada"] },
          {
            url: "https://g/2",
            state: "MERGED",
            author: "ada",
            title: "t",
            createdAt: 1,
            headRef: "fix",
            approvers: [{ username: "bob" }],
            commits: [{ sha1: "a", authorUsername: "ada" }],
          },
        ],
      },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/pull_request",
    body: {
      attestation_name: "pr",
      git_provider: "github",
      pull_requests: [
        { url: "https://g/1", state: "OPEN", merge_commit: "", approvers: ["ada"] },
        {
          url: "https://g/2",
          state: "MERGED",
          author: "ada",
          title: "t",
          created_at: 1,
          head_ref: "fix",
          approvers: [{ username: "bob" }],
          commits: [{ sha1: "a", author_username: "ada" }],
        },
      ],
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  attestSnyk: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "snyk",
        snykResults: {
          tool: { name: "Snyk", version: "1" },
          results: [{ lowCount: 1, mediumCount: 0, highCount: 0, low: [{ id: "1", message: "m" }] }],
        },
      },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/snyk",
    body: {
      attestation_name: "snyk",
      snyk_results: {
        tool: { name: "Snyk", version: "1" },
        results: [{ low_count: 1, medium_count: 0, high_count: 0, low: [{ id: "1", message: "m" }] }],
      },
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  attestSonar: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "sonar",
        sonarResults: { analysedAt: "t", revision: "r", project: { key: "k", url: "u" }, taskId: "7" },
      },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/sonar",
    body: {
      attestation_name: "sonar",
      sonar_results: { analysedAt: "t", revision: "r", project: { key: "k", url: "u" }, taskId: "7" },
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  attestSystem: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "sast",
        typeName: "decision",
        control: "CTL-1",
        attestationData: { is_compliant: false },
      },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/system",
    body: {
      attestation_name: "sast",
      type_name: "decision",
      control: "CTL-1",
      attestation_data: { is_compliant: false },
    },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  beginTrail: {
    request: {
      flowName: "web",
      body: { name: "v1", originUrl: "https://ci.example/1" },
      files: { templateFile: fileOf("t.yml", "version: 1") },
    },
    method: "PUT",
    path: "/api/v2/trails/acme/web",
    body: { name: "v1", origin_url: "https://ci.example/1" },
    multipart: true,
    answer: { status: 201, body: { name: "v1", some_field: 1 } },
    understood: { name: "v1", some_field: 1 },
  },
  createApiKey: {
    request: { name: "ci", body: { description: "d", expiresAt: 0 } },
    method: "POST",
    path: "/api/v2/service-accounts/acme/ci/api-keys",
    body: { description: "d", expires_at: 0 },
    answer: { status: 201, body: { id: "k", key: "de_x", description: "d", created_at: 1, expires_at: 0 } },
    understood: { id: "k", key: "de_x", description: "d", createdAt: 1, expiresAt: 0 },
  },
  createControl: {
    request: { body: { identifier: "CTL-1", name: "n", links: { wiki_page: "https://wiki.example/1" } } },
    method: "POST",
    path: "/api/v2/controls/acme",
    body: { identifier: "CTL-1", name: "n", links: { wiki_page: "https://wiki.example/1" } },
    answer: { status: 201, body: { identifier: "CTL-1", name: "n", created_by: "a" } },
    understood: { identifier: "CTL-1", name: "n", createdBy: "a" },
  },
  createCustomAttestationType: {
    request: {
      body: { name: "coverage", evaluator: { contentType: "jq", rules: [".percent > 80"] } },
      files: { typeSchema: fileOf("schema.json", "{}") },
    },
    method: "POST",
    path: "/api/v2/custom-attestation-types/acme",
    body: { name: "coverage", evaluator: { content_type: "jq", rules: [".percent > 80"] } },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  createEnvironment: {
    request: { body: { name: "prod", type: "K8S", description: "", requireProvenance: true } },
    method: "PUT",
    path: "/api/v2/environments/acme",
    body: { name: "prod", type: "K8S", description: "", require_provenance: true },
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  createEvaluation: {
    request: {
      body: {
        context: { trails: [{ flow: "web", trail: "v1" }] },
        policy: { files: { "policy.rego": "package policy" } },
        params: { any_key: 1 },
        decision: { control: "CTL-1", flow: "web", trail: "v1" },
      },
    },
    method: "POST",
    path: "/api/v2/evaluations/acme",
    body: {
      context: { trails: [{ flow: "web", trail: "v1" }] },
      policy: { files: { "policy.rego": "package policy" } },
      params: { any_key: 1 },
      decision: { control: "CTL-1", flow: "web", trail: "v1" },
    },
    answer: { status: 201, body: { ...pendingEvaluation } },
    understood: {
      ...{ id: "e", status: "pending", requestedAt: 1, recordedAt: null, result: null, error: null },
      decisionAttestationId: "",
    },
  },
  createFlow: {
    request: { body: { name: "web", description: "", template: ["artifact"], repoUrl: "https://x.example" } },
    method: "PUT",
    path: "/api/v2/flows/acme",
    body: { name: "web", description: "", template: ["artifact"], repo_url: "https://x.example" },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  createFlowWithTemplate: {
    request: {
      body: { name: "web", description: "d" },
      files: { templateFile: fileOf("t.yml", "version: 1", "application/yaml") },
    },
    method: "PUT",
    path: "/api/v2/flows/acme/template_file",
    body: { name: "web", description: "d" },
    multipart: true,
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  createAdmissionWebhook: {
    request: { body: { name: "cluster-1", environmentName: "prod" } },
    method: "POST",
    path: "/api/v2/admission-webhooks/acme",
    body: { name: "cluster-1", environment_name: "prod" },
    answer: { status: 201, body: { ...storedCluster, url: "https://x/api/v2/webhooks/admission/t" } },
    understood: { ...understoodCluster, url: "https://x/api/v2/webhooks/admission/t" },
  },
  listAdmissionWebhooks: {
    request: {},
    method: "GET",
    path: "/api/v2/admission-webhooks/acme",
    answer: { status: 200, body: [storedCluster] },
    understood: [understoodCluster],
  },
  deleteAdmissionWebhook: {
    request: { webhookName: "cluster-1" },
    method: "DELETE",
    path: "/api/v2/admission-webhooks/acme/cluster-1",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  reviewAdmission: {
    request: {
      envName: "prod",
      mode: "warn",
      body: {
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        request: { uid: "u", kind: { version: "v1", kind: "Pod" }, operation: "CREATE", dryRun: true },
      },
    },
    method: "POST",
    path: "/api/v2/admission/acme/prod?mode=warn",
    body: {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: { uid: "u", kind: { version: "v1", kind: "Pod" }, operation: "CREATE", dryRun: true },
    },
    answer: {
      status: 200,
      body: {
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: { uid: "u", allowed: true, auditAnnotations: { "refused-images": "web" } },
      },
    },
    understood: {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: { uid: "u", allowed: true, auditAnnotations: { "refused-images": "web" } },
    },
  },
  createHook: {
    request: { body: { name: "sonar", kind: "sonar", flowName: "web" } },
    method: "POST",
    path: "/api/v2/hooks/acme",
    body: { name: "sonar", kind: "sonar", flow_name: "web" },
    answer: { status: 201, body: { ...storedHook, secret: "s" } },
    understood: { ...understoodHook, secret: "s" },
  },
  deleteHook: {
    request: { hookName: "sonar" },
    method: "DELETE",
    path: "/api/v2/hooks/acme/sonar",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  putLoginProvider: {
    request: { body: { name: "company", issuer: "https://login.example.com", clientId: "c" } },
    method: "PUT",
    path: "/api/v2/login-providers/acme",
    body: { name: "company", issuer: "https://login.example.com", client_id: "c" },
    answer: { status: 200, body: storedLogin },
    understood: understoodLogin,
  },
  deleteLoginProvider: {
    request: { providerName: "company" },
    method: "DELETE",
    path: "/api/v2/login-providers/acme/company",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  listLoginProviders: {
    request: {},
    method: "GET",
    path: "/api/v2/login-providers/acme",
    answer: { status: 200, body: [storedLogin] },
    understood: [understoodLogin],
  },
  listHooks: {
    request: {},
    method: "GET",
    path: "/api/v2/hooks/acme",
    answer: { status: 200, body: [storedHook] },
    understood: [understoodHook],
  },
  createScimToken: {
    request: { body: { description: "Okta", provider: "company", expiresAt: 5 } },
    method: "POST",
    path: "/api/v2/scim-tokens/acme",
    body: { description: "Okta", provider: "company", expires_at: 5 },
    answer: { status: 201, body: { ...storedScimToken, token: "t" } },
    understood: { ...understoodScimToken, token: "t" },
  },
  listScimTokens: {
    request: {},
    method: "GET",
    path: "/api/v2/scim-tokens/acme",
    answer: { status: 200, body: [storedScimToken] },
    understood: [understoodScimToken],
  },
  revokeScimToken: {
    request: { tokenId: "s-1" },
    method: "DELETE",
    path: "/api/v2/scim-tokens/acme/s-1",
    answer: { status: 200, body: "revoked" },
    understood: "revoked",
  },
  createInvitation: {
    request: { body: { email: "zoe@example.com", privilege: "member", flows: ["web"] } },
    method: "POST",
    path: "/api/v2/invitations/acme",
    body: { email: "zoe@example.com", privilege: "member", flows: ["web"] },
    answer: { status: 201, body: { ...storedInvitation, url: "https://x/invitations/t" } },
    understood: { ...understoodInvitation, url: "https://x/invitations/t" },
  },
  listInvitations: {
    request: {},
    method: "GET",
    path: "/api/v2/invitations/acme",
    answer: { status: 200, body: [storedInvitation] },
    understood: [understoodInvitation],
  },
  revokeInvitation: {
    request: { invitationId: "i" },
    method: "DELETE",
    path: "/api/v2/invitations/acme/i",
    answer: { status: 200, body: "revoked" },
    understood: "revoked",
  },
  listProvisionedUsers: {
    request: {},
    method: "GET",
    path: "/api/v2/provisioned-users/acme",
    answer: { status: 200, body: [storedProvisionedUser] },
    understood: [understoodProvisionedUser],
  },
  listMembers: {
    request: {},
    method: "GET",
    path: "/api/v2/members/acme",
    answer: { status: 200, body: [storedMember] },
    understood: [understoodMember],
  },
  getLogCheckpoint: {
    request: {},
    method: "GET",
    path: "/api/v2/log/acme/checkpoint",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getLogConsistency: {
    request: { from: 1, to: 3 },
    method: "GET",
    path: "/api/v2/log/acme/consistency?from=1&to=3",
    answer: { status: 200, body: { from: 1, to: 3, proof: ["a"] } },
    understood: { from: 1, to: 3, proof: ["a"] },
  },
  getLogPolicy: {
    request: {},
    method: "GET",
    path: "/api/v2/log/acme/policy",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getLogProof: {
    request: { attestationId: RECORD_ID },
    method: "GET",
    path: `/api/v2/log/acme/proof?attestation_id=${RECORD_ID}`,
    answer: { status: 200, body: { index: 1, size: 2, event: "{}", proof: "p" } },
    understood: { index: 1, size: 2, event: "{}", proof: "p" },
  },
  getLogTile: {
    request: { path: "0/x001/234.p/5" },
    method: "GET",
    path: "/api/v2/log/acme/tile/0%2Fx001%2F234.p%2F5",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getMember: {
    request: { memberId: "m" },
    method: "GET",
    path: "/api/v2/members/acme/m",
    answer: {
      status: 200,
      body: {
        ...storedMember,
        sessions: [
          {
            ...{ kind: "browser", created_at: 1, last_seen_at: 2, expires_at: 3 },
            ...{ address: "192.0.2.1", client: null },
          },
        ],
      },
    },
    understood: {
      ...understoodMember,
      sessions: [
        {
          ...{ kind: "browser", createdAt: 1, lastSeenAt: 2, expiresAt: 3 },
          ...{ address: "192.0.2.1", client: null },
        },
      ],
    },
  },
  publishDecisionPolicy: {
    request: { identifier: "reviewed", body: { files: { "a_b.rego": "package policy" }, warnOnly: true } },
    method: "PUT",
    path: "/api/v2/decision-policies/acme/reviewed",
    body: { files: { "a_b.rego": "package policy" }, warn_only: true },
    answer: { status: 201, body: decisionPolicy },
    understood: decisionPolicyRead,
  },
  putMember: {
    request: { memberId: "m", body: { privilege: "admin" } },
    method: "PUT",
    path: "/api/v2/members/acme/m",
    body: { privilege: "admin" },
    answer: { status: 200, body: storedMember },
    understood: understoodMember,
  },
  removeMember: {
    request: { memberId: "m", all: true },
    method: "DELETE",
    path: "/api/v2/members/acme/m?all=true",
    answer: { status: 200, body: { memberships: [] } },
    understood: { memberships: [] },
  },
  endMemberSessions: {
    request: { memberId: "m" },
    method: "DELETE",
    path: "/api/v2/members/acme/m/sessions",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  createServiceAccount: {
    request: { body: { name: "ci", description: "pipelines" } },
    method: "POST",
    path: "/api/v2/service-accounts/acme",
    body: { name: "ci", description: "pipelines" },
    answer: {
      status: 201,
      body: { name: "ci", display_name: "ci", privilege: "reader", creating_user_id: null },
    },
    understood: { name: "ci", displayName: "ci", privilege: "reader", creatingUserId: null },
  },
  createShareLink: {
    request: { body: { kind: "trail", place: "web", name: "v1", description: "audit", expiresAt: 9 } },
    method: "POST",
    path: "/api/v2/share-links/acme",
    body: { kind: "trail", place: "web", name: "v1", description: "audit", expires_at: 9 },
    answer: { status: 201, body: { ...storedShareLink, url: "https://evidence.example/share/t" } },
    understood: { ...understoodShareLink, url: "https://evidence.example/share/t" },
  },
  createTrustPolicy: {
    request: {
      body: { name: "web", repositoryId: "4711", claims: { ref: "refs/heads/main" }, flows: ["web"] },
    },
    method: "POST",
    path: "/api/v2/trust-policies/acme",
    body: { name: "web", repository_id: "4711", claims: { ref: "refs/heads/main" }, flows: ["web"] },
    answer: { status: 201, body: storedTrust },
    understood: understoodTrust,
  },
  deleteAction: {
    request: { actionNumber: 3 },
    method: "DELETE",
    path: "/api/v2/actions/acme/3",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  deleteEnvironmentNotification: {
    request: { notificationNumber: 3 },
    method: "DELETE",
    path: "/api/v2/organizations/acme/environments_notifications/3",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  deleteServiceAccount: {
    request: { name: "ci" },
    method: "DELETE",
    path: "/api/v2/service-accounts/acme/ci",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  deleteTrustPolicy: {
    request: { policyName: "web" },
    method: "DELETE",
    path: "/api/v2/trust-policies/acme/web",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  detachPolicies: {
    request: { envName: "prod", body: { policyNames: ["p"] } },
    method: "DELETE",
    path: "/api/v2/environments/acme/prod/policies",
    body: { policy_names: ["p"] },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  diffSnapshots: {
    request: { snappish1: "staging#3", snappish2: "prod" },
    method: "GET",
    path: "/api/v2/env-diff/acme?snappish1=staging%233&snappish2=prod",
    answer: {
      status: 200,
      body: {
        snappish1: { snapshot_id: "staging#3", artifacts: [] },
        snappish2: { snapshot_id: "prod#1", artifacts: [] },
        changed: { artifacts: [] },
        "not-changed": {
          artifacts: [
            { fingerprint: FINGERPRINT, name: "web", most_recent_timestamp: 1, s1_instance_count: 2 },
          ],
        },
      },
    },
    understood: {
      snappish1: { snapshotId: "staging#3", artifacts: [] },
      snappish2: { snapshotId: "prod#1", artifacts: [] },
      changed: { artifacts: [] },
      notChanged: {
        artifacts: [{ fingerprint: FINGERPRINT, name: "web", mostRecentTimestamp: 1, s1InstanceCount: 2 }],
      },
    },
  },
  downloadEvidence: {
    request: { flowName: "web", trailName: "v1", attestationId: "id-1" },
    method: "GET",
    path: "/api/v2/attestations/acme/web/trail/v1/attestation/id-1/evidence",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  enableTargets: {
    request: { actionNumber: 3, body: { target: 1 } },
    method: "POST",
    path: "/api/v2/actions/acme/3/enable",
    body: { target: 1 },
    answer: { status: 200, body: { enabled: 1 } },
    understood: { enabled: 1 },
  },
  exchangeToken: {
    request: { body: { token: "a.b.c", org: "acme", policy: "web" } },
    method: "POST",
    path: "/api/v2/oidc/token",
    body: { token: "a.b.c", org: "acme", policy: "web" },
    answer: {
      status: 200,
      body: {
        access_token: "det_a",
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: 900,
        scope: "attester flows:web",
        policy: "web",
      },
    },
    understood: {
      accessToken: "det_a",
      issuedTokenType: "urn:ietf:params:oauth:token-type:access_token",
      tokenType: "Bearer",
      expiresIn: 900,
      scope: "attester flows:web",
      policy: "web",
    },
  },
  explainTrust: {
    request: { body: { token: "a.b.c" } },
    method: "POST",
    path: "/api/v2/trust-policies/acme/explain",
    body: { token: "a.b.c" },
    answer: {
      status: 200,
      body: {
        claims: { run_id: "123" },
        policies: [{ name: "web", fits: false, problems: { ref: "is refs/heads/x" } }],
        policy: null,
      },
    },
    understood: {
      claims: { run_id: "123" },
      policies: [{ name: "web", fits: false, problems: { ref: "is refs/heads/x" } }],
      policy: null,
    },
  },
  findApiKey: {
    request: { body: { key: "de_x" } },
    method: "POST",
    path: "/api/v2/service-accounts/acme/find-key",
    body: { key: "de_x" },
    answer: {
      status: 200,
      body: {
        account: "ci",
        api_key: { id: "k", description: "d", created_at: 1, expires_at: 0, last_used_at: null },
      },
    },
    understood: {
      account: "ci",
      apiKey: { id: "k", description: "d", createdAt: 1, expiresAt: 0, lastUsedAt: null },
    },
  },
  getAction: {
    request: { actionNumber: 3 },
    method: "GET",
    path: "/api/v2/actions/acme/3",
    answer: {
      status: 200,
      body: {
        name: "tell",
        type: "flow",
        number: 3,
        targets: [{ type: "EMAIL", emails: ["a@example.org"], last_success_at: null }],
        triggers: [],
        created_by: "ada",
        is_created_from_slack_app: false,
        last_modified_at: 1,
        flows: ["web"],
      },
    },
    understood: {
      name: "tell",
      type: "flow",
      number: 3,
      targets: [{ type: "EMAIL", emails: ["a@example.org"], lastSuccessAt: null }],
      triggers: [],
      createdBy: "ada",
      isCreatedFromSlackApp: false,
      lastModifiedAt: 1,
      flows: ["web"],
    },
  },
  getApiKey: {
    request: { name: "ci", keyId: "k" },
    method: "GET",
    path: "/api/v2/service-accounts/acme/ci/api-keys/k",
    answer: {
      status: 200,
      body: { id: "k", description: "d", created_at: 1, expires_at: 0, last_used_at: null },
    },
    understood: { id: "k", description: "d", createdAt: 1, expiresAt: 0, lastUsedAt: null },
  },
  getApproval: {
    request: { flowName: "web", approvalNumber: -1 },
    method: "GET",
    path: "/api/v2/approvals/acme/web/-1",
    answer: {
      status: 200,
      body: {
        release_number: 4,
        base_artifact: "",
        artifact_name: "web",
        target_artifact: FINGERPRINT,
        description: "",
        created_at: 1,
        last_modified_at: 1,
        state: "APPROVED",
        approvals: [{ state: "APPROVED", comment: "", approved_by: "ada", approval_url: "", timestamp: 1 }],
        src_commit_list: [{ commit_sha: "c", artifact_fingerprints: [] }],
      },
    },
    understood: {
      releaseNumber: 4,
      baseArtifact: "",
      artifactName: "web",
      targetArtifact: FINGERPRINT,
      description: "",
      createdAt: 1,
      lastModifiedAt: 1,
      state: "APPROVED",
      approvals: [{ state: "APPROVED", comment: "", approvedBy: "ada", approvalUrl: "", timestamp: 1 }],
      srcCommitList: [{ commitSha: "c", artifactFingerprints: [] }],
    },
  },
  getArtifact: {
    request: { flowName: "web", fingerprint: "ab12c", trail: "v1" },
    method: "GET",
    path: "/api/v2/artifacts/acme/web/fingerprint/ab12c?trail=v1",
    answer: {
      status: 200,
      body: {
        id: "1",
        fingerprint: FINGERPRINT,
        filename: "app.tgz",
        flow_name: "web",
        created_at: "1.5",
        last_modified_at: "1.5",
        running: [{ environment_name: "prod", snapshot_index: 3 }],
        evidence: {
          unit_test: {
            evidence_type: "generic",
            is_compliant: true,
            created_at: "2",
            has_audit_package: false,
          },
        },
      },
    },
    understood: {
      id: "1",
      fingerprint: FINGERPRINT,
      filename: "app.tgz",
      flowName: "web",
      createdAt: "1.5",
      lastModifiedAt: "1.5",
      running: [{ environmentName: "prod", snapshotIndex: 3 }],
      evidence: {
        unit_test: { evidenceType: "generic", isCompliant: true, createdAt: "2", hasAuditPackage: false },
      },
    },
  },
  getArtifactAttestation: {
    request: { flowName: "web", fingerprint: "ab12c", attestationName: "unit" },
    method: "GET",
    path: "/api/v2/attestations/acme/web/artifact/ab12c/unit",
    answer: {
      status: 200,
      body: [
        {
          attestation_id: "1",
          attestation_name: "unit",
          attestation_type: "generic",
          created_at: 1.5,
          user_data: { is_mine: true },
          unknown_field: { deep_key: 1 },
        },
      ],
    },
    understood: [
      {
        attestationId: "1",
        attestationName: "unit",
        attestationType: "generic",
        createdAt: 1.5,
        userData: { is_mine: true },
        unknown_field: { deep_key: 1 },
      },
    ],
  },
  getArtifactAuditPackage: {
    request: { flowName: "web", fingerprint: "ab12c" },
    method: "GET",
    path: "/api/v2/artifacts/acme/web/ab12c/audit_package",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getArtifactCommit: {
    request: { flowName: "web", envName: "prod" },
    method: "GET",
    path: "/api/v2/approvals/acme/web/artifact-commit/prod",
    answer: { status: 200, body: { commit_sha: null } },
    understood: { commitSha: null },
  },
  getArtifactsByCommit: {
    request: { flowName: "web", commitSha: "c0ffee" },
    method: "GET",
    path: "/api/v2/artifacts/acme/web/commit_sha/c0ffee",
    answer: { status: 200, body: [] },
    understood: [],
  },
  getControl: {
    request: { identifier: "CTL-1" },
    method: "GET",
    path: "/api/v2/controls/acme/CTL-1",
    answer: { status: 200, body: { identifier: "CTL-1", name: "n", policies_referencing: ["p"] } },
    understood: { identifier: "CTL-1", name: "n", policiesReferencing: ["p"] },
  },
  getControlDecision: {
    request: { identifier: "CTL-1", decisionId: "d" },
    method: "GET",
    path: "/api/v2/controls/acme/CTL-1/decisions/d",
    answer: {
      status: 200,
      body: {
        control: "CTL-1",
        is_compliant: true,
        timestamp: 1.5,
        evidence_files: [{ filename: "f", download_url: "u" }],
        user_data: { is_mine: 1 },
      },
    },
    understood: {
      control: "CTL-1",
      isCompliant: true,
      timestamp: 1.5,
      evidenceFiles: [{ filename: "f", downloadUrl: "u" }],
      userData: { is_mine: 1 },
    },
  },
  getControlVersion: {
    request: { identifier: "CTL-1", versionNumber: 2 },
    method: "GET",
    path: "/api/v2/controls/acme/CTL-1/versions/2",
    answer: { status: 200, body: { identifier: "CTL-1", version: 2, name: "n", created_at: 1 } },
    understood: { identifier: "CTL-1", version: 2, name: "n", createdAt: 1 },
  },
  getCustomAttestationType: {
    request: { customAttestationTypeName: "coverage", version: 2 },
    method: "GET",
    path: "/api/v2/custom-attestation-types/acme/coverage?version=2",
    answer: {
      status: 200,
      body: {
        name: "coverage",
        created_at: 1,
        versions: [
          { version: 2, type_schema: { my_key: 1 }, evaluator: { content_type: "jq", rules: ["."] } },
        ],
      },
    },
    understood: {
      name: "coverage",
      createdAt: 1,
      versions: [{ version: 2, typeSchema: { my_key: 1 }, evaluator: { contentType: "jq", rules: ["."] } }],
    },
  },
  getCurrentUser: {
    request: {},
    method: "GET",
    path: "/api/v2/user",
    answer: {
      status: 200,
      body: {
        name: "Ada",
        kind: "person",
        organizations: [{ name: "acme", account: "Ada", role: "member", flows: ["web"] }],
      },
    },
    understood: {
      name: "Ada",
      kind: "person",
      organizations: [{ name: "acme", account: "Ada", role: "member", flows: ["web"] }],
    },
  },
  getDefaultOrg: {
    request: {},
    method: "GET",
    path: "/api/v2/user/default-org",
    answer: { status: 200, body: { default_org_name: "acme" } },
    understood: { defaultOrgName: "acme" },
  },
  getDecisionPolicy: {
    request: { identifier: "reviewed", version: 1 },
    method: "GET",
    path: "/api/v2/decision-policies/acme/reviewed?version=1",
    answer: { status: 200, body: { ...decisionPolicy, files: { "a_b.rego": "package policy" } } },
    understood: { ...decisionPolicyRead, files: { "a_b.rego": "package policy" } },
  },
  getDelivery: {
    request: { actionNumber: 3, deliveryId: "d" },
    method: "GET",
    path: "/api/v2/actions/acme/3/deliveries/d",
    answer: {
      status: 200,
      body: {
        ...storedDelivery,
        body: "{}",
        log: [
          {
            number: 1,
            started_at: 1,
            duration: 0.5,
            outcome: "status_503",
            status: 503,
            request_headers: { "webhook-id": "e" },
            answer: "busy",
            manual: false,
          },
        ],
      },
    },
    understood: {
      ...understoodDelivery,
      body: "{}",
      log: [
        {
          number: 1,
          startedAt: 1,
          duration: 0.5,
          outcome: "status_503",
          status: 503,
          requestHeaders: { "webhook-id": "e" },
          answer: "busy",
          manual: false,
        },
      ],
    },
  },
  getDeployment: {
    request: { envName: "prod", fingerprint: "abcde" },
    method: "GET",
    path: "/api/v2/deployments/acme/prod/abcde",
    answer: {
      status: 200,
      body: { ...storedDeployment, starts: [{ deployed_at: 9, snapshot_index: 2, ended_at: null }] },
    },
    understood: {
      ...understoodDeployment,
      starts: [{ deployedAt: 9, snapshotIndex: 2, endedAt: null }],
    },
  },
  getDeploymentFrequency: {
    request: { envName: "prod", flowId: "web", startTs: 1, endTs: 86_401 },
    method: "GET",
    path: "/api/v2/environments/acme/prod/deployment_frequency?flow_id=web&start_ts=1&end_ts=86401",
    answer: {
      status: 200,
      body: {
        environment_name: "prod",
        start_ts: 1,
        end_ts: 86_401,
        count: 1,
        deployed_at: [9],
        per_day: 1,
        median_per_day: 1,
      },
    },
    understood: {
      environmentName: "prod",
      startTs: 1,
      endTs: 86_401,
      count: 1,
      deployedAt: [9],
      perDay: 1,
      medianPerDay: 1,
    },
  },
  getEnvironment: {
    request: { envName: "prod" },
    method: "GET",
    path: "/api/v2/environments/acme/prod",
    answer: {
      status: 200,
      body: {
        org: "acme",
        name: "prod",
        type: "K8S",
        last_reported_at: null,
        state: null,
        tags: { my_team: "web" },
      },
    },
    understood: {
      org: "acme",
      name: "prod",
      type: "K8S",
      lastReportedAt: null,
      state: null,
      tags: { my_team: "web" },
    },
  },
  getEnvironmentAuditLog: {
    request: { envName: "prod", fromTimestamp: 1.5, eventTypes: "started" },
    method: "GET",
    path: "/api/v2/environments/acme/prod/auditlog?from_timestamp=1.5&event_types=started",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getEnvironmentNotification: {
    request: { notificationNumber: 3 },
    method: "GET",
    path: "/api/v2/organizations/acme/environments_notifications/3",
    answer: {
      status: 200,
      body: {
        name: "tell",
        type: "env",
        number: 3,
        targets: [{ type: "EMAIL", emails: ["a@example.org"], last_success_at: null }],
        triggers: [],
        created_by: "ada",
        is_created_from_slack_app: false,
        last_modified_at: 1,
        environments: [],
      },
    },
    understood: {
      name: "tell",
      type: "env",
      number: 3,
      targets: [{ type: "EMAIL", emails: ["a@example.org"], lastSuccessAt: null }],
      triggers: [],
      createdBy: "ada",
      isCreatedFromSlackApp: false,
      lastModifiedAt: 1,
      environments: [],
    },
  },
  getEvaluation: {
    request: { id: RECORD_ID },
    method: "GET",
    path: `/api/v2/evaluations/acme/${RECORD_ID}`,
    answer: {
      status: 200,
      body: {
        ...{ ...pendingEvaluation, status: "completed", recorded_at: 2, decision_attestation_id: "a" },
        result: {
          ...{ allow: false, violations: ["v"], skipped: null, engine: "opa 1.22.2", evaluated_at: 1.5 },
          input_digest: `sha256:${"a".repeat(64)}`,
        },
      },
    },
    understood: {
      ...{ id: "e", status: "completed", requestedAt: 1, recordedAt: 2, error: null },
      result: {
        ...{ allow: false, violations: ["v"], skipped: null, engine: "opa 1.22.2", evaluatedAt: 1.5 },
        inputDigest: `sha256:${"a".repeat(64)}`,
      },
      decisionAttestationId: "a",
    },
  },
  getFlow: {
    request: { flowName: "web" },
    method: "GET",
    path: "/api/v2/flows/acme/web",
    answer: {
      status: 200,
      body: {
        name: "web",
        description: "",
        visibility: "private",
        org: "acme",
        template: ["artifact"],
        tags: { is_ours: "yes" },
      },
    },
    understood: {
      name: "web",
      description: "",
      visibility: "private",
      org: "acme",
      template: ["artifact"],
      tags: { is_ours: "yes" },
    },
  },
  getFlowTemplateSchema: {
    request: {},
    method: "GET",
    path: "/api/v2/schemas/flow-template/v1",
    answer: { status: 200, body: { type: "object", some_rule: 1 } },
    understood: { type: "object", some_rule: 1 },
  },
  getLatestCommit: {
    request: { flowName: "web", fingerprint: FINGERPRINT, branch: "main" },
    method: "GET",
    path: `/api/v2/artifacts/acme/web/${FINGERPRINT}/latest_commit?branch=main`,
    answer: { status: 200, body: { latest_commit: null } },
    understood: { latestCommit: null },
  },
  getOrganization: {
    request: {},
    method: "GET",
    path: "/api/v2/organizations/acme",
    answer: { status: 200, body: { name: "acme", kind: "shared", created_at: 1, last_modified_at: 2 } },
    understood: { name: "acme", kind: "shared", createdAt: 1, lastModifiedAt: 2 },
  },
  getPolicy: {
    request: { policyName: "prod" },
    method: "GET",
    path: "/api/v2/policies/acme/prod",
    answer: {
      status: 200,
      body: {
        name: "prod",
        description: "",
        created_by: "a",
        versions: [{ version: 1, timestamp: 1, created_by: "a", policy_yaml: "y" }],
        events: [{ type: "creation", timestamp: 1, user: "a", data: { some_key: 1 } }],
        consuming_envs: ["e"],
      },
    },
    understood: {
      name: "prod",
      description: "",
      createdBy: "a",
      versions: [{ version: 1, timestamp: 1, createdBy: "a", policyYaml: "y" }],
      events: [{ type: "creation", timestamp: 1, user: "a", data: { some_key: 1 } }],
      consumingEnvs: ["e"],
    },
  },
  getPolicySchema: {
    request: {},
    method: "GET",
    path: "/api/v2/schemas/environment-policy/v1",
    answer: { status: 200, body: { type: "object", properties: { must_be_compliant: {} } } },
    understood: { type: "object", properties: { must_be_compliant: {} } },
  },
  getPopulation: {
    request: { flow: "web", from: "2026-07-01", to: "2026-10-01", n: 25, seed: "s" },
    method: "GET",
    path: "/api/v2/populations/acme?flow=web&from=2026-07-01&to=2026-10-01&n=25&seed=s",
    answer: {
      status: 200,
      body: {
        count: 1,
        members: [{ id: RECORD_ID, name: "v1", fingerprint: "", at: 1, by: "ci" }],
        sample: [],
      },
    },
    understood: {
      count: 1,
      members: [{ id: RECORD_ID, name: "v1", fingerprint: "", at: 1, by: "ci" }],
      sample: [],
    },
  },
  getPopulationPackage: {
    request: { flow: "web", from: "2026-07-01", to: "2026-10-01" },
    method: "GET",
    path: "/api/v2/populations/acme/package?flow=web&from=2026-07-01&to=2026-10-01",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getRepo: {
    request: { repoName: "acme/web", provider: "github", id: "r1" },
    method: "GET",
    path: "/api/v2/repos/acme/acme%2Fweb?provider=github&id=r1",
    answer: { status: 200, body: { id: "r1", name: "acme/web", url: "u", tags: { team: "web" } } },
    understood: { id: "r1", name: "acme/web", url: "u", tags: { team: "web" } },
  },
  getRepoDeploymentStatistics: {
    request: { repo: RECORD_ID, env: ["prod"] },
    method: "GET",
    path: `/api/v2/repos/acme/${RECORD_ID}/deployment-statistics?env=prod`,
    answer: {
      status: 200,
      body: {
        start_ts: 1,
        end_ts: 9,
        environments: [
          {
            environment_id: "e",
            name: "prod",
            type: "K8S",
            count: 1,
            deployed_at: [9],
            lead_time_seconds: [null],
            excluded: { initial: 0, redeployments: 0, no_commit: 1, negative: 0 },
          },
        ],
      },
    },
    understood: {
      startTs: 1,
      endTs: 9,
      environments: [
        {
          environmentId: "e",
          name: "prod",
          type: "K8S",
          count: 1,
          deployedAt: [9],
          leadTimeSeconds: [null],
          excluded: { initial: 0, redeployments: 0, noCommit: 1, negative: 0 },
        },
      ],
    },
  },
  getServiceAccount: {
    request: { name: "ci" },
    method: "GET",
    path: "/api/v2/service-accounts/acme/ci",
    answer: {
      status: 200,
      body: { name: "ci", display_name: "ci", privilege: "reader", creating_user_id: null },
    },
    understood: { name: "ci", displayName: "ci", privilege: "reader", creatingUserId: null },
  },
  getSnapshot: {
    request: { envName: "prod", snapshotExpression: "@{now}" },
    method: "GET",
    path: "/api/v2/snapshots/acme/prod/%40%7Bnow%7D",
    answer: {
      status: 200,
      body: {
        index: 1,
        is_latest: true,
        next_snapshot_timestamp: null,
        artifact_compliance_count: { true: 1 },
        timestamp: 1.5,
        type: "K8S",
        compliant: true,
        artifacts: [
          {
            name: "web",
            fingerprint: FINGERPRINT,
            pods: { web_1: { namespace: "n" } },
            flows: [{ flow_name: "f", git_commit_info: { author_username: "ada" } }],
          },
        ],
        applied_policies: [{ policy_dump: { schema_version: "1" } }],
      },
    },
    understood: {
      index: 1,
      isLatest: true,
      nextSnapshotTimestamp: null,
      artifactComplianceCount: { true: 1 },
      timestamp: 1.5,
      type: "K8S",
      compliant: true,
      artifacts: [
        {
          name: "web",
          fingerprint: FINGERPRINT,
          pods: { web_1: { namespace: "n" } },
          flows: [{ flowName: "f", gitCommitInfo: { author_username: "ada" } }],
        },
      ],
      appliedPolicies: [{ policy_dump: { schema_version: "1" } }],
    },
  },
  getTokenAudience: {
    request: { org: "acme" },
    method: "GET",
    path: "/api/v2/oidc/audience?org=acme",
    answer: { status: 200, body: { audience: "https://evidence.example/acme" } },
    understood: { audience: "https://evidence.example/acme" },
  },
  getTrail: {
    request: { flowName: "web", trailName: "v1" },
    method: "GET",
    path: "/api/v2/trails/acme/web/v1",
    answer: {
      status: 200,
      body: {
        name: "v1",
        git_commit_info: { sha1: "c", author_username: "ada" },
        user_data: { my_key: 1 },
        last_modified_at: 2,
        created_at: 1,
        compliance_status: {
          status: "COMPLIANT",
          is_compliant: true,
          artifacts_statuses: { my_app: { status: "MISSING" } },
        },
        template: { version: 1, trail: null, content: "version: 1" },
        compliance_state: "COMPLIANT",
        is_compliant: true,
        events: [{ type: "trail_reported", trail_id: "1" }],
        created_by: "ci",
        flow: { name: "web", tags: {} },
        html_url: "h",
      },
    },
    understood: {
      name: "v1",
      gitCommitInfo: { sha1: "c", authorUsername: "ada" },
      userData: { my_key: 1 },
      lastModifiedAt: 2,
      createdAt: 1,
      complianceStatus: {
        status: "COMPLIANT",
        isCompliant: true,
        artifactsStatuses: { my_app: { status: "MISSING" } },
      },
      template: { version: 1, trail: null, content: "version: 1" },
      complianceState: "COMPLIANT",
      isCompliant: true,
      events: [{ type: "trail_reported", trail_id: "1" }],
      createdBy: "ci",
      flow: { name: "web", tags: {} },
      htmlUrl: "h",
    },
  },
  downloadTrailAuditPdf: {
    request: { flowName: "web", trailName: "v1" },
    method: "GET",
    path: "/api/v2/trails/acme/web/v1/audit_pdf",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getTrailAuditPackage: {
    request: { flowName: "web", trailName: "v1" },
    method: "GET",
    path: "/api/v2/trails/acme/web/v1/audit_package",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getTrends: {
    request: { flow: ["web"], envTag: ["tier:1"], weeks: 2 },
    method: "GET",
    path: "/api/v2/trends/acme?flow=web&env_tag=tier%3A1&weeks=2",
    answer: {
      status: 200,
      body: {
        ...{ from: 1, to: 9, bucket: "week", tz: "UTC", generated_at: 9 },
        series: [
          {
            scope: { type: "flow", name: "web" },
            buckets: [
              {
                start: 1,
                end: 9,
                is_partial: true,
                trails: { compliant: 1, non_compliant: 0, incomplete: 0 },
              },
            ],
          },
        ],
      },
    },
    understood: {
      ...{ from: 1, to: 9, bucket: "week", tz: "UTC", generatedAt: 9 },
      series: [
        {
          scope: { type: "flow", name: "web" },
          buckets: [
            { start: 1, end: 9, isPartial: true, trails: { compliant: 1, nonCompliant: 0, incomplete: 0 } },
          ],
        },
      ],
    },
  },
  getTrendsCsv: {
    request: { flowTag: ["team:web"], bucket: "day" },
    method: "GET",
    path: "/api/v2/trends/acme/csv?flow_tag=team%3Aweb&bucket=day",
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  getTrustPolicy: {
    request: { policyName: "web" },
    method: "GET",
    path: "/api/v2/trust-policies/acme/web",
    answer: { status: 200, body: storedTrust },
    understood: understoodTrust,
  },
  joinEnvironment: {
    request: { envName: "all", body: { physicalEnvName: "prod" } },
    method: "PUT",
    path: "/api/v2/environments/acme/all/join",
    body: { physical_env_name: "prod" },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  listActions: {
    request: {},
    method: "GET",
    path: "/api/v2/actions/acme",
    answer: {
      status: 200,
      body: [
        {
          name: "tell",
          type: "env",
          number: 3,
          targets: [{ type: "EMAIL", emails: ["a@example.org"], last_success_at: null }],
          triggers: [],
          created_by: "ada",
          is_created_from_slack_app: false,
          last_modified_at: 1,
          environments: [],
        },
      ],
    },
    understood: [
      {
        name: "tell",
        type: "env",
        number: 3,
        targets: [{ type: "EMAIL", emails: ["a@example.org"], lastSuccessAt: null }],
        triggers: [],
        createdBy: "ada",
        isCreatedFromSlackApp: false,
        lastModifiedAt: 1,
        environments: [],
      },
    ],
  },
  listAllowlists: {
    request: {},
    method: "GET",
    path: "/api/v2/allowlists/acme",
    answer: {
      status: 200,
      body: [
        {
          artifact_name: "web",
          fingerprint: FINGERPRINT,
          environment_name: "prod",
          timestamp: 1.5,
          user_name: "ci",
          description: "",
        },
      ],
    },
    understood: [
      {
        artifactName: "web",
        fingerprint: FINGERPRINT,
        environmentName: "prod",
        timestamp: 1.5,
        userName: "ci",
        description: "",
      },
    ],
  },
  listApiKeys: {
    request: { name: "ci" },
    method: "GET",
    path: "/api/v2/service-accounts/acme/ci/api-keys",
    answer: {
      status: 200,
      body: [{ id: "k", description: "d", created_at: 1, expires_at: 0, last_used_at: null }],
    },
    understood: [{ id: "k", description: "d", createdAt: 1, expiresAt: 0, lastUsedAt: null }],
  },
  listApprovals: {
    request: { flowName: "web", page: 2, perPage: 5 },
    method: "GET",
    path: "/api/v2/approvals/acme/web?page=2&per_page=5",
    answer: {
      status: 200,
      body: [
        {
          release_number: 4,
          base_artifact: "",
          artifact_name: "web",
          target_artifact: FINGERPRINT,
          description: "",
          created_at: 1,
          last_modified_at: 1,
          state: "APPROVED",
          approvals: [{ state: "APPROVED", comment: "", approved_by: "ada", approval_url: "", timestamp: 1 }],
          src_commit_list: ["c"],
        },
      ],
    },
    understood: [
      {
        releaseNumber: 4,
        baseArtifact: "",
        artifactName: "web",
        targetArtifact: FINGERPRINT,
        description: "",
        createdAt: 1,
        lastModifiedAt: 1,
        state: "APPROVED",
        approvals: [{ state: "APPROVED", comment: "", approvedBy: "ada", approvalUrl: "", timestamp: 1 }],
        srcCommitList: ["c"],
      },
    ],
  },
  listArtifactApprovals: {
    request: { flowName: "web", fingerprint: FINGERPRINT },
    method: "GET",
    path: `/api/v2/artifacts/acme/web/${FINGERPRINT}/approvals`,
    answer: { status: 200, body: [] },
    understood: [],
  },
  listArtifacts: {
    request: { flowName: "web", repoName: "acme/web", page: 2 },
    method: "GET",
    path: "/api/v2/artifacts/acme?flow_name=web&repo_name=acme%2Fweb&page=2",
    answer: { status: 200, body: [] },
    understood: [],
  },
  listAttestations: {
    request: { flow: ["a", "b"], type: ["custom:x"], isCompliant: false, perPage: 1 },
    method: "GET",
    path: "/api/v2/attestations/acme?flow=a&flow=b&type=custom%3Ax&is_compliant=false&per_page=1",
    answer: {
      status: 200,
      body: {
        data: [{ attestation_id: "1", attestation_name: "u", attestation_type: "custom:x", created_at: 1 }],
        _links: { next: { href: "h", after: "c" } },
        pagination: null,
      },
    },
    understood: {
      data: [{ attestationId: "1", attestationName: "u", attestationType: "custom:x", createdAt: 1 }],
      _links: { next: { href: "h", after: "c" } },
      pagination: null,
    },
  },
  listAttestationsForCriteria: {
    request: { commitList: ["c".repeat(40)], attestationType: "junit", flowName: "web" },
    method: "GET",
    path: `/api/v2/attestations/acme/list_attestations_for_criteria?commit_list=${"c".repeat(40)}&attestation_type=junit&flow_name=web`,
    answer: {
      status: 200,
      body: {
        ["c".repeat(40)]: [
          { attestation_id: "1", attestation_name: "u", attestation_type: "junit", created_at: 1 },
        ],
      },
    },
    understood: {
      ["c".repeat(40)]: [
        { attestationId: "1", attestationName: "u", attestationType: "junit", createdAt: 1 },
      ],
    },
  },
  listMembershipAuditLog: {
    request: { eventType: "changed", role: ["admin", "member"], sortBy: "user", sortDir: "asc" },
    method: "GET",
    path: "/api/v2/membership-audit-log/acme?event_type=changed&role=admin&role=member&sort_by=user&sort_dir=asc",
    answer: {
      status: 200,
      body: {
        ...{ page: 1, per_page: 15, total_pages: 1, total_count: 1 },
        events: [
          {
            ...{ id: "e", timestamp: 2, event_type: "changed", user: "ada" },
            ...{ old_role: "reader", new_role: "admin", changed_by: "bob", source: "app" },
          },
        ],
      },
    },
    understood: {
      ...{ page: 1, perPage: 15, totalPages: 1, totalCount: 1 },
      events: [
        {
          ...{ id: "e", timestamp: 2, eventType: "changed", user: "ada" },
          ...{ oldRole: "reader", newRole: "admin", changedBy: "bob", source: "app" },
        },
      ],
    },
  },
  listAuditLog: {
    request: { act: "api_key.created", apiKeyId: "k1", fromTimestamp: 1.5, perPage: 10 },
    method: "GET",
    path: "/api/v2/audit-log/acme?api_key_id=k1&act=api_key.created&from_timestamp=1.5&per_page=10",
    answer: {
      status: 200,
      body: {
        data: [
          {
            id: "e1",
            created_at: 2,
            act: "api_key.created",
            account: "ada",
            api_key_id: "k1",
            address: "192.0.2.1",
            request_id: "r1",
            resource: { type: "api_key", name: "ci", id: "k2" },
            details: {},
            changes: { expires_at: { from: null, to: 0 } },
          },
        ],
        _links: { next: { after: "c" } },
      },
    },
    understood: {
      data: [
        {
          id: "e1",
          createdAt: 2,
          act: "api_key.created",
          account: "ada",
          apiKeyId: "k1",
          address: "192.0.2.1",
          requestId: "r1",
          resource: { type: "api_key", name: "ci", id: "k2" },
          details: {},
          changes: { expires_at: { from: null, to: 0 } },
        },
      ],
      _links: { next: { after: "c" } },
    },
  },
  getBuildStatistics: {
    request: { repoInnerId: "00000000-0000-0000-0000-00000000", startTs: 1, endTs: 9 },
    method: "GET",
    path: "/api/v2/builds/acme/statistics?repo_inner_id=00000000-0000-0000-0000-00000000&start_ts=1&end_ts=9",
    answer: { status: 200, body: { start_ts: 1, end_ts: 9, count: 2, built_at: [3, 4.5] } },
    understood: { startTs: 1, endTs: 9, count: 2, builtAt: [3, 4.5] },
  },
  listBuilds: {
    request: { page: 2, perPage: 0, repoName: "acme/web" },
    method: "GET",
    path: "/api/v2/builds/acme?page=2&per_page=0&repo_name=acme%2Fweb",
    answer: {
      status: 200,
      body: {
        ...{ page: 2, per_page: 0, total_pages: 0, total_count: 1 },
        builds: [
          {
            ...{ id: "a", fingerprint: "f", artifact_name: "web", built_at: 3, flow_name: "web" },
            ...{ git_commit_info: { sha1: "c", author_username: "ada" }, deployed_to: ["prod"] },
          },
        ],
      },
    },
    understood: {
      ...{ page: 2, perPage: 0, totalPages: 0, totalCount: 1 },
      builds: [
        {
          ...{ id: "a", fingerprint: "f", artifactName: "web", builtAt: 3, flowName: "web" },
          ...{ gitCommitInfo: { sha1: "c", authorUsername: "ada" }, deployedTo: ["prod"] },
        },
      ],
    },
  },
  getControlCoverage: {
    request: { identifier: "CTL-1", search: "prod", covered: true },
    method: "GET",
    path: "/api/v2/controls/acme/CTL-1/coverage?search=prod&covered=true",
    answer: {
      status: 200,
      body: {
        ...{ page: 1, per_page: 15, total_pages: 1, total_count: 1 },
        summary: { total: 3, covered: 1, coverage_percent: 33.3 },
        environments: [{ name: "prod", type: "K8S", covered: true, policies: ["reviewed"] }],
      },
    },
    understood: {
      ...{ page: 1, perPage: 15, totalPages: 1, totalCount: 1 },
      summary: { total: 3, covered: 1, coveragePercent: 33.3 },
      environments: [{ name: "prod", type: "K8S", covered: true, policies: ["reviewed"] }],
    },
  },
  listControlTags: {
    request: {},
    method: "GET",
    path: "/api/v2/controls/acme/tags",
    answer: { status: 200, body: [{ key: "team", value: "web" }] },
    understood: [{ key: "team", value: "web" }],
  },
  listControlDecisions: {
    request: { identifier: "CTL-1", isCompliant: false, flowId: ["a", "b"] },
    method: "GET",
    path: "/api/v2/controls/acme/CTL-1/decisions?is_compliant=false&flow_id=a&flow_id=b",
    answer: { status: 200, body: { page: 1, per_page: 15, total_pages: 0, total_count: 0, decisions: [] } },
    understood: { page: 1, perPage: 15, totalPages: 0, totalCount: 0, decisions: [] },
  },
  listControlVersions: {
    request: { identifier: "CTL-1" },
    method: "GET",
    path: "/api/v2/controls/acme/CTL-1/versions",
    answer: { status: 200, body: [{ identifier: "CTL-1", version: 1, name: "n", created_by: "a" }] },
    understood: [{ identifier: "CTL-1", version: 1, name: "n", createdBy: "a" }],
  },
  listControls: {
    request: { search: "x", tag: ["a:b", "c"], archived: true },
    method: "GET",
    path: "/api/v2/controls/acme?search=x&tag=a%3Ab&tag=c&archived=true",
    answer: {
      status: 200,
      body: {
        page: 1,
        per_page: 15,
        total_pages: 1,
        total_count: 1,
        controls: [{ identifier: "CTL-1", name: "n", tags: { my_tag: "v" } }],
      },
    },
    understood: {
      page: 1,
      perPage: 15,
      totalPages: 1,
      totalCount: 1,
      controls: [{ identifier: "CTL-1", name: "n", tags: { my_tag: "v" } }],
    },
  },
  listCustomAttestationTypes: {
    request: {},
    method: "GET",
    path: "/api/v2/custom-attestation-types/acme",
    answer: { status: 200, body: [{ name: "coverage", last_modified_at: 1 }] },
    understood: [{ name: "coverage", lastModifiedAt: 1 }],
  },
  listDecisionPolicies: {
    request: { archived: true },
    method: "GET",
    path: "/api/v2/decision-policies/acme?archived=true",
    answer: { status: 200, body: [decisionPolicy] },
    understood: [decisionPolicyRead],
  },
  listDeliveries: {
    request: { actionNumber: 3, state: "failed", trigger: "ON_ATTESTATION", target: 1, fromTimestamp: 1 },
    method: "GET",
    path: "/api/v2/actions/acme/3/deliveries?state=failed&trigger=ON_ATTESTATION&target=1&from_timestamp=1",
    answer: { status: 200, body: { data: [storedDelivery], _links: {} } },
    understood: { data: [understoodDelivery], _links: {} },
  },
  listDeployments: {
    request: { envName: ["prod", "test"], envTag: ["tier:1"], review: "unreviewed", perPage: 2 },
    method: "GET",
    path: "/api/v2/deployments/acme?per_page=2&env_name=prod&env_name=test&env_tag=tier%3A1&review=unreviewed",
    answer: {
      status: 200,
      body: { page: 1, per_page: 2, total_pages: 1, total_count: 1, deployments: [storedDeployment] },
    },
    understood: {
      ...{ page: 1, perPage: 2, totalPages: 1, totalCount: 1 },
      deployments: [understoodDeployment],
    },
  },
  listEnvironmentDeployments: {
    request: { envName: "prod", from: "2026-01-01", pageSize: 2 },
    method: "GET",
    path: "/api/v2/environments/acme/prod/deployments?page_size=2&from=2026-01-01",
    answer: {
      status: 200,
      body: { page: 1, page_size: 2, total_pages: 1, total_count: 1, deployments: [storedDeployment] },
    },
    understood: {
      ...{ page: 1, pageSize: 2, totalPages: 1, totalCount: 1 },
      deployments: [understoodDeployment],
    },
  },
  listEnvironmentEvents: {
    request: { envName: "prod", from: "2026-01-01", repoName: ["a/b", "c"], perPage: 2 },
    method: "GET",
    path: "/api/v2/environments/acme/prod/events?per_page=2&repo_name=a%2Fb&repo_name=c&from=2026-01-01",
    answer: {
      status: 200,
      body: [{ type: "exited", snapshot_index: 2, _links: { snapshot: { self: "s", html: "h" } } }],
    },
    understood: [{ type: "exited", snapshotIndex: 2, _links: { snapshot: { self: "s", html: "h" } } }],
  },
  listEnvironmentNotifications: {
    request: {},
    method: "GET",
    path: "/api/v2/organizations/acme/environments_notifications",
    answer: { status: 200, body: [] },
    understood: [],
  },
  listEnvironments: {
    request: { perPage: 2, sort: "name", sortDirection: "desc", type: ["K8S", "ECS"], tag: ["team=web"] },
    method: "GET",
    path: "/api/v2/environments/acme?per_page=2&sort=name&sort_direction=desc&type=K8S&type=ECS&tag=team%3Dweb",
    answer: {
      status: 200,
      body: {
        page: 1,
        per_page: 2,
        total_pages: 1,
        total_count: 1,
        environments: [
          {
            org: "acme",
            name: "prod",
            type: "K8S",
            last_reported_at: null,
            state: null,
            tags: { my_team: "web" },
          },
        ],
      },
    },
    understood: {
      page: 1,
      perPage: 2,
      totalPages: 1,
      totalCount: 1,
      environments: [
        {
          org: "acme",
          name: "prod",
          type: "K8S",
          lastReportedAt: null,
          state: null,
          tags: { my_team: "web" },
        },
      ],
    },
  },
  listFlowArtifacts: {
    request: { flowName: "web", perPage: 5 },
    method: "GET",
    path: "/api/v2/artifacts/acme/web?per_page=5",
    answer: { status: 200, body: [] },
    understood: [],
  },
  listFlowAttestations: {
    request: { flowName: "web", page: 2, fromTimestamp: 5 },
    method: "GET",
    path: "/api/v2/attestations/acme/web?page=2&from_timestamp=5",
    answer: {
      status: 200,
      body: { data: [], pagination: { total: 20, page: 2, per_page: 20, page_count: 1 } },
    },
    understood: { data: [], pagination: { total: 20, page: 2, perPage: 20, pageCount: 1 } },
  },
  listFlowTrails: {
    request: { flowName: "web", perPage: 1 },
    method: "GET",
    path: "/api/v2/trails/acme/web?per_page=1",
    answer: {
      status: 200,
      body: { data: [], pagination: { total: 0, page: 1, per_page: 1, page_count: 0 } },
    },
    understood: { data: [], pagination: { total: 0, page: 1, perPage: 1, pageCount: 0 } },
  },
  listFlows: {
    request: { searchByName: "we", caseSensitive: false },
    method: "GET",
    path: "/api/v2/flows/acme?search_by_name=we&case_sensitive=false",
    answer: {
      status: 200,
      body: [
        { name: "web", description: "", visibility: "public", org: "acme", template: "", repo_url: "u" },
      ],
    },
    understood: [
      { name: "web", description: "", visibility: "public", org: "acme", template: "", repoUrl: "u" },
    ],
  },
  listLiveArtifacts: {
    request: { repoName: "web", provider: "github" },
    method: "GET",
    path: "/api/v2/repos/acme/live-artifacts/web?provider=github",
    answer: {
      status: 200,
      body: {
        _embedded: { artifacts: [{ id: "1", fingerprint: FINGERPRINT, commit_sha: "c" }], environments: [] },
        live_artifacts: [],
      },
    },
    understood: {
      _embedded: { artifacts: [{ id: "1", fingerprint: FINGERPRINT, commitSha: "c" }], environments: [] },
      liveArtifacts: [],
    },
  },
  listPolicies: {
    request: {},
    method: "GET",
    path: "/api/v2/policies/acme",
    answer: { status: 200, body: [{ name: "prod", description: "", created_by: "a" }] },
    understood: [{ name: "prod", description: "", createdBy: "a" }],
  },
  listRepoDeployments: {
    request: { repo: RECORD_ID, perPage: 0 },
    method: "GET",
    path: `/api/v2/repos/acme/${RECORD_ID}/deployments?per_page=0`,
    answer: {
      status: 200,
      body: { page: 1, per_page: 0, total_pages: 0, total_count: 1, deployments: [] },
    },
    understood: { page: 1, perPage: 0, totalPages: 0, totalCount: 1, deployments: [] },
  },
  listRepoFilterOptions: {
    request: { provider: "gitlab", vcsInstance: "gitlab.example", namespace: "acme", tag: ["tier"] },
    method: "GET",
    path: "/api/v2/repos/acme/filter-options?provider=gitlab&vcs_instance=gitlab.example&namespace=acme&tag=tier",
    answer: {
      status: 200,
      body: { providers: ["gitlab"], vcs_instances: ["gitlab.example"], namespace_values: ["web"] },
    },
    understood: { providers: ["gitlab"], vcsInstances: ["gitlab.example"], namespaceValues: ["web"] },
  },
  listRepoTags: {
    request: {},
    method: "GET",
    path: "/api/v2/repos/acme/tags",
    answer: { status: 200, body: [{ key: "team", value: "web" }] },
    understood: [{ key: "team", value: "web" }],
  },
  listRepos: {
    request: {
      perPage: 2,
      provider: "github",
      repoId: "42",
      tag: ["team:web", "tier"],
      sortDirection: "desc",
    },
    method: "GET",
    path: "/api/v2/repos/acme?per_page=2&provider=github&tag=team%3Aweb&tag=tier&repo_id=42&sort_direction=desc",
    answer: {
      status: 200,
      body: {
        page: 1,
        per_page: 2,
        total_pages: 1,
        total_count: 1,
        repos: [{ name: "r", url: "u", repo_id: "42", _links: { self_link: { href: "h" } } }],
      },
    },
    understood: {
      page: 1,
      perPage: 2,
      totalPages: 1,
      totalCount: 1,
      repos: [{ name: "r", url: "u", repoId: "42", _links: { self_link: { href: "h" } } }],
    },
  },
  listServiceAccounts: {
    request: {},
    method: "GET",
    path: "/api/v2/service-accounts/acme",
    answer: {
      status: 200,
      body: [{ name: "ci", display_name: "ci", privilege: "reader", creating_user_id: null }],
    },
    understood: [{ name: "ci", displayName: "ci", privilege: "reader", creatingUserId: null }],
  },
  listShareLinks: {
    request: { perPage: 5 },
    method: "GET",
    path: "/api/v2/share-links/acme?per_page=5",
    answer: {
      status: 200,
      body: { data: [storedShareLink], pagination: { total: 1, page: 1, per_page: 5, page_count: 1 } },
    },
    understood: {
      data: [understoodShareLink],
      pagination: { total: 1, page: 1, perPage: 5, pageCount: 1 },
    },
  },
  listSnapshots: {
    request: { envName: "prod", interval: "~5..NOW", reverse: true },
    method: "GET",
    path: "/api/v2/snapshots/acme/prod?interval=%7E5..NOW&reverse=true",
    answer: { status: 200, body: [{ index: 1, from: 1.5, to: 0, compliant: false, duration: 2 }] },
    understood: [{ index: 1, from: 1.5, to: 0, compliant: false, duration: 2 }],
  },
  listSystemAttestationTypes: {
    request: {},
    method: "GET",
    path: "/api/v2/attestations/system-attestation-types",
    answer: {
      status: 200,
      body: [{ name: "decision", versions: [{ version: 1, type_schema: { a_b: 1 } }] }],
    },
    understood: [{ name: "decision", versions: [{ version: 1, typeSchema: { a_b: 1 } }] }],
  },
  listTargets: {
    request: { actionNumber: 3 },
    method: "GET",
    path: "/api/v2/actions/acme/3/targets",
    answer: {
      status: 200,
      body: [{ number: 1, kind: "webhook", address: null, state: "ended", ended_at: 2, waiting: 0 }],
    },
    understood: [{ number: 1, kind: "webhook", address: null, state: "ended", endedAt: 2, waiting: 0 }],
  },
  listTrailAttestations: {
    request: { flowName: "web", trailName: "v1", attestationName: "unit" },
    method: "GET",
    path: "/api/v2/attestations/acme/web/trail/v1/unit",
    answer: {
      status: 200,
      body: [{ attestation_id: "1", attestation_name: "unit", attestation_type: "junit", created_at: 1 }],
    },
    understood: [{ attestationId: "1", attestationName: "unit", attestationType: "junit", createdAt: 1 }],
  },
  listTrails: {
    request: { flow: "web", flowTag: "team=a", page: 2 },
    method: "GET",
    path: "/api/v2/trails/acme?flow=web&flow_tag=team%3Da&page=2",
    answer: { status: 200, body: { data: [], pagination: null } },
    understood: { data: [], pagination: null },
  },
  listTrustPolicies: {
    request: {},
    method: "GET",
    path: "/api/v2/trust-policies/acme",
    answer: { status: 200, body: [storedTrust] },
    understood: [understoodTrust],
  },
  overrideAttestation: {
    request: {
      flowName: "web",
      trailName: "v1",
      body: {
        attestationName: "unit",
        reason: "accepted",
        newComplianceStatus: true,
        originalAttestationType: "junit",
      },
    },
    method: "POST",
    path: "/api/v2/attestations/acme/web/trail/v1/override",
    body: {
      attestation_name: "unit",
      reason: "accepted",
      new_compliance_status: true,
      original_attestation_type: "junit",
    },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  putEnvironmentAction: {
    request: {
      body: {
        name: "tell",
        targets: [
          {
            type: "SLACK",
            webhook: "https://hooks.example/T",
            context: { channelId: "C", channelName: "ops", teamId: "T" },
          },
        ],
        environments: ["prod"],
        triggers: ["ON_SCALED_ARTIFACT"],
      },
    },
    method: "PUT",
    path: "/api/v2/actions/acme/environments",
    body: {
      name: "tell",
      targets: [
        {
          type: "SLACK",
          webhook: "https://hooks.example/T",
          context: { channel_id: "C", channel_name: "ops", team_id: "T" },
        },
      ],
      environments: ["prod"],
      triggers: ["ON_SCALED_ARTIFACT"],
    },
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  putEnvironmentNotification: {
    request: {
      body: {
        name: "tell",
        targets: [
          {
            type: "SLACK",
            webhook: "https://hooks.example/T",
            context: { channelId: "C", channelName: "ops", teamId: "T" },
          },
        ],
        environments: ["prod"],
        triggers: ["ON_SCALED_ARTIFACT"],
      },
    },
    method: "PUT",
    path: "/api/v2/organizations/acme/environments_notifications",
    body: {
      name: "tell",
      targets: [
        {
          type: "SLACK",
          webhook: "https://hooks.example/T",
          context: { channel_id: "C", channel_name: "ops", team_id: "T" },
        },
      ],
      environments: ["prod"],
      triggers: ["ON_SCALED_ARTIFACT"],
    },
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  putFlowAction: {
    request: {
      body: {
        name: "tell",
        targets: [{ type: "WEBHOOK", webhook: "https://hooks.example/x", payloadVersion: "1.0" }],
        triggers: ["ON_ATTESTATION"],
      },
    },
    method: "PUT",
    path: "/api/v2/actions/acme/flows",
    body: {
      name: "tell",
      targets: [{ type: "WEBHOOK", webhook: "https://hooks.example/x", payload_version: "1.0" }],
      triggers: ["ON_ATTESTATION"],
    },
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  putOrganizationAction: {
    request: {
      body: {
        name: "tell",
        targets: [{ type: "WEBHOOK", webhook: "https://hooks.example/x", payloadVersion: "1.0" }],
        triggers: ["ON_EXPIRING_API_KEY"],
      },
    },
    method: "PUT",
    path: "/api/v2/actions/acme/organization",
    body: {
      name: "tell",
      targets: [{ type: "WEBHOOK", webhook: "https://hooks.example/x", payload_version: "1.0" }],
      triggers: ["ON_EXPIRING_API_KEY"],
    },
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  putPolicy: {
    request: {
      body: { name: "prod", description: "d", comment: "c" },
      files: { policyFile: fileOf("p.yml", "_schema: https://schemas.example/v1") },
    },
    method: "PUT",
    path: "/api/v2/policies/acme",
    body: { name: "prod", description: "d", comment: "c" },
    multipart: true,
    answer: { status: 201, body: { name: "prod", description: "d", created_by: "a" } },
    understood: { name: "prod", description: "d", createdBy: "a" },
  },
  recordApproval: {
    request: {
      flowName: "web",
      body: {
        artifactFingerprint: FINGERPRINT,
        description: "go",
        srcCommitList: ["a".repeat(40)],
        approvals: [{ state: "APPROVED", comment: "", approvedBy: "ada", approvalUrl: "" }],
      },
    },
    method: "POST",
    path: "/api/v2/approvals/acme/web",
    body: {
      artifact_fingerprint: FINGERPRINT,
      description: "go",
      src_commit_list: ["a".repeat(40)],
      approvals: [{ state: "APPROVED", comment: "", approved_by: "ada", approval_url: "" }],
    },
    answer: { status: 201, body: "OK" },
    understood: "OK",
  },
  recoverDeliveries: {
    request: { actionNumber: 3, body: { since: 1, until: 2, target: 1 } },
    method: "POST",
    path: "/api/v2/actions/acme/3/recover",
    body: { since: 1, until: 2, target: 1 },
    answer: { status: 200, body: { recovered: 3, more: false } },
    understood: { recovered: 3, more: false },
  },
  redeliver: {
    request: { actionNumber: 3, deliveryId: "d" },
    method: "POST",
    path: "/api/v2/actions/acme/3/deliveries/d/redeliver",
    answer: { status: 200, body: storedDelivery },
    understood: understoodDelivery,
  },
  renameEnvironment: {
    request: { envName: "prod", body: { newName: "live" } },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/rename",
    body: { new_name: "live" },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  renameFlow: {
    request: { flowName: "web", body: { newName: "site" } },
    method: "PUT",
    path: "/api/v2/flows/acme/web/rename",
    body: { new_name: "site" },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  reportArtifact: {
    request: {
      flowName: "web",
      body: {
        fingerprint: FINGERPRINT,
        filename: "app.tgz",
        buildUrl: "https://ci.example/1",
        commitUrl: "https://git.example/c",
        commitsList: [{ sha1: "b".repeat(40), signatureState: "VALID" }],
      },
    },
    method: "POST",
    path: "/api/v2/artifacts/acme/web",
    body: {
      fingerprint: FINGERPRINT,
      filename: "app.tgz",
      build_url: "https://ci.example/1",
      commit_url: "https://git.example/c",
      commits_list: [{ sha1: "b".repeat(40), signature_state: "VALID" }],
    },
    answer: { status: 201, body: { message: "OK" } },
    understood: { message: "OK" },
  },
  reportAzureApps: {
    request: {
      envName: "prod",
      body: {
        artifacts: [
          {
            appName: "a",
            appKind: "functionapp",
            digestsSource: "acr",
            digests: { web: FINGERPRINT },
            creationTimestamp: 1,
          },
        ],
      },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/azure-apps",
    body: {
      artifacts: [
        {
          app_name: "a",
          app_kind: "functionapp",
          digests_source: "acr",
          digests: { web: FINGERPRINT },
          creationTimestamp: 1,
        },
      ],
    },
    answer: { status: 201, body: "Report processed successfully, snapshot #1 created" },
    understood: "Report processed successfully, snapshot #1 created",
  },
  reportCloudRun: {
    request: {
      envName: "prod",
      body: {
        artifacts: [
          {
            kind: "service",
            serviceName: "s",
            revisionName: "r",
            digests: { web: FINGERPRINT },
            creationTimestamp: 1,
          },
        ],
      },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/cloud-run",
    body: {
      artifacts: [
        {
          kind: "service",
          serviceName: "s",
          revisionName: "r",
          digests: { web: FINGERPRINT },
          creationTimestamp: 1,
        },
      ],
    },
    answer: { status: 201, body: "Report processed successfully, snapshot #1 created" },
    understood: "Report processed successfully, snapshot #1 created",
  },
  reportDocker: {
    request: {
      envName: "prod",
      body: { artifacts: [{ digests: { some_file: FINGERPRINT }, creationTimestamp: 1 }] },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/docker",
    body: { artifacts: [{ digests: { some_file: FINGERPRINT }, creationTimestamp: 1 }] },
    answer: { status: 201, body: "Report processed successfully, snapshot #1 created" },
    understood: "Report processed successfully, snapshot #1 created",
  },
  reportECS: {
    request: {
      envName: "prod",
      body: {
        artifacts: [
          { taskArn: "arn", clusterName: "c", serviceName: "s", digests: { web: "" }, creationTimestamp: 1 },
        ],
      },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/ECS",
    body: {
      artifacts: [
        { taskArn: "arn", cluster_name: "c", service_name: "s", digests: { web: "" }, creationTimestamp: 1 },
      ],
    },
    answer: { status: 201, body: "Report processed successfully, snapshot #1 created" },
    understood: "Report processed successfully, snapshot #1 created",
  },
  reportK8S: {
    request: {
      envName: "prod",
      body: {
        artifacts: [
          {
            podName: "p",
            namespace: "n",
            digests: { "r/image_name": FINGERPRINT },
            creationTimestamp: 1,
            owners: [{ apiVersion: "v1", kind: "ReplicaSet", name: "r", uid: "u", controller: true }],
          },
        ],
      },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/K8S",
    body: {
      artifacts: [
        {
          podName: "p",
          namespace: "n",
          digests: { "r/image_name": FINGERPRINT },
          creationTimestamp: 1,
          owners: [{ apiVersion: "v1", kind: "ReplicaSet", name: "r", uid: "u", controller: true }],
        },
      ],
    },
    answer: { status: 200, body: "Report processed successfully, no new snapshots to create" },
    understood: "Report processed successfully, no new snapshots to create",
  },
  reportLambda: {
    request: {
      envName: "prod",
      body: { artifacts: [{ digests: { some_file: FINGERPRINT }, creationTimestamp: 1 }] },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/lambda",
    body: { artifacts: [{ digests: { some_file: FINGERPRINT }, creationTimestamp: 1 }] },
    answer: { status: 201, body: "Report processed successfully, snapshot #1 created" },
    understood: "Report processed successfully, snapshot #1 created",
  },
  reportS3: {
    request: {
      envName: "prod",
      body: { artifacts: [{ digests: { some_file: FINGERPRINT }, creationTimestamp: 1 }] },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/S3",
    body: { artifacts: [{ digests: { some_file: FINGERPRINT }, creationTimestamp: 1 }] },
    answer: { status: 201, body: "Report processed successfully, snapshot #1 created" },
    understood: "Report processed successfully, snapshot #1 created",
  },
  reportServer: {
    request: {
      envName: "prod",
      body: { artifacts: [{ digests: { some_file: FINGERPRINT }, creationTimestamp: 1 }] },
    },
    method: "PUT",
    path: "/api/v2/environments/acme/prod/report/server",
    body: { artifacts: [{ digests: { some_file: FINGERPRINT }, creationTimestamp: 1 }] },
    answer: { status: 201, body: "Report processed successfully, snapshot #1 created" },
    understood: "Report processed successfully, snapshot #1 created",
  },
  revokeApiKey: {
    request: { name: "ci", keyId: "k" },
    method: "DELETE",
    path: "/api/v2/service-accounts/acme/ci/api-keys/k",
    answer: { status: 200, body: "revoked" },
    understood: "revoked",
  },
  revokeShareLink: {
    request: { linkId: "s" },
    method: "DELETE",
    path: "/api/v2/share-links/acme/s",
    answer: { status: 200, body: "revoked" },
    understood: "revoked",
  },
  rotateApiKey: {
    request: { name: "ci", keyId: "k", body: { gracePeriodHours: 1 } },
    method: "POST",
    path: "/api/v2/service-accounts/acme/ci/api-keys/k/rotate",
    body: { grace_period_hours: 1 },
    answer: {
      status: 201,
      body: {
        id: "k",
        key: "de_x",
        description: "d",
        created_at: 1,
        expires_at: 0,
        grace_period_expires_at: 9,
      },
    },
    understood: {
      id: "k",
      key: "de_x",
      description: "d",
      createdAt: 1,
      expiresAt: 0,
      gracePeriodExpiresAt: 9,
    },
  },
  rotateSecrets: {
    request: { actionNumber: 3, body: { gracePeriodHours: 1 } },
    method: "POST",
    path: "/api/v2/actions/acme/3/secret/rotate",
    body: { grace_period_hours: 1 },
    answer: {
      status: 201,
      body: {
        secrets: [{ target: { number: 1, kind: "webhook" }, secret: "whsec_x", grace_period_expires_at: 9 }],
        public_key: "whpk_x",
      },
    },
    understood: {
      secrets: [{ target: { number: 1, kind: "webhook" }, secret: "whsec_x", gracePeriodExpiresAt: 9 }],
      publicKey: "whpk_x",
    },
  },
  search: {
    request: { q: "release 1.2.3 is:failing", kind: "trail" },
    method: "GET",
    path: "/api/v2/search/acme?q=release+1.2.3+is%3Afailing&kind=trail",
    answer: {
      status: 200,
      body: {
        qualifiers: [{ name: "is", value: "failing", text: "is:failing" }],
        groups: [{ kind: "trail", total: 0, more: false, results: [] }],
        page: 1,
        per_page: 20,
      },
    },
    understood: {
      qualifiers: [{ name: "is", value: "failing", text: "is:failing" }],
      groups: [{ kind: "trail", total: 0, more: false, results: [] }],
      page: 1,
      perPage: 20,
    },
  },
  searchSha: {
    request: { searchValue: "ab12c" },
    method: "GET",
    path: "/api/v2/search/acme/sha/ab12c",
    answer: {
      status: 200,
      body: { resolved_to: { type: "fingerprint", full_match: FINGERPRINT }, artifacts: [] },
    },
    understood: { resolvedTo: { type: "fingerprint", fullMatch: FINGERPRINT }, artifacts: [] },
  },
  setDefaultOrg: {
    request: {},
    method: "PUT",
    path: "/api/v2/user/acme",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  setTargetToken: {
    request: { actionNumber: 3, body: { token: "ghp_x" } },
    method: "PUT",
    path: "/api/v2/actions/acme/3/token",
    body: { token: "ghp_x" },
    answer: { status: 200, body: "The token is sent to api.github.com only" },
    understood: "The token is sent to api.github.com only",
  },
  showSecrets: {
    request: { actionNumber: 3 },
    method: "POST",
    path: "/api/v2/actions/acme/3/secret",
    answer: {
      status: 200,
      body: {
        secrets: [{ target: { number: 1, kind: "webhook" }, secret: "whsec_x" }],
        public_key: "whpk_x",
      },
    },
    understood: {
      secrets: [{ target: { number: 1, kind: "webhook" }, secret: "whsec_x" }],
      publicKey: "whpk_x",
    },
  },
  stateAttestation: {
    request: { flowName: "web", trailName: "v1", attestationId: RECORD_ID },
    method: "POST",
    path: `/api/v2/attestations/acme/web/trail/v1/attestation/${RECORD_ID}/statement`,
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  stateVerdict: {
    request: { fingerprint: FINGERPRINT, flowName: "web", statement: "svr", resourceUri: "ghcr.io/acme/web" },
    method: "POST",
    path: `/api/v2/asserts/acme/fingerprint/${FINGERPRINT}?flow_name=web&statement=svr&resource_uri=ghcr.io%2Facme%2Fweb`,
    answer: { status: 200, body: 1 },
    understood: { name: "", mediaType: "application/json", content: Buffer.from("1") },
  },
  testAction: {
    request: { actionNumber: 3, body: {} },
    method: "POST",
    path: "/api/v2/actions/acme/3/test",
    body: {},
    answer: {
      status: 200,
      body: {
        results: [
          { delivery_id: "d", target: { number: 1, kind: "webhook" }, delivered: true, outcome: "delivered" },
        ],
      },
    },
    understood: {
      results: [
        { deliveryId: "d", target: { number: 1, kind: "webhook" }, delivered: true, outcome: "delivered" },
      ],
    },
  },
  unarchiveControl: {
    request: { identifier: "CTL-1" },
    method: "POST",
    path: "/api/v2/controls/acme/CTL-1/unarchive",
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  updateControl: {
    request: { identifier: "CTL-1", body: { name: "n" } },
    method: "PUT",
    path: "/api/v2/controls/acme/CTL-1",
    body: { name: "n" },
    answer: { status: 200, body: { identifier: "CTL-1", name: "n", version: 2 } },
    understood: { identifier: "CTL-1", name: "n", version: 2 },
  },
  updateEnvironment: {
    request: { envName: "prod", body: { description: "", includedEnvironments: ["eu"] } },
    method: "PATCH",
    path: "/api/v2/environments/acme/prod",
    body: { description: "", included_environments: ["eu"] },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  updateEnvironmentNotification: {
    request: {
      notificationNumber: 3,
      body: {
        name: "tell",
        targets: [
          {
            type: "SLACK",
            webhook: "https://hooks.example/T",
            context: { channelId: "C", channelName: "ops", teamId: "T" },
          },
        ],
        environments: ["prod"],
        triggers: ["ON_SCALED_ARTIFACT"],
      },
    },
    method: "PUT",
    path: "/api/v2/organizations/acme/environments_notifications/3",
    body: {
      name: "tell",
      targets: [
        {
          type: "SLACK",
          webhook: "https://hooks.example/T",
          context: { channel_id: "C", channel_name: "ops", team_id: "T" },
        },
      ],
      environments: ["prod"],
      triggers: ["ON_SCALED_ARTIFACT"],
    },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  updateServiceAccount: {
    request: { name: "ci", body: { description: null, privilege: "member" } },
    method: "PATCH",
    path: "/api/v2/service-accounts/acme/ci",
    body: { description: null, privilege: "member" },
    answer: {
      status: 200,
      body: { name: "ci", display_name: "ci", privilege: "reader", creating_user_id: null },
    },
    understood: { name: "ci", displayName: "ci", privilege: "reader", creatingUserId: null },
  },
  updateTags: {
    request: {
      resourceType: "flow",
      resourceId: "web",
      body: { setTags: { my_key: "1" }, removeTags: ["old_key"] },
    },
    method: "PATCH",
    path: "/api/v2/tags/acme/flow/web",
    body: { set_tags: { my_key: "1" }, remove_tags: ["old_key"] },
    answer: { status: 200, body: "OK" },
    understood: "OK",
  },
  updateTrustPolicy: {
    request: { policyName: "web", body: { repository: "acme/web", expiresAt: 9 } },
    method: "PUT",
    path: "/api/v2/trust-policies/acme/web",
    body: { repository: "acme/web", expires_at: 9 },
    answer: { status: 200, body: storedTrust },
    understood: understoodTrust,
  },
};
