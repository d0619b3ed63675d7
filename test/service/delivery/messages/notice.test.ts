import { expect, test } from "vitest";
import type {
  EnvironmentNotification,
  FlowNotification,
  NotificationPayload,
} from "../../../../src/api/resources/notification-payload.ts";
import { noticeOf } from "../../../../src/service/delivery/messages/notice.ts";
import {
  admissionWebhookPayload,
  environmentPayload,
  flowPayload,
  groupPayload,
  keyPayload,
  scimTokenPayload,
} from "./payloads.ts";

const OLD = "70bc041".padEnd(40, "0");
const NEW = "7d37519".padEnd(40, "0");
const NAME = "registry.example.com/team/payments-api:2";

function running(commit: string): EnvironmentNotification["artifact"] {
  const { provenance } = environmentPayload.artifact ?? {};
  return { name: NAME, fingerprint: commit, ...(provenance && { provenance: { ...provenance, commit } }) };
}

const { artifact: _, ...environment } = environmentPayload;
const { approval: _1, ...attested } = flowPayload;
const sha = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b";
const flow = (type: FlowNotification["type"], more: Partial<FlowNotification> = {}): FlowNotification => ({
  ...attested,
  trail: { name: sha, compliance_state: "NON-COMPLIANT", html_url: "https://evidence.example.com/t" },
  reasons: ["'sbom' is non-compliant", "'review' is missing"],
  type,
  ...more,
});
const titleOf = (...payloads: [NotificationPayload, ...NotificationPayload[]]) => noticeOf(payloads).title;

test("a rollout that breaks a policy is one title with the versions, the place and the reason", () => {
  const decision = `'${NAME}': policy 'prod': the decision for control 'SOC2-CC8.1' is missing`;
  const reported = { ...environment, reasons: [decision] };
  const notice = noticeOf([
    { ...reported, type: "artifact.started", artifact: running(NEW) ?? never() },
    { ...reported, type: "artifact.exited", artifact: running(OLD) ?? never() },
    {
      ...reported,
      type: "environment.non_compliant",
      description: "Environment 'production' became non-compliant.",
    },
  ]);
  expect(notice).toMatchObject({
    title: "payments-api 70bc041 → 7d37519 in production: decision for control 'SOC2-CC8.1' missing",
    tone: "bad",
    status: "Environment: non-compliant",
    lines: ["payments-api 70bc041 → 7d37519", "Environment 'production' became non-compliant."],
    link: { label: "Open the snapshot", url: environment.snapshot?.html_url },
  });
});

function never(): never {
  throw new Error("The payload has an artifact");
}

test.each([
  ["a compliant trail", flow("trail.compliant"), "shop 9f86d08: compliant"],
  ["a failed trail", flow("trail.non_compliant"), "shop 9f86d08: 'sbom' non-compliant, and 1 more"],
  [
    "an incomplete trail",
    flow("trail.incomplete", { reasons: ["'review' is missing"] }),
    "shop 9f86d08: incomplete, 'review' missing",
  ],
  [
    "a refused gate",
    flow("gate.refused", {
      gate: { environment: "prod", policies: [] },
      reasons: ["policy 'p': the artifact is incomplete"],
    }),
    "shop 9f86d08: registry.example.com/shop:7 refused for prod: artifact is incomplete",
  ],
  [
    "a needed approval",
    flow("approval.needed", { approval: { number: 3, state: "PENDING" } }),
    "shop 9f86d08: registry.example.com/shop:7 needs approval 3",
  ],
  ["an attestation", flow("attestation.recorded"), "shop 9f86d08: 'unit-tests' non-compliant"],
  ["many artifacts", groupPayload, "shop-0 9f86d08 started and 4999 more in production"],
  ["an expiring SCIM token", scimTokenPayload, "SCIM token 'Okta' expires in 3 days"],
  ["an expiring webhook", admissionWebhookPayload, "Admission webhook 'cluster-1' expires in a day"],
  ["an expiring key", keyPayload, "API key 'pipelines of the shop' of 'ci' expires in 3 days"],
  ["an example", { ...flow("trail.compliant"), test: true as const }, "Test: shop 9f86d08: compliant"],
])("the title of %s has what changed and where", (_, payload, title) => {
  expect(titleOf(payload)).toBe(title);
});

test("a compliant attestation of a non-compliant trail does not contradict the trail", () => {
  const attestation = attested.attestation && { ...attested.attestation, name: "lint", is_compliant: true };
  const notice = noticeOf([flow("attestation.recorded", { ...(attestation && { attestation }) })]);
  expect(notice).toMatchObject({ title: "shop 9f86d08: 'lint' compliant", status: "Trail: non-compliant" });
});

test("several events of a trail are a line each, and the last change of the result is the title", () => {
  const compliant = flow("trail.compliant", { reasons: [] });
  const trail = { ...(compliant.trail ?? never()), compliance_state: "COMPLIANT" as const };
  const notice = noticeOf([
    flow("trail.non_compliant"),
    flow("attestation.recorded"),
    { ...compliant, trail },
    flow("artifact.reported", { trail, reasons: [] }),
  ]);
  expect(notice).toMatchObject({
    title: "shop 9f86d08: compliant",
    tone: "good",
    status: "Trail: compliant",
    lines: [
      "'sbom' non-compliant, and 1 more",
      "'unit-tests' non-compliant",
      "Compliant",
      "Registry.example.com/shop:7 reported",
    ],
    reasons: [],
  });
  expect(titleOf(flow("trail.started"), flow("attestation.recorded"))).toBe(
    "shop 9f86d08: 'unit-tests' non-compliant, and 1 more",
  );
});
