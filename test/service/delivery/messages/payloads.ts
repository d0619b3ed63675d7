import type {
  AdmissionWebhookNotification,
  EnvironmentNotification,
  FlowNotification,
  KeyNotification,
  RunningNotification,
  ScimTokenNotification,
} from "../../../../src/api/resources/notification-payload.ts";

const PAGES = "https://evidence.example.com";
const FINGERPRINT = "0123456789abcdef".repeat(4);
const SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";

export const flowPayload: FlowNotification = {
  version: "1.0",
  type: "attestation.recorded",
  event_type: "ATTESTATION",
  timestamp: "1795391488",
  sequence: 41,
  org: "acme",
  description: "The attestation unit-tests was recorded in the trail release-7 of the flow shop",
  reasons: ["unit-tests: 2 of 40 tests failed", "security-scan is missing"],
  commit: {
    sha: SHA,
    author: "Ada Lovelace <ada@example.com>",
    message: "Count the cart once\n\nIt was counted twice.",
    html_url: `https://github.com/acme/shop/commit/${SHA}`,
  },
  run_url: "https://github.com/acme/shop/actions/runs/17",
  flow: { name: "shop", html_url: `${PAGES}/acme/flows/shop` },
  trail: {
    name: "release-7",
    compliance_state: "NON-COMPLIANT",
    html_url: `${PAGES}/acme/flows/shop/trails/release-7`,
  },
  artifact: {
    name: "registry.example.com/shop:7",
    fingerprint: FINGERPRINT,
    html_url: `${PAGES}/acme/flows/shop/artifacts/${FINGERPRINT}`,
  },
  attestation: {
    attestation_id: "f3b0c442-98fc-1c14-9afb-f4c8996fb924",
    name: "unit-tests",
    type: "junit",
    is_compliant: false,
    html_url: `${PAGES}/acme/flows/shop/trails/release-7?attestation_id=f3b0c442-98fc-1c14-9afb-f4c8996fb924`,
  },
  approval: { number: 3, state: "PENDING" },
};

const running: RunningNotification = {
  name: "registry.example.com/shop:7",
  fingerprint: FINGERPRINT,
  provenance: {
    flow: "shop",
    status: "non-compliant",
    commit: SHA,
    commit_url: `https://github.com/acme/shop/commit/${SHA}`,
    html_url: `${PAGES}/acme/flows/shop/artifacts/${FINGERPRINT}`,
    api_url: `${PAGES}/api/v2/artifacts/acme/shop/fingerprint/${FINGERPRINT}`,
    build_url: "https://github.com/acme/shop/actions/runs/17",
  },
};

export const environmentPayload: EnvironmentNotification = {
  version: "1.0",
  type: "environment.non_compliant",
  event_type: "NON_COMPLIANT_ENV",
  timestamp: "1795391488",
  sequence: 42,
  org: "acme",
  description: "The environment production is no longer compliant",
  reasons: ["registry.example.com/shop:7 has no provenance"],
  environment: "production",
  html_url: `${PAGES}/acme/environments/production`,
  snapshot: {
    index: "12",
    status: "non-compliant",
    html_url: `${PAGES}/acme/environments/production/snapshots/12`,
    api_url: `${PAGES}/api/v2/snapshots/acme/production/12`,
  },
  artifact: running,
};

/** Many artifacts that started at once. */
export const groupPayload: EnvironmentNotification = {
  ...environmentPayload,
  type: "artifact.started",
  event_type: "STARTED_ARTIFACT",
  description: "5000 artifacts started in the environment production",
  artifacts: {
    count: 5000,
    first: Array.from({ length: 20 }, (_, index) => ({
      name: `registry.example.com/shop-${index}:7`,
      fingerprint: FINGERPRINT,
      ...(index % 2 === 0 && running.provenance ? { provenance: running.provenance } : {}),
    })),
  },
};

export const scimTokenPayload: ScimTokenNotification = {
  version: "1.0",
  type: "scim_token.expiring",
  event_type: "EXPIRING_SCIM_TOKEN",
  timestamp: "1795391488",
  sequence: 44,
  org: "acme",
  description: "The SCIM token 'Okta' of the login provider 'company' expires in 3 days.",
  reasons: [],
  scim_token: {
    ...{ id: "9c1f", description: "Okta", provider: "company" },
    ...{ expires_at: 1_795_650_000, days_left: 3, html_url: `${PAGES}/acme/scim-tokens` },
  },
};

export const admissionWebhookPayload: AdmissionWebhookNotification = {
  version: "1.0",
  type: "admission_webhook.expiring",
  event_type: "EXPIRING_ADMISSION_WEBHOOK",
  timestamp: "1795391488",
  sequence: 45,
  org: "acme",
  description: "The admission webhook 'cluster-1' of the environment 'production' expires in a day.",
  reasons: [],
  admission_webhook: {
    ...{ id: "9c1f", name: "cluster-1", environment: "production" },
    ...{ expires_at: 1_795_477_000, days_left: 1, html_url: `${PAGES}/acme/admission-webhooks` },
  },
};

export const keyPayload: KeyNotification = {
  version: "1.0",
  type: "api_key.expiring",
  event_type: "EXPIRING_API_KEY",
  timestamp: "1795391488",
  sequence: 43,
  org: "acme",
  description: "The API key 'pipelines of the shop' of the service account 'ci' expires in 3 days.",
  reasons: [],
  api_key: {
    id: "7be4a1f0-52c6-4f0d-8f0b-9d26c1aa",
    description: "pipelines of the shop",
    service_account: "ci",
    expires_at: 1_795_650_000,
    days_left: 3,
    html_url: `${PAGES}/acme/accounts/ci`,
  },
};
